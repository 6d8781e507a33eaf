import { type StockStatus, stockStatus } from '#schema/rules/stock'
import { Badge } from '../../ui/Badge.tsx'

const looks: Record<StockStatus, 'plain' | 'warning' | 'danger'> = {
  'In Stock': 'plain',
  'Low Stock': 'warning',
  'Out of Stock': 'danger',
}

/** SPEC §4. A draft says so as well: nobody can buy it yet. */
export function StockBadge({ countInStock, isDraft }: { countInStock: number; isDraft?: boolean }) {
  const status = stockStatus(countInStock)
  return (
    <>
      <Badge $variant={looks[status]}>{status}</Badge>
      {isDraft && (
        <>
          {' '}
          <Badge>Draft</Badge>
        </>
      )}
    </>
  )
}
