// `npm run bench`: how fast the shop answers, printed beside the budget. Server, database and load share this machine,
// so figures are compared within one run only. Everything runs on loopback, for a limited time, on a database of its own.
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
import { benchAdmin } from './bench-admin.ts'
import { benchFinding } from './bench-finding.ts'
import { benchOrders } from './bench-orders.ts'
import { benchShop } from './bench-shop.ts'
import { benchSoak } from './bench-soak.ts'
import { databaseCpu } from './process-figures.ts'
import type { Sql } from './faults/ground.ts'

/**
 * `--products N …` measures finding products among N, then among the next number. `--orders N …` measures what administrators
 * see with so many orders. `--soak MINUTES` measures memory over that time. A number alone measures the whole shop with so
 * many products.
 */
const FINDING = process.argv[2] === '--products'
const ADMIN = process.argv[2] === '--orders'
const SOAK = process.argv[2] === '--soak'
const COUNTS = process.argv.slice(FINDING || ADMIN || SOAK ? 3 : 2).map(Number)
const PRODUCTS = SOAK ? 1_000 : (COUNTS[0] ?? 1_000)
const FOUND_BY =
  'search_document, search_format, facts, picture_colours, kind, weight_class, fibres, colours, needle_mm, hook_mm, superwash, metres'
const CREDENTIALS = { clientId: 'bench', clientSecret: 'bench' }

/** Everything that was printed, for comparison with other runs. */
const RESULTS = 'test-results/bench.json'

const dataDir = await mkdtemp(join(tmpdir(), 'skein-bench-'))
const postgres = await startPostgres({ dataDir, log: () => {} })
const orm = await connect(postgres.url)
// The shop reads what is on sale when it is created, so the sample has to be there before.
await migrate(orm)
await seed(orm.em.fork())
const sql: Sql = (query, parameters = []) => orm.em.fork().execute(query, [...parameters])
const cpuOfDatabase = await databaseCpu(sql)
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
    // Finding is measured without cached answers.
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
    results.push(await benchSoak({ databaseUrl: postgres.socketUrl, dataDir, sql }, COUNTS[0] ?? 30))
  } else {
    await stockUp(PRODUCTS)
    results.push(...(await benchShop({ databaseUrl: postgres.socketUrl, dataDir, sql, cpuOfDatabase })))
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

/** Adds copies of the sample under other names, until there are as many products as asked for. */
async function stockUp(count: number): Promise<void> {
  // Uses its own connections: the shop's give up on whatever takes longer than a few seconds.
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
