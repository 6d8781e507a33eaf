import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COLOUR_FAMILIES, FIBRES, KINDS, WEIGHT_CLASSES } from '#schema/rules/facts/shelf-names'
import { type Choices, choicesIn, filterOf, queryOf, sortIn, SORTS, type SortName, toggled } from './list-filter.ts'

const read = (query: string) => choicesIn(new URLSearchParams(query))

test.each<[query: string, choices: Choices, filter: object]>([
  ['', {}, {}],
  ['kind=yarn,needles', { KIND: ['YARN', 'NEEDLES'] }, { kind: ['YARN', 'NEEDLES'] }],
  ['weight=dk,super-bulky', { WEIGHT_CLASS: ['DK', 'SUPER_BULKY'] }, { weightClass: ['DK', 'SUPER_BULKY'] }],
  ['fibre=merino', { FIBRE: ['MERINO'] }, { fibre: ['MERINO'] }],
  ['colour=blue', { COLOUR: ['BLUE'] }, { colour: ['BLUE'] }],
  ['needle=4,4.5', { NEEDLE_MM: ['4', '4.5'] }, { needleMm: [4, 4.5] }],
  ['hook=5', { HOOK_MM: ['5'] }, { hookMm: [5] }],
  ['metres=200-399', { METRES: ['200-399'] }, { metresFrom: 200, metresTo: 399 }],
  ['metres=800-', { METRES: ['800-'] }, { metresFrom: 800, metresTo: null }],
  ['price=10-19.99', { PRICE: ['1000-1999'] }, { priceFrom: 1000, priceTo: 1999 }],
  ['price=0-4.99', { PRICE: ['0-499'] }, { priceFrom: null, priceTo: 499 }],
  ['per-100m=2.5-4.99', { PRICE_PER_100_M: ['250-499'] }, { pricePer100mFrom: 250, pricePer100mTo: 499 }],
  ['rating=4', { RATING: ['4'] }, { ratingFrom: 4 }],
  ['superwash=yes', { SUPERWASH: ['true'] }, { superwash: true }],
  ['stock=in', { IN_STOCK: ['true'] }, { inStock: true }],
])('the address ?%s narrows a list by %j', (query, choices, filter) => {
  expect(read(query)).toEqual(choices)
  expect(filterOf(choices)).toEqual(filter)
  expect(queryOf(choices, null)).toBe(query && `?${query}`)
})

test.each([
  'kind=ships',
  'weight=,,',
  'fibre=constructor,__proto__',
  'needle=-4,0,abc,1e3,999',
  'metres=-',
  'metres=400-100',
  'price=$10',
  'price=1-2-3',
  'price=0-',
  'rating=9',
  'superwash=maybe',
  'unknown=dk',
  'Weight=dk',
])('the address ?%s narrows nothing', query => {
  expect(read(query)).toEqual({})
})

test.each([
  ['weight=lace&weight=dk', '?weight=lace,dk'],
  ['weight=DK,dk,LACE', '?weight=lace,dk'],
  ['needle=10,4,4.50,4.5', '?needle=4,4.5,10'],
  ['price=10-20,30-40', '?price=10-20'],
  ['stock=in&colour=teal&kind=yarn', '?kind=yarn&colour=teal&stock=in'],
])('the address ?%s has one shape: %s', (query, shape) => {
  expect(queryOf(read(query), null)).toBe(shape)
})

test('no more values than the API takes', () => {
  const sizes = Array.from({ length: 80 }, (_, index) => String(index + 1)).join(',')
  expect(read(`needle=${sizes}`).NEEDLE_MM).toHaveLength(50)
})

const some = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 6 })
const range = (most: number) =>
  fc.oneof(
    fc.constant([]),
    fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => [`${Math.min(a, b)}-${Math.max(a, b)}`]),
    fc.integer({ min: 1, max: most }).map(from => [`${from}-`]),
  )
const flag = fc.constantFrom([], ['true'])
const sizes = fc.uniqueArray(
  fc.integer({ min: 1, max: 9_999 }).map(hundredths => String(hundredths / 100)),
  { maxLength: 6 },
)

const choices = fc
  .record({
    KIND: some(KINDS),
    WEIGHT_CLASS: some(WEIGHT_CLASSES),
    FIBRE: some(FIBRES),
    COLOUR: some(COLOUR_FAMILIES),
    NEEDLE_MM: sizes,
    HOOK_MM: sizes,
    METRES: range(99_999),
    PRICE: range(9_999_999),
    PRICE_PER_100_M: range(9_999_999),
    RATING: fc.constantFrom([], ['1'], ['4']),
    SUPERWASH: flag,
    IN_STOCK: flag,
  })
  .map(all => Object.fromEntries(Object.entries(all).filter(([, values]) => values.length > 0)) as Choices)

const asSets = (given: Choices) =>
  Object.fromEntries(Object.entries(given).map(([field, values]) => [field, values.toSorted()]))

describe('whatever is chosen', () => {
  test('comes back from its address, which is short and plain', () => {
    fc.assert(
      fc.property(choices, fc.constantFrom(null, ...(Object.keys(SORTS) as SortName[])), (chosen, sort) => {
        const query = queryOf(chosen, sort)
        const search = new URLSearchParams(query)
        expect(asSets(choicesIn(search))).toEqual(asSets(chosen))
        expect(sortIn(search)).toBe(sort)
        expect(queryOf(choicesIn(search), sort)).toBe(queryOf(choicesIn(new URLSearchParams(query)), sort))
        expect(query).toMatch(/^(\?[a-z0-9=&.,-]+)?$/)
      }),
    )
  })

  test('is the same again after a value was pressed twice', () => {
    fc.assert(
      fc.property(choices, fc.constantFrom(...FIBRES), (chosen, fibre) => {
        const twice = toggled(toggled(chosen, 'FIBRE', fibre), 'FIBRE', fibre)
        expect(asSets(twice)).toEqual(asSets(chosen))
      }),
    )
  })

  test('no address breaks it', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.constantFrom('weight', 'price', 'needle', 'sort'),
        (text, param) => {
          const search = new URLSearchParams([[param, text]])
          expect(filterOf(choicesIn(search))).toBeTypeOf('object')
          sortIn(search)
        },
      ),
    )
  })
})
