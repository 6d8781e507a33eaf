import type { EntityManager } from '@mikro-orm/postgresql'
import { DELETED, type User } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { cancelOrder } from './cancel-order.ts'

/** A capture whose outcome is still unknown. */
const PAYING = `exists (select from payment_attempts a where a.order_id = o.id and a.state in ('STARTED', 'UNKNOWN', 'PENDING'))`
const PAYABLE = 'o.paid_at is null and o.cancelled_at is null'
const TO_SEND =
  'o.paid_at is not null and o.sent_at is null and o.delivered_at is null and o.refunded_amount < o.total_price - o.unpaid_amount'

/**
 * Takes the person out of the orders of an account that is deleted, whose row the caller has locked. What could still be
 * paid is cancelled; it is refused while the shop owes a parcel, or money is on its way. What the books need stays: the
 * figures, what was sold and, of paid orders, which state or country it went to; and as long as the law wants, for the
 * invoice alone, to whom.
 */
export async function forgetBuyer(em: EntityManager, user: User, invoiceYears: number): Promise<void> {
  const { id } = user
  await em.execute('select 1 from orders where user_id = ? order by id for update', [id])
  await assertNothingDue(em, id)
  await cancelUnpaid(em, user)
  await em.execute(
    `insert into invoice_recipients (order_id, recipient, keep_until)
     select id, shipping_address - 'phone', paid_at + make_interval(years => ?) from orders
     where user_id = ? and paid_at + make_interval(years => ?) > ?`,
    [invoiceYears, id, invoiceYears, clock.now()],
  )
  await em.execute(
    `update orders set user_name = ?, user_email = '', time_zone = null, customer_note = null, shipping_address = jsonb_build_object(
       'name', ?::text, 'address', '', 'address2', '', 'city', '',
       'state', case when paid_at is null then '' else shipping_address->>'state' end,
       'postalCode', case when paid_at is null then '' else shipping_address->>'postalCode' end,
       'country', shipping_address->>'country',
       'isPickup', coalesce(shipping_address->'isPickup', 'false'))
     where user_id = ?`,
    [DELETED, DELETED, id],
  )
  await em.execute('delete from order_links where order_id in (select id from orders where user_id = ?)', [id])
  await em.execute('delete from agent_checkouts where order_id in (select id from orders where user_id = ?)', [id])
}

async function assertNothingDue(em: EntityManager, userId: string): Promise<void> {
  const [due] = await em.execute<{ number: number; isPaying: boolean }[]>(
    `select number, ${PAYING} as "isPaying" from orders o
     where user_id = ? and (${TO_SEND} or ${PAYABLE} and ${PAYING}) order by number limit 1`,
    [userId],
  )
  if (!due) return
  if (due.isPaying)
    throw refuse(
      'PAYMENT_PENDING',
      `A payment of your order #${due.number} is under way. Please wait until PayPal says how that ended.`,
    )
  throw refuse(
    'ORDERS_UNDER_WAY',
    `Your order #${due.number} is paid and has not left yet. Your account can go once it has, or once you have your money back.`,
  )
}

async function cancelUnpaid(em: EntityManager, user: User): Promise<void> {
  // In the order in which buyers lock them, and each in id order: the orders are cancelled one by one.
  await em.execute(
    `select 1 from gift_cards where id in (
       select gift_card_id from gift_card_uses u join orders o on o.id = u.order_id where user_id = ? and held_until is not null)
     order by id for update`,
    [user.id],
  )
  await em.execute(
    `select 1 from products where id in (
       select product_id from order_items join orders o on o.id = order_id where user_id = ? and held_until is not null)
     order by id for update`,
    [user.id],
  )
  const orders = await em.execute<{ id: string }[]>(
    `select id from orders o where user_id = ? and ${PAYABLE} order by id`,
    [user.id],
  )
  for (const { id } of orders) await cancelOrder(em, { user, orderToken: null }, id)
}

/** Forgets who invoices were for once the law wants it no more. */
export async function forgetRecipients(em: EntityManager): Promise<void> {
  await em.execute('delete from invoice_recipients where keep_until < ?', [clock.now()])
}
