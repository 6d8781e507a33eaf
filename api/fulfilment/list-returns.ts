import type { Load } from '../query/batch.ts'
import { FulfilmentReturn } from './fulfilment-return.entity.ts'

/** What came back of each parcel, first first. */
export const returnsOf: Load<string, FulfilmentReturn[]> = async (em, fulfilmentIds) => {
  const returns = await em.find(
    FulfilmentReturn,
    { fulfilmentId: { $in: [...fulfilmentIds] } },
    { populate: ['lines.line.item'], orderBy: { createdAt: 'asc', id: 'asc' } },
  )
  const byFulfilment = Map.groupBy(returns, ({ fulfilmentId }) => fulfilmentId)
  return fulfilmentIds.map(id => byFulfilment.get(id) ?? [])
}
