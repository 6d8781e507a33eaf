// `npm run bench`: how fast the shop answers, printed beside its budgets. Server, database and load share this machine, so
// figures are compared within one run only. Everything runs on loopback, for a limited time, on a database of its own.
//
//   npm run bench                                        of 1,000 products and as many orders
//   npm run bench -- --products 1000 100000 1000000      of each number, side by side
//   npm run bench -- finding admin --products 1000       a part of it
//   npm run bench -- --soak 30                           memory, over so many minutes
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../../tools/local-postgres/start-postgres.ts'
import { SIMULATED_ACCOUNT, startSimulator, type Simulator } from '../../../tools/paypal-simulator/simulator.ts'
import { originalsIn } from '../../catalog/pictures.ts'
import { seeColours } from '../../catalog/see-colours.ts'
import { connect, migrate } from '../../db/config.ts'
import { seed } from '../../db/seed/seed.ts'
import { filesOnDisk } from '../../kernel/files.ts'
import { makeShoppers } from '../faults/goods.ts'
import type { Sql } from '../faults/ground.ts'
import { overload } from '../faults/overload-clients.ts'
import { hangUp } from '../faults/requests.ts'
import { startProcess, type ShopProcess } from '../process.ts'
import { adminQuestions } from './admin-questions.ts'
import { bareLoad } from './bare-load.ts'
import { buyers } from './buying.ts'
import { fillOrders } from './fill-orders.ts'
import { stockUp } from './fill-products.ts'
import { findingQuestions } from './finding-questions.ts'
import { measure, metersOf, type Meters, type Run } from './measure.ts'
import { heldBy } from './process-figures.ts'
import { RENDERED, renderedByTwo, shopQuestions, type Question } from './questions.ts'
import { held, lineOf, sideBySide, type Budgets, type Result } from './report.ts'
import { benchSoak } from './soak.ts'
import { present } from '#schema/rules/present'

/** Everything that was printed, for comparison with other runs. */
const RESULTS = 'test-results/bench.json'
/** A server that only answers, to compare with. */
const BARE_NODE = `require('http').createServer((_, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})`
/** Products that are asked for one by one. */
const SOME = 10_000
/** The processor time that a shop nobody visits and its database take in a second at most. */
const IDLE_MS = 100
const QUIET_SECONDS = 3

interface Bench {
  shop: ShopProcess
  size: number
  sql: Sql
  simulator: Simulator
  /** Measures, prints and keeps what one kind of work takes. */
  take: Take
  /** The same of another process and its children. */
  takingOf(pid: number | undefined): Promise<Take>
}

type Take = (
  title: string,
  run: (seconds: number) => Promise<Run>,
  seconds: number,
  budgets?: Budgets,
) => Promise<Result>

/** What is measured, in this order. */
const PARTS: Record<string, (bench: Bench) => Promise<unknown>> = {
  async shop(bench) {
    const products = await bench.sql<{ id: string }>(
      `select id from products where published_at is not null and archived_at is null order by id limit ${SOME}`,
    )
    const results = await askAll(bench, shopQuestions(products, bench.size), { connections: 32, seconds: 2 })
    await flood(bench.shop.url, 5 * Math.round(present(results.find(({ title }) => title === RENDERED)).rate))
  },
  /** As the shop runs on a machine of two cores. */
  async processes(bench) {
    const shop = await startShop('--processes', '2')
    try {
      await untilReady(shop)
      const take = await bench.takingOf(shop.child.pid)
      await askAll({ shop, take }, [renderedByTwo], { connections: 32, seconds: 5 })
    } finally {
      await shop.end()
    }
  },
  async finding(bench) {
    const [{ at }] = (await bench.sql(
      'select updated_at as at from products order by updated_at desc offset 23 limit 1',
    )) as [{ at: string }]
    await askAll(bench, findingQuestions(bench.size, new Date(at)), { connections: 8, seconds: 2 })
  },
  async admin(bench) {
    const [admin] = await makeShoppers(bench.sql, 1, { isAdmin: true })
    await askAll(bench, adminQuestions(present(admin).token), { connections: 1, seconds: 0.5 })
  },
  async orders({ shop, simulator, sql, take }) {
    const buying = await buyers(shop.url, simulator, sql)
    await take('orders of two lines, placed and paid by 8 clients', buying, 5, { perSecond: 120 })
  },
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { products: { type: 'string' }, soak: { type: 'string' } },
})
const isNumber = (word: string) => /^\d+$/.test(word)
const sizes = [values.products ?? '1000', ...positionals.filter(isNumber)].map(Number).toSorted((a, b) => a - b)
const asked = positionals.filter(word => !isNumber(word))
const unknown = asked.find(word => !(word in PARTS))
if (unknown !== undefined) throw new Error(`There is no part "${unknown}", only ${Object.keys(PARTS).join(', ')}.`)

const dataDir = await mkdtemp(join(tmpdir(), 'skein-bench-'))
const postgres = await startPostgres({
  dataDir,
  log: () => {},
  settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '20000' },
})
const orm = await connect(postgres.socketUrl)
const sql: Sql = (query, parameters = []) => orm.em.fork().execute(query, [...parameters])
const simulator = await startSimulator({ port: 0, ...SIMULATED_ACCOUNT })
const results: object[] = []

try {
  await migrate(orm)
  await seed(orm.em.fork())
  // Copies of the sample have the colours of its pictures: otherwise the shop would look at a million while it is measured.
  await seeColours(orm.em.fork(), originalsIn(filesOnDisk(dataDir)))
  await sql('create extension pg_stat_statements')
  if (values.soak === undefined) await benchAll()
  else {
    await stockUp(postgres.url, 1_000)
    results.push(await benchSoak({ databaseUrl: postgres.socketUrl, dataDir, sql }, Number(values.soak)))
  }
  await mkdir(dirname(RESULTS), { recursive: true })
  await writeFile(RESULTS, JSON.stringify({ at: new Date().toISOString(), results }, null, 2))
  console.log(`\nThe same as JSON: ${RESULTS}`)
} finally {
  await hangUp()
  await simulator.close()
  await orm.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function benchAll(): Promise<void> {
  const measured: Result[] = []
  for (const size of sizes) measured.push(...(await benchOne(size)))
  if (sizes.length > 1) console.log(`\n${sideBySide(measured, sizes)}`)
}

/** Measures a shop, in a process of its own, that has so many products and orders. */
async function benchOne(size: number): Promise<Result[]> {
  const measured: Result[] = []
  const filling = performance.now()
  await stockUp(postgres.url, size)
  await fillOrders(postgres.url, size)
  const starting = performance.now()
  const shop = await startShop()
  const started = performance.now()
  await untilReady(shop)
  const inSeconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`
  console.log(
    `\n${size.toLocaleString('en-US')} products and orders: filled in ${inSeconds(filling, starting)}, the shop started in ${inSeconds(starting, started)}, listed all of them after ${inSeconds(starting, performance.now())}`,
  )
  try {
    const { pid } = shop.child
    const meters = await metersOf(pid, sql)
    await atRest(meters)
    const taking =
      (part: string, meters: Meters): Take =>
      async (title, run, seconds, budgets = {}) => {
        const result = { part, size, title, budgets, ...(await measure(run, seconds, meters)) }
        measured.push(result)
        results.push(result)
        console.log(lineOf(result))
        return result
      }
    await bareNode(async of => taking('machine', await metersOf(of, sql)))
    for (const [part, work] of Object.entries(PARTS)) {
      if (asked.length > 0 && !asked.includes(part)) continue
      console.log(`\n${part}`)
      const takingOf = async (pid: number | undefined) => taking(part, await metersOf(pid, sql))
      await work({ shop, size, sql, simulator, take: taking(part, meters), takingOf })
    }
    const memory = heldBy(present(pid))
    results.push({ size, title: 'memory after all of that', memory })
    console.log(`\nThe shop holds ${memory.toFixed(0)} MB after all of that (\`-- --soak MINUTES\` tells more)`)
    return measured
  } finally {
    await shop.end()
  }
}

function startShop(...args: string[]): Promise<ShopProcess> {
  const env = { DATABASE_URL: postgres.socketUrl, DATA_DIR: dataDir, PAYPAL_SIMULATOR_URL: simulator.url }
  return startProcess(env, args)
}

/** Until it knows its products: it starts sooner. */
async function untilReady({ url }: ShopProcess): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await pause(100)
}

/** Until shop and database have worked out what follows from so many new products and orders, or for five minutes. */
async function atRest({ shop, database }: Meters): Promise<void> {
  let quiet = 0
  for (let second = 0; second < 300 && quiet < QUIET_SECONDS; second++) {
    const before = shop() + database()
    await pause(1_000)
    quiet = shop() + database() - before <= IDLE_MS ? quiet + 1 : 0
  }
}

async function askAll(
  { shop, take }: Pick<Bench, 'shop' | 'take'>,
  questions: readonly Question[],
  { connections: usual, seconds }: { connections: number; seconds: number },
): Promise<Result[]> {
  const all: Result[] = []
  for (const { title, ask, encoding = 'identity', connections = usual, ...budgets } of questions)
    all.push(await take(title, run => bareLoad(shop.url, { ask, encoding, connections }, run), seconds, budgets))
  return all
}

/** Measures what this machine can do at all, right now. */
async function bareNode(takingOf: (pid: number | undefined) => Promise<Take>): Promise<void> {
  const server = spawn(process.execPath, ['-e', BARE_NODE], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer]
    const url = `http://127.0.0.1:${String(port).trim()}`
    const load = { ask: () => ({ path: '/' }), encoding: 'identity', connections: 32 }
    const take = await takingOf(server.pid)
    await take('baseline: a bare server of Node', seconds => bareLoad(url, load, seconds), 2)
  } finally {
    server.kill()
  }
}

/** Asks for more pages than can be rendered: some are served in time, the others turned away at once. */
async function flood(url: string, rate: number): Promise<void> {
  const { served, turnedAway, failed, healthCheck, normalAfter } = await overload(url, rate, 15)
  const [slow, away] = [percentile(served, 99), percentile(turnedAway, 99)]
  const figures = { served: served.length, p99: slow, turnedAway: turnedAway.length, p99TurnedAway: away, failed }
  results.push({ title: `${rate} pages a second asked for`, ...figures, healthCheck, normalAfter })
  console.log(
    `\n${rate} pages a second asked for, 15 s: ${served.length} served, 99% within ${slow} ms (${held(slow <= 2_000, 'budget 2000')})`,
  )
  console.log(
    `${turnedAway.length} turned away, 99% within ${away} ms; ${failed} failed; /livez meanwhile ${Math.round(healthCheck)} ms; as ever ${Math.round(normalAfter)} ms after`,
  )
}

function percentile(values: number[], percent: number): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? 0)
}
