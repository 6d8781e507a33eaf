import { randomInt } from 'node:crypto'
import { readEnv } from '../../kernel/env.ts'
import { MOST_COUNTED } from '../../query/page-sizes.ts'
import type { Asked } from './bare-load.ts'

export interface Question {
  title: string
  ask: () => Asked
  /** The value of Accept-Encoding: browsers and most programs have one. */
  encoding?: string
  /** How many ask at once, where it is not as many as of the others. */
  connections?: number
  /** Budgets: the fewest answers per second, and in how many milliseconds 95% come. */
  perSecond?: number
  withinMs?: number
}

export const CARD = 'id name image price countInStock rating numReviews category length knittingNeedle'
export const LIST = `query ($keyword: String, $filter: ProductFilter, $sort: ProductSort, $page: Int) { products(keyword: $keyword, filter: $filter, sort: $sort, page: $page) { total totalIsExact pages items { ${CARD} } } }`
const DETAIL = `query ($id: ID!) { product(id: $id) { ${CARD} description weight gauge crochetHook recommendedCare content
  reviews { total items { id name rating comment createdAt } } } customersAlsoViewed { ${CARD} } }`

export const some = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T
export const COMMON = ['yarn', 'merino', 'wool', 'dk', 'sock yarn', 'cotton', 'needles', 'blue', 'soft']
export const SORTS = [undefined, { field: 'PRICE', direction: 'ASC' }, { field: 'RATING' }, { field: 'BEST_SELLING' }]
export const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const BROWSERS = 'gzip, deflate, br, zstd'
const home = { path: '/' }

/** What the shop answers at most, with as many connections as a busy hour has. */
export function shopQuestions(products: readonly { id: string }[], total: number): Question[] {
  const kinds = kindsOf(products, total)
  return [
    { title: 'baseline: /livez', ask: () => ({ path: '/livez' }) },
    { title: 'baseline: { __typename }, varied', ask: () => varied(ofGraphql('{ __typename }', {})) },
    ...kinds.map(([title, ask, perSecond]) => ({
      title: `${title}, varied`,
      ask: () => varied(ask()),
      encoding: BROWSERS,
      perSecond,
    })),
    ...kinds.map(([title, ask]) => {
      const same = ask()
      return { title: `${title}, repeated`, ask: () => same, encoding: BROWSERS, perSecond: 6_000 }
    }),
    { title: 'home page, kept, as browsers ask for it', ask: () => home, encoding: BROWSERS, perSecond: 5_000 },
    { title: 'home page, kept, gzip', ask: () => home, encoding: 'gzip' },
    { title: 'home page, kept, not packed', ask: () => home },
    { title: RENDERED, ask: () => varied(home), encoding: BROWSERS, perSecond: 300 },
    { title: `${RENDERED}, alone`, ask: () => varied(home), encoding: BROWSERS, connections: 1, withinMs: 20 },
  ]
}

export const RENDERED = 'home page, rendered each time'

export const renderedByTwo: Question = {
  title: 'home page, rendered each time by two processes',
  ask: () => varied(home),
  encoding: BROWSERS,
  perSecond: 300,
}

/** The kinds of question, in any of their variants. The repeated runs send one variant again and again. */
function kindsOf(products: readonly { id: string }[], total: number): [string, () => Asked, number][] {
  const pages = Math.ceil(Math.min(total, MOST_COUNTED) / readEnv({}).pageSize)
  return [
    ['GraphQL list', () => ofGraphql(LIST, { page: 1 + randomInt(pages), sort: some(SORTS) }), 1_500],
    ['GraphQL product page, reviews and four more', () => ofGraphql(DETAIL, some(products)), 1_500],
    ['GraphQL search, a word', () => ofGraphql(LIST, { keyword: some(COMMON), page: 1 + randomInt(8) }), 1_200],
    ['GraphQL search, two words', () => ofGraphql(LIST, { keyword: `${some(COMMON)} ${some(COMMON)}` }), 1_200],
    ['REST list', () => ({ path: `/api/products?pageNumber=${1 + randomInt(pages)}` }), 1_500],
    ['REST product', () => ({ path: `/api/products/${some(products).id}` }), 1_500],
    ['REST search', () => ({ path: `/api/products?keyword=${encodeURIComponent(some(COMMON))}` }), 1_200],
  ]
}

export function ofGraphql(query: string, variables: object): Asked {
  return { path: '/graphql', body: { query, variables } }
}

/** Counts the requests that were changed to be new. */
let turns = 0

/** The same request in a form that was never sent before, so that no cached answer fits it. */
export function varied({ path, body }: Asked): Asked {
  const turn = ++turns
  return body
    ? { path, body: { ...body, extensions: { turn } } }
    : { path: `${path}${path.includes('?') ? '&' : '?'}turn=${turn}` }
}
