import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import { recordProductChanges } from './product-event.ts'

const BATCH = 200

/** What `Product.isSaleDue` says, of products that are still in the shop. Parameters: the moment, twice. */
export const SALE_DUE = `sale_price is not null and archived_at is null
  and (sale_until <= ? or (regular_price is null and coalesce(sale_from <= ?, true)))`

/**
 * Begins and ends the sales of these products that are due, inside the caller's transaction. A sale that is over is
 * forgotten. Returns whose were. Rows are locked in id order, as buyers lock them, and only those that are due.
 */
export async function turnSales(em: EntityManager, ids: readonly string[], now = clock.now()): Promise<string[]> {
  if (ids.length === 0) return []
  const turned = await em.execute<{ id: string }[]>(
    `with due as (
       select id, coalesce(regular_price, price) as list_price, coalesce(sale_until <= ?, false) as is_over
       from products where id in (?) and ${SALE_DUE} order by id for update
     )
     update products p set
       price = case when d.is_over then d.list_price else p.sale_price end,
       regular_price = case when d.is_over then null else d.list_price end,
       sale_price = case when d.is_over then null else p.sale_price end,
       sale_from = case when d.is_over then null else p.sale_from end,
       sale_until = case when d.is_over then null else p.sale_until end
     from due d where p.id = d.id returning p.id`,
    [now, ids, now, now],
  )
  return turned.map(({ id }) => id)
}

/** Gives products their price without a sale, for code that changes prices and then calls `turnSales`. */
export async function leaveSales(em: EntityManager, ids: readonly string[]): Promise<void> {
  await em.execute(
    'update products set price = regular_price, regular_price = null where id in (?) and regular_price is not null',
    [ids],
  )
}

/** Makes prices what they are at this moment, and writes events for those that changed: inside the caller's transaction, too. */
export async function turnDueSales(em: EntityManager, ids: readonly string[]): Promise<void> {
  await recordProductChanges(em, await turnSales(em, ids))
}

/** Turns whatever is due in the whole shop. Returns how many sales there were. */
export async function turnAllSales(em: EntityManager, now = clock.now()): Promise<number> {
  let turned = 0
  for (;;) {
    const due = await em.execute<{ id: string }[]>(
      `select id from products where ${SALE_DUE} order by id limit ${BATCH}`,
      [now, now],
    )
    if (due.length === 0) return turned
    await em.transactional(tx =>
      turnDueSales(
        tx,
        due.map(({ id }) => id),
      ),
    )
    turned += due.length
  }
}
