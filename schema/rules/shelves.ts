import {
  COLOUR_FAMILIES,
  type ColourFamily,
  colourLabel,
  fibreLabel,
  type FibreName,
  FIBRES,
  WEIGHT_CLASS_LABELS,
  WEIGHT_CLASSES,
  type WeightClassName,
} from './facts/shelf-names.ts'
import type { Kind } from './facts/shelf-names.ts'

/** A part of the catalogue with an address of its own. */
export interface Shelf {
  path: string
  /** In menus: "DK". */
  label: string
  /** On the shelf: "DK yarn". */
  heading: string
  /** What lies on it, as the filter of a list. */
  filter: ShelfFilter
}

interface ShelfFilter {
  kind: [Kind]
  weightClass?: [WeightClassName]
  fibre?: [FibreName]
  colour?: [ColourFamily]
}

const segment = (name: string) => name.toLowerCase().replaceAll('_', '-')

const yarn = (part: string, label: string, filter: Omit<ShelfFilter, 'kind'>): Shelf => ({
  path: `/yarn/${segment(part)}`,
  label,
  heading: `${label} yarn`,
  filter: { kind: ['YARN'], ...filter },
})

const supply = (path: string, label: string, kind: Kind): Shelf => ({
  path,
  label,
  heading: label,
  filter: { kind: [kind] },
})

export const YARN = supply('/yarn', 'Yarn', 'YARN')

export const WEIGHT_SHELVES = WEIGHT_CLASSES.map(name =>
  yarn(name, name === 'WORSTED' ? 'Worsted & aran' : WEIGHT_CLASS_LABELS[name], { weightClass: [name] }),
)
export const FIBRE_SHELVES = FIBRES.map(name => yarn(name, fibreLabel(name), { fibre: [name] }))
export const COLOUR_SHELVES = COLOUR_FAMILIES.map(name => yarn(name, colourLabel(name), { colour: [name] }))

export const SUPPLY_SHELVES = [
  supply('/needles', 'Needles', 'NEEDLES'),
  supply('/hooks', 'Hooks', 'HOOK'),
  supply('/kits', 'Kits', 'KIT'),
  supply('/patterns', 'Patterns', 'PATTERN'),
  supply('/notions', 'Notions', 'NOTION'),
  supply('/gift-cards', 'Gift cards', 'GIFT_CARD'),
]

export const SHELVES: readonly Shelf[] = [
  YARN,
  ...WEIGHT_SHELVES,
  ...FIBRE_SHELVES,
  ...COLOUR_SHELVES,
  ...SUPPLY_SHELVES,
]

/** Other names of shelves, as people guess them in addresses. */
const ALIASES: Record<string, string> = {
  '2-ply': 'lace',
  sock: 'fingering',
  '4-ply': 'fingering',
  '3-ply': 'fingering',
  '5-ply': 'sport',
  '8-ply': 'dk',
  'double-knitting': 'dk',
  'light-worsted': 'dk',
  aran: 'worsted',
  '10-ply': 'worsted',
  chunky: 'bulky',
  '12-ply': 'bulky',
  'super-chunky': 'super-bulky',
  bfl: 'bluefaced-leicester',
  flax: 'linen',
  tencel: 'lyocell',
  rayon: 'viscose',
  polyamide: 'nylon',
  gray: 'grey',
  natural: 'undyed',
}

const byPath = new Map(SHELVES.map(shelf => [shelf.path, shelf]))

/** The shelf at an address, also under another of its names or in upper case. Null when there is none. */
export function shelfAt(path: string): Shelf | null {
  const wanted = path.toLowerCase()
  const alias = wanted.startsWith('/yarn/') ? ALIASES[wanted.slice('/yarn/'.length)] : undefined
  return byPath.get(alias === undefined ? wanted : `/yarn/${alias}`) ?? null
}

const FIELDS = { KIND: 'kind', WEIGHT_CLASS: 'weightClass', FIBRE: 'fibre', COLOUR: 'colour' } as const

/** The shelf of one value of a facet: for `FIBRE` and `MERINO`, merino yarn. Null when there is none. */
export function shelfFor(field: keyof typeof FIELDS, value: string): Shelf | null {
  const among = {
    KIND: [YARN, ...SUPPLY_SHELVES],
    WEIGHT_CLASS: WEIGHT_SHELVES,
    FIBRE: FIBRE_SHELVES,
    COLOUR: COLOUR_SHELVES,
  }
  return among[field].find(({ filter }) => filter[FIELDS[field]]?.[0] === value) ?? null
}

/** The shelves a product is on, the wider one first: Yarn, then its weight. */
export function shelvesOf(kind: Kind | null, weightClass: WeightClassName | null): Shelf[] {
  if (kind !== 'YARN') return SUPPLY_SHELVES.filter(shelf => shelf.filter.kind[0] === kind)
  return [YARN, ...WEIGHT_SHELVES.filter(shelf => shelf.filter.weightClass?.[0] === weightClass)]
}
