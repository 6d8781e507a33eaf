import {
  isDue,
  orderFilters,
  orderStatusNames,
  shownUnder,
  type OrderFilterName,
  type Standing,
} from './order-status.ts'

export type { OrderFilterName }

export type OrderFilterKind = (typeof orderFilters)[OrderFilterName]
export const orderFilterNames = Object.keys(orderFilters) as OrderFilterName[]
export const filterKind = (filter: OrderFilterName): OrderFilterKind => orderFilters[filter]

export const statusesUnder = (filter: OrderFilterName) =>
  orderStatusNames.filter(status => shownUnder(status).includes(filter))

/** The field of the contract that counts what a filter shows, for example `toDeliver`. */
export const countName = (filter: OrderFilterName) =>
  filter.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CountName<OrderFilterName>

type CountName<Name extends string> = Name extends `${infer First}_${infer Second}`
  ? `${Lowercase<First>}${Capitalize<CountName<Second>>}`
  : Lowercase<Name>

interface Shown extends Standing {
  isPickup: boolean
  /** The last day that something of it is expected; null when all of it is here. */
  expectedOn: string | null
  /** Whether it has an open incident. */
  isOpen: boolean
}

const isShown: Record<OrderFilterKind, (order: Shown, inOne: boolean) => boolean> = {
  STATUS: (_, inOne) => inOne,
  DUE: (order, inOne) => inOne && isDue(order),
  PICKUP: ({ isPickup }, inOne) => inOne && isPickup,
  PREORDER: (order, inOne) => inOne && isDue(order) && order.expectedOn !== null,
  INCIDENT: ({ isOpen }) => isOpen,
}

/** Whether the order list shows an order under a filter. */
export const isShownUnder = (filter: OrderFilterName, order: Shown): boolean =>
  isShown[filterKind(filter)](order, shownUnder(order.status).includes(filter))
