import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn, signOut } from '../../account/session.ts'
import { openShop } from '../../testing/open-shop.tsx'
import { exampleQuery, scopesInWords } from './scopes.ts'
import { nth, present } from '#schema/rules/present'

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: true }
const sam = { id: 'u2', name: 'Sam', email: 'sam@example.com', isAdmin: false }
const key = (change: object = {}) => ({
  id: 'k1',
  name: 'Warehouse',
  start: 'sk_abcde',
  scopes: ['READ_ORDERS'],
  account: sam,
  allowedAddresses: [],
  createdAt: '2026-01-02T12:00:00Z',
  expiresAt: null,
  formerUntil: null,
  usage: [],
  lastUsedAt: null,
  revokedAt: null,
  ...change,
})
const listOf =
  (...items: object[]) =>
  () => ({ items, page: 1, pages: 1, total: items.length, totalIsExact: true })
const users = ({ filter }: { filter: { search: string | null } }) => {
  const items = [ada, sam].filter(({ name }) => name.toLowerCase().includes(filter.search ?? ''))
  return { items, page: 1, pages: 1, total: items.length, totalIsExact: true }
}
const row = async (name: string) => present((await screen.findByText(name)).closest('tr'))

beforeEach(() => signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: true, token: 't' }))
afterEach(() => {
  signOut()
  localStorage.clear()
})

it('tells what each key may do, for whom, and whether it still works', async () => {
  openShop('/admin/partners', {
    queries: {
      apiKeys: listOf(
        key({ lastUsedAt: new Date(Date.now() - 3 * 60_000).toISOString() }),
        key({ id: 'k2', name: 'Everything', scopes: ['ADMIN'], revokedAt: '2026-02-03T12:00:00Z' }),
      ),
    },
  })
  const works = await row('Warehouse')
  expect(works).toHaveTextContent('sk_abcde…')
  expect(within(works).getByText('Read orders')).toHaveAttribute('title', 'READ_ORDERS: See the orders of its account.')
  expect(within(works).getByRole('link', { name: 'Sam' })).toHaveAttribute('href', '/admin/user/u2/edit')
  expect(within(works).getByText('3 minutes ago')).toHaveAttribute('datetime')
  const [, revoked] = screen.getAllByRole('row').slice(1)
  expect(revoked).toHaveTextContent('Revoked Feb 3, 2026')
  expect(revoked).toHaveTextContent('Never')
  expect(screen.getAllByRole('button', { name: /^Revoke / })).toHaveLength(1)
})

it('explains keys where there are none', async () => {
  openShop('/admin/partners', { queries: { apiKeys: listOf() } })
  expect(await screen.findByRole('heading', { name: 'No API keys yet' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'GraphQL explorer' })).toHaveAttribute('href', '/graphql')
  expect(screen.getByRole('link', { name: 'REST documentation' })).toHaveAttribute('href', '/api/docs')
})

it('says why the list is not there, and tries again', async () => {
  let down = true
  const { user } = openShop('/admin/partners', {
    queries: {
      apiKeys: () => {
        if (down) throw new Error('The line is down.')
        return listOf(key())()
      },
    },
  })
  expect(await screen.findByText('The line is down.')).toBeInTheDocument()
  down = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await row('Warehouse')).toBeInTheDocument()
})

it('makes a key for another account, shows it once, and asks before it is lost', async () => {
  const createApiKey = vi.fn(() => ({ apiKey: key(), secret: 'sk_secret', userErrors: [] }))
  const { user } = openShop('/admin/partners', { queries: { apiKeys: listOf(), users }, mutations: { createApiKey } })
  await user.click(await screen.findByRole('button', { name: 'Create API key' }))
  await user.click(await screen.findByRole('button', { name: 'Create key' }))
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription(/Name is required\./)
  expect(screen.getByText('Choose at least one scope.')).toBeInTheDocument()

  await user.type(screen.getByLabelText('Name'), 'Warehouse')
  await user.clear(screen.getByRole('combobox', { name: 'Acts for' }))
  await user.type(screen.getByRole('combobox', { name: 'Acts for' }), 'sam')
  await user.click(await screen.findByRole('option', { name: /Sam/ }))
  // What a scope means follows the account.
  expect(screen.getByLabelText(/Read orders/)).toHaveAccessibleDescription('See the orders of its account.')
  await user.click(screen.getByLabelText(/Read orders/))
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  expect(await screen.findByText('sk_secret')).toBeInTheDocument()
  expect(createApiKey).toHaveBeenCalledWith({ input: { name: 'Warehouse', scopes: ['READ_ORDERS'], accountId: 'u2' } })

  await user.click(screen.getByRole('button', { name: 'Done' }))
  await user.click(await screen.findByRole('button', { name: 'Go back' }))
  await user.click(screen.getByRole('button', { name: 'Copy API key' }))
  expect(await screen.findByText('Copied.')).toBeInTheDocument()
  expect(await navigator.clipboard.readText()).toBe('sk_secret')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText('sk_secret')).toBeNull())
  expect(screen.queryByText('Close without copying it?')).toBeNull()
})

it('asks for everything alone when everything is chosen', async () => {
  const createApiKey = vi.fn(() => ({
    apiKey: null,
    secret: null,
    userErrors: [{ code: 'NOT_FOUND', message: 'There is no such account.', field: ['accountId'] }],
  }))
  const { user } = openShop('/admin/partners', { queries: { apiKeys: listOf(), users }, mutations: { createApiKey } })
  await user.click(await screen.findByRole('button', { name: 'Create API key' }))
  await user.type(await screen.findByLabelText('Name'), 'All')
  await user.click(screen.getByLabelText(/Read orders/))
  await user.click(screen.getByLabelText(/Everything/))
  expect(screen.getByLabelText(/Read catalogue/)).toBeChecked()
  expect(screen.getByLabelText(/Read catalogue/)).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Acts for' })).toHaveAccessibleDescription(
      /There is no such account\./,
    ),
  )
  expect(createApiKey).toHaveBeenCalledWith({ input: { name: 'All', scopes: ['ADMIN'], accountId: 'u1' } })
})

it('ends a key by itself, binds it to addresses, and says beside them what is wrong', async () => {
  const refused = { code: 'INVALID', message: 'An address is written like …', field: ['allowedAddresses', '1'] }
  const createApiKey = vi.fn((_: { input: { expiresAt: string } }) => ({
    apiKey: null,
    secret: null,
    userErrors: [refused],
  }))
  const { user } = openShop('/admin/partners', { queries: { apiKeys: listOf(), users }, mutations: { createApiKey } })
  await user.click(await screen.findByRole('button', { name: 'Create API key' }))
  await user.type(await screen.findByLabelText('Name'), 'Depot')
  await user.click(screen.getByLabelText(/Change prices/))
  await user.selectOptions(screen.getByLabelText('Ends by itself'), 'In 90 days')
  await user.type(screen.getByLabelText(/Addresses it may come from/), '203.0.113.0/24{Enter}here')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  await waitFor(() =>
    expect(screen.getByLabelText(/Addresses it may come from/)).toHaveAccessibleDescription(
      /An address is written like/,
    ),
  )
  const { input } = nth(createApiKey.mock.calls, 0)[0]
  expect(input).toMatchObject({ scopes: ['WRITE_PRICES'], allowedAddresses: ['203.0.113.0/24', 'here'] })
  expect((Date.parse(input.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(90, 1)
})

it('gives a key a new secret while the old one works', async () => {
  const rotateApiKey = vi.fn(() => ({
    apiKey: key({ formerUntil: new Date(Date.now() + 7 * 86_400_000).toISOString() }),
    secret: 'sk_another',
    userErrors: [],
  }))
  const { user } = openShop('/admin/partners', { queries: { apiKeys: listOf(key()) }, mutations: { rotateApiKey } })
  await user.click(await screen.findByRole('button', { name: 'New secret for Warehouse' }))
  await user.selectOptions(await screen.findByLabelText('The secret before works for'), 'a week')
  await user.click(screen.getByRole('button', { name: 'Make the secret' }))
  expect(await screen.findByText('sk_another')).toBeInTheDocument()
  expect(rotateApiKey).toHaveBeenCalledWith({ id: 'k1', overlapHours: 168 })
})

it('shows how much a key was used, day by day', async () => {
  const usage = [
    { day: '2026-02-03', calls: 1200, errors: 3, cost: 24_000 },
    { day: '2026-02-02', calls: 1, errors: 0, cost: 20 },
  ]
  const { user } = openShop('/admin/partners', {
    queries: { apiKeys: listOf(key({ usage }), key({ id: 'k2', name: 'Idle' })) },
  })
  const used = await row('Warehouse')
  expect(used).toHaveTextContent('1,201 calls')
  expect(used).toHaveTextContent('3 errors, 24,020 points')
  await user.click(within(used).getByRole('button', { name: '1,201 calls of Warehouse, day by day' }))
  const days = await screen.findByRole('dialog', { name: 'Calls of Warehouse' })
  expect(within(days).getAllByRole('row')).toHaveLength(3)
  expect(days).toHaveTextContent('Feb 3, 2026')
})

it('revokes a key after asking, by name', async () => {
  const revokeApiKey = vi.fn(() => ({ apiKey: key({ revokedAt: '2026-02-03T12:00:00Z' }), userErrors: [] }))
  const { user } = openShop('/admin/partners', { queries: { apiKeys: listOf(key()) }, mutations: { revokeApiKey } })
  await user.click(await screen.findByRole('button', { name: 'Revoke Warehouse' }))
  const question = await screen.findByRole('alertdialog')
  expect(question).toHaveTextContent('“Warehouse”')
  expect(question).toHaveTextContent('This action cannot be undone.')
  await user.click(within(question).getByRole('button', { name: 'Revoke key' }))
  expect(await screen.findByText('API key revoked successfully.')).toBeInTheDocument()
  expect(revokeApiKey).toHaveBeenCalledWith({ id: 'k1' })
})

it('gives an example that the key may ask', () => {
  expect(exampleQuery(['READ_CATALOGUE', 'READ_ORDERS'])).toContain('products')
  expect(exampleQuery(['ADMIN'])).toContain('products')
  expect(exampleQuery(['READ_ORDERS', 'WRITE_ORDERS'])).toContain('myOrders')
  expect(exampleQuery(['WRITE_ORDERS'])).toBe('{ __typename }')
  expect(scopesInWords('READ_ORDERS WRITE_ORDERS')).toBe('Read orders, write orders')
})
