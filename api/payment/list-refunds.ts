import type { Load } from '../query/batch.ts'
import { Refund } from './refund.entity.ts'

/** The refunds of each order, newest first. */
export const refundsOf: Load<string, Refund[]> = async (em, orderIds) => {
  const refunds = await em.find(
    Refund,
    { orderId: { $in: [...orderIds] } },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  )
  const byOrder = Map.groupBy(refunds, ({ orderId }) => orderId)
  return orderIds.map(id => byOrder.get(id) ?? [])
}
