import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signIn, signOut } from '../account/session.ts'
import { cart, currentCart } from '../cart/cart.ts'
import { rememberApproval } from '../payment/approved.ts'
import { merino } from '../testing/merino.ts'
import { openShop } from '../testing/open-shop.tsx'
import { stream } from '../testing/stream.ts'
import { present } from '#schema/rules/present'

const ADDRESS = {
  name: 'Ada',
  address: '1 Purl Lane',
  address2: '',
  city: '',
  state: '',
  postalCode: '',
  country: 'UK',
  phone: '',
  isPickup: false,
}
const PAID = { status: 'PAID', isPaid: true, amountDue: 0, paidAt: '2026-01-02T12:00:00Z', heldUntil: null }
const DELIVERED = { ...PAID, status: 'DELIVERED', deliveredAt: '2026-01-03T12:00:00Z' }
const orderWith = (change: object = {}) => ({
  id: 'o1',
  reference: '#10042',
  status: 'UNPAID',
  user: { userId: 'u1', isGuest: false, name: 'Ada', email: 'ada@example.com' },
  items: [
    {
      productId: 'p1',
      sku: 'SKN-1',
      name: 'Merino',
      image: '/images/p1.webp',
      price: 1000,
      quantity: 2,
      lots: [] as { code: string; quantity: number }[],
      fulfilledQuantity: 0,
      discount: 0,
      reducedTax: false,
      isForSale: true,
      downloads: [] as { id: string; title: string; bytes: number }[],
    },
  ],
  isPaymentUnderWay: false,
  shippingAddress: ADDRESS,
  isPickup: false,
  isDownload: false,
  customerNote: null as string | null,
  paymentMethod: 'PayPal',
  itemsPrice: 2000,
  discountCode: null,
  discount: 0,
  shippingPrice: 300,
  taxPrice: 300,
  totalPrice: 2600,
  giftCardAmount: 0,
  amountDue: 2600,
  giftCardsSold: 0,
  boughtGiftCards: [],
  includedTax: 0,
  taxes: [{ basisPoints: 1500, isReduced: false, amount: 300 }],
  isPaid: false,
  paidAt: null,
  deliveredAt: null,
  sentAt: null,
  fulfilments: [],
  heldUntil: '2026-01-02T13:00:00Z',
  refundedAmount: 0,
  isRefunded: false,
  refunds: [],
  payments: [],
  incidents: [],
  createdAt: '2026-01-02T11:00:00Z',
  ...change,
})
/** PayPal's buttons are not what is tested here. */
const paypalConfig = () => new Promise(() => {})
const nothing = () => ({ items: [], page: 1, pages: 1, total: 0 })

beforeEach(() => signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' }))
afterEach(() => {
  signOut()
  cart.reset()
  localStorage.clear()
})

const payment = () => within(screen.getByRole('region', { name: 'Payment' }))
const shipping = () => within(screen.getByRole('region', { name: 'Shipping' }))

const units = (quantity: number, lots: { code: string; quantity: number }[] = []) => ({
  item: { __typename: 'OrderItem', productId: 'p1', name: 'Merino' },
  quantity,
  lots,
})
const PARCEL = {
  __typename: 'Fulfilment',
  id: 'f1',
  status: 'DELIVERED',
  carrier: null,
  trackingNumber: null,
  trackingUrl: null,
  returns: [],
  createdAt: '2026-01-02T12:00:00Z',
  sentAt: '2026-01-02T12:00:00Z',
  deliveredAt: '2026-01-03T12:00:00Z',
  cancelledAt: null,
}

it('says once of each product what came back, whatever becomes of it', async () => {
  const parcel = {
    ...PARCEL,
    lines: [{ ...units(3), returnedQuantity: 3 }],
    returns: [{ id: 'r1', reason: 'Too blue.', createdAt: '2026-01-05T12:00:00Z', lines: [units(1), units(2)] }],
  }
  openShop('/order/o1', { queries: { order: () => orderWith({ ...DELIVERED, fulfilments: [parcel] }), paypalConfig } })
  expect(await screen.findByText('Back with us since Jan 5, 2026: 3 × Merino. Too blue.')).toBeInTheDocument()
})

it('follows what happens to the order, and tells it where screen readers hear it', async () => {
  const live = stream()
  openShop('/order/o1', {
    queries: { order: () => orderWith({ heldUntil: null }), paypalConfig },
    subscriptions: { orderChanged: live.follow },
  })
  expect(await screen.findByText('Order is unpaid and has not been processed.')).toBeInTheDocument()
  await waitFor(() => expect(live.listeners).toBe(1))
  const [said, more] = payment().getAllByRole('status')

  live.tell(orderWith({ status: 'LAPSED', heldUntil: null }))
  await waitFor(() => expect(more).toHaveTextContent('We could not hold your yarn any longer.'))
  live.tell(orderWith(PAID))
  await waitFor(() => expect(said).toHaveTextContent('Paid on Jan 2, 2026'))
  expect(screen.getByText('Paid')).toBeInTheDocument()
  expect(screen.getByText('Thank you! Your order is paid.')).toBeInTheDocument()

  const delivery = shipping().getByRole('status')
  live.tell(orderWith(DELIVERED))
  await waitFor(() => expect(delivery).toHaveTextContent('Delivered on Jan 3, 2026'))
  const refund = {
    id: 'r1',
    amount: 500,
    reason: 'One skein too few',
    status: 'PENDING',
    createdAt: '2026-01-04T12:00:00Z',
  }
  live.tell(orderWith({ ...DELIVERED, refundedAmount: 500, refunds: [refund] }))
  await waitFor(() => expect(more).toHaveTextContent('Refund on its way: $5.00, One skein too few'))
  expect(screen.getByText('Partly refunded')).toBeInTheDocument()
  live.tell(
    orderWith({
      ...DELIVERED,
      refundedAmount: 2600,
      isRefunded: true,
      refunds: [{ ...refund, amount: 2600, status: 'COMPLETED' }],
    }),
  )
  await waitFor(() => expect(more).toHaveTextContent('Refunded on Jan 4, 2026: $26.00'))
  expect(present(said).isConnected && present(more).isConnected && delivery.isConnected).toBe(true)
})

it('says beside its lines why what came back is not taken', async () => {
  signIn({ _id: 'u2', name: 'Grace', email: 'grace@example.com', isAdmin: true, token: 'a' })
  const lots = [
    { code: '4412', quantity: 2 },
    { code: '4417', quantity: 1 },
  ]
  const parcel = { ...PARCEL, lines: [{ ...units(3, lots), returnedQuantity: 0 }] }
  const history = { items: [], page: 1, pages: 1, total: 0 }
  const refused = (message: string, field: string[]) => ({ code: 'ALREADY_RETURNED', message, field })
  const { user } = openShop('/order/o1', {
    queries: { order: () => ({ ...orderWith({ ...DELIVERED, fulfilments: [parcel] }), history }) },
    mutations: {
      returnFulfilment: () => ({
        returned: null,
        order: null,
        userErrors: [
          refused('Only 1 of lot 4412 of “Merino” can still come back.', ['lines', 'p1']),
          refused('Reason holds characters that cannot be stored.', ['reason']),
        ],
      }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Take back what came back of parcel' }))
  await user.click(screen.getByRole('button', { name: 'Take back' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Take back' }))
  const form = within(await screen.findByRole('form', { name: 'What came back of parcel' }))
  await waitFor(() =>
    expect(form.getByRole('textbox', { name: 'Merino, lot 4412' })).toHaveAccessibleDescription(
      /Only 1 of lot 4412 of “Merino” can still come back\./,
    ),
  )
  expect(form.getByRole('textbox', { name: /^Reason/ })).toHaveAccessibleDescription(/cannot be stored/)
})

it('asks anew for what administrators did, which is not told', async () => {
  signIn({ _id: 'u2', name: 'Grace', email: 'grace@example.com', isAdmin: true, token: 'a' })
  const live = stream()
  let now = orderWith(PAID)
  let entries: object[] = []
  openShop('/order/o1', {
    queries: { order: () => ({ ...now, history: { items: entries, page: 1, pages: 1, total: entries.length } }) },
    subscriptions: { orderChanged: live.follow },
  })
  expect(await screen.findByRole('button', { name: 'Mark as Delivered' })).toBeInTheDocument()
  await screen.findByRole('heading', { name: 'Refunds' })
  await waitFor(() => expect(live.listeners).toBe(1))
  now = orderWith({
    ...DELIVERED,
    refundedAmount: 100,
    refunds: [
      {
        id: 'r1',
        amount: 100,
        reason: 'Moths',
        status: 'COMPLETED',
        refundedBy: 'Grace',
        createdAt: '2026-01-04T12:00:00Z',
      },
    ],
  })
  entries = [
    {
      id: 'a1',
      at: '2026-01-03T12:00:00Z',
      actor: { userId: 'u2', name: 'Grace', email: 'grace@example.com', isAdmin: true },
      actorName: 'Grace',
      action: 'ORDER_DELIVERED',
      subjectType: 'ORDER',
      subjectId: 'o1',
      subjectName: '#10042',
      changes: [],
      note: null,
    },
  ]
  live.tell(now)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark as Delivered' })).not.toBeInTheDocument())
  expect(await screen.findByText(/by Grace: Moths/)).toBeInTheDocument()
})

it('follows only while it is on screen and somebody is signed in', async () => {
  const live = stream()
  openShop('/order/o1', {
    queries: { order: () => orderWith(), paypalConfig, myOrders: () => [], orders: nothing },
    subscriptions: { orderChanged: live.follow },
  })
  const look = async (state: 'hidden' | 'visible', listeners: number) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    live.tell(orderWith())
    await waitFor(() => expect(live.listeners).toBe(listeners))
  }
  await screen.findByText('Order is unpaid and has not been processed.')
  await look('visible', 1)
  await look('hidden', 0)
  await look('visible', 1)
  act(() => signOut())
  live.tell(orderWith())
  await waitFor(() => expect(live.listeners).toBe(0))
})

it('is what it always was where no stream is to be had', async () => {
  openShop('/order/o1', { queries: { order: () => orderWith(PAID), paypalConfig } })
  expect(await screen.findByText(/^Paid on Jan 2, 2026/)).toBeInTheDocument()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

it('lets its shopper cancel an unpaid order, after asking', async () => {
  let now = orderWith()
  const cancelOrder = vi.fn(() => {
    now = orderWith({ status: 'CANCELLED', heldUntil: null })
    return { order: now, userErrors: [] }
  })
  const { user } = openShop('/order/o1', { queries: { order: () => now, paypalConfig }, mutations: { cancelOrder } })
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(cancelOrder).not.toHaveBeenCalled()
  await user.click(dialog.getByRole('button', { name: 'Cancel order' }))
  expect(await screen.findByText('This order was cancelled. Nothing is to be paid.')).toBeInTheDocument()
  expect(screen.getByText('Cancelled')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Cancel order' })).not.toBeInTheDocument()
  expect(screen.queryByText('Thank you! Your order is paid.')).not.toBeInTheDocument()
})

describe('a payment of which nobody knows yet how it ended', () => {
  it('is being confirmed, and nothing can be paid or cancelled meanwhile', async () => {
    openShop('/order/o1', { queries: { order: () => orderWith({ isPaymentUnderWay: true }), paypalConfig } })
    expect(await screen.findByText('Being confirmed')).toBeInTheDocument()
    expect(screen.queryByText('Unpaid')).not.toBeInTheDocument()
    expect(await screen.findByText(/please do not pay again/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Cancel order' })).not.toBeInTheDocument()
  })

  it('is remembered when the shop could not be told that it was approved, and finished as soon as it can', async () => {
    rememberApproval('o1', 'APPROVED1')
    let now = orderWith()
    const capturePaypalOrder = vi.fn((_: { orderId: string; paypalOrderId: string }) => {
      now = orderWith(PAID)
      return { order: now, captureId: 'C1', userErrors: [] }
    })
    openShop('/order/o1', { queries: { order: () => now, paypalConfig }, mutations: { capturePaypalOrder } })
    expect(await screen.findByText('Thank you! Your order is paid.')).toBeInTheDocument()
    expect(capturePaypalOrder).toHaveBeenCalledOnce()
    expect(present(capturePaypalOrder.mock.lastCall)[0]).toEqual({ orderId: 'o1', paypalOrderId: 'APPROVED1' })
    expect(localStorage.getItem('approvedPayments')).toBeNull()
  })

  it('leads back to the buttons when PayPal declines it', async () => {
    rememberApproval('o1', 'APPROVED1')
    const capturePaypalOrder = () => ({
      order: null,
      captureId: null,
      userErrors: [{ code: 'INSTRUMENT_DECLINED', message: 'Your card was declined.' }],
    })
    openShop('/order/o1', { queries: { order: () => orderWith(), paypalConfig }, mutations: { capturePaypalOrder } })
    expect(await screen.findByText('Your card was declined.')).toBeInTheDocument()
    expect(await screen.findByText('Unpaid')).toBeInTheDocument()
    expect(screen.queryByText(/please do not pay again/)).not.toBeInTheDocument()
  })
})

it('marks products that are no longer sold, and leads to the page that says what else there is', async () => {
  const [item] = orderWith().items
  openShop('/order/o1', {
    queries: { order: () => orderWith({ ...PAID, items: [{ ...item, isForSale: false }] }), paypalConfig },
  })
  expect(await screen.findByText('No longer sold')).toBeInTheDocument()
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Merino' })).toHaveAttribute(
    'href',
    '/product/p1/merino',
  )
})

it('leads the one who ordered to the last step, with the time that is left, and tells the way of the parcel', async () => {
  const live = stream()
  const heldUntil = new Date(Date.now() + 14.5 * 60_000).toISOString()
  openShop('/order/o1', {
    queries: { order: () => orderWith({ heldUntil }), paypalConfig },
    subscriptions: { orderChanged: live.follow },
  })
  expect(await screen.findByText('Thank you. One step left: pay.')).toBeInTheDocument()
  const left = await screen.findByText('14 minutes left to pay.')
  // Screen readers do not announce every minute.
  expect(left.closest('[role="status"], [aria-live]')).toBeNull()
  const way = screen.getByRole('list', { name: 'How far the order is' })
  const current = () =>
    within(way)
      .getAllByRole('listitem')
      .find(step => step.getAttribute('aria-current') === 'step')
  expect(current()).toHaveTextContent('Payment')
  await waitFor(() => expect(live.listeners).toBe(1))
  live.tell(orderWith(PAID))
  expect(await screen.findByText('We are packing your yarn.')).toBeInTheDocument()
  expect(current()).toHaveTextContent('Packed and sent')
  expect(screen.queryByText(/left to pay/)).not.toBeInTheDocument()
  live.tell(orderWith({ ...PAID, status: 'PARTLY_SENT' }))
  expect(await screen.findByText('A part of your yarn is on its way.')).toBeInTheDocument()
  expect(current()).toHaveTextContent('Packed and senta part')
  live.tell(orderWith({ ...PAID, status: 'SENT', sentAt: '2026-01-02T15:00:00Z' }))
  expect(await screen.findByText('Your yarn is on its way.')).toBeInTheDocument()
  expect(current()).toHaveTextContent('At your dooron its way')
  live.tell(orderWith(DELIVERED))
  expect(await screen.findByText('At your door. Happy knitting!')).toBeInTheDocument()
  expect(current()).toBeUndefined()
})

it.each([
  ['u1', 'Your note'],
  ['u2', 'Note from Ada'],
])('shows what the shopper told the shop, to %s as “%s”', async (userId, heading) => {
  const user = { ...orderWith().user, userId }
  openShop('/order/o1', { queries: { order: () => orderWith({ ...PAID, user, customerNote: 'A present.' }) } })
  expect(await screen.findByRole('region', { name: heading })).toHaveTextContent(`${heading}A present.`)
})

it('shows in the totals what went back', async () => {
  openShop('/order/o1', {
    queries: { order: () => orderWith({ ...PAID, refundedAmount: 600 }), paypalConfig },
  })
  expect(await screen.findByText('-$6.00')).toBeInTheDocument()
  expect(screen.getByText('After refunds').parentElement).toHaveTextContent('After refunds$20.00')
})

it('does not count as paid what a gift card that was spent elsewhere was to pay', async () => {
  openShop('/order/o1', {
    queries: { order: () => orderWith({ ...PAID, amountDue: 1000, refundedAmount: 600 }), paypalConfig },
  })
  expect((await screen.findByText('Total')).closest('dl')).toHaveTextContent(
    'Total$26.00Not paid-$10.00Paid with PayPal$16.00Refunds-$6.00After refunds$10.00',
  )
})

it('gives back at most what was paid, where a gift card that was spent elsewhere was to pay a part', async () => {
  signIn({ _id: 'u2', name: 'Grace', email: 'grace@example.com', isAdmin: true, token: 'a' })
  openShop('/order/o1', { queries: { order: () => orderWith({ ...PAID, amountDue: 1000 }) } })
  expect(await screen.findByRole('textbox', { name: 'Amount in US dollars' })).toHaveValue('16.00')
})

it('tells its tax by rates', async () => {
  const taxes = [
    { basisPoints: 600, isReduced: false, amount: 60 },
    { basisPoints: 250, isReduced: true, amount: 240 },
  ]
  openShop('/order/o1', { queries: { order: () => orderWith({ taxes }), paypalConfig } })
  expect((await screen.findByText('Total')).closest('dl')).toHaveTextContent('Tax (6%)$0.60Tax (2.5%)$2.40Total$26.00')
})

it.each([
  [[{ basisPoints: 1500, isReduced: false, amount: 0 }]],
  [
    [
      { basisPoints: 600, isReduced: false, amount: 0 },
      { basisPoints: 0, isReduced: true, amount: 0 },
    ],
  ],
])('tells that nothing is owed where nothing is taxed, such as gift cards', async taxes => {
  openShop('/order/o1', { queries: { order: () => orderWith({ taxPrice: 0, totalPrice: 2300, taxes }), paypalConfig } })
  expect((await screen.findByText('Total')).closest('dl')).toHaveTextContent('Tax$0.00Total$23.00')
})

it('puts an order into the cart once more, and says there what is not to be had', async () => {
  const [item] = orderWith().items
  const quoteCart = () => ({
    lines: [
      { productId: 'p1', product: { ...merino, countInStock: 1, price: 1200 }, quantity: 1 },
      { productId: 'p2', product: { ...merino, id: 'p2', name: 'Mohair', countInStock: 0 }, quantity: 0 },
      { productId: 'p3', product: null, quantity: 0 },
    ],
  })
  const { user, address } = openShop('/order/o1', {
    queries: {
      order: () =>
        orderWith({
          ...DELIVERED,
          items: [item, { ...item, productId: 'p2', name: 'Mohair' }, { ...item, productId: 'p3', name: 'Moss' }],
        }),
      paypalConfig,
      quoteCart,
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Order again' }))
  await waitFor(() => expect(address()).toBe('/cart'))
  for (const words of [
    'Only 1 of “Merino” is left; you ordered 2 before.',
    'The price of “Merino” changed from $10.00 to $12.00.',
    '“Mohair” is sold out, so it is not in your cart.',
    '“Moss” is no longer for sale, so it is not in your cart.',
  ])
    expect(await screen.findByText(words)).toBeInTheDocument()
  expect(currentCart().cartItems).toMatchObject([{ id: 'p1', quantity: 1, price: 1200 }])
})
