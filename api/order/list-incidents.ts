import type { Load } from '../query/batch.ts'
import { OrderIncident } from './order-incident.entity.ts'

/** The incidents of each order, newest first. */
export const incidentsOf: Load<string, OrderIncident[]> = async (em, orderIds) => {
  const incidents = await em.find(
    OrderIncident,
    { orderId: { $in: [...orderIds] } },
    { orderBy: { at: 'desc', id: 'desc' } },
  )
  const byOrder = Map.groupBy(incidents, ({ orderId }) => orderId)
  return orderIds.map(id => byOrder.get(id) ?? [])
}
