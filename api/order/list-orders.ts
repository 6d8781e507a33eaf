import type { EntityManager } from '@mikro-orm/postgresql'
import {
  countName,
  filterKind,
  type OrderFilterKind,
  orderFilterNames,
  statusesUnder,
} from '#schema/rules/order-filters'
import type { OrderStatus } from '#schema/rules/order-status'
import { annotated } from '../annotation/find-annotated.ts'
import { changed } from '../query/changed.ts'
import { likeWords } from '../query/search-words.ts'
import { connectionOf, type Connection, type ConnectionArguments } from '../query/connection.ts'
import type {
  OrderConnectionSort,
  OrderCounts,
  OrderFilter,
  OrderSort,
  OrderSortField,
  OrderStats,
  OrderStatusFilter,
} from '../generated/types.ts'
import { MOST_COUNTED, MOST_FOUND } from '../query/page-sizes.ts'
import { pageOf, whereOf, type Condition, type Page } from '../query/paging.ts'
import { tallied } from '../query/tallies.ts'
import { Order } from './order.entity.ts'
import { inStatus } from './status-in-sql.ts'

const sortColumns = {
  DATE: 'created_at',
  TOTAL: 'total_price',
  NAME: 'lower(user_name)',
  PAID: 'paid_at',
  DELIVERED: 'delivered_at',
} as const

/** Orders of a status of which none has this date. Nothing is delivered that is not paid. */
const lacks = (column: string) => (status: OrderStatus) =>
  ['paid_at', column].some(missing => inStatus[status].includes(`${missing} is null`))

/** What is sorted by. Where no order has been paid or delivered, the newest come first: all their dates are in one index. */
function fieldOf({ status }: OrderFilter, sort: OrderSort | null): OrderSortField {
  const field = sort?.field ?? 'DATE'
  if (field !== 'PAID' && field !== 'DELIVERED') return field
  const statuses = status ? statusesUnder(status) : []
  return statuses.length > 0 && statuses.every(lacks(sortColumns[field])) ? 'DATE' : field
}

/** `orderCan` as SQL: nothing more goes to whom all money went back. */
const DUE = '(sent_at is not null or refunded_amount < total_price - unpaid_amount)'

/** What lies ready at the shop: little, and all in one index. */
const TO_PICK_UP = `paid_at is not null and delivered_at is null and first_sent_at is not null and shipping_address -> 'isPickup' = 'true'`

/** What waits for pre-orders: their lines are all in one index. */
const EXPECTED = `paid_at is not null and sent_at is null and delivered_at is null and refunded_amount < total_price - unpaid_amount
  and id in (select order_id from order_items where expected_on is not null and fulfilled_quantity < quantity)`

/** `isShownUnder` as SQL. */
const isShown: Record<OrderFilterKind, (inOne: string) => string> = {
  STATUS: inOne => inOne,
  DUE: inOne => `${inOne} and ${DUE}`,
  PICKUP: () => TO_PICK_UP,
  PREORDER: () => EXPECTED,
  INCIDENT: () => 'id in (select order_id from order_incidents where resolved_at is null)',
}

/** Which orders a filter shows. */
export const shownUnder = (filter: OrderStatusFilter) =>
  isShown[filterKind(filter)](
    `(${statusesUnder(filter)
      .map(status => `(${inStatus[status]})`)
      .join(' or ')})`,
  )

/** One page of all orders. */
export function listOrders(
  em: EntityManager,
  filter: OrderFilter,
  sort: OrderSort | null,
  page: number,
  pageSize: number,
): Promise<Page<Order>> {
  const field = fieldOf(filter, sort)
  const direction = sort?.direction === 'ASC' ? 'asc' : 'desc'
  return pageOf(em, Order, {
    from: 'orders',
    where: conditionsOf({ ...filter, search: null }),
    search: searched(filter.search),
    order: `${sortColumns[field]} ${direction}${field === 'PAID' || field === 'DELIVERED' ? ' nulls last' : ''}, id ${direction}`,
    page,
    pageSize,
  })
}

const connectionColumns = {
  DATE: ['created_at', 'timestamptz'],
  TOTAL: ['total_price', 'int'],
  NAME: ['lower(user_name)', 'text'],
  UPDATED: ['updated_in', 'xid8'],
} as const

export type ConnectedOrders = Connection<Order>

/** A part of all orders or of one account's, newest first unless sorted. */
export function connectOrders(
  em: EntityManager,
  { userId, ...filter }: OrderFilter & { userId?: string },
  sort: OrderConnectionSort | null,
  range: ConnectionArguments,
): Promise<ConnectedOrders> {
  const found = conditionsOf(filter)
  return connectionOf(
    em,
    Order,
    {
      table: 'orders',
      where: found && [userId && ['user_id = ?', userId], ...found],
      by: connectionColumns[sort?.field ?? 'DATE'],
      direction: sort?.direction === 'ASC' ? 'asc' : 'desc',
      isFeed: sort?.field === 'UPDATED',
    },
    range,
  )
}

/** How many orders each status filter would show. */
export async function countOrders(
  em: EntityManager,
  filter: Pick<OrderFilter, 'search' | 'tag'>,
): Promise<OrderCounts> {
  if (!filter.search?.trim() && filter.tag == null) return countAllOrders(em)
  const found = conditionsOf(filter)
  const most = filter.search?.trim() ? MOST_FOUND : MOST_COUNTED
  const counted = orderFilterNames.map(
    filter => `least(count(*) filter (where ${shownUnder(filter)}), ${most})::int as "${countName(filter)}"`,
  )
  // One more than is counted means that there are more.
  const { filter: where, parameters } = whereOf(found ?? [['false']])
  const [counts] = await em.execute<[OrderCounts]>(
    `select count(*) <= ${most} as "countsAreExact", least(count(*), ${most})::int as "all", ${counted.join(', ')}
     from (select * from orders ${where} limit ${most + 1}) found`,
    parameters,
  )
  return counts
}

const tallyOf = <Status extends OrderStatus>(status: Status) => `ORDERS ${status}` as const
/** Those whose money went back before the last of them was sent are tallied apart: nothing more goes out. */
const refundedTallyOf = (status: OrderStatus) => `${tallyOf(status)} REFUNDED` as const
const tallies = (Object.keys(inStatus) as OrderStatus[]).flatMap(status => [tallyOf(status), refundedTallyOf(status)])

const FEW = `select 'INCIDENT', count(distinct order_id)::float8 from order_incidents where resolved_at is null
  union all select 'PICKUP', count(*)::float8 from (select from orders where ${TO_PICK_UP} limit ${MOST_COUNTED}) ready
  union all select 'PREORDER', count(*)::float8 from (select from orders where ${EXPECTED} limit ${MOST_COUNTED}) expected`

async function countAllOrders(em: EntityManager): Promise<OrderCounts> {
  const tally = await tallied(em, [...tallies, 'INCIDENT', 'PICKUP', 'PREORDER'], FEW)
  const countOf = (filter: OrderStatusFilter) => {
    const kind = filterKind(filter)
    if (kind === 'INCIDENT' || kind === 'PICKUP' || kind === 'PREORDER') return tally[kind]
    const statuses = statusesUnder(filter)
    return sumOf(tally, [...statuses.map(tallyOf), ...(kind === 'DUE' ? [] : statuses.map(refundedTallyOf))])
  }
  return {
    countsAreExact: true,
    all: sumOf(tally, tallies),
    ...Object.fromEntries(orderFilterNames.map(filter => [countName(filter), countOf(filter)])),
  } as OrderCounts
}

const sumOf = <Name extends string>(tally: Record<Name, number>, names: readonly Name[]) =>
  names.reduce((sum, name) => sum + tally[name], 0)

export async function orderStats(em: EntityManager): Promise<OrderStats> {
  const tally = await tallied(em, [...tallies, 'UNITS ORDERED'])
  return {
    totalOrders: sumOf(tally, tallies),
    productsOrdered: tally['UNITS ORDERED'],
    fulfilledOrders: tally[tallyOf('DELIVERED')],
  }
}

/** The filter as SQL. Null when nothing can match. */
function conditionsOf(filter: OrderFilter): Condition[] | null {
  const { search, status, from, to } = filter
  const narrowed = changed(filter)
  const found = narrowed && searched(search)
  return (
    found && [
      ...narrowed,
      ...(status ? [[shownUnder(status)] as Condition] : []),
      ...(from ? [['created_at >= ?', from] as Condition] : []),
      ...(to ? [['created_at < ?', to] as Condition] : []),
      ...annotated('ORDER', filter),
      ...found,
    ]
  )
}

/** An order number, words of the shopper's name and email, or an external id. Null when nothing can match. */
function searched(search: string | null | undefined): Condition[] | null {
  const words = likeWords(search)
  if (!search || !words || words.length === 0) return words && []
  const typed = search.trim()
  const number = /^#?(\d{1,9})$/.exec(typed)?.[1]
  const ways: Condition[] = [
    ...(number ? [['number = ?', Number(number)] as Condition] : []),
    [words.map(() => `lower(user_name || ' ' || user_email) like ?`).join(' and '), ...words],
    // An array, so that the index of ids can be read together with the others.
    [
      'id = any (array(select order_id from external_ids where order_id is not null and lower(value) = lower(?)))',
      typed,
    ],
  ]
  return [[`(${ways.map(([sql]) => sql).join(' or ')})`, ...ways.flatMap(([, ...values]) => values)]]
}
