import type { EntityManager } from '@mikro-orm/postgresql'
import { releaseStock, type StockLine } from '../catalog/stock.ts'

/** Gives back the stock of all orders that were not paid in time, once each. Answers how many lapsed. */
export async function lapseOrders(em: EntityManager, now = new Date()): Promise<number> {
  let lapsed = 0
  while (await lapseNext(em, now)) lapsed++
  return lapsed
}

/**
 * The row is locked while its stock moves, and several shop processes skip each other's rows. One order at a time:
 * two in one transaction would lock products out of id order and deadlock with a buyer.
 */
async function lapseNext(em: EntityManager, now: Date): Promise<boolean> {
  return em.transactional(async tx => {
    const [due] = await tx.execute<{ id: string }[]>(
      'select id from orders where held_until is not null and held_until <= ? order by held_until limit 1 for update skip locked',
      [now],
    )
    if (!due) return false
    const items = await tx.execute<{ product_id: string; quantity: number }[]>('select product_id, quantity from order_items where order_id = ?', [due.id])
    await releaseStock(tx, due.id, items.map(({ product_id, quantity }): StockLine => ({ productId: product_id, quantity })))
    await tx.execute('update orders set held_until = null, lapsed_at = ? where id = ?', [now, due.id])
    return true
  })
}
