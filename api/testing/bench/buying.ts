import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Simulator } from '../../../tools/paypal-simulator/simulator.ts'
import { line, makeProducts, makeShoppers, type Line } from '../faults/goods.ts'
import type { Sql } from '../faults/ground.ts'
import { buyerApproves, capture, openPayment } from '../faults/paying.ts'
import { isBusy, placeOrder, type Outcome } from '../faults/requests.ts'
import type { Run } from './measure.ts'
import { nth } from '#schema/rules/present'

const CLIENTS = 8
const YARNS = 200
const PLENTY = 100_000
/** For the letters and events of the last orders. */
const AFTERWARDS_MS = 1_000

/** Each client places an order of two lines, pays it, and begins again; PayPal sends its webhooks. */
export async function buyers(url: string, simulator: Simulator, sql: Sql): Promise<(seconds: number) => Promise<Run>> {
  simulator.webhooks.sendTo(`${url}/api/webhooks/paypal`)
  const yarns = await makeProducts(sql, Array<number>(YARNS).fill(PLENTY))
  const shoppers = await makeShoppers(sql, CLIENTS)
  let turn = 0
  const next = () => line(nth(yarns, turn++ % yarns.length))
  return async seconds => {
    const took: number[] = []
    let [refused, failed] = [0, 0]
    const start = performance.now()
    await Promise.all(
      shoppers.map(async ({ token }) => {
        while (performance.now() - start < seconds * 1_000) {
          const began = performance.now()
          const outcome = await buy(url, simulator, { token }, [next(), next()])
          if (outcome.code === 'ok') took.push(performance.now() - began)
          else if (isBusy(outcome)) refused++
          else failed++
        }
      }),
    )
    const lasted = (performance.now() - start) / 1_000
    await pause(AFTERWARDS_MS)
    return { seconds: lasted, took, refused, failed, bytes: 0 }
  }
}

/** From an order to its payment; what came of the last request that was sent. */
export async function buy(
  url: string,
  simulator: Simulator,
  { token, from }: { token: string; from?: string },
  lines: Line[],
): Promise<Outcome> {
  const placed = await placeOrder(url, token, lines, { from })
  if (placed.code !== 'ok') return placed
  const opened = await openPayment(url, token, placed.data.id)
  if (opened.code !== 'ok') return opened
  await buyerApproves(simulator, opened.data.paypalOrderId)
  return capture(url, token, placed.data.id, opened.data.paypalOrderId)
}
