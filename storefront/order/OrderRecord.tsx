import { useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { addressLines } from '#schema/rules/address-lines'
import { dayRangeWords, estimateLabel } from '#schema/rules/delivery'
import { formatCents } from '#schema/rules/money'
import { isCalledOff } from '#schema/rules/order-status'
import { zonedMoment } from '#schema/rules/time-zone'
import { ShopDocument } from '../app/Shop.gql.ts'
import { formatDay, formatZonedClock } from '../ui/dates.ts'
import { Notice } from '../ui/Notice.tsx'
import type { OrderDetailsFragment } from './OrderPage.gql.ts'
import { AddressBlock } from './OrderSections.tsx'
import { statusWords } from './status-words.ts'

/** What the shopper told the shop with it, in their own words and lines. */
export function NoteSection({ order, isOwner }: { order: OrderDetailsFragment; isOwner: boolean }) {
  if (!order.customerNote) return null
  return (
    <section aria-labelledby="note">
      <h2 id="note">{isOwner ? 'Your note' : `Note from ${order.user.name}`}</h2>
      <Said>{order.customerNote}</Said>
    </section>
  )
}

const Said = styled.p`
  white-space: pre-line;
  overflow-wrap: anywhere;
`

/** Where it goes, and when it came. */
export function ShippingSection({ order, isAdmin }: { order: OrderDetailsFragment; isAdmin: boolean }) {
  return (
    <section aria-labelledby="shipping">
      <h2 id="shipping">{order.isDownload ? 'Address' : order.isPickup ? 'Pickup' : 'Shipping'}</h2>
      <AddressBlock lines={addressLines(order.shippingAddress)}>
        {order.user.email && <a href={`mailto:${order.user.email}`}>{order.user.email}</a>}
        {isAdmin && order.user.isGuest && <span>Ordered as a guest</span>}
      </AddressBlock>
      {order.deliveryEstimate && (
        <p>
          {estimateLabel(order.isPickup)}
          {order.isPaid ? '' : ', if you pay today'}: {dayRangeWords(order.deliveryEstimate)}
        </p>
      )}
      {order.isPickup && !order.deliveredAt && <OpeningHours />}
      {order.isDownload ? null : order.deliveredAt ? (
        <Notice variant="success">
          {order.isPickup ? 'Picked up' : 'Delivered'} on {zonedMoment(order.deliveredAt)}
        </Notice>
      ) : (
        !isCalledOff(order.status) && (
          <Notice>Order has not yet been {order.isPickup ? 'picked up' : 'delivered'}.</Notice>
        )
      )}
    </section>
  )
}

/** When the shop is open for who picks something up, if its owner has said. */
function OpeningHours() {
  const { pickup } = useSuspenseQuery(ShopDocument).data.shop.delivery
  return pickup?.hours ? <p>Open {pickup.hours}</p> : null
}

/** How the order is paid, and what was refunded. */
export function PaymentSection({ order, confirming }: { order: OrderDetailsFragment; confirming: boolean }) {
  return (
    <section aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <p>{order.paymentMethod}</p>
      {order.paidAt ? (
        <Notice variant="success">Paid on {zonedMoment(order.paidAt)}</Notice>
      ) : confirming && !isCalledOff(order.status) ? (
        <Notice>PayPal is confirming the payment.</Notice>
      ) : (
        <Notice>{statusWords(order).payment}</Notice>
      )}
      <div role="status">
        <Hold order={order} />
        {order.refunds.map(refund => (
          <Refund key={refund.id} refund={refund} />
        ))}
      </div>
    </section>
  )
}

/** Money that is on its way back to the shopper, or has arrived. */
function Refund({
  refund: { amount, reason, status, createdAt },
}: {
  refund: OrderDetailsFragment['refunds'][number]
}) {
  if (status === 'FAILED') return null
  return (
    <p>
      {status === 'PENDING' ? 'Refund on its way' : `Refunded on ${formatDay(createdAt)}`}: {formatCents(amount)}
      {reason && `, ${reason}`}
    </p>
  )
}

/** How long an unpaid order keeps its stock. */
function Hold({ order: { status, heldUntil, isDownload } }: { order: OrderDetailsFragment }) {
  if (status === 'LAPSED')
    return (
      <p>
        {isDownload
          ? 'The time to pay is over. You can still pay as long as it is sold.'
          : 'We could not hold your yarn any longer. You can still pay as long as it is in stock.'}
      </p>
    )
  if (status === 'UNPAID' && heldUntil)
    return (
      <p>
        {isDownload ? 'You can pay' : 'Your yarn is set aside'} until {formatZonedClock(heldUntil)}.
      </p>
    )
  return null
}
