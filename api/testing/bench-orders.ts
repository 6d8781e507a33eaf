// What `npm run bench` measures last: orders placed and paid, with the shop and PayPal in processes of their own.
import { setTimeout as pause } from 'node:timers/promises'
import { performance } from 'node:perf_hooks'
import { cpuOf, databaseCpu } from './process-figures.ts'
import { line, makeProducts, makeShoppers, type Shopper } from './faults/goods.ts'
import { openGround, type Ground } from './faults/ground.ts'
import { buyerApproves, capture, openPayment } from './faults/paying.ts'
import { placeOrder } from './faults/requests.ts'
import { nth } from '#schema/rules/present'

const CLIENTS = 8
const SECONDS = 5
const RUNS = 3
const YARNS = 200
const PLENTY = 100_000

export interface MeasuredOrders {
  /** Orders per second: the median of the runs, then the slowest and the fastest run. */
  rate: number
  slowest: number
  fastest: number
  /** Milliseconds from the first request to the paid order. */
  p50: number
  p99: number
  /** Milliseconds of processor time for each order, including its mails, events and webhooks. */
  cpu: number
  databaseCpu: number
  failed: number
}

/** Each client places an order of two lines, pays it, and begins again; PayPal sends its webhooks. */
export async function benchOrders(): Promise<MeasuredOrders> {
  const ground = await openGround()
  try {
    const { sql, simulator, url, pid } = ground
    simulator.webhooks.sendTo(`${url}/api/webhooks/paypal`)
    const cpuOfDatabase = await databaseCpu(sql)
    const yarns = await makeProducts(
      sql,
      Array.from({ length: YARNS }, () => PLENTY),
    )
    const shoppers = await makeShoppers(sql, CLIENTS)
    const buying = (seconds: number) => buyForSeconds(ground, shoppers, yarns, seconds)
    await buying(2)
    const before = { shop: cpuOf(pid), database: cpuOfDatabase() }
    const runs: Run[] = []
    for (let run = 0; run < RUNS; run++) runs.push(await buying(SECONDS))
    // Leaves time for the mails and events of the last orders.
    await pause(1_000)
    const took = runs.flatMap(({ took }) => took).toSorted((a, b) => a - b)
    const at = (percent: number) => took[Math.floor((took.length * percent) / 100)] ?? NaN
    const rates = runs.map(({ rate }) => rate).toSorted((a, b) => a - b)
    return {
      rate: nth(rates, 1),
      slowest: nth(rates, 0),
      fastest: nth(rates, 2),
      p50: at(50),
      p99: at(99),
      cpu: (cpuOf(pid) - before.shop) / took.length,
      databaseCpu: (cpuOfDatabase() - before.database) / took.length,
      failed: runs.reduce((sum, { failed }) => sum + failed, 0),
    }
  } finally {
    await ground.close()
  }
}

interface Run {
  rate: number
  /** Milliseconds of each order. */
  took: number[]
  failed: number
}

async function buyForSeconds(
  { url, simulator }: Ground,
  shoppers: Shopper[],
  yarns: string[],
  seconds: number,
): Promise<Run> {
  const took: number[] = []
  let failed = 0
  let turn = 0
  const next = () => line(nth(yarns, turn++ % yarns.length))
  const start = performance.now()
  await Promise.all(
    shoppers.map(async ({ token }) => {
      while (performance.now() - start < seconds * 1_000) {
        const began = performance.now()
        const { data: order } = await placeOrder(url, token, [next(), next()])
        const { data: payment } = order ? await openPayment(url, token, order.id) : {}
        if (payment) await buyerApproves(simulator, payment.paypalOrderId)
        const paid = payment && (await capture(url, token, order.id, payment.paypalOrderId))
        if (paid?.code === 'ok') took.push(performance.now() - began)
        else failed++
      }
    }),
  )
  return { rate: took.length / ((performance.now() - start) / 1_000), took, failed }
}
