import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approvedPayment, bought, line, placed, plan, reconcile } from '../testing/purchase.ts'
import { lockWaits } from '../testing/lock-waits.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { sign } from '../../tools/paypal-simulator/webhooks.ts'
import { PaypalUnavailable } from './paypal.ts'
import { refundOrder } from './refund-order.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.simulator.reset())

async function paidOrder(): Promise<string> {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  return (await bought(shop, nell, [line(yarn, 2)])).id
}

const refund = (em: EntityManager, paypal: TestShop['paypal'], orderId: string) =>
  refundOrder(
    { em, paypal, log: shop.log },
    { id: admin.id, name: 'Nell' },
    { orderId, amount: 900, idempotencyKey: orderId },
  )

/** How many deadlocks PostgreSQL counted while `work` ran. */
async function deadlocksOf(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    // A connection reports its counts once it is idle.
    await pause(1_100)
    const [row] = await shop
      .em()
      .execute<{ deadlocks: number }[]>(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      )
    return present(row).deadlocks
  }
  const before = await count()
  await work().catch(() => {})
  return (await count()) - before
}

/** Locks an order as code that records something about it does, lets `meanwhile` get as far as it can, and continues with `then`. */
const lockedMeanwhile = (
  orderId: string,
  meanwhile: () => Promise<unknown>,
  then: (tx: EntityManager) => Promise<unknown>,
) =>
  shop
    .em()
    .transactional(async tx => {
      await tx.execute('select 1 from orders where id = ? for update', [orderId])
      const going = meanwhile()
      going.catch(() => {})
      await Promise.race([going, lockWaits(shop.em())])
      await then(tx)
      return { going }
    })
    .then(({ going }) => going)

const writesRefund = (orderId: string) => (tx: EntityManager) =>
  tx.execute('update refunds set updated_at = updated_at where order_id = ?', [orderId])

describe('an order is locked before what is written down of it', () => {
  it('by the reconciler, which looks at a refund', async () => {
    const id = await paidOrder()
    await plan(shop, { refund: Array(3).fill('disconnect') })
    await refund(shop.em(), shop.paypal, id).catch(() => {})
    expect(await deadlocksOf(() => lockedMeanwhile(id, async () => reconcile(shop, 60), writesRefund(id)))).toBe(0)
  })

  it('by whoever notes that PayPal did not answer about a refund', async () => {
    const id = await paidOrder()
    const asked = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const paypal = {
      ...shop.paypal,
      async refundCapture() {
        asked.resolve()
        await locked.promise
        throw new PaypalUnavailable('Nobody knows')
      },
    }
    const refunding = refund(shop.em(), paypal, id)
    refunding.catch(() => {})
    await asked.promise
    const unlock = () => {
      locked.resolve()
      return refunding
    }
    expect(await deadlocksOf(() => lockedMeanwhile(id, unlock, writesRefund(id)))).toBe(0)
  })

  it.each(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED'])('by two copies of an event: %s', async type => {
    const isPaid = type === 'PAYMENT.CAPTURE.COMPLETED'
    const id = isPaid ? await paidOrder() : await approvedOrder()
    const [order] = await shop
      .em()
      .execute<{ paypal: string; capture: string | null }[]>(
        'select paypal_order_id as paypal, (select capture_id from payments where order_id = o.id) as capture from orders o where id = ?',
        [id],
      )
    const event = {
      id: `WH-${id}`,
      event_type: type,
      resource: { id: present(order).capture ?? present(order).paypal, custom_id: id },
    }
    const { body, headers } = sign(shop.simulator.url, event)
    const arrives = () => fetch(`${shop.url}/api/webhooks/paypal`, { method: 'POST', headers, body })
    const takesCopy = (tx: EntityManager) =>
      tx.execute('insert into webhook_events (id, type, order_id) values (?, ?, ?) on conflict (id) do nothing', [
        event.id,
        type,
        id,
      ])
    expect(await deadlocksOf(() => lockedMeanwhile(id, arrives, takesCopy))).toBe(0)
  })
})

async function approvedOrder(): Promise<string> {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const { id } = await placed(shop, nell, [line(yarn, 2)])
  await approvedPayment(shop, nell, id)
  // Long ago, so that the reconciler watches it again only when it is told to.
  await shop.em().execute(`update orders set paypal_watched_from = now() - interval '1 hour' where id = ?`, [id])
  return id
}
