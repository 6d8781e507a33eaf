import { line, makeProducts, makeShoppers, type Shopper } from './goods.ts'
import type { Ground } from './ground.ts'
import { buyerApproves, capture, openPayment, payOrder } from './paying.ts'
import { isFailure, patiently, placeOrder } from './requests.ts'
import { exactly, none, type Scenario } from './scenario.ts'
import { present } from '#schema/rules/present'

/** Many requests pay one order at once, and many requests offer one capture to two orders at once. */
export const pays: Scenario = {
  name: 'pays',
  full: { rounds: 50, crowd: 100 },
  short: { rounds: 1, crowd: 50 },
  async run(ground, { rounds, crowd }) {
    const { url, sql } = ground
    const [yarn] = await makeProducts(sql, [3 * rounds])
    const failures: string[] = []
    const capturedBefore = ground.simulator.captured()
    const orders: string[] = []
    for (let round = 0; round < rounds; round++) {
      const [nell, purl] = (await makeShoppers(sql, 2)) as [Shopper, Shopper]
      const [first, second, third] = await Promise.all([
        placed(ground, nell, present(yarn)),
        placed(ground, nell, present(yarn)),
        placed(ground, purl, present(yarn)),
      ])
      const [own, offered] = [await approved(ground, nell, first), await approved(ground, nell, second)]
      await openPayment(url, purl.token, third)
      const answers = await Promise.all(
        Array.from({ length: crowd }, (_, index) => [
          index % 4 ? capture(url, nell.token, first, own) : payOrder(url, nell.token, first, own),
          index % 2 ? capture(url, nell.token, second, offered) : payOrder(url, purl.token, third, offered),
        ]).flat(),
      )
      failures.push(
        ...answers
          .filter(answer => isFailure(answer) && answer.code !== 'PAYMENT_UNAVAILABLE')
          .map(({ status, code }) => `${status} ${code}`),
      )
      orders.push(first, second, third)
    }
    const [paid] = await sql<{ payments: number; orders: number; third: number }>(
      `select (select count(*)::int from payments where order_id in (?)) as payments, (select count(*)::int from orders where paid_at is not null and id in (?)) as orders,
              (select count(*)::int from orders where paid_at is not null and id in (?)) as third`,
      [orders, orders, orders.filter((_, index) => index % 3 === 2)],
    )
    return [
      exactly('payments, two orders a round', 2 * rounds, present(paid).payments),
      exactly('orders paid', 2 * rounds, present(paid).orders),
      exactly('orders paid by another order’s capture', 0, present(paid).third),
      exactly('captures, by PayPal’s own account', 2 * rounds, ground.simulator.captured() - capturedBefore),
      none('failures', failures),
    ]
  },
}

async function placed({ url }: Ground, { token }: Shopper, productId: string): Promise<string> {
  const { data, code } = await patiently(() => placeOrder(url, token, [line(productId)]))
  if (code !== 'ok') throw new Error(`An order was refused: ${code}`)
  return data.id
}

async function approved({ url, simulator }: Ground, { token }: Shopper, orderId: string): Promise<string> {
  const { data } = await patiently(() => openPayment(url, token, orderId))
  await buyerApproves(simulator, data.paypalOrderId)
  return data.paypalOrderId
}
