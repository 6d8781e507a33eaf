import { useSuspenseQuery } from '@apollo/client/react'
import { dayWords } from '#schema/rules/day'
import { isLate } from '#schema/rules/preorder'
import { type StockStatus, stockStatus } from '#schema/rules/stock'
import { ShopDocument } from '../../app/Shop.gql.ts'
import { Badge } from '../../ui/Badge.tsx'

const looks: Record<StockStatus, 'plain' | 'warning' | 'danger'> = {
  'In Stock': 'plain',
  'Low Stock': 'warning',
  'Out of Stock': 'danger',
}

interface StockBadgeProps {
  countInStock: number
  expectedOn?: string | null
  isDownload?: boolean
  isGiftCard?: boolean
  isDraft?: boolean
  /** How many people asked for a mail when it is back in stock. */
  bellsWaiting?: number
}

/** SPEC §4. A draft says so as well: nobody can buy it yet. What is expected is not in stock, however much of it comes. */
export function StockBadge({
  countInStock,
  expectedOn,
  isDownload,
  isGiftCard,
  isDraft,
  bellsWaiting = 0,
}: StockBadgeProps) {
  const status = stockStatus(countInStock)
  return (
    <>
      {isDownload ? (
        <Badge>{isGiftCard ? 'Gift card' : 'Download'}</Badge>
      ) : (
        !(expectedOn && status === 'In Stock') && <Badge $variant={looks[status]}>{status}</Badge>
      )}
      {expectedOn && (
        <>
          {' '}
          <ExpectedBadge expectedOn={expectedOn} />
        </>
      )}
      {isDraft && (
        <>
          {' '}
          <Badge>Draft</Badge>
        </>
      )}
      {bellsWaiting > 0 && (
        <>
          {' '}
          <Badge>{bellsWaiting === 1 ? '1 waits for it' : `${bellsWaiting} wait for it`}</Badge>
        </>
      )}
    </>
  )
}

/** Marked once the day has passed and nobody has said that it is here. */
function ExpectedBadge({ expectedOn }: { expectedOn: string }) {
  const { today } = useSuspenseQuery(ShopDocument).data.shop.delivery
  const late = isLate(expectedOn, today)
  return (
    <Badge $variant={late ? 'warning' : 'plain'} title={`Expected ${dayWords(expectedOn)}`}>
      {late ? 'Pre-order, late' : 'Pre-order'}
    </Badge>
  )
}
