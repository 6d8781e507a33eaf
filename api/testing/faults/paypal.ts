import { setTimeout as pause } from 'node:timers/promises'
import { connectPaypal } from '../../payment/connect-paypal.ts'
import type { Paypal } from '../../payment/paypal.ts'
import { TROUBLE } from '../../../tools/paypal-simulator/scenarios.ts'
import { SIMULATED_ACCOUNT } from '../../../tools/paypal-simulator/simulator.ts'
import { line, makeProducts, makeShoppers } from './goods.ts'
import type { Ground } from './ground.ts'
import { buyerApproves, capture, openPayment, payOrder, plan } from './paying.ts'
import { patiently, placeOrder } from './requests.ts'
import { atMost, exactly, none, percentile, shuffled, type Scenario } from './scenario.ts'
import { present } from '#schema/rules/present'

const GOAL_SECONDS = 60
const PATIENCE_MS = 180_000

interface Payment {
  ground: Ground
  paypal: Paypal
  token: string
  orderId: string
  paypalOrderId: string
  trouble: string[]
}

/** When PayPal's trouble happens. Each function returns once the shopper's browser has nothing more to do. */
const MOMENTS: Record<string, (payment: Payment) => Promise<unknown>> = {
  'while the payment is captured': async ({ ground, token, orderId, paypalOrderId, trouble }) => {
    await plan(ground.simulator, { order: orderId, capture: trouble })
    await capture(ground.url, token, orderId, paypalOrderId)
  },
  'while a capture whose answer was lost is read back': async ({ ground, token, orderId, paypalOrderId, trouble }) => {
    await plan(ground.simulator, { order: orderId, capture: ['disconnect-after-capture'], get: trouble })
    await capture(ground.url, token, orderId, paypalOrderId)
  },
  'while it is captured for a shopper who is gone': ({ ground, orderId, trouble }) =>
    plan(ground.simulator, { order: orderId, capture: trouble }),
  'while a client’s own capture is confirmed': async ({ ground, paypal, token, orderId, paypalOrderId, trouble }) => {
    await insisting(() => paypal.captureOrder(paypalOrderId, 'by-the-client'))
    await plan(ground.simulator, { order: orderId, get: trouble })
    await payOrder(ground.url, token, orderId, paypalOrderId)
  },
  'while a webhook is looked into': async ({ ground, paypal, orderId, paypalOrderId, trouble }) => {
    await plan(ground.simulator, { order: orderId, get: trouble })
    await insisting(() => paypal.captureOrder(paypalOrderId, 'by-the-client'))
  },
}
const OPENING = 'while the payment is opened'
const WEBHOOK = 'while a webhook is looked into'

/** Trouble where money moved but the shop does not know: the answer is lost or incomplete. */
const LOST = ['timeout-after-capture', 'disconnect-after-capture', '500-after-capture', 'no-id'] as const

/** Trouble where each call waits for ten seconds. */
const SLOW = /^(?:slow|timeout)/

interface Case {
  moment: string
  fault: string
}

interface Agreement {
  orderId: string
  name: string
  seconds: number
}

const CASES: Case[] = [
  ...[OPENING, ...Object.keys(MOMENTS)].flatMap(moment => TROUBLE.map(fault => ({ moment, fault }))),
  ...LOST.map(fault => ({ moment: 'while the payment is captured', fault })),
]

/** Fourteen kinds of trouble at PayPal, at six moments: in the end the shop agrees with PayPal, and money moved once. */
export const paypal: Scenario = {
  name: 'paypal',
  full: { rounds: 1, crowd: CASES.length },
  short: { rounds: 1 / 6, crowd: CASES.length },
  async run(ground, { rounds, random }) {
    const client = connectPaypal({ baseUrl: ground.simulator.url, ...SIMULATED_ACCOUNT })
    const [waits, capturedBefore] = [[] as Agreement[], ground.simulator.captured()]
    // In a sixth of a round, a sixth of the cases runs, only those without waiting; and time passes faster.
    const cases =
      rounds < 1
        ? shuffled(
            CASES.filter(({ fault }) => !SLOW.test(fault)),
            random,
          ).slice(0, CASES.length * rounds)
        : CASES
    const over = new AbortController()
    const passing = rounds < 1 ? passTime(ground, over.signal) : null
    for (let round = 0; round < rounds; round++) {
      // Webhook events alone would repair everything, so they are sent only for the moment that is about them.
      for (const aboutWebhooks of [false, true]) {
        ground.simulator.webhooks.sendTo(aboutWebhooks ? `${ground.url}/api/webhooks/paypal` : null)
        const these = cases.filter(({ moment }) => (moment === WEBHOOK) === aboutWebhooks)
        waits.push(...(await Promise.all(these.map(each => untilAgreed(ground, client, each)))))
      }
    }
    over.abort()
    await passing
    const count = cases.length * Math.max(1, rounds)
    const late = waits.filter(({ seconds }) => seconds > GOAL_SECONDS)
    const [paid] = await ground.sql<{ orders: number; payments: number }>(
      'select (select count(*)::int from orders where paid_at is not null and id in (?) and not exists (select 1 from order_incidents where order_id = orders.id)) as orders, (select count(*)::int from payments where order_id in (?)) as payments',
      [waits.map(({ orderId }) => orderId), waits.map(({ orderId }) => orderId)],
    )
    return [
      exactly('payments in trouble that ended the same for both', count, present(paid).orders),
      exactly('payments written down', count, present(paid).payments),
      exactly('captures, by PayPal’s own account', count, ground.simulator.captured() - capturedBefore),
      none(
        `agreed later than after ${GOAL_SECONDS} s`,
        late.map(({ name, seconds }) => `${name} (${seconds.toFixed(0)} s)`),
      ),
      atMost(
        'slowest agreement, after the last trouble',
        GOAL_SECONDS,
        Math.max(...waits.map(({ seconds }) => seconds)),
        ' s',
      ),
      atMost(
        'half of them agreed within',
        GOAL_SECONDS,
        percentile(
          waits.map(({ seconds }) => seconds),
          50,
        ),
        ' s',
      ),
    ]
  },
}

async function passTime({ reconcile }: Ground, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await reconcile()
    await pause(250)
  }
}

/** Measures from the shopper's last act, or PayPal's last trouble if that is later, until shop and PayPal both say paid. */
async function untilAgreed(ground: Ground, client: Paypal, { moment, fault }: Case): Promise<Agreement> {
  const { sql, url, simulator } = ground
  const [[shopper], [yarn]] = [await makeShoppers(sql, 1), await makeProducts(sql, [1])]
  const { token } = present(shopper)
  const orderId: string = (await patiently(() => placeOrder(url, token, [line(present(yarn))]))).data.id
  // Enough trouble for one call with all its repeats. Calls without an answer take ten seconds each.
  const trouble = Array<string>(['timeout', 'slow'].includes(fault) ? 2 : LOST.includes(fault as never) ? 1 : 4).fill(
    fault,
  )
  if (moment === OPENING) await plan(simulator, { order: orderId, create: trouble })
  const paypalOrderId = await opened(url, token, orderId)
  await buyerApproves(simulator, paypalOrderId)
  if (moment === OPENING) await patiently(() => capture(url, token, orderId, paypalOrderId))
  else await present(MOMENTS[moment])({ ground, paypal: client, token, orderId, paypalOrderId, trouble })

  const acted = Date.now()
  while (Date.now() - acted < PATIENCE_MS) {
    const [order] = await sql<{ paid: boolean }>('select paid_at is not null as paid from orders where id = ?', [
      orderId,
    ])
    if (present(order).paid) break
    await pause(500)
  }
  const agreed = Date.now()
  const calls = simulator.journal().filter(({ path }) => path.includes(paypalOrderId))
  const troubled = Math.max(acted, ...calls.filter(({ scenario }) => scenario).map(({ at }) => Date.parse(at)))
  const captured = calls.some(({ effect }) => effect === 'captured')
  return { orderId, name: `${fault} ${moment}`, seconds: captured ? Math.max(0, agreed - troubled) / 1000 : Infinity }
}

/** Repeats a client's own call to PayPal until it gets through the trouble. */
async function insisting<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === 20) throw error
      await pause(250)
    }
  }
}

/** Presses the button again until it works, as a shopper would. */
async function opened(url: string, token: string, orderId: string): Promise<string> {
  for (const begun = Date.now(); ; await pause(1_000)) {
    const { data, code, status } = await openPayment(url, token, orderId)
    if (code === 'ok') return data.paypalOrderId
    if (Date.now() - begun > PATIENCE_MS) throw new Error(`A payment could not be opened: ${status} ${code}`)
  }
}
