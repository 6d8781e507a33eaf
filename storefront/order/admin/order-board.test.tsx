import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn, signOut } from '../../account/session.ts'
import { openShop } from '../../testing/open-shop.tsx'
import { stream } from '../../testing/stream.ts'

const orderWith = (number: number, change: object = {}) => ({
  id: `o${number}`,
  reference: `#${number}`,
  status: 'PAID',
  user: { userId: 'u1', isGuest: false, name: 'Ada', email: 'ada@example.com' },
  tags: [],
  totalPrice: 2600,
  createdAt: `2026-01-02T12:00:${String(number).padStart(2, '0')}Z`,
  isPaid: true,
  paidAt: '2026-01-02T13:00:00Z',
  deliveredAt: null,
  isPickup: false,
  expectedOn: null,
  isRefunded: false,
  incidents: [],
  ...change,
})
const DELIVERED = { status: 'DELIVERED', deliveredAt: '2026-01-05T12:00:00Z' }
const event = (type: string, order: object) => ({ type, order })
const LOOK = { type: null, order: null }

let listed: ReturnType<typeof orderWith>[]
let pages: number
const orders = vi.fn(() => ({ items: listed, page: 1, pages, total: listed.length, totalIsExact: true }))
const counts = vi.fn(() => ({
  countsAreExact: true,
  all: listed.length,
  unpaid: 0,
  paid: listed.length,
  toSend: 0,
  toDeliver: 0,
  delivered: 0,
  lapsed: 0,
  cancelled: 0,
  needsAttention: 0,
  toPickUp: 0,
  expected: 0,
}))
const queries = {
  orders,
  orderCounts: counts,
  orderStats: () => ({ totalOrders: listed.length, productsOrdered: 0, fulfilledOrders: 0 }),
}

beforeEach(() => {
  signIn({ _id: 'u1', name: 'Grace', email: 'grace@example.com', isAdmin: true, token: 't' })
  listed = [orderWith(12), orderWith(11)]
  pages = 2
  orders.mockClear()
  counts.mockReset()
})
afterEach(() => {
  signOut()
  localStorage.clear()
})

async function openBoard(search = '') {
  const live = stream<object>()
  const shop = openShop(`/admin/orders${search}`, { queries, subscriptions: { ordersChanged: live.follow } })
  await screen.findByRole('link', { name: '#12' })
  await waitFor(() => expect(live.listeners).toBe(1))
  return { ...shop, live }
}
const references = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(row => within(row).getByRole('link', { name: /^#/ }).textContent)
const pill = () => screen.queryByRole('button', { name: /show$/ })

it('changes rows where they are, and counts again', async () => {
  const { user, live } = await openBoard()
  await user.click(screen.getByRole('checkbox', { name: 'Select order #11' }))
  expect(screen.getByRole('button', { name: 'Packing slip' })).toBeEnabled()
  const row = screen.getAllByRole('row')[2]
  const counted = counts.mock.calls.length
  live.tell(event('ORDER_DELIVERED', orderWith(11, DELIVERED)))
  await waitFor(() => expect(row).toHaveTextContent('Jan 5, 2026'))
  expect(references()).toEqual(['#12', '#11'])
  expect(pill()).toBeNull()
  expect(orders).toHaveBeenCalledTimes(1)
  // The selected order is updated, too.
  expect(screen.getByRole('button', { name: /^Mark delivered/ })).toHaveAttribute('aria-disabled', 'true')
  expect(screen.getByRole('button', { name: /^Packing slip/ })).toHaveAccessibleDescription(
    'None of the selected orders waits to be sent.',
  )
  await waitFor(() => expect(counts.mock.calls.length).toBe(counted + 1))
})

it('says of counts that ended that there may be more', async () => {
  const { user } = await openBoard('?search=ada')
  const status = screen.getByRole('navigation', { name: 'Status' })
  expect(await within(status).findByRole('link', { name: 'Paid 2' })).toBeInTheDocument()
  counts.mockReturnValue({ ...counts(), countsAreExact: false, all: 10_000, paid: 8_201 })
  await user.click(within(status).getByRole('link', { name: /^Paid/ }))
  await user.type(screen.getByRole('searchbox'), ' example.com')
  expect(await within(status).findByRole('link', { name: 'All 10,000+' })).toBeInTheDocument()
  expect(within(status).getByRole('link', { name: 'Paid 8,201+' })).toBeInTheDocument()
})

it('lets new orders wait until somebody wants to see them', async () => {
  const { user, live } = await openBoard()
  live.tell(event('ORDER_PLACED', orderWith(13)))
  expect(await screen.findByRole('button', { name: 'One new order – show' })).toBeInTheDocument()
  live.tell(event('ORDER_PLACED', orderWith(14)), event('ORDER_PAID', orderWith(14)), event('ORDER_PAID', orderWith(3)))
  const button = await screen.findByRole('button', { name: '2 new orders – show' })
  expect(button.closest('[role=status]')).toBeInTheDocument()
  expect(references()).toEqual(['#12', '#11'])

  listed = [orderWith(14), orderWith(13), ...listed]
  await user.click(button)
  await screen.findByRole('link', { name: '#14' })
  expect(references()).toEqual(['#14', '#13', '#12', '#11'])
  expect(pill()).toBeNull()
  expect(document.activeElement).toContainElement(screen.getByRole('table'))
})

it('looks for itself when it may have missed something', async () => {
  const { live } = await openBoard()
  listed = [orderWith(13), orderWith(12, DELIVERED), orderWith(11)]
  live.tell(LOOK)
  expect(await screen.findByRole('button', { name: 'One new order – show' })).toBeInTheDocument()
  expect(references()).toEqual(['#12', '#11'])
  expect(screen.getAllByRole('row')[1]).toHaveTextContent('Jan 5, 2026')
})

it.each([
  ['of another status', '?status=unpaid', orderWith(13), false],
  ['of this status', '?status=to-deliver', orderWith(13), true],
  ['that a search may not find', '?search=ada', orderWith(13), false],
  ['where the list is sorted otherwise', '?sort=-total', orderWith(13), false],
])('speaks of an order %s only if the list begins with it', async (_what, search, order, isNew) => {
  const { live } = await openBoard(search)
  live.tell(event('ORDER_PLACED', order), event('ORDER_DELIVERED', orderWith(11, DELIVERED)))
  await screen.findByText('Jan 5, 2026')
  expect(pill() !== null).toBe(isNew)
})

it('takes an older order that comes into a list of one page', async () => {
  pages = 1
  const { live } = await openBoard('?status=paid')
  live.tell(event('ORDER_PAID', orderWith(3)))
  expect(await screen.findByRole('button', { name: 'One new order – show' })).toBeInTheDocument()
})
