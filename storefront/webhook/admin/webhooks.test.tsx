import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn, signOut } from '../../account/session.ts'
import { openShop } from '../../testing/open-shop.tsx'
import { eventName, eventsInWords } from './events.ts'
import { present } from '#schema/rules/present'

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: true }
const URL_OF = 'https://warehouse.example.com/skein'
const webhook = (change: object = {}) => ({
  id: 'w1',
  url: URL_OF,
  description: '',
  events: ['ORDER_PAID', 'STOCK_LOW'],
  skus: [],
  tags: [],
  enabled: true,
  attention: null,
  createdAt: '2026-01-02T12:00:00Z',
  createdBy: ada,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailure: null,
  previousSecretUntil: null,
  ...change,
})
const attempt = (change: object = {}) => ({
  at: '2026-01-02T12:00:01Z',
  status: 200,
  durationMs: 35,
  error: null,
  responseExcerpt: null,
  ...change,
})
const delivery = (change: object = {}) => ({
  id: 'd1',
  type: 'order.paid',
  eventId: 'e1',
  createdAt: '2026-01-02T12:00:00Z',
  state: 'DELIVERED',
  attempts: [attempt()],
  nextAttemptAt: null,
  requestBody: '{"type":"order.paid","data":{"order":{"reference":"#10042"}}}',
  ...change,
})
const listOf =
  (...items: object[]) =>
  () => ({ items, page: 1, pages: 1, total: items.length, totalIsExact: true })
const show = (one: object, ...deliveries: object[]) => ({
  webhook: () => one,
  webhookDeliveries: listOf(...deliveries),
})

beforeEach(() => signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: true, token: 't' }))
afterEach(() => {
  signOut()
  localStorage.clear()
})

it('tells of each webhook what it hears of and how it fares', async () => {
  openShop('/admin/partners/webhooks', {
    queries: {
      webhooks: listOf(
        webhook({ lastSuccessAt: new Date().toISOString() }),
        webhook({
          id: 'w2',
          url: 'https://b.example.com/',
          lastFailureAt: '2026-01-02T12:00:00Z',
          lastFailure: 'It answered 500.',
        }),
        webhook({ id: 'w3', url: 'https://c.example.com/', enabled: false, attention: 'It failed for three days.' }),
        webhook({ id: 'w4', url: 'https://d.example.com/', enabled: false }),
      ),
    },
  })
  await screen.findByRole('link', { name: URL_OF })
  const [fine, failing, stopped, paused] = screen.getAllByRole('row').slice(1)
  expect(fine).toHaveTextContent('Order paid, stock lowActivejust nowNever')
  expect(failing).toHaveTextContent(/Failing.*It answered 500\./)
  expect(within(present(stopped)).getByText('Paused by the shop')).toHaveAttribute('title', 'It failed for three days.')
  expect(paused).toHaveTextContent('Paused')
})

it('adds one, keeps what was typed when it is refused, and shows its secret once', async () => {
  const createWebhook = vi.fn(({ input }: { input: { url: string } }) =>
    input.url.startsWith('https:')
      ? { webhook: webhook(), secret: 'whsec_abc', userErrors: [] }
      : {
          webhook: null,
          secret: null,
          userErrors: [{ code: 'INVALID', message: 'The address must start with https://.', field: ['url'] }],
        },
  )
  const { user, address } = openShop('/admin/partners/webhooks', {
    queries: { webhooks: listOf(), ...show(webhook()) },
    mutations: { createWebhook },
  })
  await user.click(await screen.findByRole('button', { name: 'Add webhook' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }))
  expect(dialog.getByText('Choose at least one event.')).toBeInTheDocument()
  await user.type(dialog.getByLabelText('Address'), 'http://warehouse.example.com')
  await user.click(dialog.getByLabelText(/Stock low/))
  await user.click(within(dialog.getByRole('group', { name: 'Orders' })).getByLabelText(/Order paid/))
  await user.type(dialog.getByLabelText(/Only these products/), 'skn-1001, fen-2')
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }))
  await waitFor(() =>
    expect(dialog.getByLabelText('Address')).toHaveAccessibleDescription(/must start with https:\/\//),
  )
  await user.clear(dialog.getByLabelText('Address'))
  await user.type(dialog.getByLabelText('Address'), URL_OF)
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }))
  expect(await screen.findByText('whsec_abc')).toBeInTheDocument()
  expect(createWebhook).toHaveBeenLastCalledWith({
    input: {
      url: URL_OF,
      description: '',
      events: ['ORDER_PAID', 'STOCK_LOW'],
      skus: ['SKN-1001', 'FEN-2'],
      tags: [],
    },
  })
  await user.click(screen.getByRole('button', { name: 'Copy Signing secret' }))
  await screen.findByText('Copied.')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await screen.findByRole('heading', { name: /^warehouse\.example\.com/ })
  expect(address()).toBe('/admin/partners/webhooks/w1')
})

it('opens the delivery that the address names: every attempt, the answer, the body, and the next try', async () => {
  const failed = delivery({
    state: 'PENDING',
    nextAttemptAt: new Date(Date.now() + 3 * 60_000 + 5_000).toISOString(),
    attempts: [
      attempt({ status: null, error: 'No answer within 10 seconds.', durationMs: 10_000 }),
      attempt({ at: '2026-01-02T12:05:00Z', status: 500, error: 'It answered 500.', responseExcerpt: 'out of yarn' }),
    ],
  })
  openShop('/admin/partners/webhooks/w1?delivery=d1', {
    queries: show(webhook(), failed, delivery({ id: 'd2', type: 'webhook.test' })),
  })
  const line = await screen.findByRole('link', { name: /^Order paid/, expanded: true })
  expect(line).toHaveTextContent('Trying again')
  expect(line).toHaveTextContent('It answered 500. Next try in 3 minutes.')
  expect(screen.getByRole('link', { name: /^Test event/, expanded: false })).toHaveTextContent('200 after 35 ms')
  expect(screen.getByRole('heading', { name: '2 attempts' })).toBeInTheDocument()
  expect(screen.getByText('No answer within 10 seconds.')).toBeInTheDocument()
  expect(screen.getByText('out of yarn')).toBeInTheDocument()
  expect(screen.getByRole('group', { name: 'Request body' })).toHaveTextContent('"reference": "#10042"')
})

it('filters in the address', async () => {
  const webhookDeliveries = vi.fn(listOf(delivery()))
  const { user, address } = openShop('/admin/partners/webhooks/w1?delivery=d1', {
    queries: { webhook: () => webhook(), webhookDeliveries },
  })
  await user.click(await screen.findByRole('link', { name: 'Failed' }))
  await waitFor(() => expect(webhookDeliveries).toHaveBeenLastCalledWith({ webhookId: 'w1', state: 'FAILED', page: 1 }))
  expect(address()).toBe('/admin/partners/webhooks/w1?state=failed')
})

it('sends a test event, looks again while it is on its way, and tells what came of it', async () => {
  let state = delivery({
    type: 'webhook.test',
    state: 'PENDING',
    attempts: [],
    nextAttemptAt: new Date().toISOString(),
  })
  const deliveries: object[] = []
  const sendTestEvent = () => {
    deliveries.push(state)
    return { delivery: state, userErrors: [] }
  }
  const { user, address } = openShop('/admin/partners/webhooks/w1', {
    queries: { webhook: () => webhook(), webhookDeliveries: () => listOf(...deliveries.map(() => state))() },
    mutations: { sendTestEvent },
  })
  expect(await screen.findByText(/Nothing has been sent yet/)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Send a test event' }))
  expect(await screen.findByText('Not sent yet')).toBeInTheDocument()
  expect(address()).toBe('/admin/partners/webhooks/w1?delivery=d1')
  state = delivery({
    type: 'webhook.test',
    state: 'FAILED',
    attempts: [attempt({ status: 404, error: 'It answered 404.' })],
  })
  expect(await screen.findByText('The test event failed. It answered 404.')).toBeInTheDocument()
})

it('sends nothing while it is paused, and goes on with a press', async () => {
  const resumeWebhook = vi.fn(() => ({ webhook: webhook(), userErrors: [] }))
  const { user } = openShop('/admin/partners/webhooks/w1', {
    queries: show(webhook({ enabled: false, attention: 'It failed for three days.' })),
    mutations: { resumeWebhook },
  })
  expect(await screen.findByText('The shop paused this webhook. It failed for three days.')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: /^Send a test event/ })).toHaveAttribute('aria-disabled', 'true')
  await user.click(screen.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(resumeWebhook).toHaveBeenCalledWith({ id: 'w1', skipMissed: false }))
  expect(await screen.findByText('Webhook resumed successfully.')).toBeInTheDocument()
})

it('says when there is none at the address', async () => {
  openShop('/admin/partners/webhooks/w9', { queries: { webhook: () => null, webhookDeliveries: listOf() } })
  expect(await screen.findByRole('heading', { name: 'There is no such webhook' })).toBeInTheDocument()
})

it('has words for events', () => {
  expect(eventName('order.refunded')).toBe('Order refunded')
  expect(eventName('shop.moved')).toBe('shop.moved')
  expect(eventsInWords(['STOCK_LOW', 'ORDER_PAID'])).toBe('Order paid, stock low')
  expect(
    eventsInWords([
      'ORDER_PLACED',
      'ORDER_PAID',
      'ORDER_EXPECTED',
      'ORDER_PACKED',
      'ORDER_UNPACKED',
      'ORDER_SENT',
      'ORDER_TRACKED',
      'ORDER_PARTLY_DELIVERED',
      'ORDER_DELIVERED',
      'ORDER_RETURNED',
      'ORDER_LAPSED',
      'ORDER_CANCELLED',
      'ORDER_REFUNDED',
      'ORDER_ATTENTION',
      'ORDER_ANNOTATED',
      'CUSTOMER_CHANGED',
      'REVIEW_CHANGED',
      'PRODUCT_CHANGED',
      'STOCK_CHANGED',
      'STOCK_LOW',
    ]),
  ).toBe('Every event')
})
