import type { Load } from '../query/batch.ts'
import { Payment } from './payment.entity.ts'

/** Payments of each order, oldest first. */
export const paymentsOf: Load<string, Payment[]> = async (em, orderIds) => {
  const payments = await em.find(
    Payment,
    { orderId: { $in: [...orderIds] } },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  )
  const byOrder = Map.groupBy(payments, ({ orderId }) => orderId)
  return orderIds.map(id => byOrder.get(id) ?? [])
}
