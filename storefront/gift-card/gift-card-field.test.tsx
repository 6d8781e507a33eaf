import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { normalGiftCardCode } from '#schema/rules/gift-card'
import { signIn, signOut } from '../account/session.ts'
import { BLANK_ADDRESS, cart } from '../cart/cart.ts'
import { merino } from '../testing/merino.ts'
import { openShop } from '../testing/open-shop.tsx'
import { currentGiftCards, forgetGiftCards, keepGiftCards } from './gift-cards.ts'

const UNKNOWN = 'We don’t know this gift card. Please check how its code is written.'
const SMALL = { code: 'ABCD-EFGH-JKMN-PQRS', balance: 500 }
const LARGE = { code: 'STUV-WXYZ-2345-6789', balance: 10_000 }

/** A shop that knows two cards. */
const quoteCart = ({ giftCards = [] }: { giftCards?: string[] }) => {
  const known = giftCards.map(code =>
    [SMALL, LARGE].find(card => normalGiftCardCode(card.code) === normalGiftCardCode(code)),
  )
  return {
    lines: [{ productId: 'p1', product: merino, quantity: 2 }],
    code: null,
    ...(known.every(card => card !== undefined)
      ? { giftCards: known.map(card => ({ ...card, amount: 0 })), userErrors: [] }
      : { giftCards: [], userErrors: [{ code: 'GIFT_CARD_UNKNOWN', message: UNKNOWN, field: ['giftCards'] }] }),
  }
}

// Two of it come to 20.00, 3.00 for shipping and 3.00 of tax.
beforeEach(() => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  cart.add(merino, 2)
  cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'UK' })
})
afterEach(() => {
  signOut()
  cart.reset()
  forgetGiftCards()
  localStorage.clear()
})

const summary = () => within(screen.getByRole('region', { name: 'Order summary' }))
const row = (label: string) => summary().getByText(label).parentElement

it('pays what is on it, and another one the rest', async () => {
  const { user } = openShop('/place-order', { queries: { quoteCart } })
  await user.type(await screen.findByLabelText('Gift card'), 'abcd efgh jkmn pqrs{Enter}')
  expect(await screen.findByText('pays $5.00, all that is on it')).toBeInTheDocument()
  expect(row('To pay')).toHaveTextContent('$21.00')
  expect(screen.getByText(/^Your gift card, and PayPal for the rest\./)).toBeInTheDocument()

  await user.type(screen.getByLabelText('Another gift card'), `${LARGE.code}{Enter}`)
  expect(await screen.findByText('pays $21.00, $79.00 stays on it')).toBeInTheDocument()
  expect(row('To pay')).toHaveTextContent('$0.00')
  expect(screen.getByText('Your gift card pays all of it.')).toBeInTheDocument()
  // There is nothing more to pay.
  expect(screen.queryByLabelText('Another gift card')).toBeNull()

  await user.click(screen.getByRole('button', { name: `Remove gift card ${LARGE.code}` }))
  await waitFor(() => expect(screen.getByLabelText('Another gift card')).toHaveFocus())
  expect(screen.getByText('Gift card removed.')).toBeInTheDocument()
  expect(currentGiftCards()).toEqual([SMALL])
})

it('says beside the field why a card cannot be used, and keeps what was typed', async () => {
  const { user } = openShop('/place-order', { queries: { quoteCart } })
  const field = await screen.findByLabelText('Gift card')
  await user.click(screen.getByRole('button', { name: 'Use card' }))
  expect(await screen.findByText('Please enter a code.')).toBeInTheDocument()
  await user.type(field, 'NOSUCHCARD{Enter}')
  expect(await screen.findByText(UNKNOWN)).toBeInTheDocument()
  expect(field).toHaveValue('NOSUCHCARD')
  expect(field).toHaveFocus()
})

it('is not taken twice', async () => {
  keepGiftCards([SMALL])
  const { user } = openShop('/place-order', { queries: { quoteCart } })
  await user.type(await screen.findByLabelText('Another gift card'), `${SMALL.code.toLowerCase()}{Enter}`)
  expect(await screen.findByText('This gift card pays already.')).toBeInTheDocument()
})

it('is looked at again when the page opens, and given up when it cannot be used any more', async () => {
  keepGiftCards([{ code: 'QQQQ-QQQQ-QQQQ-QQQQ', balance: 700 }])
  openShop('/place-order', { queries: { quoteCart } })
  expect(await screen.findByText(UNKNOWN)).toBeInTheDocument()
  expect(currentGiftCards()).toEqual([])
})

it('is forgotten where the storage holds something else', async () => {
  localStorage.setItem('giftCards', JSON.stringify([{ code: '<b>', balance: 5 }, { code: SMALL.code }, null, 7]))
  window.dispatchEvent(new StorageEvent('storage', { key: 'giftCards' }))
  openShop('/place-order', { queries: { quoteCart } })
  await screen.findByLabelText('Gift card')
  expect(screen.queryByText('To pay')).toBeNull()
})

it('goes with the order, with what is left to pay, and is gone after it', async () => {
  keepGiftCards([LARGE])
  const placeOrder = vi.fn<(args: { input: object }) => object>(() => ({
    order: { id: 'o1', isPaid: true },
    orderToken: null,
    quote: null,
    userErrors: [],
  }))
  const { user } = openShop('/place-order', { queries: { quoteCart, order: () => null }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
  expect(placeOrder.mock.calls[0]?.[0].input).toMatchObject({
    giftCards: [LARGE.code],
    expectedTotal: 2600,
    expectedDue: 0,
  })
  expect(currentGiftCards()).toEqual([])
})

it('that was spent meanwhile is named beside the field, and nothing is ordered', async () => {
  keepGiftCards([LARGE])
  const message = 'What is on your gift card has changed. Please check what is left to pay.'
  const placeOrder = () => ({
    order: null,
    orderToken: null,
    quote: null,
    userErrors: [{ code: 'PRICE_CHANGED', message, field: ['giftCards'] }],
  })
  const now = { ...LARGE, balance: 100 }
  let asked = 0
  const changing = ({ giftCards = [] }: { giftCards?: string[] }) => ({
    ...quoteCart({ giftCards }),
    giftCards: giftCards.length > 0 ? [{ ...(asked++ === 0 ? LARGE : now), amount: 0 }] : [],
  })
  const { user } = openShop('/place-order', { queries: { quoteCart: changing }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  expect(await screen.findByText(message)).toBeInTheDocument()
  expect(await screen.findByText('pays $1.00, all that is on it')).toBeInTheDocument()
})
