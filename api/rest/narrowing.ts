import { COLOUR_FAMILIES } from '#schema/rules/facts/colour-family'
import { FIBRES } from '#schema/rules/facts/fibres'
import { KINDS } from '#schema/rules/facts/kind'
import { WEIGHT_CLASSES } from '#schema/rules/facts/weight-class'
import { Problem } from '../http/problem.ts'
import { dollarsToCents } from './operations.ts'

interface Parameter {
  description: string
  schema: object
  example: unknown
  /** The value as the contract's filter takes it. */
  read: (name: string, text: string) => unknown
}

const wrong = (name: string, wanted: string) => new Problem(400, 'BAD_USER_INPUT', `${name} must be ${wanted}.`)

const oneOf = (description: string, values: readonly string[], example: string): Parameter => ({
  description: `${description}; several with commas: any of them`,
  schema: { type: 'string' },
  example,
  read: (name, text) =>
    text.split(',').map(part => {
      const value = part.trim().toUpperCase().replaceAll(/[ -]/g, '_')
      if (!values.includes(value)) throw wrong(name, `some of ${values.join(', ')}`)
      return value
    }),
})

const sizes = (description: string): Parameter => ({
  description: `${description} in millimetres; several with commas: any of them`,
  schema: { type: 'string' },
  example: '4,4.5',
  read: (name, text) =>
    text.split(',').map(part => {
      if (!/^ {0,3}\d{1,3}(?:\.\d{1,2})? {0,3}$/.test(part)) throw wrong(name, 'sizes in millimetres, such as 4,4.5')
      return Number(part)
    }),
})

const truth = (description: string): Parameter => ({
  description,
  schema: { type: 'boolean' },
  example: true,
  read: (name, text) => {
    if (text !== 'true' && text !== 'false') throw wrong(name, 'true or false')
    return text === 'true'
  },
})

const whole = (description: string, example: number): Parameter => ({
  description,
  schema: { type: 'integer' },
  example,
  read: (name, text) => {
    if (!/^\d{1,9}$/.test(text)) throw wrong(name, 'a whole number')
    return Number(text)
  },
})

const dollars = (description: string, example: number): Parameter => ({
  description,
  schema: { type: 'number' },
  example,
  read: (name, text) => {
    if (!/^\d{1,7}(?:\.\d{1,2})?$/.test(text)) throw wrong(name, 'dollars with at most two decimals')
    return dollarsToCents(text)
  },
})

/** Query parameters that narrow a list of products, by their names in the contract's filter. Money is in dollars. */
export const FILTERS = {
  kind: oneOf('What kind of thing it is', KINDS, 'yarn'),
  weightClass: oneOf('How thick a yarn is', WEIGHT_CLASSES, 'dk,worsted'),
  fibre: oneOf('What a yarn is made of', FIBRES, 'merino'),
  colour: oneOf('The families of its colours', COLOUR_FAMILIES, 'blue,teal'),
  needleMm: sizes('Sizes of knitting needles'),
  hookMm: sizes('Sizes of crochet hooks'),
  metresFrom: whole('Metres of one ball or skein, or more', 100),
  metresTo: whole('Metres of one ball or skein, or fewer', 400),
  pricePer100mFrom: dollars('For 100 metres, or more', 2.5),
  pricePer100mTo: dollars('For 100 metres, or less', 10),
  superwash: truth('Whether a machine can wash the wool'),
  ratingFrom: whole('The average of the ratings, 1 to 5, or better', 4),
  category: {
    description: 'Exactly this category',
    schema: { type: 'string' },
    example: 'DK',
    read: (_name, text) => text,
  } as Parameter,
  priceFrom: dollars('Costs this much, or more', 10),
  priceTo: dollars('Costs this much, or less', 25),
  inStock: truth('Whether it can be ordered right now'),
}

export function filterOf(query: Record<string, unknown>): Record<string, unknown> {
  const filter: Record<string, unknown> = {}
  for (const [name, { read }] of Object.entries(FILTERS)) {
    const text = query[name]
    if (typeof text === 'string' && text !== '') filter[name] = read(name, text)
  }
  return filter
}

const SORTS = ['relevance', 'created', 'name', 'price', 'price_per_100_m', 'rating', 'best_selling']

export const SORT = {
  description: `One of ${SORTS.join(', ')}; with a minus before it the other way round`,
  schema: { type: 'string' },
  example: '-price',
}

/** `price` is cheapest first, `-price` dearest first. */
export function sortOf(query: Record<string, unknown>): { field: string; direction: string } | null {
  const text = query['sort']
  if (typeof text !== 'string' || text === '') return null
  const field = text.replace(/^-/, '')
  if (!SORTS.includes(field)) throw wrong('sort', `one of ${SORTS.join(', ')}`)
  return { field: field.toUpperCase(), direction: text.startsWith('-') ? 'DESC' : 'ASC' }
}
