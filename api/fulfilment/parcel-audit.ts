import { dyeLots, type LotPortion } from '#schema/rules/lots'
import type { AuditRecord } from '../audit/record-audit.ts'
import type { AuditAction } from '../generated/types.ts'
import type { Order } from '../order/order.entity.ts'

type Change = readonly [before: string | null, after: string | null]

interface Packed {
  item: { name: string }
  quantity: number
  lots: readonly LotPortion[]
}

/** "2 × Merino (Lot 4412), 1 × Needles" */
export const contentsOf = (lines: readonly Packed[]) =>
  lines
    .map(({ item: { name }, quantity, lots }) => `${quantity} × ${name}${lots.length > 0 ? ` (${dyeLots(lots)})` : ''}`)
    .join(', ')

/** What an order's history says of one of its parcels. What is the same before and after is left out. */
export const parcelAudit = (
  action: AuditAction,
  order: Order,
  changes: Readonly<Record<string, Change>>,
): AuditRecord => ({
  entity: 'ORDER',
  entityId: order.id,
  label: order.reference,
  action,
  changes: Object.entries(changes)
    .map(([field, [before, after]]) => ({ field, before, after }))
    .filter(({ before, after }) => before !== after),
})
