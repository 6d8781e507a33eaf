import { randomInt } from 'node:crypto'
import { LOTS, rareWord } from './fill-products.ts'
import { COMMON, CARD, hoursAgo, LIST, some, SORTS, varied, ofGraphql, type Question } from './questions.ts'

const TOP_RATED = `query ($page: Int) { topRatedProducts(page: $page) { total pages items { ${CARD} } } }`
const PART = `query ($keyword: String, $sort: ProductSort) { productsConnection(keyword: $keyword, sort: $sort, first: 12) { edges { cursor node { ${CARD} } } pageInfo { hasNextPage } } }`
const FACETS = `query ($keyword: String, $filter: ProductFilter) { products(keyword: $keyword, filter: $filter) { total facets { field values { value count countIsExact } } } }`
const SUGGEST = `query ($typed: String!) { searchSuggestions(typed: $typed) { products { ${CARD} } terms { label field value } correction } }`

const SHELVES = [
  { kind: ['YARN'] },
  { kind: ['NEEDLES'] },
  { weightClass: ['DK'] },
  { fibre: ['MERINO'] },
  { kind: ['YARN'], weightClass: ['LACE'] },
  { kind: ['KIT'] },
]

/**
 * Words and shelves, few and many, near pages and far ones. What is rare finds as many products of a million as of a thousand, so that what
 * takes longer is the shop's size; what "grows" finds more of more.
 */
const work = (size: number, changedLast: Date): [title: string, ask: () => { query: string; variables: object }][] => [
  ['search, a common word', () => ({ query: LIST, variables: { keyword: some(COMMON), page: 1 + randomInt(8) } })],
  ['search, a rare word', () => ({ query: LIST, variables: { keyword: rareWord(size) } })],
  ['search, a rare word that grows', () => ({ query: LIST, variables: { keyword: growing() } })],
  ['search, two words', () => ({ query: LIST, variables: { keyword: `${some(COMMON)} ${rareWord(size)}` } })],
  ['search, two words that grow', () => ({ query: LIST, variables: { keyword: `${some(COMMON)} ${growing()}` } })],
  ['search, no result', () => ({ query: LIST, variables: { keyword: `zzq${randomInt(1e6)}xw` } })],
  ['suggestion', () => ({ query: SUGGEST, variables: { typed: some(COMMON).slice(0, 2 + randomInt(3)) } })],
  ['the shop, any page', () => ({ query: LIST, variables: { page: 1 + randomInt(80), sort: some(SORTS) } })],
  ['category page', () => ({ query: LIST, variables: { filter: some(SHELVES), sort: some(SORTS) } })],
  [
    'category page, narrowed, any page',
    () => ({
      query: LIST,
      variables: {
        filter: { ...some(SHELVES), priceFrom: randomInt(4_000) },
        sort: some(SORTS),
        page: 1 + randomInt(80),
      },
    }),
  ],
  ['top rated, any page', () => ({ query: TOP_RATED, variables: { page: 1 + randomInt(80) } })],
  ['part of a connection', () => ({ query: PART, variables: { sort: some(SORTS) } })],
  [
    'part of a connection, a rare word',
    () => ({ query: PART, variables: { keyword: rareWord(size), sort: some(SORTS) } }),
  ],
  [
    'part of a connection, a rare word that grows',
    () => ({ query: PART, variables: { keyword: growing(), sort: some(SORTS) } }),
  ],
  [
    'facet list, a shelf',
    () => ({ query: FACETS, variables: { filter: { ...some(SHELVES), priceFrom: randomInt(4_000) } } }),
  ],
  ['facet list, a common word', () => ({ query: FACETS, variables: { keyword: some(COMMON), filter: some(SHELVES) } })],
  ['facet list, a rare word', () => ({ query: FACETS, variables: { keyword: rareWord(size) } })],
  ['facet list, a rare word that grows', () => ({ query: FACETS, variables: { keyword: growing() } })],
  [
    'changed last, two dozen',
    () => ({ query: LIST, variables: { filter: { updatedFrom: changedLast.toISOString() } } }),
  ],
  [
    'changed in the last hours, which grows',
    () => ({ query: LIST, variables: { filter: { updatedFrom: hoursAgo(1 + Math.random()) } } }),
  ],
]

/** In one of 5,000 products. */
const growing = () => `lot${randomInt(LOTS)}`

/** What shoppers find products by, of so many, of which two dozen have changed since a moment. */
export const findingQuestions = (size: number, changedLast: Date): Question[] =>
  work(size, changedLast).map(([title, ask]) => {
    const next = () => {
      const { query, variables } = ask()
      return varied(ofGraphql(query, variables))
    }
    return { title, ask: next, withinMs: 40 }
  })
