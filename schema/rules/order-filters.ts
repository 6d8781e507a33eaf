import { isDue, orderStatusNames, type OrderStatus, type Standing } from './order-status.ts'

/** What the order list is narrowed by: a status, a status while goods are still due, or an open incident. */
const orderFilters = {
  UNPAID: 'STATUS',
  PAID: 'STATUS',
  TO_SEND: 'DUE',
  TO_DELIVER: 'DUE',
  DELIVERED: 'STATUS',
  LAPSED: 'STATUS',
  CANCELLED: 'STATUS',
  NEEDS_ATTENTION: 'INCIDENT',
} as const
export type OrderFilterName = keyof typeof orderFilters
export type OrderFilterKind = (typeof orderFilters)[OrderFilterName]
export const orderFilterNames = Object.keys(orderFilters) as OrderFilterName[]
export const filterKind = (filter: OrderFilterName): OrderFilterKind => orderFilters[filter]

/** Under which filters orders of a status are shown. The SQL, the board and the chips follow it. */
const shownUnder: Record<OrderStatus, readonly OrderFilterName[]> = {
  UNPAID: ['UNPAID'],
  LAPSED: ['LAPSED'],
  CANCELLED: ['CANCELLED'],
  PAID: ['PAID', 'TO_SEND', 'TO_DELIVER'],
  PARTLY_SENT: ['PAID', 'TO_SEND', 'TO_DELIVER'],
  SENT: ['PAID', 'TO_DELIVER'],
  DELIVERED: ['PAID', 'DELIVERED'],
}

export const statusesUnder = (filter: OrderFilterName) =>
  orderStatusNames.filter(status => shownUnder[status].includes(filter))

/** The field of the contract that counts what a filter shows, for example `toDeliver`. */
export const countName = (filter: OrderFilterName) =>
  filter.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CountName<OrderFilterName>

type CountName<Name extends string> = Name extends `${infer First}_${infer Second}`
  ? `${Lowercase<First>}${Capitalize<Lowercase<Second>>}`
  : Lowercase<Name>

const isShown: Record<OrderFilterKind, (order: Standing & { isOpen: boolean }, inOne: boolean) => boolean> = {
  STATUS: (_, inOne) => inOne,
  DUE: (order, inOne) => inOne && isDue(order),
  INCIDENT: ({ isOpen }) => isOpen,
}

/** Whether the order list shows an order under a filter. */
export const isShownUnder = (filter: OrderFilterName, order: Standing & { isOpen: boolean }): boolean =>
  isShown[filterKind(filter)](order, shownUnder[order.status].includes(filter))
