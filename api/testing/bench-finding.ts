// What `npm run bench -- --products 1000 100000 1000000` measures: finding products among so many of them.
import { randomInt } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { styleText } from 'node:util'
import { Agent, request } from 'undici'
import { connect } from '../db/config.ts'
import { lastOf, nth } from '#schema/rules/present'

const CLIENTS = 8
const SECONDS = 3
const RUNS = 3
const WARMING_UP = 40
const BUDGET_MS = 40
/** The most that a list may cost among the most products, as a multiple of what it costs among the fewest. */
const BUDGET_RATIO = 1.25
const BATCH = 50_000
/** So many made-up words, one in each product: 200 products of a million share one. */
const LOTS = 5_000

const COPIED = `image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category,
  published_at, search_format, kind, weight_class, fibres, needle_mm, hook_mm, superwash, facts`

/** Adds copies of the sample with other prices, colours, stock, ratings and dates, until there are so many products. */
export async function stockUp(url: string, count: number): Promise<void> {
  // Uses its own connections: the shop's give up on whatever takes longer than a few seconds.
  const own = await connect(url)
  const em = own.em.fork()
  await em.execute(`set statement_timeout = 0; set maintenance_work_mem = '1GB'; set synchronous_commit = off`)
  const [{ there, sample }] = (await em.execute(
    `select count(*)::int as there, (select count(*)::int from products where sku not like 'LOT%') as sample from products`,
  )) as [{ there: number; sample: number }]
  await em.execute(
    `insert into search_words (word) select 'lot' || n from generate_series(0, ${LOTS - 1}) n on conflict do nothing`,
  )
  // The indexes are built again together at the end, which is much faster.
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

export const CARD = 'id name image price countInStock rating numReviews category length knittingNeedle'
export const LIST = `query ($keyword: String, $filter: ProductFilter, $sort: ProductSort, $page: Int) { products(keyword: $keyword, filter: $filter, sort: $sort, page: $page) { total totalIsExact pages items { ${CARD} } } }`
const TOP_RATED = `query ($page: Int) { topRatedProducts(page: $page) { total pages items { ${CARD} } } }`
const PART = `query ($sort: ProductSort) { productsConnection(sort: $sort, first: 12) { edges { cursor node { ${CARD} } } pageInfo { hasNextPage } } }`
const FACETS = `query ($keyword: String, $filter: ProductFilter) { products(keyword: $keyword, filter: $filter) { total facets { field values { value count countIsExact } } } }`
const SUGGEST = `query ($typed: String!) { searchSuggestions(typed: $typed) { products { ${CARD} } terms { label field value } correction } }`

export const some = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T
export const COMMON = ['yarn', 'merino', 'wool', 'dk', 'sock yarn', 'cotton', 'needles', 'blue', 'soft']
export const SORTS = [undefined, { field: 'PRICE', direction: 'ASC' }, { field: 'RATING' }, { field: 'BEST_SELLING' }]
const SHELVES = [
  { kind: ['YARN'] },
  { kind: ['NEEDLES'] },
  { weightClass: ['DK'] },
  { fibre: ['MERINO'] },
  { kind: ['YARN'], weightClass: ['LACE'] },
  { kind: ['KIT'] },
]

/** Each asks for something else every time, so that few answers come from the cache. */
const WORK: [title: string, ask: () => { query: string; variables: object }][] = [
  ['nothing: { __typename }', () => ({ query: '{ __typename }', variables: {} })],
  ['search, a common word', () => ({ query: LIST, variables: { keyword: some(COMMON), page: 1 + randomInt(8) } })],
  ['search, a rare word', () => ({ query: LIST, variables: { keyword: `lot${randomInt(LOTS)}` } })],
  ['search, two words', () => ({ query: LIST, variables: { keyword: `${some(COMMON)} lot${randomInt(LOTS)}` } })],
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
    'facet list, a shelf',
    () => ({ query: FACETS, variables: { filter: { ...some(SHELVES), priceFrom: randomInt(4_000) } } }),
  ],
  ['facet list, a common word', () => ({ query: FACETS, variables: { keyword: some(COMMON), filter: some(SHELVES) } })],
  ['facet list, a rare word', () => ({ query: FACETS, variables: { keyword: `lot${randomInt(LOTS)}` } })],
]

export interface Measured {
  p50: number
  /** `p95` is the median of the runs; the other two are the best and the worst run. */
  p95: number
  fastest: number
  slowest: number
  /** Milliseconds of processor time of this process for each answer. Both the shop and its clients run in it. */
  cpu: number
  /** Milliseconds of processor time of the database's processes for each answer. */
  databaseCpu: number
  rate: number
  refused: number
  failed: number
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN

/** Measures each kind of question in milliseconds. */
async function measureFinding(
  url: string,
  databaseCpu: () => number,
  tell: (title: string, measured: Measured) => void,
): Promise<void> {
  // Each client has an address of its own, as clients do: the shop gives one address only a few places at a time.
  const clients = Array.from(
    { length: CLIENTS },
    (_, client) => new Agent({ connections: 1, localAddress: `127.0.0.${client + 2}` }),
  )
  const send = async (client: Agent, { query, variables }: { query: string; variables: object }) => {
    const began = performance.now()
    const { statusCode, body } = await request(`${url}/graphql`, {
      method: 'POST',
      dispatcher: client,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const answer = (await body.json()) as { errors?: unknown }
    const isRefused = statusCode === 503 || statusCode === 429
    return { ms: performance.now() - began, isRefused, isFailed: !isRefused && answer.errors !== undefined }
  }
  const run = async (ask: () => { query: string; variables: object }) => {
    const answers: Awaited<ReturnType<typeof send>>[] = []
    const [before, databaseBefore] = [process.cpuUsage(), databaseCpu()]
    const end = performance.now() + SECONDS * 1_000
    await Promise.all(
      clients.map(async client => {
        while (performance.now() < end) answers.push(await send(client, ask()))
      }),
    )
    const { user, system } = process.cpuUsage(before)
    const served = answers.filter(({ isRefused, isFailed }) => !isRefused && !isFailed)
    const times = served.map(({ ms }) => ms).toSorted((a, b) => a - b)
    return {
      p50: at(times, 0.5),
      p95: at(times, 0.95),
      cpu: (user + system) / 1_000 / answers.length,
      databaseCpu: (databaseCpu() - databaseBefore) / answers.length,
      rate: served.length / SECONDS,
      refused: answers.filter(({ isRefused }) => isRefused).length,
      failed: answers.filter(({ isFailed }) => isFailed).length,
    }
  }
  for (const [title, ask] of WORK) {
    for (let turn = 0; turn < WARMING_UP; turn++) await send(nth(clients, turn % CLIENTS), ask())
    const runs: Awaited<ReturnType<typeof run>>[] = []
    for (let turn = 0; turn < RUNS; turn++) runs.push(await run(ask))
    const sorted = (of: 'p50' | 'p95' | 'cpu' | 'databaseCpu' | 'rate') =>
      runs.map(each => each[of]).toSorted((a, b) => a - b)
    const sum = (of: 'refused' | 'failed') => runs.reduce((all, each) => all + each[of], 0)
    tell(title, {
      p50: at(sorted('p50'), 0.5),
      p95: at(sorted('p95'), 0.5),
      fastest: at(sorted('p95'), 0),
      slowest: lastOf(sorted('p95')),
      cpu: at(sorted('cpu'), 0.5),
      databaseCpu: at(sorted('databaseCpu'), 0.5),
      rate: at(sorted('rate'), 0.5),
      refused: sum('refused'),
      failed: sum('failed'),
    })
  }
  await Promise.all(clients.map(client => client.close()))
}

/** Prints and returns how long finding takes among so many products; `open` starts a shop on the database as it is then. */
export async function benchFinding(
  databaseUrl: string,
  counts: readonly number[],
  databaseCpu: () => number,
  open: () => Promise<{ url: string; close(): Promise<void> }>,
): Promise<({ products: number; title: string } & Measured)[]> {
  const all: ({ products: number; title: string } & Measured)[] = []
  const fewest = new Map<string, Measured>()
  console.log(
    `${CLIENTS} clients; p95 is the median of ${RUNS} runs of ${SECONDS} s, and what the runs had; beside it what it takes of the same among ${nth(counts, 0).toLocaleString('en-US')}\n`,
  )
  for (const count of counts) {
    const filling = performance.now()
    await stockUp(databaseUrl, count)
    const starting = performance.now()
    const shop = await open()
    const [filled, started] = [starting - filling, performance.now() - starting].map(ms => (ms / 1_000).toFixed(0))
    console.log(`${count.toLocaleString('en-US')} products: filled in ${filled} s, the shop started in ${started} s`)
    await measureFinding(shop.url, databaseCpu, (title, measured) => {
      all.push({ products: count, title, ...measured })
      const before = fewest.get(title)
      if (!before) fewest.set(title, measured)
      console.log(lineOf(title, measured, before))
    })
    console.log(`${Math.round(process.memoryUsage().rss / 1e6)} MB of memory\n`)
    await shop.close()
  }
  return all
}

function lineOf(title: string, measured: Measured, before: Measured | undefined): string {
  const { p50, p95, fastest, slowest, cpu, databaseCpu, rate, refused, failed } = measured
  const held = (isHeld: boolean, text: string) => styleText(isHeld ? 'green' : 'red', text)
  const ratios =
    before &&
    [p50 / before.p50, cpu / before.cpu]
      .map(ratio => held(ratio <= BUDGET_RATIO, `${ratio.toFixed(2)}×`))
      .join(' time, ')
  return [
    `${title.padEnd(34)} p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} (${fastest.toFixed(1)} to ${slowest.toFixed(1)})`,
    held(p95 <= BUDGET_MS, `budget ${BUDGET_MS}`),
    `${rate.toFixed(0).padStart(5)}/s`,
    `${cpu.toFixed(2)} ms CPU and ${databaseCpu.toFixed(2)} of the database`,
    ratios && `${ratios} CPU`,
    refused && styleText('red', `${refused} refused`),
    failed && styleText('red', `${failed} failed`),
  ]
    .filter(Boolean)
    .join('   ')
}
