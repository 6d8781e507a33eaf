import { useApolloClient, useQuery } from '@apollo/client/react'
import { lazy, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { isCalledOff, orderCan } from '#schema/rules/order-status'
import { may } from '../account/may.ts'
import { type UserInfo, useSession } from '../account/session.ts'
import { messageOf } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { Parcels, parcelsToFollow } from '../fulfilment/Parcels.tsx'
import { BoughtDownloads } from '../download/BoughtDownloads.tsx'
import { Head } from '../app/Head.tsx'
import { useLive } from '../data/live/use-live.ts'
import { paths } from '../paths.ts'
import { forgetApproval, useApproval } from '../payment/approved.ts'
import { motion } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Cluster } from '../ui/Cluster.tsx'
import { Container } from '../ui/Container.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Part } from '../ui/Part.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { OrderAgain } from './OrderAgain.tsx'
import { OrderHeader } from './OrderHeader.tsx'
import { OrderLines } from './OrderLines.tsx'
import {
  DeliverOrderDocument,
  OrderChangedDocument,
  type OrderDetailsFragment,
  OrderDocument,
} from './OrderPage.gql.ts'
import { DownloadInvoice } from './DownloadInvoice.tsx'
import { useOrderToken } from './order-tokens.ts'
import { AccountOffer } from './AccountOffer.tsx'
import { NoteSection, PaymentSection, ShippingSection } from './OrderRecord.tsx'
import { OrderPrices, OrderSections } from './OrderSections.tsx'
import { OrderStory } from './OrderStory.tsx'
import { PayOrder } from './PayOrder.tsx'

const BoughtGiftCards = lazy(() => import('../gift-card/BoughtGiftCards.tsx'))
const ShipPanel = lazy(() => import('../fulfilment/admin/ShipPanel.tsx'))
const OrderAdminPanel = lazy(() => import('./admin/OrderAdminPanel.tsx'))

export default function OrderPage() {
  const { id } = useParams()
  return (
    <Container>
      {id === undefined ? (
        <>
          <Head title="Order" />
          <h1>Order</h1>
          <ErrorState>Yarn it! Your order ID is missing.</ErrorState>
          <Link to={paths.profile()}>Your orders</Link>
        </>
      ) : (
        <LoadedOrder key={id} id={id} />
      )}
    </Container>
  )
}

function LoadedOrder({ id }: { id: string }) {
  const session = useSession()
  const { data, error, loading, refetch } = useQuery(OrderDocument, {
    variables: { id },
    notifyOnNetworkStatusChange: true,
  })
  if (data?.order) return <OrderView order={data.order} session={session} />
  return (
    <>
      <Head title="Order" />
      {data && !error && <UnknownOrder id={id} />}
      {error && (
        <ErrorState onRetry={() => void refetch()} retrying={loading}>
          {messageOf(error)}
        </ErrorState>
      )}
      {!data && !error && <OrderSkeleton />}
    </>
  )
}

function OrderView({ order, session }: { order: OrderDetailsFragment; session: UserInfo | null }) {
  const isOpenedByToken = useOrderToken(order.id) !== undefined
  const isOwner = isOpenedByToken || order.user.userId === session?._id
  // Decided once, when the page opens, so that nothing moves when the order is paid meanwhile.
  const [cameToPay] = useState(isOwner && orderCan.pay(order.status))
  // PayPal's buttons stay until their payment is finished, even if the page learns earlier that the order is paid.
  const [settling, setSettling] = useState(false)
  useChanges(order, isOpenedByToken)
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone; without this the keyboard would start over at the top.
  const focusHeading = () => heading.current?.focus({ preventScroll: true })
  const approval = useApproval(order.id)
  const unpaid = orderCan.pay(order.status)
  const toFollow = parcelsToFollow(order.fulfilments)
  const confirming = unpaid && (order.isPaymentUnderWay || (isOwner && approval !== null))
  useEffect(() => {
    if (!unpaid) forgetApproval(order.id)
  }, [unpaid, order.id])
  useEffect(() => {
    // The button it was paid with had the focus and is gone.
    if (cameToPay && !unpaid && !settling && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
  }, [cameToPay, unpaid, settling])
  return (
    <Page $gap={6}>
      <Head title={`Order ${order.reference}`} />
      <OrderHeader order={order} isOwner={isOwner} confirming={confirming} heading={heading} />
      {!isCalledOff(order.status) && <OrderStory order={order} isOwner={isOwner} confirming={confirming} />}
      <OrderSections
        summaryFirst={cameToPay}
        summary={
          <>
            <OrderPrices {...order} />
            {(cameToPay || unpaid) && !isCalledOff(order.status) && (
              <PayOrder
                order={order}
                isOwner={isOwner}
                approval={approval}
                confirming={confirming}
                settling={settling}
                onSettling={setSettling}
                onCancelled={focusHeading}
              />
            )}
            {may(session, 'FULFIL_ORDERS') && orderCan.deliver(order) && (
              <DeliverButton order={order} onDelivered={focusHeading} />
            )}
            <Cluster $gap={2} data-print="hide">
              <DownloadInvoice orderId={order.id} reference={order.reference} />
              {isOwner && !unpaid && <OrderAgain items={order.items} />}
            </Cluster>
          </>
        }
      >
        <section aria-labelledby="items">
          <h2 id="items">Items</h2>
          <OrderLines lines={order.items} />
        </section>
        {order.boughtGiftCards.length > 0 && (
          <Part fallback={<Skeleton $height="8rem" />}>
            <BoughtGiftCards cards={order.boughtGiftCards} />
          </Part>
        )}
        <BoughtDownloads orderId={order.id} lines={order.items} />
        <NoteSection order={order} isOwner={isOwner} />
        {may(session, 'FULFIL_ORDERS') ? (
          <Part fallback={<Skeleton $height="8rem" />}>
            <ShipPanel order={order} />
          </Part>
        ) : (
          toFollow.length > 0 && (
            <section aria-labelledby="parcels">
              <h2 id="parcels">
                {isOwner ? 'Your parcel' : 'Parcel'}
                {toFollow.length === 1 ? '' : 's'}
              </h2>
              <Parcels parcels={toFollow} isPickup={order.isPickup} />
            </section>
          )
        )}
        <ShippingSection order={order} isAdmin={may(session, 'READ_ORDERS')} />
        <PaymentSection order={order} confirming={confirming} />
      </OrderSections>
      {order.user.isGuest && order.isPaid && session === null && (
        <AccountOffer orderId={order.id} name={order.user.name} email={order.user.email} />
      )}
      {may(session, 'READ_ORDERS') && (
        <Part fallback={<Skeleton $height="8rem" />}>
          <OrderAdminPanel orderId={order.id} />
        </Part>
      )}
    </Page>
  )
}

/** Keeps the shown order up to date for as long as changes to it arrive. */
function useChanges({ id, __typename }: OrderDetailsFragment, isOpenedByToken: boolean) {
  const { cache } = useApolloClient()
  useLive(
    OrderChangedDocument,
    { id },
    ({ orderChanged }) => {
      cache.writeQuery({ query: OrderDocument, variables: { id }, data: { order: orderChanged } })
      // The change does not include the history that administrators see, so their page fetches it again.
      cache.evict({ id: cache.identify({ __typename, id }), fieldName: 'history' })
    },
    isOpenedByToken,
  )
}

function DeliverButton({ order, onDelivered }: { order: OrderDetailsFragment; onDelivered: () => void }) {
  const { id, isPickup } = order
  const [deliver, { loading }] = useShopMutation(DeliverOrderDocument)

  async function press() {
    if (!(await deliver({ id }))) return
    notify.success(`Order ${isPickup ? 'picked up' : 'delivered'} successfully.`)
    onDelivered()
  }

  return (
    <Button wide loading={loading} onClick={() => void press()}>
      Mark as {isPickup ? 'Picked Up' : 'Delivered'}
    </Button>
  )
}

function UnknownOrder({ id }: { id: string }) {
  const session = useSession()
  return (
    <>
      <h1>Order</h1>
      <EmptyState
        title="We can’t find this order"
        action={
          <LinkButton as={Link} to={session ? paths.profile() : paths.login(paths.order(id))}>
            {session ? 'Your orders' : 'Sign in'}
          </LinkButton>
        }
      >
        <p>
          {session
            ? 'Either there is no such order, or it belongs to another account.'
            : 'This link does not open it. Please try the one in the latest mail about your order, or sign in.'}
        </p>
      </EmptyState>
    </>
  )
}

function OrderSkeleton() {
  return (
    <Stack $gap={6} aria-busy="true">
      <Skeleton $width="16rem" $height="3rem" />
      <OrderSections summary={<Skeleton $height="10rem" />}>
        <Skeleton $height="12rem" />
        <Skeleton $height="8rem" />
      </OrderSections>
    </Stack>
  )
}

/** Changes of state fade in while somebody looks at the page. */
const Page = styled(Stack)`
  header span,
  [role='status'] {
    transition:
      background-color ${motion.slow},
      color ${motion.slow};
  }
`
