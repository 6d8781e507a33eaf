import { readGrams, readMetres } from '#schema/rules/facts/amounts'
import { WASHING } from '#schema/rules/facts/care'
import { COLOUR_FAMILIES, type ColourFamily, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { readFibres, type Fibre } from '#schema/rules/facts/fibres'
import {
  CORRECTABLE,
  type Correctable,
  type FactCorrections,
  type ProductFacts,
} from '#schema/rules/facts/product-facts'
import { NUMBER, rangeOf, spelled, type Range } from '#schema/rules/facts/spelling'
import { readHookSizes, readNeedleSizes } from '#schema/rules/facts/tool-sizes'
import type { EditedProductFragment } from './ProductEdit.gql.ts'

type Typed = Exclude<Correctable, 'colours'>

/** A fact as an administrator reads and types it. */
export interface FactRow<Name extends Typed = Typed> {
  name: Name
  label: string
  /** What can be chosen; typed freely when left out. */
  options?: readonly string[]
  example?: string
  /** A value as text; empty when it is not known. */
  tell: (value: ProductFacts[Name]) => string
  /** The value of a typed text; undefined when it cannot be read. Never called with an empty text. */
  read: (text: string) => ProductFacts[Name] | undefined
}

const named = (name: string) =>
  name === 'DK' ? name : name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ')
const oneOf = <T extends string>(names: readonly T[]) => ({
  options: names.map(named),
  tell: (value: T | null) => (value ? named(value) : ''),
  read: (text: string) => names.find(name => named(name) === text),
})

const figures = ({ from, to }: Range) => (from === to ? String(from) : `${from}–${to}`)
const counted = {
  tell: (range: Range | null) => (range ? figures(range) : ''),
  read: (text: string) => {
    const [, from, to] = new RegExp(`^(${NUMBER})(?: ?- ?(${NUMBER}))?$`).exec(spelled(text) ?? '') ?? []
    return from === undefined ? undefined : (rangeOf(from, to) ?? undefined)
  },
}
const sizes = (read: (text: string) => Range[] | null) => ({
  example: '4 mm, US 6–8',
  tell: (ranges: Range[]) => ranges.map(range => `${figures(range)} mm`).join(', '),
  read: (text: string) => read(text) ?? undefined,
})
const withUnit = (text: string, unit: string) => (/^[\d.,\s]+$/.test(text) ? `${text} ${unit}` : text)

const row = <Name extends Typed>(name: Name, label: string, rest: Omit<FactRow<Name>, 'name' | 'label'>) =>
  ({ name, label, ...rest }) as unknown as FactRow

export const FACT_ROWS: readonly FactRow[] = [
  row('kind', 'Kind', oneOf(KINDS)),
  row('weightClass', 'Weight class', oneOf(WEIGHT_CLASSES)),
  row('grams', 'Grams', {
    example: '100 g, 3½ oz',
    tell: grams => (grams === null ? '' : `${grams} g`),
    read: text => readGrams(withUnit(text, 'g')) ?? undefined,
  }),
  row('metres', 'Metres', {
    example: '210 m, 230 yd',
    tell: metres => (metres === null ? '' : `${metres} m`),
    read: text => readMetres(withUnit(text, 'm')) ?? undefined,
  }),
  row('fibres', 'Fibres', {
    example: '75% merino, 25% nylon',
    tell: fibres => fibres.map(fibreInWords).join(', '),
    read: text => readFibres(text) ?? undefined,
  }),
  row('washing', 'Washing', oneOf(WASHING)),
  row('superwash', 'Superwash', {
    options: ['Yes', 'No'],
    tell: superwash => (superwash === null ? '' : superwash ? 'Yes' : 'No'),
    read: text => text === 'Yes',
  }),
  row('stitches', 'Stitches in 10 cm', { example: '22, 26–28', ...counted }),
  row('rows', 'Rows in 10 cm', { example: '30, 36–38', ...counted }),
  row('needles', 'Needles', sizes(readNeedleSizes)),
  row('hooks', 'Hooks', sizes(readHookSizes)),
  row('colourFamilies', 'Found under colour', {
    example: 'Red, Variegated',
    tell: families => families.map(named).join(', '),
    read: text => {
      const families = text.split(',').map(part => COLOUR_FAMILIES.find(name => name === part.trim().toUpperCase()))
      return families.includes(undefined) ? undefined : (families as ColourFamily[])
    },
  }),
]

function fibreInWords({ fibre, percent }: Fibre): string {
  const name = fibre ? fibre.replaceAll('_', ' ').toLowerCase() : 'other fibres'
  return percent === null ? name : `${percent}% ${name}`
}

/** What was set by hand, without the `__typename`s that the cache adds. */
export function correctionsOf({ facts, colours }: EditedProductFragment): FactCorrections {
  const inForce = plain({ ...facts, colours }) as Record<string, unknown>
  return Object.fromEntries(
    CORRECTABLE.filter(name => facts.corrected.includes(name)).map(name => [name, inForce[name]]),
  )
}

/** Corrections, in the JSON that the form keeps them in, as text for people. */
export function correctionsInWords(text: string): string {
  const corrections = JSON.parse(text) as FactCorrections
  const rows = FACT_ROWS.filter(({ name }) => name in corrections).map(
    ({ name, label, tell }) => `${label}: ${tell(corrections[name] as never) || 'nobody knows'}`,
  )
  const colours = corrections.colours ? [`Colours: ${corrections.colours.map(({ hex }) => hex).join(', ')}`] : []
  return [...rows, ...colours].join('; ')
}

const plain = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (key, inside: unknown) => (key === '__typename' ? undefined : inside))) as T
