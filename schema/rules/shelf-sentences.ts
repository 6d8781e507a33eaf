import type { ColourFamily, FibreName, WeightClassName, Kind } from './facts/shelf-names.ts'
import type { Shelf } from './shelves.ts'

/** By the Craft Yarn Council's standard: stitches of stocking stitch to 10 cm, and the needles for it. */
const WEIGHTS: Record<WeightClassName, string> = {
  LACE: 'The finest class, 0: 33 to 40 stitches to 10 cm on 1.5 to 2.25 mm needles, and far fewer in openwork on larger ones.',
  FINGERING: 'Also called sock yarn or 4-ply, class 1: 27 to 32 stitches to 10 cm on 2.25 to 3.25 mm needles.',
  SPORT: 'Also called 5-ply, class 2: 23 to 26 stitches to 10 cm on 3.25 to 3.75 mm needles.',
  DK: 'Double knitting, 8-ply or light worsted, class 3: 21 to 24 stitches to 10 cm on 3.75 to 4.5 mm needles.',
  WORSTED: 'Worsted, aran and 10-ply are one class, 4: 16 to 20 stitches to 10 cm on 4.5 to 5.5 mm needles.',
  BULKY: 'Also called chunky or 12-ply, class 5: 12 to 15 stitches to 10 cm on 5.5 to 8 mm needles.',
  SUPER_BULKY: 'Class 6: 7 to 11 stitches to 10 cm on 8 to 12.75 mm needles.',
  JUMBO: 'The thickest class, 7: 6 stitches or fewer to 10 cm, on needles of 12.75 mm and more, or on your arms.',
}

const SPUN_OF: Record<FibreName, string> = {
  BAMBOO: 'Viscose made of bamboo: smooth and heavy in drape, cool to wear, and slippery on metal needles.',
  BLUEFACED_LEICESTER: 'A British longwool, BFL for short: almost as soft as merino, with more lustre and longer wear.',
  MERINO: 'The finest common wool: soft enough for next to the skin, springy, and quick to pill where it is rubbed.',
  CORRIEDALE: 'A cross of merino and Lincoln sheep: softer than most and stronger than merino.',
  ROMNEY: 'A lustrous longwool that wears for years: for coats, bags and jumpers over a shirt.',
  SHETLAND: 'Light, warm wool whose hairs hold on to each other: for lace, for colourwork, and for cutting steeks.',
  JACOB: 'From a piebald sheep with up to six horns, in greys and browns that need no dye.',
  POLWARTH: 'Three parts merino and one part Lincoln: as soft as the one, with some of the other’s drape.',
  FALKLAND: 'Wool of the Falkland Islands: fine, and very white by nature.',
  ICELANDIC: 'Two coats in one fleece, a long one that sheds water and a short one that warms: lopi is spun of both.',
  LAMBSWOOL: 'A sheep’s first shearing, at some seven months: its finest and softest.',
  ALPACA: 'Warmer than wool and without its spring: it drapes, it grows, and it has no lanolin.',
  LLAMA: 'The alpaca’s larger cousin: the undercoat is soft and light, for the fibres are hollow.',
  MOHAIR: 'Of the Angora goat: its halo makes a thin thread warm, and it takes dye like nothing else.',
  CASHMERE: 'The combed undercoat of goats: a goat gives some two hundred grams a year.',
  ANGORA: 'Of the Angora rabbit: the warmest common fibre, with a halo that grows as it is worn.',
  YAK: 'The down of yaks, as fine as cashmere and brown by nature.',
  CAMEL: 'The down that camels shed in spring, fine, warm, and left in its own colour.',
  QIVIUT: 'The undercoat of the musk ox: finer than cashmere, and it does not felt.',
  POSSUM: 'Of New Zealand’s brushtail possum: hollow fibre that is light and very warm, spun with wool.',
  SILK: 'Strong, lustrous and heavy in drape; it keeps no shape by itself, so it is often spun with wool.',
  COTTON: 'Cool, strong, and without stretch: for summer, for cloths, and for bags that carry.',
  LINEN: 'Spun of flax: stiff on the needles, and softer and shinier with every wash.',
  HEMP: 'Much like linen, stronger yet: it softens with every wash.',
  NETTLE: 'Spun of nettle stalks: between linen and cotton, and it does not sting.',
  RAMIE: 'A nettle that does not sting: as lustrous as silk, and stronger when wet.',
  JUTE: 'Rough and cheap: for baskets and mats, not for wearing.',
  LYOCELL: 'Spun from wood pulp: smooth, strong when wet too, and often sold as Tencel.',
  MODAL: 'Spun from beech pulp: soft, shiny, and it stays so when washed.',
  VISCOSE: 'Also called rayon, spun from wood pulp: it shines and drapes, and is weak while wet.',
  NYLON: 'The part of sock yarn that keeps heels whole: a fifth or a quarter of it does.',
  POLYESTER: 'Strong, light and quick to dry; often a part of novelty yarn.',
  ACRYLIC: 'Washes in any machine and costs little: for blankets and for those whom wool itches.',
  ELASTANE: 'A few per cent of it make socks and cotton spring back.',
  METALLIC: 'A thread that glitters, spun along with another fibre.',
  WOOL: 'Of sheep, whatever their breed: warm when wet, springy, and forgiving of uneven stitches.',
}

const DYED: Record<ColourFamily, string> = {
  RED: 'Scarlet, crimson, madder, garnet, oxblood.',
  ORANGE: 'Marmalade, amber, rust, persimmon, terracotta.',
  YELLOW: 'Ochre, mustard, weld, saffron, buttermilk.',
  GREEN: 'Moss, kelp, spruce, sage, greengage.',
  TEAL: 'Turquoise, kingfisher, peacock, petrol: between green and blue.',
  BLUE: 'Navy, indigo, cornflower, denim, sky.',
  PURPLE: 'Plum, aubergine, lavender, heather, damson.',
  PINK: 'Rose, peony, blush, fuchsia, salmon.',
  BROWN: 'Cocoa, toffee, chestnut, peat, moorit.',
  GREY: 'Slate, smoke, charcoal, pewter, storm.',
  BLACK: 'Ebony, jet, ink: knit it by daylight.',
  WHITE: 'Snow, ivory, chalk.',
  UNDYED: 'As the sheep wore it: natural, cream, ecru, and ready for a dye pot of your own.',
  VARIEGATED: 'More than one colour in a skein: speckles, stripes and gradients.',
}

const SOLD: Record<Kind, string> = {
  YARN: 'From cobweb lace to jumbo, with fibre, length, gauge and needle size on every band.',
  NEEDLES: 'Straight, circular and double-pointed, in sizes you can filter by millimetre.',
  HOOK: 'Crochet hooks, single and in sets, in sizes you can filter by millimetre.',
  KIT: 'All that one project needs, in one box.',
  PATTERN: 'What to make next: on paper, or to download as soon as it is paid.',
  NOTION: 'Markers, scissors, tape measures, wool wash: the small things that save a project.',
  GIFT_CARD: 'For the knitter who would like to choose: its code comes by email as soon as it is paid.',
}

/** What a knitter should know about a shelf. In a file of its own, because menus import the shelves without it. */
export function sentenceOf({ filter: { kind, weightClass, fibre, colour } }: Shelf): string {
  if (weightClass) return WEIGHTS[weightClass[0]]
  if (fibre) return SPUN_OF[fibre[0]]
  if (colour) return DYED[colour[0]]
  return SOLD[kind[0]]
}
