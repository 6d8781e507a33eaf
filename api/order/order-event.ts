import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { shopCurrency } from '#schema/rules/money'
import { GIVEN, given, recordSelected, type EventRecord } from '../event/record-events.ts'
import type { EventType } from '../generated/types.ts'
import { listed } from '../query/read.ts'
import type { OrderItem } from './order.entity.ts'
import { STATUS } from './status-in-sql.ts'

type OrderEventType = Extract<EventType, `ORDER_${string}`>

/** `taxLines` of schema/rules/tax-lines.ts for a row `o` of orders. */
const TAXES = `jsonb_build_array(jsonb_build_object(
    'basisPoints', tax_basis_points, 'isReduced', false, 'amount', tax_price + included_tax - o.reduced_tax))
  || case when reduced_tax_basis_points is null then '[]' else jsonb_build_array(jsonb_build_object(
    'basisPoints', reduced_tax_basis_points, 'isReduced', true, 'amount', o.reduced_tax)) end`

/** Of a row `o` of orders: how it stands, with its `lines`, and no word about who ordered but the account's id. */
const PUBLIC_ORDER = (
  updatedAt: string,
  version: string,
  lines = 'order_items',
) => `jsonb_build_object('order', jsonb_build_object(
  'id', o.id, 'reference', '#' || number, 'accountId', user_id, 'status', ${STATUS},
  'isPickup', coalesce((shipping_address->>'isPickup')::boolean, false),
  'updatedAt', to_char(${updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'version', ${version},
  'lines', coalesce((
    select jsonb_agg(jsonb_build_object(
      'productId', product_id, 'sku', sku, 'name', name, 'quantity', quantity, 'fulfilledQuantity', fulfilled_quantity,
      'lots', lots, 'expectedOn', case when fulfilled_quantity < quantity then expected_on end, 'price', price, 'discount', i.discount,
      'isGiftCard', is_gift_card) order by position)
    from ${lines} i where i.order_id = o.id), '[]'),
  'itemsPrice', items_price, 'discount', o.discount, 'shippingPrice', shipping_price, 'taxPrice', tax_price,
  'totalPrice', total_price, 'includedTax', included_tax,
  'taxBasisPoints', tax_basis_points, 'taxes', ${TAXES}, 'giftCardAmount', gift_card_amount,
  'amountDue', case when paid_at is null then total_price - gift_card_amount else unpaid_amount end, 'giftCardsSold', gift_cards_sold,
  'refundedAmount', refunded_amount, 'currency', '${shopCurrency()}'))`

/** Writes down that something happened to orders, inside the caller's transaction. The payload shows how each stands. */
export async function recordOrderEvents(
  em: EntityManager,
  type: OrderEventType,
  orders: readonly { id: string }[],
  more: object = {},
): Promise<void> {
  if (orders.length === 0) return
  // Read past the entities in memory: those may be older than what was counted in SQL, and to load them again could undo
  // what is not written yet.
  await em.flush()
  const ids = orders.map(({ id }) => id).toSorted()
  await recordSelected(
    em,
    `asked as (
       select * from unnest(?::uuid[], ?::uuid[]) with ordinality as a(event_id, order_id, index)
     ), touched as (
       -- What lies in tables of its own moves the order at the end of the transaction: the event tells it already.
       update orders set updated_at = clock_timestamp() from asked where id = order_id and updated_in <> pg_current_xact_id()
       returning id, updated_at, version
     ), happened as (
       select event_id as id, ?::text as type, o.id as subject_id, index, ?::jsonb || ${PUBLIC_ORDER('coalesce(t.updated_at, o.updated_at)', 'coalesce(t.version, o.version)')} as data
       from asked join orders o on o.id = order_id left join touched t on t.id = o.id
     )`,
    [listed(ids.map(() => v7())), listed(ids), type, JSON.stringify(more)],
  )
}

/**
 * Changes one order and writes down what that made happen to it, in one statement. `with … changed as (…)` changes it and
 * returns all of its row. Returns whether it did.
 */
export const changeOrder = async (
  em: EntityManager,
  type: OrderEventType,
  changed: string,
  values: Parameters<typeof recordSelected>[2],
): Promise<boolean> =>
  (await recordSelected(
    em,
    `${changed}, happened as (
       select ?::uuid as id, ?::text as type, o.id as subject_id, 1 as index, ${PUBLIC_ORDER('o.updated_at', 'o.version')} as data from changed o
     )`,
    [...values, v7(), type],
  )) > 0

type NewLine = Pick<
  OrderItem,
  | 'productId'
  | 'position'
  | 'sku'
  | 'name'
  | 'image'
  | 'price'
  | 'quantity'
  | 'lots'
  | 'discount'
  | 'expectedOn'
  | 'isDownload'
  | 'isGiftCard'
  | 'reducedTax'
>

const LINE =
  'product_id, position, sku, name, image, price, quantity, lots, discount, expected_on, expected_told, is_download, is_gift_card, reduced_tax, fulfilled_quantity'

/**
 * Writes the lines of a new order down, that it was placed, and what else happened by that, inside the caller's transaction and in one
 * statement.
 */
export async function recordPlaced(
  em: EntityManager,
  orderId: string,
  lines: readonly NewLine[],
  more: readonly EventRecord[],
): Promise<void> {
  const rows = lines.map(({ productId, expectedOn, isDownload, isGiftCard, reducedTax, ...line }) => ({
    id: v7(),
    product_id: productId,
    expected_on: expectedOn,
    expected_told: expectedOn,
    is_download: isDownload,
    is_gift_card: isGiftCard,
    reduced_tax: reducedTax,
    // Nothing of it waits for a parcel.
    fulfilled_quantity: isDownload ? line.quantity : 0,
    ...line,
  }))
  await recordSelected(
    em,
    `added as (
       insert into order_items (id, order_id, ${LINE}) select id, ?::uuid, ${LINE} from jsonb_to_recordset(?::jsonb) as l(
         id uuid, product_id uuid, position integer, sku text, name text, image text, price integer, quantity integer, lots jsonb, discount integer,
         expected_on date, expected_told date, is_download boolean, is_gift_card boolean, reduced_tax boolean, fulfilled_quantity integer)
       returning order_id, ${LINE}
     ), happened as (
       select * from ${GIVEN}
       union all select ?::uuid, 'ORDER_PLACED', o.id, ${PUBLIC_ORDER('o.updated_at', 'o.version', 'added')}, 0 from orders o where o.id = ?
     )`,
    [orderId, JSON.stringify(rows), given(more), v7(), orderId],
  )
}
