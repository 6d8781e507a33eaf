import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { GraphQLError } from 'graphql'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { hasUnsavedWork } from '../account/interruption.ts'
import { signIn, signOut } from '../account/session.ts'
import { BLANK_ADDRESS, cart, currentCart } from '../cart/cart.ts'
import type { CartProductFragment } from '../cart/CartProduct.gql.ts'
import { merino } from '../testing/merino.ts'
import { openShop } from '../testing/open-shop.tsx'
import { nth, present } from '#schema/rules/present'

const quoteOf = (product: CartProductFragment | null, quantity: number) => ({
  lines: [{ productId: 'p1', product, quantity }],
  itemsPrice: 0,
  shippingPrice: 0,
  taxPrice: 0,
  totalPrice: 0,
})
const asBefore = () => quoteOf(merino, 2)
const refused = (code: string, message: string, quote: unknown = null) => ({
  order: null,
  quote,
  userErrors: [{ code, message }],
})

interface Input {
  input: { expectedTotal: number; idempotencyKey: string; customerNote: string; lines: { quantity: number }[] }
}

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

it('shows what the shop would charge and orders it', async () => {
  const placeOrder = vi.fn((_: Input) => ({ order: { id: 'o1', isPaid: false }, quote: null, userErrors: [] }))
  const { user, address } = openShop('/place-order', {
    queries: { quoteCart: asBefore, order: () => null },
    mutations: { placeOrder },
  })
  await screen.findByRole('heading', { name: 'Review your order' })
  expect(summary().getByText('$26.00')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  await waitFor(() => expect(address()).toBe('/order/o1'))
  expect(present(placeOrder.mock.lastCall)[0].input).toMatchObject({
    lines: [{ productId: 'p1', quantity: 2 }],
    shippingAddress: { name: 'Ada', country: 'UK' },
    paymentMethod: 'PayPal',
    expectedTotal: 2600,
  })
  expect(currentCart()).toMatchObject({ cartItems: [], shippingAddress: BLANK_ADDRESS })
  expect(localStorage.getItem('orderKey')).toBeNull()
})

it('sends a note along, which waits where it was typed until the order is placed', async () => {
  const answers = [
    refused('TOO_MANY_UNPAID_ORDERS', 'Please pay first.'),
    { order: { id: 'o1', isPaid: false }, quote: null, userErrors: [] },
  ]
  const placeOrder = vi.fn((_: Input) => answers.shift())
  const review = () =>
    openShop('/place-order', { queries: { quoteCart: asBefore, order: () => null }, mutations: { placeOrder } })
  const note = () => screen.findByRole('textbox', { name: /Note for the shop/ })
  const { user } = review()
  await user.type(await note(), 'A present.')
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  await screen.findByText('Please pay first.')
  cleanup()

  const again = review()
  expect(await note()).toHaveValue('A present.')
  await again.user.click(screen.getByRole('button', { name: 'Place order' }))
  await waitFor(() => expect(again.address()).toBe('/order/o1'))
  expect(placeOrder.mock.calls.map(([{ input }]) => input.customerNote)).toEqual(['A present.', 'A present.'])
  expect(localStorage.getItem('customerNote')).toBeNull()
})

it('shows a changed price, and orders at it only when asked again', async () => {
  const dearer = { ...merino, price: 1200 }
  const placeOrder = vi.fn(({ input }: Input) =>
    input.expectedTotal === 3060
      ? { order: { id: 'o1', isPaid: false }, quote: null, userErrors: [] }
      : refused('PRICE_CHANGED', 'Prices have changed.', quoteOf(dearer, 2)),
  )
  const { user, address } = openShop('/place-order', {
    queries: { quoteCart: asBefore, order: () => null },
    mutations: { placeOrder },
  })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  expect(await screen.findByText('The price of “Merino” changed from $10.00 to $12.00.')).toBeInTheDocument()
  expect(summary().getByText('$30.60')).toBeInTheDocument()
  expect(address()).toBe('/place-order')

  await user.click(screen.getByRole('button', { name: 'Place order' }))
  await waitFor(() => expect(address()).toBe('/order/o1'))
  const keys = placeOrder.mock.calls.map(([{ input }]) => input.idempotencyKey)
  expect(keys[0]).toMatch(/./)
  expect(keys[1]).toBe(keys[0])
})

it('shows what is left when somebody else was faster', async () => {
  const placeOrder = () =>
    refused('OUT_OF_STOCK', 'Only 1 left of “Merino”.', quoteOf({ ...merino, countInStock: 1 }, 1))
  const { user } = openShop('/place-order', { queries: { quoteCart: asBefore }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  expect(await screen.findByText('Only 1 of “Merino” is left: we lowered the quantity from 2.')).toBeInTheDocument()
  expect(nth(currentCart().cartItems, 0).quantity).toBe(1)
})

it('asks for dye lots where no one lot suffices, and orders those agreed to', async () => {
  const lots = [
    { __typename: 'LotPortion' as const, code: '4412', quantity: 4 },
    { __typename: 'LotPortion' as const, code: '4417', quantity: 1 },
  ]
  cart.setQuantity('p1', 5)
  const placeOrder = vi.fn((_: Input) => ({ order: { id: 'o1', isPaid: false }, quote: null, userErrors: [] }))
  const { user, address } = openShop('/place-order', {
    queries: { quoteCart: () => quoteOf({ ...merino, lots }, 5), order: () => null },
    mutations: { placeOrder },
  })
  const choice = within(await screen.findByRole('group', { name: 'Dye lots of Merino' }))
  expect(choice.getByText(/^No dye lot has 5 of these\./)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  expect(screen.getByRole('group', { name: 'Dye lots of Merino' })).toHaveFocus()
  expect(placeOrder).not.toHaveBeenCalled()
  await user.click(choice.getByRole('button', { name: 'Take 4 of lot 4412 and 1 of lot 4417' }))
  expect(screen.getByRole('group', { name: 'Dye lots of Merino' })).toHaveTextContent(
    /^4 of lot 4412 and 1 of lot 4417$/,
  )
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  await waitFor(() => expect(address()).toBe('/order/o1'))
  expect(present(placeOrder.mock.lastCall)[0].input.lines).toEqual([
    {
      productId: 'p1',
      quantity: 5,
      lots: [
        { code: '4412', quantity: 4 },
        { code: '4417', quantity: 1 },
      ],
    },
  ])
})

it('can go down to what one dye lot has', async () => {
  const lots = [
    { __typename: 'LotPortion' as const, code: '4412', quantity: 4 },
    { __typename: 'LotPortion' as const, code: '4417', quantity: 1 },
  ]
  cart.setQuantity('p1', 5)
  const { user } = openShop('/cart', { queries: { quoteCart: () => quoteOf({ ...merino, lots }, 5) } })
  await user.click(await screen.findByRole('button', { name: 'Only 4 of lot 4412' }))
  expect(screen.getByRole('group', { name: 'Dye lots of Merino' })).toHaveTextContent(/^Lot 4412$/)
  expect(currentCart().cartItems).toMatchObject([{ quantity: 4, askedLots: [{ code: '4412', quantity: 4 }] }])
})

it('says at the line when too much of a product would be set aside, until it is tried again', async () => {
  const message = 'Until your first order is paid, at most 20 units of a product can be set aside for you.'
  let tries = 0
  const placeOrder = () =>
    tries++ === 0
      ? {
          order: null,
          quote: null,
          userErrors: [{ code: 'TOO_MANY_UNITS_HELD', message, field: ['lines', 'p1'] }],
        }
      : { order: { id: 'o1', isPaid: false }, quote: null, userErrors: [] }
  const { user, address } = openShop('/place-order', { queries: { quoteCart: asBefore }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  const line = present(within(screen.getByRole('main')).getByRole('link', { name: 'Merino' }).closest('li'))
  expect(await within(line).findByRole('alert')).toHaveTextContent(message)
  expect(screen.getAllByText(message)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  await waitFor(() => expect(address()).toBe('/order/o1'))
})

it('leads to the orders that wait to be paid when there are too many of them', async () => {
  const message = 'You have 5 unpaid orders, and 5 are the most at a time.'
  const placeOrder = () => refused('TOO_MANY_UNPAID_ORDERS', message)
  const { user } = openShop('/place-order', { queries: { quoteCart: asBefore }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  const why = await screen.findByRole('region', { name: 'Why this was not ordered' })
  expect(why).toHaveTextContent(message)
  expect(why).toHaveFocus()
  expect(within(why).getByRole('link', { name: 'Your orders' })).toHaveAttribute('href', '/profile')
})

it('asks in the cart for fewer units than an order can have', async () => {
  const shop = () => ({
    name: 'Skein',
    currency: 'USD',
    pricingPolicy: DEFAULT_POLICY,
    delivery: { ...DEFAULT_DELIVERY, countryCode: 'US', today: '2026-11-20' },
    returnDays: 30,
    signInProviders: [],
    unitsPerOrder: 4,
  })
  cart.setQuantity('p1', 5)
  const { user } = openShop('/cart', { queries: { shop, quoteCart: () => quoteOf(merino, 5) } })
  expect(await screen.findByText(/One order can have 4 units in all, and these are 5\./)).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Quantity of Merino' }), '4')
  expect(screen.queryByText(/One order can have/)).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Proceed to Checkout' })).toBeEnabled()
})

it.each([
  [
    'what the server says',
    () => {
      throw new GraphQLError('The till is closed.', { extensions: { code: 'CLOSED' } })
    },
    'The till is closed.',
  ],
  [
    'a dropped stitch when it says nothing',
    () => {
      throw new GraphQLError('', { extensions: { code: 'CLOSED' } })
    },
    'Oh no, we dropped a stitch! Something went wrong while placing your order.',
  ],
])('reports a failure with %s', async (_title, placeOrder, message) => {
  const { user } = openShop('/place-order', { queries: { quoteCart: asBefore }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  expect(await screen.findByText(message)).toBeInTheDocument()
  expect(currentCart().cartItems).toHaveLength(1)
})

it('asks for the address first', async () => {
  cart.saveShippingAddress(BLANK_ADDRESS)
  const { user, address } = openShop('/place-order', { queries: { quoteCart: asBefore } })
  await screen.findByRole('heading', { name: 'Shipping' })
  expect(address()).toBe('/shipping')
  // Only the logo and the way back lead elsewhere.
  expect(screen.getByRole('link', { name: 'Cart, 2 items' })).toHaveAttribute('href', '/cart')
  expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument()
  expect(screen.queryByRole('combobox', { name: 'Search products' })).not.toBeInTheDocument()
  // The account's own address at first.
  const name = screen.getByLabelText('Name')
  expect(name).toHaveValue('Ada')
  expect(name).toBeRequired()
  await user.clear(name)
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Name is required.')).toBeInTheDocument()
  expect(screen.getByText('Country is required.')).toBeInTheDocument()
  const wrong = screen.getByRole('group', { name: 'What is to be mended' })
  expect(wrong).toHaveFocus()
  await user.click(within(wrong).getByRole('button', { name: 'Name' }))
  expect(name).toHaveFocus()

  await user.type(name, 'Ada')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(screen.getByLabelText('Country')).toHaveFocus())
  await user.type(screen.getByLabelText('Country'), 'uk')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/place-order'))
  expect(currentCart().shippingAddress).toMatchObject({ name: 'Ada', country: 'United Kingdom' })
})

const sendsTo = (shipsTo: string[], pricingPolicy = DEFAULT_POLICY) => ({
  shop: () => ({
    name: 'Skein',
    currency: 'USD',
    pricingPolicy,
    delivery: { ...DEFAULT_DELIVERY, shipsTo, countryCode: 'US', today: '2026-11-20' },
    returnDays: 30,
    signInProviders: [],
  }),
})

it('offers the countries the shop sends to, and says so at any other', async () => {
  cart.saveShippingAddress(BLANK_ADDRESS)
  const { user, address } = openShop('/shipping', {
    queries: { ...sendsTo(['Canada', 'United States']), quoteCart: asBefore },
  })
  const country = await screen.findByLabelText('Country')
  const offered = present(document.getElementById(present(country.getAttribute('list'))))
  expect([...offered.children].map(({ textContent }) => textContent)).toEqual(['Canada', 'United States'])
  await user.type(country, 'Norway')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() =>
    expect(country).toHaveAccessibleDescription('We do not ship there. We ship to Canada and the United States.'),
  )
  expect(country).toHaveFocus()
  await user.clear(country)
  await user.type(country, 'ca')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/place-order'))
  expect(currentCart().shippingAddress.country).toBe('Canada')
})

const BY_STATE = {
  ...DEFAULT_POLICY,
  taxBasisPoints: 0,
  taxRates: [
    {
      country: 'United States',
      state: 'NJ',
      stateName: 'New Jersey',
      postalCodes: [],
      basisPoints: 662.5,
      onShipping: false,
    },
  ],
}

it('shows the tax of the state that is typed, and asks for one', async () => {
  cart.saveShippingAddress(BLANK_ADDRESS)
  const { user, address } = openShop('/shipping', { queries: { ...sendsTo([], BY_STATE), quoteCart: asBefore } })
  const country = await screen.findByLabelText('Country')
  const taxOf = (label: string) => present(screen.getByText(label).closest('div')).textContent
  await screen.findByText('Tax (it depends on your address)')
  expect(taxOf('Tax (it depends on your address)')).toContain('$0.00')
  expect(screen.getByLabelText('State (optional)')).toBeInTheDocument()
  await user.type(country, 'us')
  expect(taxOf('Tax')).toContain('$0.00')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  const state = screen.getByLabelText('State')
  await waitFor(() =>
    expect(state).toHaveAccessibleDescription('Please enter the state or province, such as NJ: tax depends on it.'),
  )
  expect(state).toHaveFocus()
  await user.type(state, 'New Jersey')
  expect(taxOf('Tax')).toContain('$1.33')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('heading', { name: 'Review your order' })
  expect(address()).toBe('/place-order')
  expect(summary().getByText('$1.33')).toBeInTheDocument()
})

it('shows the tax of the postal code that is typed, and asks for one', async () => {
  cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Nell', country: 'United States', state: 'NJ' })
  const [statewide] = BY_STATE.taxRates
  const taxRates = [...BY_STATE.taxRates, { ...present(statewide), postalCodes: ['07000-08999'], basisPoints: 331.2 }]
  const { user, address } = openShop('/shipping', {
    queries: { ...sendsTo([], { ...BY_STATE, taxRates }), quoteCart: asBefore },
  })
  const postalCode = await screen.findByLabelText('Postal code')
  const tax = () => present(screen.getByText('Tax').closest('div')).textContent
  expect(tax()).toContain('$1.33')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() =>
    expect(postalCode).toHaveAccessibleDescription('Please enter the postal code: tax depends on it.'),
  )
  expect(postalCode).toHaveFocus()
  await user.type(postalCode, '08540')
  expect(tax()).toContain('$0.66')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('heading', { name: 'Review your order' })
  expect(address()).toBe('/place-order')
  expect(summary().getByText('$0.66')).toBeInTheDocument()
})

it('says how much tax prices have in them, and adds none', async () => {
  const policy = { ...DEFAULT_POLICY, taxIncluded: true, taxBasisPoints: 1900 }
  openShop('/place-order', { queries: { ...sendsTo([], policy), quoteCart: asBefore } })
  await screen.findByText('Includes tax')
  const rows = () =>
    summary()
      .getAllByRole('term')
      .map(term => `${term.textContent} ${term.nextSibling?.textContent}`)
  expect(rows()).toEqual(['Items $20.00', 'Shipping $3.00', 'Total $23.00', 'Includes tax $3.67'])
})

it('leads back to the address when the shop takes no order for it', async () => {
  const message = 'We do not ship there. We ship to Canada and the United States.'
  const placeOrder = () => ({
    order: null,
    quote: null,
    userErrors: [{ code: 'INVALID', message, field: ['shippingAddress', 'country'] }],
  })
  const { user } = openShop('/place-order', { queries: { quoteCart: asBefore }, mutations: { placeOrder } })
  await user.click(await screen.findByRole('button', { name: 'Place order' }))
  const why = await screen.findByRole('region', { name: 'Why this was not ordered' })
  expect(why).toHaveTextContent(message)
  expect(why).toHaveFocus()
  expect(within(why).getByRole('link', { name: 'Change address' })).toHaveAttribute('href', '/shipping')
})

const entry = (id: string, label: string, lines: object, isDefault = false) => ({
  id,
  label,
  isDefault,
  shippingAddress: { ...BLANK_ADDRESS, ...lines },
})
const lastOrderTo = (lines: object) => ({
  id: 'u1',
  orders: { edges: [{ node: { id: 'o3', shippingAddress: { ...BLANK_ADDRESS, ...lines } } }] },
})

it('begins with where the last order went, and offers the address book', async () => {
  cart.saveShippingAddress(BLANK_ADDRESS)
  const addresses = () => [
    entry('a1', 'Home', { name: 'Ada', address: '1 Purl Lane', country: 'Norway' }),
    entry('a2', '', { name: 'Grace', city: 'York', country: 'United Kingdom' }),
  ]
  const viewer = () => lastOrderTo({ name: 'ada', address: '1 Purl Lane', country: 'Norway' })
  const { user } = openShop('/shipping', { queries: { viewer, addresses } })
  await waitFor(() => expect(screen.getByLabelText('Address (optional)')).toHaveValue('1 Purl Lane'))
  const choice = screen.getByLabelText('Your address book')
  expect(choice).toHaveDisplayValue('Home')
  expect(screen.queryByLabelText('Save this address in my address book')).not.toBeInTheDocument()
  await user.selectOptions(choice, 'Grace, York, United Kingdom')
  expect(screen.getByLabelText('Name')).toHaveValue('Grace')
  expect(screen.getByLabelText('Address (optional)')).toHaveValue('')
  expect(screen.getByLabelText('Country')).toHaveValue('United Kingdom')
  await user.type(screen.getByLabelText('City (optional)'), 'shire')
  expect(choice).toHaveDisplayValue('Another address')
  expect(screen.getByLabelText('Save this address in my address book')).not.toBeChecked()
  await user.selectOptions(choice, 'Home')
  await user.selectOptions(choice, 'Another address')
  expect(screen.getByLabelText('Name')).toHaveValue('Ada')
  expect(screen.getByLabelText('Country')).toHaveValue('')
})

it('says what a phone number looks like to a carrier, and needs none', async () => {
  cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'Norway' })
  const { user, address } = openShop('/shipping', { queries: { quoteCart: asBefore } })
  const phone = await screen.findByLabelText('Phone (optional)')
  await user.type(phone, 'ring twice')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(phone).toHaveAccessibleDescription(/a phone number the carrier can call/))
  await user.clear(phone)
  await user.type(phone, '+47 22 00 00 00')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/place-order'))
  expect(currentCart().shippingAddress.phone).toBe('+47 22 00 00 00')
})

it('begins with the default of the book, and saves a new address when asked to', async () => {
  cart.saveShippingAddress(BLANK_ADDRESS)
  const addresses = () => [entry('a1', 'Mill', { name: 'Ada', address: '2 Mill Road', country: 'Norway' }, true)]
  const viewer = () => lastOrderTo({ name: 'Grace', country: 'Norway' })
  const addAddress = vi.fn((_: unknown) => ({ address: addresses()[0], userErrors: [] }))
  const { user, address } = openShop('/shipping', {
    queries: { viewer, addresses, quoteCart: asBefore },
    mutations: { addAddress },
  })
  await waitFor(() => expect(screen.getByLabelText('Address (optional)')).toHaveValue('2 Mill Road'))
  await user.selectOptions(screen.getByLabelText('Your address book'), 'Another address')
  await user.type(screen.getByLabelText('Country'), 'uk')
  await user.click(screen.getByLabelText('Save this address in my address book'))
  await user.type(screen.getByLabelText('What to call it (optional)'), 'Home')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/place-order'))
  const shippingAddress = { ...BLANK_ADDRESS, name: 'Ada', country: 'United Kingdom' }
  expect(present(addAddress.mock.lastCall)[0]).toEqual({ input: { label: 'Home', shippingAddress } })
  expect(currentCart().shippingAddress).toEqual(shippingAddress)
})

it('goes on to the review when the book is full by now, and says so', async () => {
  cart.saveShippingAddress(BLANK_ADDRESS)
  const message = 'Your address book holds 20 addresses, as many as it can. Remove one first.'
  const { user, address } = openShop('/shipping', {
    queries: {
      viewer: () => lastOrderTo({ name: 'Ada', country: 'Norway' }),
      addresses: () => [],
      quoteCart: asBefore,
    },
    mutations: { addAddress: () => ({ address: null, userErrors: [{ code: 'ADDRESS_BOOK_FULL', message }] }) },
  })
  await waitFor(() => expect(screen.getByLabelText('Country')).toHaveValue('Norway'))
  await user.click(screen.getByLabelText('Save this address in my address book'))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(address()).toBe('/place-order'))
  expect(await screen.findByText(message)).toBeInTheDocument()
})

it('counts an address half typed as unsaved, so that the end of a session leaves it on the page', async () => {
  const { user } = openShop('/shipping', { queries: { viewer: () => null } })
  const city = await screen.findByLabelText('City (optional)')
  expect(hasUnsavedWork()).toBe(false)
  await user.type(city, 'York')
  expect(hasUnsavedWork()).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(hasUnsavedWork()).toBe(false))
})

it('tells in the cart what has changed since it was filled', async () => {
  openShop('/cart', { queries: { quoteCart: () => quoteOf(null, 0) } })
  expect(await screen.findByText('“Merino” is no longer for sale, so it left your cart.')).toBeInTheDocument()
  expect(screen.getByText('Your cart is empty.')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled()
})

it('says in the cart what was changed and takes it back', async () => {
  const dearer = { ...merino, price: 3000, countInStock: 5 }
  cart.replaceItems([{ ...nth(currentCart().cartItems, 0), price: 6000 }])
  const { user } = openShop('/cart', { queries: { quoteCart: () => quoteOf(dearer, 2) } })
  expect(await screen.findByText('Shipping was free and is $3.00 now.')).toBeInTheDocument()
  expect(screen.getByText(/more, and shipping is free/)).toHaveTextContent('Add $40.00 more, and shipping is free.')

  await user.selectOptions(screen.getByRole('combobox', { name: 'Quantity of Merino' }), '4')
  expect(screen.getByText('Your shipping is free.')).toHaveAttribute('role', 'status')
  expect(screen.getByText('Quantity of “Merino” changed from 2 to 4.')).toHaveAttribute('role', 'status')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(screen.getByRole('combobox', { name: 'Quantity of Merino' })).toHaveValue('2')
  expect(screen.getByRole('heading', { name: 'Your cart' })).toHaveFocus()

  await user.click(screen.getByRole('button', { name: 'Remove Merino' }))
  expect(screen.getByText('“Merino” left your cart.')).toBeInTheDocument()
  expect(screen.getByRole('heading', { name: 'Start at a shelf' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(currentCart().cartItems).toMatchObject([{ id: 'p1', quantity: 2, price: 3000 }])
})

it.each(['/shipping', '/place-order'])('leads from %s to the cart when there is nothing to order', async path => {
  cart.clear()
  const { address } = openShop(path)
  expect(await screen.findByText('Your cart is empty.')).toBeInTheDocument()
  expect(address()).toBe('/cart')
})

it('leads to the cart, and says why, when the last thing in it is gone', async () => {
  const placeOrder = () => refused('OUT_OF_STOCK', '“Merino” is sold out.', quoteOf(null, 0))
  let quoted = quoteOf({ ...merino, countInStock: 1 }, 1)
  const { user, address } = openShop('/place-order', {
    queries: { quoteCart: () => quoted },
    mutations: { placeOrder },
  })
  expect(await screen.findByText('Only 1 of “Merino” is left: we lowered the quantity from 2.')).toBeInTheDocument()
  quoted = quoteOf(null, 0)
  await user.click(screen.getByRole('button', { name: 'Place order' }))
  await waitFor(() => expect(address()).toBe('/cart'))
  expect(await screen.findByText('“Merino” is no longer for sale, so it left your cart.')).toBeInTheDocument()
  expect(screen.queryByText(/lowered the quantity/)).not.toBeInTheDocument()
})

it('does not offer to try again what cannot work', async () => {
  const quoteCart = () => {
    throw new GraphQLError('Quantity is too high.', { extensions: { code: 'BAD_USER_INPUT' } })
  }
  openShop('/cart', { queries: { quoteCart } })
  expect(await screen.findByText(/Quantity is too high/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

it('asks for fewer when the cart has more different products than one order can', async () => {
  cart.clear()
  const one = { ...merino }
  cart.add(one, 1)
  cart.replaceItems(
    Array.from({ length: 52 }, (_, number) => ({ ...nth(currentCart().cartItems, 0), id: `p${number}` })),
  )
  openShop('/cart', {
    queries: {
      quoteCart: ({ lines }: { lines: unknown[] }) => (lines.length > 50 ? null : { ...quoteOf(merino, 1), lines: [] }),
    },
  })
  expect(await screen.findByText(/Please remove 2 of your 52; you can order them next/)).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled()
  expect(screen.queryByText(/We could not check/)).not.toBeInTheDocument()
})
