import { type Ref, useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { addressLines } from '#schema/rules/address-lines'
import { limits } from '#schema/rules/limits'
import { isDownloadsAlone } from '#schema/rules/pricing'
import { PageLoading } from '../account/PageLoading.tsx'
import { useSession } from '../account/session.ts'
import { currentCart, hasAddress, useCart, useCartPrices } from '../cart/cart.ts'
import { useCartCode } from '../cart/cart-code.ts'
import { CodeField } from '../cart/CodeField.tsx'
import { CartChanges } from '../cart/CartChanges.tsx'
import { LotChoice } from '../cart/LotChoice.tsx'
import { useCartCheck } from '../cart/use-cart-check.ts'
import type { UserError } from '../data/errors.ts'
import { GiftCardField } from '../gift-card/GiftCardField.tsx'
import { payWith, useGiftCards } from '../gift-card/gift-cards.ts'
import { Head } from '../app/Head.tsx'
import { OrderLines, problemId } from '../order/OrderLines.tsx'
import { AddressBlock, OrderPrices, OrderSections } from '../order/OrderSections.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Container } from '../ui/Container.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { AddressEstimate } from './AddressEstimate.tsx'
import { customerNote } from './customer-note.ts'
import { useGuest } from './guest.ts'
import { NothingToOrder } from './NothingToOrder.tsx'
import { isAboutAddress, usePlaceOrder } from './use-place-order.ts'

export default function PlaceOrderPage() {
  // Read once: placing the order clears the address while this page is still shown.
  const [{ empty, ready }] = useState(() => {
    const { cartItems, shippingAddress } = currentCart()
    return {
      empty: cartItems.length === 0,
      ready: hasAddress(shippingAddress) && !(shippingAddress.isPickup && isDownloadsAlone(cartItems)),
    }
  })
  if (empty) return <NothingToOrder />
  return ready ? <Review /> : <Navigate to={paths.shipping()} replace />
}

function Review() {
  const current = useCart()
  const check = useCartCheck()
  const prices = useCartPrices()
  const code = useCartCode()
  const { giftCardAmount, amountDue } = payWith(useGiftCards(), prices.totalPrice)
  const { place, placing, refusals, refusedCode, refusedCard } = usePlaceOrder(check.apply)
  const notices = useRef<HTMLElement>(null)
  const isOfLine = ({ field }: UserError) => field?.[0] === 'lines' && field.length > 1
  const ofLines = new Map(refusals.filter(isOfLine).map(({ field, message }) => [field?.[1] ?? '', message]))
  const ofAll = refusals.filter(refusal => !isOfLine(refusal))
  const [firstLine] = ofLines.keys()
  useEffect(() => {
    if (refusals.length === 0) return
    if (notices.current) notices.current.focus()
    else if (firstLine) document.getElementById(problemId(firstLine))?.scrollIntoView({ block: 'center' })
  }, [refusals, firstLine])
  const session = useSession()
  const guest = useGuest()
  const { cartItems, shippingAddress, paymentMethod } = current
  // The cart empties when the order is placed, shortly before the order's page is shown.
  if (cartItems.length === 0) return placing ? <PageLoading /> : <NothingToOrder changes={check.changes} />

  return (
    <Container>
      <Head title="Review & Order" />
      <Stack $gap={6}>
        <h1>Review your order</h1>
        <CartChanges check={check} />
        {ofAll.length > 0 && <Refusals ref={notices} refusals={ofAll} />}
        <OrderSections
          summary={
            <>
              <OrderPrices
                {...prices}
                discountCode={prices.saved > 0 ? code?.code : null}
                giftCardAmount={giftCardAmount}
              />
              <CodeField key={`code ${refusedCode?.attempt}`} refused={refusedCode} />
              <GiftCardField key={`card ${refusedCard?.attempt}`} total={prices.totalPrice} refused={refusedCard} />
              <Button wide size="lg" loading={placing} onClick={() => void place()}>
                Place order
              </Button>
            </>
          }
        >
          <section aria-labelledby="items">
            <h2 id="items">Items</h2>
            <OrderLines
              lines={cartItems.map(item => ({
                productId: item.id,
                name: item.name,
                image: item.image,
                price: item.price,
                quantity: item.quantity,
                expectedOn: item.expectedOn,
                lotChoice: <LotChoice item={item} />,
                problem: ofLines.get(item.id),
              }))}
            />
          </section>
          <section aria-labelledby="shipping">
            <h2 id="shipping">
              {prices.isDownload ? 'Your address' : shippingAddress.isPickup ? 'Pickup' : 'Shipping'}
            </h2>
            <AddressBlock lines={addressLines(shippingAddress)} />
            <AddressEstimate to={shippingAddress} />
            <p>
              <Link to={paths.shipping()}>{shippingAddress.isPickup ? 'Change pickup' : 'Change address'}</Link>
            </p>
          </section>
          <NoteField isDownload={prices.isDownload} isPickup={shippingAddress.isPickup} />
          {!session && (
            <section aria-labelledby="guest">
              <h2 id="guest">Email</h2>
              <p>We write to {guest} about this order.</p>
              <p>
                <Link to={paths.guest(paths.placeOrder())}>Change email</Link>
              </p>
            </section>
          )}
          <section aria-labelledby="payment">
            <h2 id="payment">Payment method</h2>
            <p>{paidWith(paymentMethod, giftCardAmount, amountDue)}</p>
          </section>
        </OrderSections>
      </Stack>
    </Container>
  )
}

function NoteField({ isDownload, isPickup }: { isDownload: boolean; isPickup: boolean }) {
  const note = customerNote.use()
  return (
    <section>
      <TextArea
        label="Note for the shop"
        optional
        hint={
          isDownload
            ? 'We read it with your order.'
            : `A present? ${isPickup ? 'When you come for it?' : 'A neighbour who takes parcels?'} We read it when we pack; it is on the packing slip.`
        }
        rows={3}
        maxLength={limits.customerNote}
        value={note}
        onChange={event => customerNote.set(event.target.value)}
      />
    </section>
  )
}

const paidWith = (method: string, giftCardAmount: number, amountDue: number) =>
  amountDue === 0
    ? 'Your gift card pays all of it.'
    : `${giftCardAmount > 0 ? `Your gift card, and ${method} for the rest` : method}. You pay with your account or a card in the next step.`

/** Why the shop takes no such order, and where to change that. Stays until the order is tried again. */
function Refusals({ refusals, ref }: { refusals: readonly UserError[]; ref: Ref<HTMLElement> }) {
  const session = useSession()
  return (
    <section ref={ref} tabIndex={-1} aria-label="Why this was not ordered">
      <Stack $gap={2}>
        {refusals.map(refusal => (
          <Notice
            key={refusal.message}
            variant="danger"
            action={
              isAboutAddress(refusal) ? (
                <Link to={paths.shipping()}>Change address</Link>
              ) : refusal.code === 'TOO_MANY_UNPAID_ORDERS' ? (
                <Link to={paths.profile()}>{session ? 'Your orders' : 'Sign in'}</Link>
              ) : (
                <Link to={paths.cart()}>Change the cart</Link>
              )
            }
          >
            {refusal.message}
          </Notice>
        ))}
      </Stack>
    </section>
  )
}
