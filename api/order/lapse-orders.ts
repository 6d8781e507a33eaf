import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import { recordOrderEvents } from './order-event.ts'
import { Order } from './order.entity.ts'
import { giveBack } from './release-hold.ts'

/** Gives back the stock of all orders that were not paid in time, once each. Returns how many lapsed. */
export async function lapseOrders(em: EntityManager, now = clock.now()): Promise<number> {
  let lapsed = 0
  while (await lapseNext(em, now)) lapsed++
  return lapsed
}

/** Longer than a capture takes with all its retries. */
const CAPTURE_MS = 2 * 60_000

/** Whether money of the order is on its way: the stock waits for it. Parameter: the attempts of a crashed shop are older. */
const MONEY_UNDER_WAY = `select 1 from payment_attempts a
  where a.order_id = o.id and (a.state = 'PENDING' or (a.state in ('STARTED', 'UNKNOWN') and a.updated_at > ?))`

/**
 * The row is locked while its stock moves, and several shop processes skip each other's rows. One order at a time:
 * two in one transaction would lock products out of id order and deadlock with a buyer.
 */
async function lapseNext(em: EntityManager, now: Date): Promise<boolean> {
  const recent = new Date(now.getTime() - CAPTURE_MS)
  return em.transactional(async tx => {
    const [due] = await tx.execute<{ id: string }[]>(
      `select id from orders o where held_until is not null and held_until <= ? and not exists (${MONEY_UNDER_WAY})
       order by held_until limit 1 for update skip locked`,
      [now, recent],
    )
    if (!due) return false
    // A capture that began while the statement above was running is seen by the next one, now that the row is locked.
    const begun = await tx.execute(`select 1 from orders o where id = ? and exists (${MONEY_UNDER_WAY})`, [
      due.id,
      recent,
    ])
    if (begun.length > 0) return true
    const order = await tx.findOneOrFail(Order, { id: due.id }, { refresh: true })
    await giveBack(tx, order, now)
    await recordOrderEvents(tx, 'ORDER_LAPSED', [order])
    return true
  })
}
