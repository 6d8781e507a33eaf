import { useApolloClient } from '@apollo/client/react'
import { lazy, Suspense } from 'react'
import { styled } from 'styled-components'
import { orderCan } from '#schema/rules/order-status'
import { paths } from '../paths.ts'
import { space } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { CancelOrder } from './CancelOrder.tsx'
import { HoldCountdown } from './HoldCountdown.tsx'
import type { OrderDetailsFragment } from './OrderPage.gql.ts'

// PayPal's library is only loaded when there is something to pay.
const PayPalPayment = lazy(() => import('../payment/PayPalPayment.tsx'))
const ConfirmingPayment = lazy(() => import('../payment/ConfirmingPayment.tsx'))

interface PayOrderProps {
  order: OrderDetailsFragment
  isOwner: boolean
  /** The payment that the buyer has agreed to here, which the shop may not know of yet. */
  approval: string | null
  /** Whether a payment is about to be confirmed. */
  confirming: boolean
  /** Whether PayPal's buttons are finishing a payment. */
  settling: boolean
  onSettling: (settling: boolean) => void
  onCancelled: () => void
}

/** Where an unpaid order is paid, and thanks once it is. */
export function PayOrder({ order, isOwner, approval, confirming, settling, onSettling, onCancelled }: PayOrderProps) {
  const client = useApolloClient()
  const lookAgain = () => void client.refetchQueries({ include: ['Order'] }).catch(() => {})
  const unpaid = orderCan.pay(order.status)
  const waits = !confirming && !settling
  return (
    <Place $pays={isOwner && !confirming}>
      {!unpaid && !settling ? (
        <Thanks order={order} />
      ) : isOwner ? (
        <Suspense fallback={<Skeleton $height="7rem" />}>
          {order.heldUntil && waits && (
            <HoldCountdown
              key={order.heldUntil}
              heldUntil={order.heldUntil}
              isDownload={order.isDownload}
              onOver={lookAgain}
            />
          )}
          {confirming && !settling ? (
            <ConfirmingPayment orderId={order.id} paypalOrderId={approval} />
          ) : (
            <PayPalPayment orderId={order.id} settling={settling} onSettling={onSettling} />
          )}
        </Suspense>
      ) : (
        <Notice>Only {order.user.name} can pay this order.</Notice>
      )}
      {isOwner && orderCan.cancel(order.status) && waits && (
        <CancelOrder id={order.id} reference={order.reference} onCancelled={onCancelled} />
      )}
    </Place>
  )
}

function Thanks({ order }: { order: OrderDetailsFragment }) {
  return (
    <>
      <Notice variant="success">Thank you! Your order is paid.</Notice>
      <p>
        {order.isDownload
          ? 'What you bought is on this page'
          : order.isPickup
            ? 'We write to you when it is ready, as this page tells'
            : 'This page follows your parcel'}
        , and {order.user.isGuest ? 'our mails lead' : 'your profile leads'} back to it.
      </p>
      <Link to={paths.home()}>Continue shopping</Link>
    </>
  )
}

/** For the person who pays, it is as high with the thanks in it as with the payment buttons and the way to cancel. */
const Place = styled.div<{ $pays: boolean }>`
  display: grid;
  align-content: center;
  gap: ${space[4]};
  min-height: ${({ $pays }) => ($pays ? '17.5rem' : 0)};
`
