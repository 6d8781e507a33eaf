import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { cart, currentCart, linesOf } from '../cart/cart.ts'
import { currentCode, forgetCode } from '../cart/cart-code.ts'
import { codeTrouble } from '../cart/code-words.ts'
import type { RefusedCode } from '../cart/CodeForm.tsx'
import { hasLotsToChoose, lotsId } from '../cart/LotChoice.tsx'
import type { useCartCheck } from '../cart/use-cart-check.ts'
import { currentSession } from '../account/session.ts'
import { serverMessageOf, type UserError } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { currentGiftCards, forgetGiftCards, payWith } from '../gift-card/gift-cards.ts'
import { keepOrderToken } from '../order/order-tokens.ts'
import { paths } from '../paths.ts'
import { clockZone } from '../ui/dates.ts'
import { notify } from '../ui/toast.ts'
import { customerNote } from './customer-note.ts'
import { currentGuest } from './guest.ts'
import { forgetOrderKey, orderKey } from './order-key.ts'
import { PlaceOrderDocument } from './use-place-order.gql.ts'

const DROPPED_STITCH = 'Oh no, we dropped a stitch! Something went wrong while placing your order.'

export const isAboutAddress = ({ field }: UserError) => field?.[0] === 'shippingAddress'

/** Refusals of the shop's limits, whose explanation is too long for a toast. */
const HOLDS = ['TOO_MANY_UNPAID_ORDERS', 'TOO_MANY_UNITS_HELD']

/** One of several that may be refused alike. */
type RefusedAttempt = RefusedCode & { attempt: number }

const nextAttempt = (refused: RefusedCode) => (before: RefusedAttempt | null) => ({
  ...refused,
  attempt: (before?.attempt ?? 0) + 1,
})

/** Orders what is in the cart at the total on screen. When the shop's figures differ, they are shown and nothing is ordered. */
export function usePlaceOrder(showFresh: ReturnType<typeof useCartCheck>['apply']) {
  const navigate = useNavigate()
  const [mutate] = useShopMutation(PlaceOrderDocument)
  const [placing, setPlacing] = useState(false)
  const [refusals, setRefusals] = useState<readonly UserError[]>([])
  const [refusedCode, setRefusedCode] = useState<RefusedAttempt | null>(null)
  const [refusedCard, setRefusedCard] = useState<RefusedAttempt | null>(null)

  async function place() {
    const undecided = currentCart().cartItems.find(hasLotsToChoose)
    if (undecided) {
      notify.warning(`Please choose the dye lots of “${undecided.name}” first.`)
      return document.getElementById(lotsId(undecided.id))?.focus()
    }
    setPlacing(true)
    setRefusals([])
    const { cartItems, shippingAddress, paymentMethod, totalPrice } = currentCart()
    const cards = currentGiftCards()
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
      giftCards: cards.map(({ code }) => code),
      expectedDue: payWith(cards, totalPrice).amountDue,
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
            return setRefusedCode(nextAttempt({ code: input.code, message: aboutCode.message }))
          }
          const [aboutCard] = userErrors.filter(({ field }) => field?.[0] === 'giftCards')
          if (aboutCard) return setRefusedCard(nextAttempt({ code: '', message: aboutCard.message }))
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
    forgetGiftCards()
    cart.clear()
    if (payload.order.isPaid) notify.success('Thank you! Your order is paid.')
    await navigate(paths.order(payload.order.id), { replace: true })
  }

  return { place, placing, refusals, refusedCode, refusedCard }
}

/** The code that counts in the total on screen. A code that no longer fits the cart is not sent. */
function countingCode(): string | null {
  const code = currentCode()
  return code && !codeTrouble(code, linesOf(currentCart().cartItems)) ? code.code : null
}
