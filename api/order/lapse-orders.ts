import type { EntityManager } from '@mikro-orm/postgresql'
import { releaseStock, type StockLine } from '../catalog/stock.ts'

const BATCH = 50

/**
 * Gives back the stock of orders that were not paid in time, once each: the row is locked while its stock moves, and
 * several shop processes skip each other's rows. Answers how many lapsed.
 */
export async function lapseOrders(em: EntityManager, now = new Date()): Promise<number> {
  return em.transactional(async tx => {
    const due = await tx.execute<{ id: string }[]>(
      `select id from orders where held_until is not null and held_until <= ? order by held_until limit ${BATCH} for update skip locked`,
      [now],
    )
    for (const { id } of due) {
      const items = await tx.execute<{ product_id: string; quantity: number }[]>('select product_id, quantity from order_items where order_id = ?', [id])
      await releaseStock(tx, id, items.map(({ product_id, quantity }): StockLine => ({ productId: product_id, quantity })))
      await tx.execute('update orders set held_until = null, lapsed_at = ? where id = ?', [now, id])
    }
    return due.length
  })
}
