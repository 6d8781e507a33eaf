import type { EntityManager } from '@mikro-orm/postgresql'
import { openAccount } from '../account/open-account.ts'
import { MAIL, mailValues } from '../mail/queue-mail.ts'
import { write } from '../query/read.ts'
import { columnsOf } from '../query/shown.ts'
import { Order } from './order.entity.ts'

/** What a new order has: the columns and their types. */
const WRITTEN = {
  id: 'id uuid',
  userId: 'user_id uuid',
  guestKey: 'guest_key text',
  userName: 'user_name text',
  userEmail: 'user_email text',
  timeZone: 'time_zone text',
  shippingAddress: 'shipping_address jsonb',
  customerNote: 'customer_note text',
  isDownload: 'is_download boolean',
  paymentMethod: 'payment_method text',
  itemsPrice: 'items_price integer',
  discountCode: 'discount_code text',
  discount: 'discount integer',
  shippingPrice: 'shipping_price integer',
  taxPrice: 'tax_price integer',
  totalPrice: 'total_price integer',
  giftCardAmount: 'gift_card_amount integer',
  giftCardsSold: 'gift_cards_sold integer',
  includedTax: 'included_tax integer',
  taxBasisPoints: 'tax_basis_points double precision',
  reducedTaxBasisPoints: 'reduced_tax_basis_points double precision',
  reducedTaxed: 'reduced_taxed integer',
  reducedTax: 'reduced_tax integer',
  heldUntil: 'held_until timestamptz',
  placedFrom: 'placed_from text',
  idempotencyKey: 'idempotency_key text',
  idempotencyHash: 'idempotency_hash text',
  createdAt: 'created_at timestamptz',
} as const

const COLUMNS = Object.values(WRITTEN)
  .map(column => column.split(' ')[0])
  .join()
const TYPED = Object.values(WRITTEN).join()

/** Named as the columns are, for PostgreSQL to read. */
const asRow = (order: NewOrder) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(WRITTEN).map(([property, column]) => [column.split(' ')[0], order[property as keyof NewOrder]]),
    ),
  )

export type NewOrder = Pick<Order, keyof typeof WRITTEN>

/**
 * Writes an order and its first letter down, inside the caller's transaction. Null when its account is closed; else that stays
 * open until the transaction ends, so that nothing about a person is written after their account was deleted.
 */
export async function insertOrder(em: EntityManager, order: NewOrder): Promise<Order | null> {
  const [row] = await write<object>(
    em,
    `with buyer as (
       ${openAccount('key share')}
     ), placed as (
       insert into orders (${COLUMNS}) select ${COLUMNS} from jsonb_to_record(?::jsonb) as n(${TYPED})
       where user_id is null or exists (select from buyer)
       returning ${columnsOf(em, Order)}
     ), mailed as (
       insert into mails ${MAIL} from placed
     )
     select * from placed`,
    [order.userId ?? null, asRow(order), ...mailValues(em, 'ORDER_PLACED', { orderId: order.id })],
  )
  return row ? em.map(Order, row) : null
}
