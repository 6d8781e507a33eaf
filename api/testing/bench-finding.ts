// What `npm run bench -- --products N` measures: finding products among N of them, beside the same among 1,000.
import { randomInt } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { styleText } from 'node:util'
import { Agent, request } from 'undici'
import type { MikroORM } from '@mikro-orm/postgresql'
import { connect } from '../db/config.ts'

const CLIENTS = 8
const SECONDS = 5
const BUDGET_MS = 40
const BATCH = 50_000
/** Each is in about so many words of the shop: 200 products of a million share one. */
const LOTS = 5_000

const COPIED = `image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category,
  published_at, search_format, kind, weight_class, fibres, needle_mm, hook_mm, superwash, facts`

/** Copies of the sample with other prices, colours, stock, ratings and dates, until there are so many products. */
export async function stockUp(url: string, count: number): Promise<void> {
  // Over connections of its own: the shop's give up on whatever takes longer than a few seconds.
  const own = await connect(url)
  const em = own.em.fork()
  await em.execute(`set statement_timeout = 0; set maintenance_work_mem = '1GB'; set synchronous_commit = off`)
  const [{ there, sample }] = (await em.execute(
    `select count(*)::int as there, (select count(*)::int from products where sku not like 'LOT%') as sample from products`,
  )) as [{ there: number; sample: number }]
  await em.execute(
    `insert into search_words (word) select 'lot' || n from generate_series(0, ${LOTS - 1}) n on conflict do nothing`,
  )
  // Indexes are made again at the end: together, which is much faster.
  const indexes = await em.execute<{ name: string; definition: string }[]>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'products' and indexname not in (select conname from pg_constraint)`,
  )
  for (const { name } of indexes) await em.execute(`drop index ${name}`)
  for (let from = there; from < count; from += BATCH) {
    const most = Math.min(BATCH, count - from)
    await em.execute(
      `insert into products (id, sku, name, price, count_in_stock, num_reviews, rating_sum, created_at, sold_last_90_days, metres, colours, search_document, ${COPIED})
       select gen_random_uuid(), 'LOT' || n, name || ' ' || n, 100 + (random() * 6000)::int, greatest(0, (random() * 60)::int - 3),
         reviews, (reviews * (3 + random() * 2))::int, now() - n * interval '1 second', (random() ^ 8 * 500)::int,
         metres * (0.8 + random() * 0.4), case when random() < 0.5 then colours else array[(array['RED','BLUE','GREEN','TEAL','GREY','PINK'])[1 + (random() * 5)::int]] end,
         search_document || setweight(to_tsvector('english', 'lot' || n % ${LOTS}), 'A'), ${COPIED}
       from (select row_number() over (order by id) as row, p.* from products p where sku not like 'LOT%') p
       join generate_series(?::int, ?::int) n on n % ${sample} + 1 = p.row, lateral (select (random() * 40)::int + n * 0 as reviews) r`,
      [from, from + most - 1],
    )
  }
  for (const { definition } of indexes) await em.execute(definition)
  await em.execute('vacuum analyze products')
  await em.execute('analyze')
  await own.close()
}

const CARD = 'id name image price countInStock rating numReviews category length knittingNeedle'
const LIST = `query ($keyword: String, $filter: ProductFilter, $sort: ProductSort) { products(keyword: $keyword, filter: $filter, sort: $sort) { total totalIsExact pages items { ${CARD} } } }`
const FACETS = `query ($keyword: String, $filter: ProductFilter) { products(keyword: $keyword, filter: $filter) { total facets { field values { value count countIsExact } } } }`
const SUGGEST = `query ($typed: String!) { searchSuggestions(typed: $typed) { products { ${CARD} } terms { label field value } correction } }`

const some = <T>(values: readonly T[]): T => values[randomInt(values.length)]!
const COMMON = ['yarn', 'merino', 'wool', 'dk', 'sock yarn', 'cotton', 'needles', 'blue', 'soft']
const SORTS = [undefined, { field: 'PRICE', direction: 'ASC' }, { field: 'RATING' }, { field: 'BEST_SELLING' }]
const SHELVES = [
  { kind: ['YARN'] },
  { kind: ['NEEDLES'] },
  { weightClass: ['DK'] },
  { fibre: ['MERINO'] },
  { kind: ['YARN'], weightClass: ['LACE'] },
  { kind: ['KIT'] },
]

/** Each asks for something else every time, so that no answer is one that was kept. */
export const WORK: [title: string, ask: () => { query: string; variables: object }][] = [
  ['search, a common word', () => ({ query: LIST, variables: { keyword: some(COMMON) } })],
  ['search, a rare word', () => ({ query: LIST, variables: { keyword: `lot${randomInt(LOTS)}` } })],
  ['search, two words', () => ({ query: LIST, variables: { keyword: `${some(COMMON)} lot${randomInt(LOTS)}` } })],
  ['search, no result', () => ({ query: LIST, variables: { keyword: `zzq${randomInt(1e6)}xw` } })],
  ['suggestion', () => ({ query: SUGGEST, variables: { typed: some(COMMON).slice(0, 2 + randomInt(3)) } })],
  ['category page', () => ({ query: LIST, variables: { filter: some(SHELVES), sort: some(SORTS) } })],
  [
    'facet list, a shelf',
    () => ({ query: FACETS, variables: { filter: { ...some(SHELVES), priceFrom: randomInt(4_000) } } }),
  ],
  ['facet list, a common word', () => ({ query: FACETS, variables: { keyword: some(COMMON), filter: some(SHELVES) } })],
  ['facet list, a rare word', () => ({ query: FACETS, variables: { keyword: `lot${randomInt(LOTS)}` } })],
]

interface Measured {
  p50: number
  p95: number
  failed: number
}

/** Milliseconds of each kind of question. */
async function measureFinding(url: string, tell: (title: string, measured: Measured) => void): Promise<void> {
  const agent = new Agent({ connections: CLIENTS })
  const send = async ({ query, variables }: { query: string; variables: object }) => {
    const began = performance.now()
    const { statusCode, body } = await request(`${url}/graphql`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const answer = (await body.json()) as { errors?: unknown }
    return { ms: performance.now() - began, failed: statusCode !== 200 || answer.errors !== undefined }
  }
  for (const [title, ask] of WORK) {
    // What the first to ask waits for is told apart.
    for (let turn = 0; turn < 40; turn++) await send(ask())
    const answers: { ms: number; failed: boolean }[] = []
    const end = performance.now() + SECONDS * 1_000
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < end) answers.push(await send(ask()))
      }),
    )
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b)
    tell(title, {
      p50: times[Math.floor(times.length / 2)]!,
      p95: times[Math.floor(times.length * 0.95)]!,
      failed: answers.filter(({ failed }) => failed).length,
    })
  }
  await agent.close()
}

/** Prints how long finding takes among `count` products beside how long among 1,000. */
export async function benchFinding(url: string, orm: MikroORM, databaseUrl: string, count: number): Promise<void> {
  await stockUp(databaseUrl, 1_000)
  const few = new Map<string, number>()
  await measureFinding(url, (title, { p95 }) => few.set(title, p95))
  const began = performance.now()
  await stockUp(databaseUrl, count)
  const [{ size }] = (await orm.em
    .fork()
    .execute(`select pg_size_pretty(pg_total_relation_size('products')) as size`)) as [{ size: string }]
  console.log(
    `${count.toLocaleString('en-US')} products, ${size} with their indexes, filled in ${Math.round((performance.now() - began) / 1_000)} s; ${CLIENTS} clients, ${SECONDS} s each; beside it p95 among 1,000\n`,
  )
  await measureFinding(url, (title, { p50, p95, failed }) => {
    const verdict = styleText(p95 <= BUDGET_MS ? 'green' : 'red', `budget ${BUDGET_MS} ms`)
    const before = few.get(title)!
    console.log(
      `${title.padEnd(30)} p50 ${p50.toFixed(1).padStart(6)} ms   p95 ${p95.toFixed(1).padStart(6)} ms   ${verdict}   ${before.toFixed(1)} ms, ${(p95 / before).toFixed(2)}×${failed ? styleText('red', `   ${failed} failed`) : ''}`,
    )
  })
}
