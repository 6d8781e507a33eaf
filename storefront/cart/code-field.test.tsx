import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn, signOut } from '../account/session.ts'
import { merino } from '../testing/merino.ts'
import { openShop } from '../testing/open-shop.tsx'
import { BLANK_ADDRESS, cart, currentCart } from './cart.ts'
import { present } from '#schema/rules/present'

const terms = {
  kind: 'PERCENT',
  basisPoints: 1500,
  amount: 0,
  minimum: 1500,
  productIds: [],
  categories: [],
  startsAt: null,
  endsAt: null,
}
const UNKNOWN = 'We don’t know this code. Please check how it is written.'

/** A shop that knows one code. */
const quoteCart = ({ code }: { code?: string }) => ({
  lines: [{ productId: 'p1', product: merino, quantity: 2 }],
  ...(code?.toUpperCase() === 'CASTON15'
    ? { code: { code: 'CASTON15', description: '15% off', saved: 300, terms }, userErrors: [] }
    : { code: null, userErrors: code ? [{ code: 'CODE_UNKNOWN', message: UNKNOWN, field: ['code'] }] : [] }),
})

beforeEach(() => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  cart.add(merino, 2)
  cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'UK' })
})
afterEach(() => {
  signOut()
  cart.reset()
  localStorage.clear()
})

const summary = () => within(screen.getByRole('region', { name: 'Order summary' }))

it('says beside the field why a code does not work, and keeps what was typed', async () => {
  const { user } = openShop('/cart', { queries: { quoteCart } })
  const field = await screen.findByLabelText('Discount code')
  await user.type(field, 'NOSUCH')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(await screen.findByText(UNKNOWN)).toBeInTheDocument()
  expect(field).toHaveValue('NOSUCH')
  expect(field).toHaveAttribute('aria-invalid', 'true')
  expect(field).toHaveFocus()
})

it('says when a code saves nothing: an order does not use it up', async () => {
  const shipping = { ...terms, kind: 'FREE_SHIPPING', basisPoints: 0 }
  const code = { code: 'POSTFREE', description: 'Free shipping', saved: 0, terms: shipping }
  cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'US', isPickup: true })
  const { user } = openShop('/cart', { queries: { quoteCart: () => ({ ...quoteCart({}), code, userErrors: [] }) } })
  await user.type(await screen.findByLabelText('Discount code'), 'postfree{Enter}')
  expect(await screen.findByText(/^Free shipping.*: it saves nothing here, so it stays yours\.$/)).toBeInTheDocument()
})

it('takes a code that works off the cart, says what it saves, and gives it up again', async () => {
  const { user } = openShop('/cart', { queries: { quoteCart } })
  await user.type(await screen.findByLabelText('Discount code'), 'caston15{Enter}')
  expect(await screen.findByText('15% off, you save $3.00.')).toBeInTheDocument()
  expect(screen.getByText('-$3.00')).toBeInTheDocument()
  // 20.00 - 3.00, 3.00 for shipping, 15% of 17.00 for tax.
  expect(currentCart().totalPrice).toBe(2255)

  cart.setQuantity('p1', 1)
  expect(await screen.findByText('This code works from $15.00 on: add items for $5.00 more.')).toBeInTheDocument()
  expect(currentCart().totalPrice).toBe(1300)

  await user.click(screen.getByRole('button', { name: 'Remove code CASTON15' }))
  const field = await screen.findByLabelText('Discount code')
  await waitFor(() => expect(field).toHaveFocus())
  expect(screen.getByText('Code removed.')).toBeInTheDocument()
  expect(localStorage.getItem('code')).toBeNull()
})

it('orders with the code, and shows at its field that it was used before', async () => {
  const message = 'You have used this code before.'
  const placeOrder = vi.fn((_: { input: { code: string | null; expectedTotal: number } }) => ({
    order: null,
    quote: null,
    userErrors: [{ code: 'CODE_USED_BY_YOU', message, field: ['code'] }],
  }))
  const { user } = openShop('/place-order', { queries: { quoteCart }, mutations: { placeOrder } })
  await user.type(await screen.findByLabelText('Discount code'), 'CASTON15{Enter}')
  expect(await summary().findByText('$22.55')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  expect(await screen.findByText(message)).toBeInTheDocument()
  expect(present(placeOrder.mock.lastCall)[0].input).toMatchObject({ code: 'CASTON15', expectedTotal: 2255 })
  expect(screen.getByLabelText('Discount code')).toHaveValue('CASTON15')
  expect(summary().getByText('$26.00')).toBeInTheDocument()
})
