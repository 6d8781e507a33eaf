// What `npm run bench -- --soak MINUTES` measures: the memory of a shop in a process of its own, at rest, at work, and over time.
import { randomInt } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { styleText } from 'node:util'
import { SIMULATED_ACCOUNT, startSimulator, type Simulator } from '../../../tools/paypal-simulator/simulator.ts'
import { CARD, COMMON, LIST, some, SORTS } from './questions.ts'
import { buy } from './buying.ts'
import { line, makeProducts, makeShoppers } from '../faults/goods.ts'
import type { Sql } from '../faults/ground.ts'
import { ask, hangUp, isBusy, mutate, type Outcome } from '../faults/requests.ts'
import { startProcess } from '../process.ts'
import { heldBy } from './process-figures.ts'
import { nth, present } from '#schema/rules/present'

const CLIENTS = 32
const REST_SECONDS = 60
const FULL_SECONDS = 30
const SAMPLE_MS = 250
const IDLE_MB = 250
const BUSY_MB = 450
/** The most that memory may grow in a minute: more would be 30 MB in half an hour. */
const SLOPE_MB = 1
const YARNS = 200
const PLENTY = 100_000
const DETAIL = `query ($id: ID!) { product(id: $id) { ${CARD} description reviews { total items { id name rating comment } } } }`
const LOGIN =
  '($email: String!, $password: String!) { login(email: $email, password: $password) { token userErrors { code } } }'
const DEMO_SHOPPER = { email: 'shopper@example.com', password: 'knit-purl-shopper' }

interface Ground {
  /** Contains the sample and whatever else is asked for. */
  databaseUrl: string
  dataDir: string
  sql: Sql
}

export interface Soaked {
  startedMs: number
  /** Megabytes that the process holds: a minute after its start, the most under full load, a minute after that, and at the end. */
  idle: number
  busy: number
  rested: number
  end: number
  /** How memory grew in the second half of the soak, in megabytes per minute. */
  slope: number
  failed: number
}

/**
 * 32 clients ask for lists, products, searches, pages and orders:
 * first at full speed for a while, then half as many requests per second for so many minutes.
 */
export async function benchSoak({ databaseUrl, dataDir, sql }: Ground, minutes: number): Promise<Soaked> {
  const simulator = await startSimulator({ port: 0, ...SIMULATED_ACCOUNT })
  const yarns = await makeProducts(sql, Array<number>(YARNS).fill(PLENTY))
  const products = (await sql<{ id: string }>('select id from products')).map(({ id }) => id)
  // Each shopper has an address of its own, as people do: the shop gives one address only a few places at a time.
  const shoppers = (await makeShoppers(sql, CLIENTS)).map(({ token }, nth) => ({ token, from: `127.0.0.${nth + 2}` }))
  const starting = performance.now()
  const shop = await startProcess({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PAYPAL_SIMULATOR_URL: simulator.url })
  const startedMs = performance.now() - starting
  simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
  const held = () => heldBy(present(shop.child.pid))
  let failed = 0
  const work = async (options: { seconds: number; rate?: number }) => {
    const worked = await loaded(shoppers, options, shopper => visit(shop.url, { shopper, products, yarns, simulator }))
    failed += worked.failed
    return worked.rate
  }
  try {
    console.log(`started in ${(startedMs / 1_000).toFixed(1)} s, all but its database`)
    await pause(REST_SECONDS * 1_000)
    const idle = held()
    say('a minute after its start', idle, IDLE_MB)
    const most = watched(held)
    const full = await work({ seconds: FULL_SECONDS })
    const busy = most.end()
    say(`under ${Math.round(full)} requests a second, at most`, busy, BUSY_MB)
    await pause(REST_SECONDS * 1_000)
    const rested = held()
    say('a minute later', rested)

    const seen: number[] = [rested]
    for (let minute = 1; minute <= minutes; minute++) {
      await work({ seconds: 60, rate: full / 2 })
      seen.push(held())
      say(`minute ${minute} of ${Math.round(full / 2)} requests a second`, nth(seen, minute))
    }
    const slope = slopeOf(seen.slice(Math.floor((seen.length - 1) / 2)))
    const words = `${slope.toFixed(2)} MB more each minute of the second half`
    console.log(`${words}   ${styleText(slope <= SLOPE_MB ? 'green' : 'red', `budget ${SLOPE_MB}`)}`)
    if (failed) console.log(styleText('red', `${failed} failed`))
    return { startedMs, idle, busy, rested, end: held(), slope, failed }
  } finally {
    await shop.end()
    await hangUp()
    await simulator.close()
  }
}

function say(when: string, megabytes: number, budget?: number): void {
  const held = budget !== undefined && styleText(megabytes <= budget ? 'green' : 'red', `budget ${budget}`)
  console.log([`${when.padEnd(52)} ${megabytes.toFixed(0).padStart(5)} MB`, held].filter(Boolean).join('   '))
}

function watched(held: () => number) {
  let most = held()
  const watching = setInterval(() => (most = Math.max(most, held())), SAMPLE_MS)
  return {
    end() {
      clearInterval(watching)
      return most
    },
  }
}

interface Shopper {
  token: string
  from: string
}

/** Each shopper sends one request after the other; with a rate, all together send so many per second. */
async function loaded(
  shoppers: readonly Shopper[],
  { seconds, rate = Infinity }: { seconds: number; rate?: number },
  visitOnce: (shopper: Shopper) => Promise<boolean>,
): Promise<{ rate: number; failed: number }> {
  let [done, failed] = [0, 0]
  const start = performance.now()
  await Promise.all(
    shoppers.map(async shopper => {
      while (performance.now() - start < seconds * 1_000) {
        if (!(await visitOnce(shopper))) failed++
        const early = start + (++done / rate) * 1_000 - performance.now()
        if (early > 0) await pause(early)
      }
    }),
  )
  return { rate: (done * 1_000) / (performance.now() - start), failed }
}

interface Visit {
  shopper: Shopper
  products: readonly string[]
  yarns: readonly string[]
  simulator: Simulator
}

/** One of the things that people do, by chance. Returns whether it went well; being told to come back counts as well. */
async function visit(url: string, { shopper, products, yarns, simulator }: Visit): Promise<boolean> {
  const { from } = shopper
  const get = (path: string, encoding: string) => ask(url + path, { from, headers: { 'accept-encoding': encoding } })
  const graphql = (query: string, variables: object) => ask(`${url}/graphql`, { from, body: { query, variables } })
  const turn = randomInt(100)
  if (turn < 4) return isWell(await buy(url, simulator, shopper, [line(some(yarns))]))
  if (turn < 5) return isWell(await mutate(url, undefined, LOGIN, DEMO_SHOPPER, { from }))
  const { status } = await (turn < 25
    ? graphql(LIST, { page: 1 + randomInt(20), sort: some(SORTS) })
    : turn < 45
      ? graphql(DETAIL, { id: some(products) })
      : turn < 55
        ? graphql(LIST, { keyword: `${some(COMMON)} ${some(COMMON)}` })
        : turn < 65
          ? get(`/api/products/${some(products)}`, 'gzip')
          : turn < 80
            ? get('/', 'br')
            : get(`/product/${some(products)}`, some(['br', 'gzip'])))
  // A page may redirect to the address with the product's name.
  return (status >= 200 && status < 400) || status === 503
}

const isWell = (outcome: Outcome) => outcome.code === 'ok' || isBusy(outcome)

/** The slope of the line that fits all values best. */
function slopeOf(values: readonly number[]): number {
  const mean = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / of.length
  const [x, y] = [(values.length - 1) / 2, mean(values)]
  const spread = values.reduce((sum, _, at) => sum + (at - x) ** 2, 0)
  return values.reduce((sum, value, at) => sum + (at - x) * (value - y), 0) / spread
}
