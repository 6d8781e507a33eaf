import type { Load } from '../query/batch.ts'
import { Fulfilment } from './fulfilment.entity.ts'

/** The parcels of each order, first packed first. */
export const fulfilmentsOf: Load<string, Fulfilment[]> = async (em, orderIds) => {
  const fulfilments = await em.find(
    Fulfilment,
    { orderId: { $in: [...orderIds] } },
    { populate: ['lines.item'], orderBy: { createdAt: 'asc', id: 'asc' } },
  )
  const byOrder = Map.groupBy(fulfilments, ({ orderId }) => orderId)
  return orderIds.map(id => byOrder.get(id) ?? [])
}
