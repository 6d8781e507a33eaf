import type { EntityManager } from '@mikro-orm/postgresql'
import { inRounds } from '../jobs/in-rounds.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { recordOrderEvents } from './order-event.ts'

/** Orders of one transaction. */
const AT_ONCE = 200

/**
 * Tells of pre-orders that are expected on another day than was told, or are here, once each: events of all, letters to
 * those who still wait. Answers of how many orders.
 */
export const tellExpected = (em: EntityManager): Promise<number> => inRounds(AT_ONCE, atOnce => tellSome(em, atOnce))

/**
 * Begins with the lines: what PostgreSQL expects of them would have it ask each order of the shop whether it has one. The orders
 * stay locked until letter and mark are committed together, and several shop processes skip each other's.
 */
export const MARK_TOLD = `with moved as materialized (
  select id, paid_at is not null and refunded_amount < total_price - unpaid_amount as is_owed from orders
  where id = any (array(
    select distinct order_id from order_items where expected_on is distinct from expected_told order by order_id limit ?
  )) order by id for no key update skip locked
)
update order_items i set expected_told = expected_on from moved where i.order_id = moved.id and expected_on is distinct from expected_told
returning moved.id, is_owed and expected_on is not null and fulfilled_quantity < quantity as waits`

const tellSome = (em: EntityManager, atOnce: number): Promise<number> =>
  em.transactional(async tx => {
    const lines = await tx.execute<{ id: string; waits: boolean }[]>(MARK_TOLD, [atOnce])
    const moved = [...new Set(lines.map(({ id }) => id))]
    const waiting = new Set(lines.filter(({ waits }) => waits).map(({ id }) => id))
    await recordOrderEvents(
      tx,
      'ORDER_EXPECTED',
      moved.map(id => ({ id })),
    )
    for (const orderId of waiting) queueMail(tx, 'ORDER_EXPECTED', { orderId })
    await tx.flush()
    return moved.length
  })
