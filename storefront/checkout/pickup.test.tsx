import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { present } from '#schema/rules/present'
import { signIn, signOut } from '../account/session.ts'
import { BLANK_ADDRESS, cart, currentCart } from '../cart/cart.ts'
import { merino } from '../testing/merino.ts'
import { openShop } from '../testing/open-shop.tsx'

const AT_THE_SHOP = {
  address: '12 Mill Lane',
  address2: '',
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  country: 'United States',
  isPickup: true,
}
const { city, state, postalCode } = AT_THE_SHOP

const shopWith = (pickup: typeof DEFAULT_DELIVERY.pickup) => ({
  shop: () => ({
    name: 'Skein',
    currency: 'USD',
    pricingPolicy: {
      ...DEFAULT_POLICY,
      taxBasisPoints: 0,
      taxRates: [
        {
          country: 'United States',
          state: 'ME',
          stateName: 'Maine',
          postalCodes: [],
          basisPoints: 1000,
          onShipping: false,
        },
      ],
    },
    delivery: { ...DEFAULT_DELIVERY, pickup, countryCode: 'US', today: '2026-11-20' },
    returnDays: 30,
    signInProviders: [],
  }),
  quoteCart: () => ({
    lines: [{ productId: 'p1', product: merino, quantity: 2 }],
    itemsPrice: 0,
    shippingPrice: 0,
    taxPrice: 0,
    totalPrice: 0,
  }),
})
const withPickup = shopWith({
  street: AT_THE_SHOP.address,
  city,
  state,
  postalCode,
  hours: 'Tuesday to Saturday, 10 to 6',
})

beforeEach(() => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  cart.add(merino, 2)
})
afterEach(() => {
  signOut()
  cart.reset()
  localStorage.clear()
})

const main = () => within(screen.getByRole('main'))
const choose = async (user: ReturnType<typeof openShop>['user'], name: RegExp) =>
  user.click(await screen.findByRole('radio', { name }))

describe('an order is picked up', () => {
  it('by whoever comes for it, at the shop, for no shipping and with the tax of that place', async () => {
    const { user, address } = openShop('/shipping', { queries: withPickup })
    await choose(user, /Pick it up in Portland/)
    expect(await screen.findByLabelText('Who picks it up')).toHaveValue('Ada')
    expect(screen.queryByLabelText('Country')).not.toBeInTheDocument()
    for (const line of ['12 Mill Lane', 'Portland, ME 04101', 'Open Tuesday to Saturday, 10 to 6'])
      expect(main().getByText(line)).toBeInTheDocument()
    expect(main().getByText(/^Likely ready for pickup in Portland: /)).toBeInTheDocument()
    const { itemsPrice } = currentCart()
    expect(main().getByText('Pickup').parentElement).toHaveTextContent('PickupFree')

    await user.clear(screen.getByLabelText('Who picks it up'))
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(screen.getByLabelText('Who picks it up')).toHaveAccessibleDescription(/Name/))
    await user.type(screen.getByLabelText('Who picks it up'), 'Purl')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(address()).toBe('/place-order'))
    expect(currentCart()).toMatchObject({
      shippingAddress: { ...AT_THE_SHOP, name: 'Purl', phone: '' },
      shippingPrice: 0,
      taxPrice: itemsPrice / 10,
    })
  })

  it('as the cart says when it is opened again, and as the order says to the shop', async () => {
    cart.saveShippingAddress({ ...BLANK_ADDRESS, ...AT_THE_SHOP, name: 'Purl' })
    const placeOrder = vi.fn((_: { input: object }) => ({
      order: { id: 'o1', isPaid: false },
      quote: null,
      userErrors: [],
    }))
    const { user, address } = openShop('/place-order', {
      queries: { ...withPickup, order: () => null },
      mutations: { placeOrder },
    })
    const region = within(await screen.findByRole('region', { name: 'Pickup' }))
    expect(region.getByText('12 Mill Lane')).toBeInTheDocument()
    await user.click(region.getByRole('link', { name: 'Change pickup' }))
    expect(await screen.findByRole('radio', { name: /Pick it up/ })).toBeChecked()
    expect(await screen.findByLabelText('Who picks it up')).toHaveValue('Purl')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await user.click(await screen.findByRole('button', { name: 'Place order' }))
    await waitFor(() => expect(address()).toBe('/order/o1'))
    expect(present(placeOrder.mock.lastCall)[0].input).toMatchObject({
      shippingAddress: { ...AT_THE_SHOP, name: 'Purl' },
    })
  })

  it('or sent after all, to the address that was typed before', async () => {
    const { user, address } = openShop('/shipping', { queries: withPickup })
    await user.type(await screen.findByLabelText('Country'), 'Canada')
    await choose(user, /Pick it up/)
    await screen.findByLabelText('Who picks it up')
    await choose(user, /Send it to me/)
    expect(screen.getByLabelText('Country')).toHaveValue('Canada')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(address()).toBe('/place-order'))
    expect(currentCart().shippingAddress).toEqual({ ...BLANK_ADDRESS, name: 'Ada', country: 'Canada' })
  })
})

describe('a pattern to download, of which nothing is sent', () => {
  const pattern = { ...merino, id: 'p2', name: 'Rib hat', isDownload: true }
  const carriesPattern = () => {
    cart.replaceItems([])
    cart.add(pattern, 1)
    cart.saveShippingAddress({ ...BLANK_ADDRESS, ...AT_THE_SHOP, name: 'Purl' })
  }
  const quoted = {
    ...withPickup,
    quoteCart: () => ({
      ...withPickup.quoteCart(),
      lines: [{ productId: 'p2', product: pattern, quantity: 1 }],
    }),
  }

  it('asks where its buyer lives, and leads back to that from an old choice to pick up', async () => {
    carriesPattern()
    const { user, address } = openShop('/place-order', { queries: quoted })
    expect(await screen.findByRole('heading', { name: 'Your address' })).toBeInTheDocument()
    expect(address()).toBe('/shipping')
    expect(screen.queryByRole('radio')).not.toBeInTheDocument()
    expect(main().queryByText(/parcel|Shipping/)).not.toBeInTheDocument()
    await user.type(screen.getByLabelText('Country'), 'Canada')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByRole('region', { name: 'Your address' })).toHaveTextContent('Canada')
    expect(currentCart().shippingAddress).toMatchObject({ country: 'Canada', isPickup: false })
    expect(screen.getByLabelText(/Note for the shop/)).toHaveAccessibleDescription('We read it with your order.')
  })
})

it('offers no choice where nothing can be picked up, whatever an old cart says', async () => {
  cart.saveShippingAddress({ ...BLANK_ADDRESS, ...AT_THE_SHOP, name: 'Purl' })
  openShop('/shipping', { queries: shopWith(null) })
  expect(await screen.findByLabelText('Country')).toHaveValue('')
  expect(screen.queryByRole('radio')).not.toBeInTheDocument()
  cleanup()
  openShop('/cart', { queries: shopWith(null) })
  expect(await screen.findByText(/^Likely ready for pickup: /)).toBeInTheDocument()
})
