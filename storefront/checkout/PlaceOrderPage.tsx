import { type Ref, useEffect, useRef, useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { addressLines } from '#schema/rules/address-lines'
import { limits } from '#schema/rules/limits'
import { isDownloadsAlone } from '#schema/rules/pricing'
import { PageLoading } from '../account/PageLoading.tsx'
import { currentSession, useSession } from '../account/session.ts'
import { cart, currentCart, hasAddress, linesOf, useCart, useCartPrices } from '../cart/cart.ts'
import { currentCode, forgetCode, useCartCode } from '../cart/cart-code.ts'
import { codeTrouble } from '../cart/code-words.ts'
import { CodeField, type RefusedCode } from '../cart/CodeField.tsx'
import { CartChanges } from '../cart/CartChanges.tsx'
import { hasLotsToChoose, LotChoice, lotsId } from '../cart/LotChoice.tsx'
import { useCartCheck } from '../cart/use-cart-check.ts'
import { serverMessageOf, type UserError } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { Head } from '../app/Head.tsx'
import { OrderLines, problemId } from '../order/OrderLines.tsx'
import { AddressBlock, OrderPrices, OrderSections } from '../order/OrderSections.tsx'
import { keepOrderToken } from '../order/order-tokens.ts'
import { paths } from '../paths.ts'
import { clockZone } from '../ui/dates.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Container } from '../ui/Container.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { AddressEstimate } from './AddressEstimate.tsx'
import { customerNote } from './customer-note.ts'
import { currentGuest, useGuest } from './guest.ts'
import { NothingToOrder } from './NothingToOrder.tsx'
import { forgetOrderKey, orderKey } from './order-key.ts'
import { PlaceOrderDocument } from './PlaceOrderPage.gql.ts'

const DROPPED_STITCH = 'Oh no, we dropped a stitch! Something went wrong while placing your order.'

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
  const { place, placing, refusals, refusedCode } = usePlaceOrder(check.apply)
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
  const note = customerNote.use()
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
              <OrderPrices {...prices} discountCode={prices.saved > 0 ? code?.code : null} />
              <CodeField key={refusedCode?.attempt} refused={refusedCode} />
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
          <section>
            <TextArea
              label="Note for the shop"
              optional
              hint={
                prices.isDownload
                  ? 'We read it with your order.'
                  : `A present? ${shippingAddress.isPickup ? 'When you come for it?' : 'A neighbour who takes parcels?'} We read it when we pack; it is on the packing slip.`
              }
              rows={3}
              maxLength={limits.customerNote}
              value={note}
              onChange={event => customerNote.set(event.target.value)}
            />
          </section>
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
            <p>{paymentMethod}. You pay with your account or a card in the next step.</p>
          </section>
        </OrderSections>
      </Stack>
    </Container>
  )
}

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

const isAboutAddress = ({ field }: UserError) => field?.[0] === 'shippingAddress'

/** Refusals of the shop's limits, whose explanation is too long for a toast. */
const HOLDS = ['TOO_MANY_UNPAID_ORDERS', 'TOO_MANY_UNITS_HELD']

/** Orders what is in the cart at the total on screen. When the shop's figures differ, they are shown and nothing is ordered. */
function usePlaceOrder(showFresh: ReturnType<typeof useCartCheck>['apply']) {
  const navigate = useNavigate()
  const [mutate] = useShopMutation(PlaceOrderDocument)
  const [placing, setPlacing] = useState(false)
  const [refusals, setRefusals] = useState<readonly UserError[]>([])
  const [refusedCode, setRefusedCode] = useState<(RefusedCode & { attempt: number }) | null>(null)

  async function place() {
    const undecided = currentCart().cartItems.find(hasLotsToChoose)
    if (undecided) {
      notify.warning(`Please choose the dye lots of “${undecided.name}” first.`)
      return document.getElementById(lotsId(undecided.id))?.focus()
    }
    setPlacing(true)
    setRefusals([])
    const { cartItems, shippingAddress, paymentMethod, totalPrice } = currentCart()
    const input = {
      lines: cartItems.map(({ id, quantity, askedLots }) => ({
        productId: id,
        quantity,
        ...(askedLots.length > 0 && { lots: [...askedLots] }),
      })),
      shippingAddress,
      customerNote: customerNote.get(),
      paymentMethod,
      expectedTotal: totalPrice,
      code: countingCode(),
      idempotencyKey: orderKey(),
      timeZone: clockZone(),
      guestEmail: currentSession() ? null : currentGuest(),
    }
    const payload = await mutate(
      { input },
      {
        onRefused: ({ quote, userErrors }) => {
          if (quote) showFresh(quote.lines)
          // The key belongs to an order with other contents: this is a new one.
          if (userErrors.some(({ code }) => code === 'IDEMPOTENCY_MISMATCH')) forgetOrderKey()
          const [aboutCode] = userErrors.filter(({ field }) => field?.[0] === 'code')
          if (aboutCode && input.code) {
            forgetCode()
            const refused = { code: input.code, message: aboutCode.message }
            setRefusedCode(before => ({ ...refused, attempt: (before?.attempt ?? 0) + 1 }))
            return
          }
          const stays = (refusal: UserError) => HOLDS.includes(refusal.code) || isAboutAddress(refusal)
          setRefusals(userErrors.filter(stays))
          const others = userErrors.filter(refusal => !stays(refusal))
          for (const message of new Set(others.map(refusal => refusal.message))) notify.error(message)
        },
        onFailed: error => notify.error(serverMessageOf(error) ?? DROPPED_STITCH),
      },
    )
    if (!payload?.order) return setPlacing(false)
    forgetOrderKey()
    if (payload.orderToken) keepOrderToken(payload.order.id, payload.orderToken)
    customerNote.set('')
    cart.clear()
    await navigate(paths.order(payload.order.id), { replace: true })
  }

  return { place, placing, refusals, refusedCode }
}

/** The code that counts in the total on screen. A code that no longer fits the cart is not sent. */
function countingCode(): string | null {
  const code = currentCode()
  return code && !codeTrouble(code, linesOf(currentCart().cartItems)) ? code.code : null
}
