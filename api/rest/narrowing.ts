import { z } from 'zod'
import { COLOUR_FAMILIES, FIBRES, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { fromDecimal } from '#schema/rules/money'
import { SORTS } from '../catalog/search/facet-row.ts'
import type { ProductFilter, ProductSortField } from '../generated/types.ts'

// Parameters of the query string. `read` answers null for a text that is none of what is wanted.

interface About {
  description: string
  type: 'string' | 'boolean' | 'integer' | 'number'
  example?: unknown
  wanted: string
}

/** Text as something else. Empty, or named twice, is as good as left out. */
const parameter = <Value>({ description, type, example, wanted }: About, read: (text: string) => Value | null) =>
  z
    .unknown()
    .optional()
    .transform((text, context) => {
      if (typeof text !== 'string' || text === '') return undefined
      const value = read(text)
      if (value === null) context.addIssue(`must be ${wanted}`)
      return value ?? undefined
    })
    .meta({ description, type, ...(example !== undefined && { examples: [example] }) })

const several = <Value>(about: Omit<About, 'type'>, read: (part: string) => Value | null) =>
  parameter(
    { ...about, description: `${about.description}; several with commas: any of them`, type: 'string' },
    text => {
      const values = text.split(',').map(read)
      return values.some(value => value === null) ? null : (values as Value[])
    },
  )

const oneOf = <Value extends string>(description: string, values: readonly Value[], example: string) =>
  several({ description, example, wanted: `some of ${values.join(', ')}` }, part => {
    const named = part.trim().toUpperCase().replaceAll(/[ -]/g, '_')
    return values.find(value => value === named) ?? null
  })

const sizes = (description: string) =>
  several(
    { description: `${description} in millimetres`, example: '4,4.5', wanted: 'sizes in millimetres, such as 4,4.5' },
    part => (/^ {0,3}\d{1,3}(?:\.\d{1,2})? {0,3}$/.test(part) ? Number(part) : null),
  )

const truth = (description: string) =>
  parameter({ description, type: 'boolean', example: true, wanted: 'true or false' }, text =>
    text === 'true' ? true : text === 'false' ? false : null,
  )

const whole = (description: string, example: number) =>
  parameter({ description, type: 'integer', example, wanted: 'a whole number' }, text =>
    /^\d{1,9}$/.test(text) ? Number(text) : null,
  )

const amount = (description: string, example: number) =>
  parameter({ description, type: 'number', example, wanted: 'an amount with at most two decimals' }, text =>
    /^\d{1,7}(?:\.\d{1,2})?$/.test(text) ? fromDecimal(text) : null,
  )

/** A page number as people type it; nonsense is the first page, the API clamps the rest. */
export const PAGE_NUMBER = z
  .unknown()
  .optional()
  .transform(typed => {
    const number = Math.trunc(Number(typed ?? 1))
    return Number.isFinite(number) ? Math.min(Math.max(number, 1), 1_000_000) : 1
  })
  .meta({
    description: 'From 1; a number out of range is moved to the nearest page',
    type: 'integer',
    default: 1,
    examples: [1],
  })

/** More than most shops hold. What is beyond comes with the next page, which a `Link` header names. */
export const EVERYTHING = 10_000

/** Of lists that are answered whole, unless a client asks for less. */
export const LONG_LIST = z.object({
  pageNumber: PAGE_NUMBER,
  pageSize: parameter(
    {
      description:
        'How many at a time. When there are more, the header `Link` has the address of the next page (`rel="next"`)',
      type: 'integer',
      wanted: `a whole number from 1 to ${EVERYTHING}`,
    },
    text => (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= EVERYTHING ? Number(text) : null),
  ).meta({ minimum: 1, maximum: EVERYTHING, default: EVERYTHING }),
})

/** What programs ask for that know what they want; they have a connection for it. */
type NotNarrowing = 'ids' | 'skus' | 'updatedFrom' | 'updatedTo'

/** What narrows a list of products, by its names in the contract's filter. Money is in whole units of the shop's currency. */
export const LIST = {
  keyword: z
    .unknown()
    .optional()
    .transform(text => (typeof text === 'string' ? text : null))
    .meta({ description: 'Words to look for, as knitters say them', type: 'string', examples: ['merino'] }),
  pageNumber: PAGE_NUMBER,
  kind: oneOf('What kind of thing it is', KINDS, 'yarn'),
  weightClass: oneOf('How thick a yarn is', WEIGHT_CLASSES, 'dk,worsted'),
  fibre: oneOf('What a yarn is made of', FIBRES, 'merino'),
  colour: oneOf('The families of its colours', COLOUR_FAMILIES, 'blue,teal'),
  needleMm: sizes('Sizes of knitting needles'),
  hookMm: sizes('Sizes of crochet hooks'),
  metresFrom: whole('Metres of one ball or skein, or more', 100),
  metresTo: whole('Metres of one ball or skein, or fewer', 400),
  pricePer100mFrom: amount('For 100 metres, or more', 2.5),
  pricePer100mTo: amount('For 100 metres, or less', 10),
  superwash: truth('Whether a machine can wash the wool'),
  ratingFrom: whole('The average of the ratings, 1 to 5, or better', 4),
  category: parameter(
    { description: 'Exactly this category', type: 'string', example: 'DK', wanted: 'text' },
    text => text,
  ),
  priceFrom: amount('Costs this much, or more', 10),
  priceTo: amount('Costs this much, or less', 25),
  inStock: truth('Whether it can be ordered right now'),
} satisfies Record<'keyword' | 'pageNumber' | Exclude<keyof ProductFilter, NotNarrowing>, z.ZodType>
export type List = z.output<z.ZodObject<typeof LIST>>

/** `UPDATED` is a feed, which takes a connection. */
const SORT_NAMES = (Object.keys(SORTS) as ProductSortField[]).filter(name => name !== 'UPDATED')
const NAMES = SORT_NAMES.join(', ').toLowerCase()

/** `price` is cheapest first, `-price` dearest first. */
export const SORT = parameter(
  {
    description: `One of ${NAMES}; with a minus before it the other way round`,
    type: 'string',
    example: '-price',
    wanted: `one of ${NAMES}`,
  },
  text => {
    const field = SORT_NAMES.find(sort => sort.toLowerCase() === text.replace(/^-/, ''))
    return field ? { field, direction: text.startsWith('-') ? ('DESC' as const) : ('ASC' as const) } : null
  },
)

export const PREVIEW = z.unknown().optional().meta({
  description: '`true` answers what /api/products/stats does, instead of a page; administrators only',
  type: 'boolean',
})
