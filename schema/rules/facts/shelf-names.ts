import type { ColourFamily } from './colour-family.ts'
import type { FibreName } from './fibres.ts'
import type { Kind } from './kind.ts'
import type { WeightClassName } from './weight-class.ts'

/** What shoppers read for the values that lists are filtered by. */
export const KIND_LABELS: Record<Kind, string> = {
  YARN: 'Yarn',
  NEEDLES: 'Needles',
  HOOK: 'Hooks',
  KIT: 'Kits',
  NOTION: 'Notions',
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
