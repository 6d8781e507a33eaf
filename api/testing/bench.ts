// `npm run bench`: how fast the shop answers, printed beside the budget. Server, database and load share this machine,
// so figures are compared within one run only. Everything runs on loopback, for a bounded time, on a database of its own.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { styleText } from 'node:util'
import autocannon from 'autocannon'
import pino from 'pino'
import { connect, migrate } from '../db/config.ts'
import { startPostgres } from '../../tools/local-postgres/start-postgres.ts'
import { catalogue } from '../db/seed/catalogue.ts'
import { seed } from '../db/seed/seed.ts'
import { readEnv } from '../kernel/env.ts'
import { connectPaypal } from '../payment/paypal.ts'
import { startSimulator } from '../../tools/paypal-simulator/simulator.ts'
import { createServer } from '../server.ts'
import { bareLoad } from './bare-load.ts'
import { benchAdmin } from './bench-admin.ts'
import { benchFinding } from './bench-finding.ts'
import { benchOrders } from './bench-orders.ts'
import { databaseCpu } from './database-cpu.ts'
import { overload } from './faults/overload-clients.ts'

/**
 * `--products N …` measures finding among N products, then among the next number, `--orders N …` what administrators see of so many
 * orders; a number alone, the whole shop with so many products.
 */
const FINDING = process.argv[2] === '--products'
const ADMIN = process.argv[2] === '--orders'
const COUNTS = process.argv.slice(FINDING || ADMIN ? 3 : 2).map(Number)
const PRODUCTS = COUNTS[0] ?? 1_000
const SECONDS = 5
const BROWSERS = 'gzip, deflate, br, zstd'
const FOUND_BY =
  'search_document, search_format, facts, picture_colours, kind, weight_class, fibres, colours, needle_mm, hook_mm, superwash, metres'
const CREDENTIALS = { clientId: 'bench', clientSecret: 'bench' }

/** Everything that was printed, to be compared with other runs. */
const RESULTS = 'test-results/bench.json'

const dataDir = await mkdtemp(join(tmpdir(), 'skein-bench-'))
const postgres = await startPostgres({ dataDir, log: () => {} })
const orm = await connect(postgres.url)
// What is on sale is read when the shop is put together.
await migrate(orm)
await seed(orm.em.fork())
const cpuOfDatabase = await databaseCpu(query => orm.em.fork().execute(query))
const results: object[] = []
const simulator = await startSimulator({ port: 0, ...CREDENTIALS })
const { pricingPolicy, pageSize, stockHoldMinutes, invoiceYears } = readEnv({})
const open = async () => {
  const app = await createServer({
    orm,
    dataDir,
    pageSize,
    stockHoldMinutes,
    invoiceYears,
    holdLimits: { ordersPerAccount: 0, unitsPerAccount: 0, ordersPerAddress: 0, unitsPerAddress: 0 },
    policy: pricingPolicy,
    shopUrl: 'http://127.0.0.1',
    log: pino({ level: 'error' }),
    paypal: connectPaypal({ baseUrl: simulator.url, ...CREDENTIALS }),
    paypalConfig: { mode: 'SIMULATOR', clientId: CREDENTIALS.clientId, sdkBaseUrl: `${simulator.url}/sdk/js` },
    paypalWebhook: { id: null, certificateOrigin: simulator.url },
    webhookReach: { allowPrivate: false, addressesOf: async () => [] },
    // Finding is measured without answers that were kept.
    ...(FINDING && { keepAnswersMs: 0 }),
  })
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

try {
  if (FINDING || ADMIN) {
    const counts = COUNTS.toSorted((a, b) => a - b)
    results.push(...(await (ADMIN ? benchAdmin : benchFinding)(postgres.url, counts, cpuOfDatabase, open)))
  } else {
    const shop = await open()
    await measureShop(shop.url).finally(() => shop.close())
    await measureOrders()
  }
  await mkdir(dirname(RESULTS), { recursive: true })
  await writeFile(RESULTS, JSON.stringify({ at: new Date().toISOString(), results }, null, 2))
  console.log(`\nThe same as JSON: ${RESULTS}`)
} finally {
  await simulator.close()
  await orm.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function measureShop(url: string): Promise<void> {
  await stockUp(PRODUCTS)
  const [{ id }] = (await orm.em.fork().execute('select id from products order by created_at desc limit 1')) as [
    { id: string },
  ]

  const card = 'id name image price countInStock rating numReviews category length knittingNeedle'
  const graphql = (query: string, variables: object = {}) => ({
    method: 'POST' as const,
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const list = graphql(`query ($page: Int) { products(page: $page) { total pages items { ${card} } } }`)
  const search = graphql(`query ($keyword: String) { products(keyword: $keyword) { total items { ${card} } } }`, {
    keyword: 'merino',
  })
  const detail = graphql(
    `query ($id: ID!) { product(id: $id) { ${card} description weight gauge crochetHook recommendedCare content
    reviews { total items { id name rating comment createdAt } } } customersAlsoViewed { ${card} } }`,
    { id },
  )

  console.log(`${PRODUCTS.toLocaleString('en-US')} products, 32 connections, ${SECONDS} s each\n`)
  // A health check costs next to nothing: what this machine can do at all, right now.
  await measure('baseline: /livez', url, { method: 'GET', path: '/livez' })
  await measure('GraphQL product list, 12 items', url, list, 2_500)
  await measure('GraphQL product page, reviews and four more', url, detail, 2_000)
  await measure('GraphQL keyword search, 12 results', url, search, 800)
  await measurePages('home page, kept, as browsers ask for it', url, { encoding: BROWSERS, budget: 5_000 })
  await measurePages('home page, kept, gzip', url, { encoding: 'gzip' })
  await measurePages('home page, kept, not packed', url, { encoding: 'identity' })
  const rendered = await measurePages('home page, rendered each time', url, {
    encoding: BROWSERS,
    budget: 300,
    fresh: true,
  })
  await flooded(url, 5 * rendered)
}

async function measureOrders(): Promise<void> {
  const orders = await benchOrders()
  results.push({ title: 'orders, placed and paid', ...orders })
  const { rate, slowest, fastest, p50, p99, cpu, databaseCpu: ofDatabase, failed } = orders
  console.log(
    `\nOrders, placed and paid by 8 clients: ${rate.toFixed(1)} a second (${slowest.toFixed(1)} to ${fastest.toFixed(1)}), ${styleText(rate >= 120 ? 'green' : 'red', 'budget 120')}`,
  )
  console.log(
    `p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms; each ${cpu.toFixed(1)} ms of the shop's processor time and ${ofDatabase.toFixed(1)} ms of the database's${failed ? styleText('red', `; ${failed} failed`) : ''}`,
  )
}

/** Copies of the sample under other names, until there are as many products as asked for. */
async function stockUp(count: number): Promise<void> {
  // Over connections of its own: the shop's give up on whatever takes longer than a few seconds.
  const own = await connect(postgres.url)
  const em = own.em.fork()
  await em.execute('set statement_timeout = 0')
  await em.execute(
    `insert into products (id, sku, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care,
       content, category, price, count_in_stock, num_reviews, rating_sum, created_at, published_at, ${FOUND_BY})
     select gen_random_uuid(), sku || '-' || n, name || ' ' || n, image, description, weight, length, gauge, knitting_needle, crochet_hook,
       recommended_care, content, category, price, count_in_stock, num_reviews, rating_sum, created_at - n * interval '1 minute', published_at, ${FOUND_BY}
     from products, generate_series(1, ceil(?::numeric / ?)::int) n limit greatest(0, ?)`,
    [count, catalogue.length, count - catalogue.length],
  )
  await em.execute('analyze')
  await own.close()
}

async function measure(title: string, url: string, request: autocannon.Request, budget?: number): Promise<number> {
  const before = cpuOfDatabase()
  const result = await autocannon({ url, connections: 32, duration: SECONDS, requests: [request] })
  const rate = Math.round(result.requests.average)
  const cpu = (cpuOfDatabase() - before) / result.requests.total
  report(title, { rate, p99: result.latency.p99, failed: result.errors + result.non2xx, budget, databaseCpu: cpu })
  return rate
}

interface Measured {
  rate: number
  p99: number
  failed: number
  budget: number | undefined
  /** Milliseconds of the database's processes for each request. */
  databaseCpu?: number
  more?: string
}

function report(title: string, measured: Measured): void {
  const { rate, p99, failed, budget, databaseCpu, more = '' } = measured
  results.push({ title, ...measured })
  const verdict = budget === undefined ? '' : styleText(rate >= budget ? 'green' : 'red', `budget ${budget}`)
  console.log(
    `${title.padEnd(46)} ${String(rate).padStart(6)} req/s   p99 ${String(p99).padStart(4)} ms   ${more.padStart(6)}   ${databaseCpu === undefined ? '' : `${databaseCpu.toFixed(2)} ms of the database   `}${verdict}${failed ? styleText('red', `   ${failed} failed`) : ''}`,
  )
}

async function measurePages(
  title: string,
  url: string,
  { encoding, budget, fresh = false }: { encoding: string; budget?: number; fresh?: boolean },
): Promise<number> {
  let turn = 0
  const path = () => (fresh ? `/?fresh=${turn++}` : '/')
  const { served, refused, bytes, p99 } = await bareLoad(url, { path, encoding, connections: 32, seconds: SECONDS })
  report(title, { rate: served, p99, failed: refused, budget, more: `${Math.round(bytes / 1_000)} kB` })
  return served
}

async function flooded(url: string, rate: number): Promise<void> {
  const { served, turnedAway, failed, healthCheck, normalAfter } = await overload(url, rate, 15)
  const flood = {
    served: served.length,
    p50: percentile(served, 50),
    p99: percentile(served, 99),
    turnedAway: turnedAway.length,
    p99TurnedAway: percentile(turnedAway, 99),
    failed,
    healthCheck,
    normalAfter,
  }
  results.push({ title: `${rate} pages a second asked for`, ...flood })
  console.log(
    `\n${rate} pages a second asked for, 15 s: ${served.length} served, p50 ${percentile(served, 50)} ms, p99 ${percentile(served, 99)} ms (budget 2000)`,
  )
  console.log(
    `${turnedAway.length} turned away, p50 ${percentile(turnedAway, 50)} ms, p99 ${percentile(turnedAway, 99)} ms; ${failed} failed; /livez meanwhile ${Math.round(healthCheck)} ms; as ever ${Math.round(normalAfter)} ms after`,
  )
}

function percentile(values: number[], percent: number): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? 0)
}
