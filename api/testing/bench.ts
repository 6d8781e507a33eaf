// `npm run bench`: how fast the shop answers, printed beside the budget. Server, database and load share this machine,
// so figures are compared within one run only. Everything runs on loopback, for a bounded time, on a database of its own.
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { styleText } from 'node:util'
import pino from 'pino'
import { connect, migrate } from '../db/config.ts'
import { startPostgres } from '../../tools/local-postgres/start-postgres.ts'
import { catalogue } from '../db/seed/catalogue.ts'
import { seed } from '../db/seed/seed.ts'
import { readEnv } from '../kernel/env.ts'
import { connectPaypal } from '../payment/connect-paypal.ts'
import { startSimulator } from '../../tools/paypal-simulator/simulator.ts'
import { createServer } from '../server.ts'
import { bareLoad, type Asked } from './bare-load.ts'
import { benchAdmin } from './bench-admin.ts'
import { benchFinding, CARD, COMMON, LIST, some, SORTS } from './bench-finding.ts'
import { benchOrders } from './bench-orders.ts'
import { benchSoak } from './bench-soak.ts'
import { databaseCpu } from './database-cpu.ts'
import { overload } from './faults/overload-clients.ts'
import type { Sql } from './faults/ground.ts'

/**
 * `--products N …` measures finding among N products, then among the next number, `--orders N …` what administrators see of so many
 * orders; `--soak MINUTES` how much memory it takes over that time; a number alone, the whole shop with so many products.
 */
const FINDING = process.argv[2] === '--products'
const ADMIN = process.argv[2] === '--orders'
const SOAK = process.argv[2] === '--soak'
const COUNTS = process.argv.slice(FINDING || ADMIN || SOAK ? 3 : 2).map(Number)
const PRODUCTS = SOAK ? 1_000 : (COUNTS[0] ?? 1_000)
const SECONDS = 5
const BROWSERS = 'gzip, deflate, br, zstd'
const FOUND_BY =
  'search_document, search_format, facts, picture_colours, kind, weight_class, fibres, colours, needle_mm, hook_mm, superwash, metres'
const CREDENTIALS = { clientId: 'bench', clientSecret: 'bench' }

/** Everything that was printed, to be compared with other runs. */
const RESULTS = 'test-results/bench.json'

/** How many requests were made to differ. */
let turns = 0

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
  } else if (SOAK) {
    await stockUp(PRODUCTS)
    const sql: Sql = (query, parameters = []) => orm.em.fork().execute(query, [...parameters])
    results.push(await benchSoak({ databaseUrl: postgres.socketUrl, dataDir, sql }, COUNTS[0] ?? 30))
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
  const products: { id: string }[] = await orm.em.fork().execute('select id from products')
  const detail = `query ($id: ID!) { product(id: $id) { ${CARD} description weight gauge crochetHook recommendedCare content
    reviews { total items { id name rating comment createdAt } } } customersAlsoViewed { ${CARD} } }`
  const pages = Math.ceil(PRODUCTS / pageSize)
  /** What is asked for in any of its ways; the first alone is asked for again and again. */
  const questions: [title: string, ask: () => Asked, budget: number][] = [
    ['GraphQL list', () => ofGraphql(LIST, { page: 1 + randomInt(pages), sort: some(SORTS) }), 1_500],
    ['GraphQL product page, reviews and four more', () => ofGraphql(detail, some(products)), 1_500],
    ['GraphQL search, a word', () => ofGraphql(LIST, { keyword: some(COMMON), page: 1 + randomInt(8) }), 1_200],
    ['GraphQL search, two words', () => ofGraphql(LIST, { keyword: `${some(COMMON)} ${some(COMMON)}` }), 1_200],
    ['REST list', () => ({ path: `/api/products?page=${1 + randomInt(pages)}` }), 1_500],
    ['REST product', () => ({ path: `/api/products/${some(products).id}` }), 1_500],
    ['REST search', () => ({ path: `/api/products?keyword=${encodeURIComponent(some(COMMON))}` }), 1_200],
  ]

  console.log(`${PRODUCTS.toLocaleString('en-US')} products, 32 connections, ${SECONDS} s each\n`)
  // A health check costs next to nothing: what this machine can do at all, right now.
  await measure('baseline: /livez', url, () => ({ path: '/livez' }))
  await measure('baseline: { __typename }', url, () => varied(ofGraphql('{ __typename }', {})))
  for (const [title, ask, budget] of questions) await measure(`${title}, varied`, url, () => varied(ask()), { budget })
  for (const [title, ask] of questions) {
    const same = ask()
    await measure(`${title}, repeated`, url, () => same, same.body && { budget: 6_000 })
  }
  const home = { path: '/' }
  await measure('home page, kept, as browsers ask for it', url, () => home, { encoding: BROWSERS, budget: 5_000 })
  await measure('home page, kept, gzip', url, () => home, { encoding: 'gzip' })
  await measure('home page, kept, not packed', url, () => home)
  const rendered = await measure('home page, rendered each time', url, () => varied(home), {
    encoding: BROWSERS,
    budget: 300,
  })
  await flooded(url, 5 * rendered)
}

function ofGraphql(query: string, variables: object): Asked {
  return { path: '/graphql', body: { query, variables } }
}

/** The same in a way that was never asked before, so that no answer that was kept can be given. */
function varied({ path, body }: Asked): Asked {
  const turn = ++turns
  return body
    ? { path, body: { ...body, extensions: { turn } } }
    : { path: `${path}${path.includes('?') ? '&' : '?'}turn=${turn}` }
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

/** The answers a second of one kind of question. */
async function measure(
  title: string,
  url: string,
  ask: () => Asked,
  { encoding = 'identity', budget }: { encoding?: string; budget?: number } = {},
): Promise<number> {
  const before = cpuOfDatabase()
  const loaded = await bareLoad(url, { ask, encoding, connections: 32, seconds: SECONDS })
  const { served: rate, refused, failed, answers, bytes, p99 } = loaded
  const databaseCpu = (cpuOfDatabase() - before) / answers
  results.push({ title, rate, refused, failed, bytes, p99, budget, databaseCpu })
  console.log(
    [
      `${title.padEnd(52)} ${String(rate).padStart(6)}/s   p99 ${String(p99).padStart(4)} ms   ${String(Math.round(bytes / 1_000)).padStart(4)} kB`,
      `${databaseCpu.toFixed(2)} ms of the database`,
      budget !== undefined && styleText(rate >= budget ? 'green' : 'red', `budget ${budget}`),
      refused > 0 && styleText('yellow', `${refused} refused`),
      failed > 0 && styleText('red', `${failed} failed`),
    ]
      .filter(Boolean)
      .join('   '),
  )
  return rate
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
