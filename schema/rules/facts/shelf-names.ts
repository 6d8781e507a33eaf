// Kept apart from the code that reads them out of texts, because every page of the shop has them in its menu.

/** What kind of thing is sold. */
export const KINDS = ['YARN', 'NEEDLES', 'HOOK', 'KIT', 'PATTERN', 'NOTION', 'GIFT_CARD'] as const

export type Kind = (typeof KINDS)[number]

/** The classes of weight, in the order of their numbers from 0. */
export const WEIGHT_CLASSES = ['LACE', 'FINGERING', 'SPORT', 'DK', 'WORSTED', 'BULKY', 'SUPER_BULKY', 'JUMBO'] as const

export type WeightClassName = (typeof WEIGHT_CLASSES)[number]

/** Specific fibres come before general ones: "merino wool" is merino. */
export const FIBRES = [
  'BAMBOO',
  'BLUEFACED_LEICESTER',
  'MERINO',
  'CORRIEDALE',
  'ROMNEY',
  'SHETLAND',
  'JACOB',
  'POLWARTH',
  'FALKLAND',
  'ICELANDIC',
  'LAMBSWOOL',
  'ALPACA',
  'LLAMA',
  'MOHAIR',
  'CASHMERE',
  'ANGORA',
  'YAK',
  'CAMEL',
  'QIVIUT',
  'POSSUM',
  'SILK',
  'COTTON',
  'LINEN',
  'HEMP',
  'NETTLE',
  'RAMIE',
  'JUTE',
  'LYOCELL',
  'MODAL',
  'VISCOSE',
  'NYLON',
  'POLYESTER',
  'ACRYLIC',
  'ELASTANE',
  'METALLIC',
  'WOOL',
] as const

export type FibreName = (typeof FIBRES)[number]

/** The colour families that shoppers can search by. */
export const COLOUR_FAMILIES = [
  'RED',
  'ORANGE',
  'YELLOW',
  'GREEN',
  'TEAL',
  'BLUE',
  'PURPLE',
  'PINK',
  'BROWN',
  'GREY',
  'BLACK',
  'WHITE',
  'UNDYED',
  'VARIEGATED',
] as const

export type ColourFamily = (typeof COLOUR_FAMILIES)[number]

/** What shoppers read for the values that lists are filtered by. */
export const KIND_LABELS: Record<Kind, string> = {
  YARN: 'Yarn',
  NEEDLES: 'Needles',
  HOOK: 'Hooks',
  KIT: 'Kits',
  PATTERN: 'Patterns',
  NOTION: 'Notions',
  GIFT_CARD: 'Gift cards',
}

export const WEIGHT_CLASS_LABELS: Record<WeightClassName, string> = {
  LACE: 'Lace',
  FINGERING: 'Fingering',
  SPORT: 'Sport',
  DK: 'DK',
  WORSTED: 'Worsted',
  BULKY: 'Bulky',
  SUPER_BULKY: 'Super Bulky',
  JUMBO: 'Jumbo',
}

const titled = (name: string) => name.replaceAll('_', ' ').replaceAll(/\B[A-Z]/g, letter => letter.toLowerCase())

export const fibreLabel = (fibre: FibreName) => titled(fibre)
export const colourLabel = (colour: ColourFamily) => titled(colour)
