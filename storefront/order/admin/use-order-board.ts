import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { isShownUnder } from '#schema/rules/order-filters'
import { useThrottled } from '../../admin/use-throttled.ts'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useLive } from '../../data/live/use-live.ts'
import {
  type AdminOrderFragment,
  AdminOrderFragmentDoc,
  AdminOrdersDocument,
  type AdminOrdersQuery,
  type AdminOrdersQueryVariables,
  OrdersChangedDocument,
} from './Orders.gql.ts'

/** How long after a change the figures are counted again, once for all changes in that time. */
const FIGURES_MS = 1_000

interface Board {
  /** What is listed. */
  variables: AdminOrdersQueryVariables
  /** A row on screen has changed. */
  onChange: (order: AdminOrderFragment) => void
}

/**
 * Keeps a list of orders up to date: rows change in place, and figures are counted again. New orders for the top of the
 * list are held back, so that nothing moves under the pointer. `waiting` is their number, 0 where it cannot be known.
 */
export function useOrderBoard({ variables, onChange }: Board): { waiting: number; welcome: () => void } {
  const client = useApolloClient()
  const invalidate = useInvalidate()
  const countSoon = useThrottled(() => invalidate('orderStats', 'orderCounts'), FIGURES_MS)
  const list = JSON.stringify(variables)
  const [outside, setOutside] = useState<{ list: string; ids: ReadonlySet<string> }>({ list, ids: new Set() })
  const listed = () => client.readQuery({ query: AdminOrdersDocument, variables })?.orders

  function take(order: AdminOrderFragment) {
    const orders = listed()
    if (orders?.items.some(({ id }) => id === order.id)) {
      client.writeFragment({
        id: client.cache.identify(order),
        fragment: AdminOrderFragmentDoc,
        fragmentName: 'AdminOrder',
        data: order,
      })
      onChange(order)
    } else if (orders && isOnTop(order, orders, variables)) {
      setOutside(before => ({ list, ids: new Set(before.list === list ? before.ids : []).add(order.id) }))
    }
  }

  useLive(OrdersChangedDocument, {}, ({ ordersChanged: { order } }) => {
    countSoon()
    if (order) return take(order)
    // Some changes may have been missed, so the list is fetched. If that fails, the next change will do.
    client.query({ query: AdminOrdersDocument, variables, fetchPolicy: 'no-cache' }).then(
      ({ data }) => data?.orders.items.forEach(take),
      () => {},
    )
  })

  const here = outside.list === list ? [...outside.ids] : []
  const rows = new Set(here.length > 0 ? listed()?.items.map(({ id }) => id) : [])
  return {
    waiting: here.filter(id => !rows.has(id)).length,
    welcome: () => setOutside({ list, ids: new Set() }),
  }
}

/** Whether an order belongs on the first page of a list sorted by date. Only the API knows that about a search. */
function isOnTop(
  order: AdminOrderFragment,
  { items, pages }: AdminOrdersQuery['orders'],
  { filter, sort, page }: AdminOrdersQueryVariables,
): boolean {
  if (page !== 1 || filter?.search || filter?.tag || sort?.field !== 'DATE' || sort.direction !== 'DESC') return false
  if (
    filter?.status &&
    !isShownUnder(filter.status, {
      ...order,
      isOpen: order.incidents.some(({ resolvedAt }) => !resolvedAt),
    })
  )
    return false
  const last = items.at(-1)
  return pages === 1 || !last || order.createdAt > last.createdAt
}
