// What `npm run bench` measures first: the shop as `npm start` runs it, in a process of its own. This process sends the requests.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { styleText } from 'node:util'
import { readEnv } from '../kernel/env.ts'
import { bareLoad, type Asked, type Loaded } from './bare-load.ts'
import { CARD, COMMON, LIST, some, SORTS } from './bench-finding.ts'
import { overload } from './faults/overload-clients.ts'
import type { Sql } from './faults/ground.ts'
import { cpuOf, heldBy } from './process-figures.ts'
import { startProcess } from './process.ts'
import { nth, present } from '#schema/rules/present'

const CONNECTIONS = 32
const RUNS = 3
const SECONDS = 2
const WARM_UP_SECONDS = 1
const BROWSERS = 'gzip, deflate, br, zstd'
const DETAIL = `query ($id: ID!) { product(id: $id) { ${CARD} description weight gauge crochetHook recommendedCare content
  reviews { total items { id name rating comment createdAt } } } customersAlsoViewed { ${CARD} } }`
/** A server that only answers, to compare with. */
const BARE_NODE = `require('http').createServer((_, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})`

interface Stocked {
  /** Contains the products that are asked for. */
  databaseUrl: string
  dataDir: string
  sql: Sql
  /** Milliseconds of processor time the database has used so far. */
  cpuOfDatabase: () => number
}

interface Options {
  /** The value of Accept-Encoding. */
  encoding?: string
  /** The fewest answers per second. */
  budget?: number | undefined
}

/** Counts the requests that were changed to be new. */
let turns = 0

/** Prints and returns what each kind of question takes. */
export async function benchShop(stocked: Stocked): Promise<object[]> {
  const { databaseUrl, dataDir, sql } = stocked
  const products = await sql<{ id: string }>('select id from products')
  console.log(
    `${products.length.toLocaleString('en-US')} products, ${CONNECTIONS} connections, the middle of ${RUNS} runs of ${SECONDS} s, and the others\n`,
  )
  const results: object[] = [await bareNode()]
  const shop = await startProcess({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir })
  const pid = present(shop.child.pid)
  const measure = async (title: string, ask: () => Asked, options: Options = {}) => {
    const measured = await measureOne(shop.url, ask, options, {
      shop: () => cpuOf(pid),
      database: stocked.cpuOfDatabase,
    })
    results.push({ title, ...measured })
    say(title, measured)
    return measured.rate
  }
  try {
    await measure('baseline: /livez', () => ({ path: '/livez' }))
    await measure('baseline: { __typename }, varied', () => varied(ofGraphql('{ __typename }', {})))
    for (const [title, ask, budget] of questions(products))
      await measure(`${title}, varied`, () => varied(ask()), { budget })
    for (const [title, ask] of questions(products)) {
      const same = ask()
      await measure(`${title}, repeated`, () => same, { budget: 6_000 })
    }
    const home = { path: '/' }
    await measure('home page, kept, as browsers ask for it', () => home, { encoding: BROWSERS, budget: 5_000 })
    await measure('home page, kept, gzip', () => home, { encoding: 'gzip' })
    await measure('home page, kept, not packed', () => home)
    const rendered = await measure('home page, rendered each time', () => varied(home), {
      encoding: BROWSERS,
      budget: 300,
    })
    results.push(await flooded(shop.url, 5 * rendered))
    const memory = heldBy(pid)
    console.log(`\nThe shop holds ${memory.toFixed(0)} MB after all of that (\`-- --soak MINUTES\` tells more)`)
    return [...results, { title: 'memory after all of that', memory }]
  } finally {
    await shop.end()
  }
}

/** The kinds of question, in any of their variants. The repeated runs send one variant again and again. */
function questions(products: { id: string }[]): [title: string, ask: () => Asked, budget: number][] {
  const pages = Math.ceil(products.length / readEnv({}).pageSize)
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

function ofGraphql(query: string, variables: object): Asked {
  return { path: '/graphql', body: { query, variables } }
}

/** The same request in a form that was never sent before, so that no cached answer fits it. */
function varied({ path, body }: Asked): Asked {
  const turn = ++turns
  return body
    ? { path, body: { ...body, extensions: { turn } } }
    : { path: `${path}${path.includes('?') ? '&' : '?'}turn=${turn}` }
}

/** Measures what this machine can do at all, right now. */
async function bareNode() {
  const server = spawn(process.execPath, ['-e', BARE_NODE], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer]
    const { pid } = server
    const measured = await measureOne(
      `http://127.0.0.1:${String(port).trim()}`,
      () => ({ path: '/' }),
      {},
      {
        shop: () => cpuOf(pid),
        database: () => 0,
      },
    )
    const title = 'baseline: a bare server of Node'
    say(title, measured)
    return { title, ...measured }
  } finally {
    server.kill()
  }
}

type Measured = Awaited<ReturnType<typeof measureOne>>

/** Measures how many answers per second one kind of question gets. */
async function measureOne(
  url: string,
  ask: () => Asked,
  { encoding = 'identity', budget }: Options,
  cpu: { shop: () => number; database: () => number },
) {
  const load = (seconds: number) => bareLoad(url, { ask, encoding, connections: CONNECTIONS, seconds })
  await load(WARM_UP_SECONDS)
  const before = { shop: cpu.shop(), database: cpu.database() }
  const runs: Loaded[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await load(SECONDS))
  const sum = (of: 'answers' | 'refused' | 'failed') => runs.reduce((all, run) => all + run[of], 0)
  const sorted = runs.toSorted((a, b) => a.served - b.served)
  const middle = nth(sorted, 1)
  return {
    rate: middle.served,
    slowest: nth(sorted, 0).served,
    fastest: nth(sorted, RUNS - 1).served,
    p99: middle.p99,
    bytes: middle.bytes,
    refused: sum('refused'),
    failed: sum('failed'),
    /** Milliseconds for each answer. */
    cpu: (cpu.shop() - before.shop) / sum('answers'),
    databaseCpu: (cpu.database() - before.database) / sum('answers'),
    budget,
  }
}

function say(
  title: string,
  { rate, slowest, fastest, p99, bytes, cpu, databaseCpu, budget, refused, failed }: Measured,
) {
  console.log(
    [
      `${title.padEnd(52)} ${String(rate).padStart(6)}/s ${`(${slowest} to ${fastest})`.padEnd(16)} p99 ${String(p99).padStart(4)} ms ${String(Math.round(bytes / 1_000)).padStart(4)} kB`,
      `${cpu.toFixed(2)} ms of the shop, ${databaseCpu.toFixed(2)} of the database`,
      budget !== undefined && styleText(rate >= budget ? 'green' : 'red', `budget ${budget}`),
      refused > 0 && styleText('yellow', `${refused} refused`),
      failed > 0 && styleText('red', `${failed} failed`),
    ]
      .filter(Boolean)
      .join('   '),
  )
}

/** Asks for more pages than can be rendered: some are served in time, the others turned away at once. */
async function flooded(url: string, rate: number): Promise<object> {
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
  console.log(
    `\n${rate} pages a second asked for, 15 s: ${served.length} served, p50 ${percentile(served, 50)} ms, p99 ${percentile(served, 99)} ms (budget 2000)`,
  )
  console.log(
    `${turnedAway.length} turned away, p50 ${percentile(turnedAway, 50)} ms, p99 ${percentile(turnedAway, 99)} ms; ${failed} failed; /livez meanwhile ${Math.round(healthCheck)} ms; as ever ${Math.round(normalAfter)} ms after`,
  )
  return { title: `${rate} pages a second asked for`, ...flood }
}

function percentile(values: number[], percent: number): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? 0)
}
