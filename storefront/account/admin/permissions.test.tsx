import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ApiScope } from '../../generated/types.ts'
import { openShop } from '../../testing/open-shop.tsx'
import { signIn, signOut } from '../session.ts'

const account = (permissions: ApiScope[]) => ({
  id: 'u2',
  name: 'Pat',
  email: 'pat@example.com',
  emailVerified: true,
  newEmail: null,
  isAdmin: permissions.length > 0,
  permissions,
  hasSecondFactor: false,
  createdAt: '2026-11-01T12:00:00Z',
})
const nothing = () => ({ items: [], page: 1, pages: 1, total: 0, totalIsExact: true })
const as = (...permissions: ApiScope[]) =>
  signIn({ _id: 'u1', name: 'Olive', email: 'olive@example.com', isAdmin: true, permissions, token: 't' })

afterEach(() => {
  signOut()
  localStorage.clear()
})

/** Opens the page of an account that may do so much, for somebody who may do everything. */
async function openAccount(...permissions: ApiScope[]) {
  as('ADMIN')
  let saved = account(permissions)
  const updateUser = vi.fn(({ input }: { input: { permissions?: ApiScope[] } }) => {
    saved = account(input.permissions ?? ['ADMIN'])
    return { user: saved, userErrors: [] }
  })
  const { user } = openShop('/admin/user/u2/edit', {
    queries: { user: () => saved, auditLog: nothing, node: () => null },
    mutations: { updateUser },
  })
  await screen.findByLabelText('Is Admin Role')
  const save = async () => {
    await user.click(screen.getByRole('button', { name: 'Update' }))
    await waitFor(() => expect(updateUser).toHaveBeenCalled())
    return updateUser.mock.lastCall?.[0].input
  }
  return { user, save, updateUser }
}

it('somebody who becomes an administrator may do everything, unless the owner chooses', async () => {
  const { user, save } = await openAccount()
  expect(screen.queryByRole('group', { name: 'What they may do' })).not.toBeInTheDocument()
  await user.click(screen.getByLabelText('Is Admin Role'))
  expect(screen.getByLabelText('Everything')).toBeChecked()
  expect(screen.getByLabelText('Take and give back money')).toBeChecked()
  expect(screen.getByLabelText('Take and give back money')).toBeDisabled()
  expect(await save()).toEqual({ name: 'Pat', email: 'pat@example.com', isAdmin: true, permissions: ['ADMIN'] })
})

it('a permission brings what it is of no use without', async () => {
  const { user, save } = await openAccount('ADMIN')
  await user.click(screen.getByLabelText('Everything'))
  await user.click(screen.getByLabelText('Pack and send orders'))
  await user.click(screen.getByLabelText('Change customers'))
  expect(screen.getByLabelText('See orders')).toBeChecked()
  expect(screen.getByLabelText('See orders')).toBeDisabled()
  expect((await save())?.permissions?.toSorted()).toEqual([
    'FULFIL_ORDERS',
    'READ_CUSTOMERS',
    'READ_ORDERS',
    'WRITE_CUSTOMERS',
  ])
  expect(await screen.findByText('Staff')).toBeInTheDocument()
})

it('what a program gave is shown, and kept', async () => {
  const { user, save } = await openAccount('WRITE_STOCK')
  expect(screen.getByLabelText('Change stock')).toBeChecked()
  await user.click(screen.getByLabelText('Write pages'))
  expect((await save())?.permissions?.toSorted()).toEqual(['WRITE_PAGES', 'WRITE_STOCK'])
  expect(screen.getByRole('link', { name: 'What Pat has changed' })).toHaveAttribute('href', '/admin/audit?actor=Pat')
})

it('another name leaves alone what somebody may do', async () => {
  const { user, save } = await openAccount('ADMIN')
  await user.type(screen.getByLabelText('Name'), 'ricia')
  expect(await save()).toEqual({ name: 'Patricia', email: 'pat@example.com', isAdmin: true })
})

it('says when nothing is chosen, and asks no more once the role is gone', async () => {
  const { user, save, updateUser } = await openAccount('READ_ORDERS')
  await user.click(screen.getByLabelText('See orders'))
  await user.click(screen.getByRole('button', { name: 'Update' }))
  expect(await screen.findByText('Choose at least one thing.')).toBeInTheDocument()
  expect(updateUser).not.toHaveBeenCalled()
  await user.click(screen.getByLabelText('Is Admin Role'))
  expect(await save()).toEqual({ name: 'Pat', email: 'pat@example.com', isAdmin: false })
})

it('the admin shows the rooms that are open, and begins with the first', async () => {
  as('MODERATE_REVIEWS', 'WRITE_PAGES')
  const { address } = openShop('/admin', { queries: { reviews: nothing } })
  await waitFor(() => expect(address()).toBe('/admin/reviews'))
  const rooms = await screen.findByRole('navigation', { name: 'Admin' })
  expect(
    within(rooms)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Reviews', 'Pages'])
})

it.each(['/admin/orders', '/admin/products/import', '/admin/user/u2/edit', '/admin/audit', '/admin/partners/exports'])(
  '%s is not for everyone',
  async path => {
    as('WRITE_PRODUCTS')
    const { user, address } = openShop(path, {
      queries: { adminProducts: nothing, productStats: () => null, categories: () => [] },
    })
    expect(await screen.findByRole('heading', { name: 'This page is not for your account' })).toBeInTheDocument()
    expect(address()).toBe(path)
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Products' }))
    expect(address()).toBe('/admin/products')
  },
)

it('the list of users says why an account stays', async () => {
  as('READ_CUSTOMERS')
  openShop('/admin/users', {
    queries: {
      users: () => ({ ...nothing(), items: [account(['READ_ORDERS'])], total: 1 }),
      userStats: () => ({ totalUsers: 1, adminUsers: 1, nonAdminUsers: 0 }),
    },
  })
  expect(await screen.findByText('Staff')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: /^Delete Pat/ })).toHaveAccessibleDescription(
    'Your account may see others, not change them.',
  )
})

it('somebody is invited with a name, an address and what they may do', async () => {
  as('ADMIN')
  const answers = [
    {
      user: null,
      userErrors: [{ code: 'EMAIL_TAKEN', message: 'An account with this email already exists.', field: ['email'] }],
    },
    { user: account(['READ_ORDERS', 'FULFIL_ORDERS']), userErrors: [] },
  ]
  const inviteUser = vi.fn(() => answers.shift())
  const { user } = openShop('/admin/users', {
    queries: { users: nothing, userStats: () => ({ totalUsers: 1, adminUsers: 1, nonAdminUsers: 0 }) },
    mutations: { inviteUser },
  })
  await user.click(await screen.findByRole('button', { name: 'Invite' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  const send = () => user.click(dialog.getByRole('button', { name: 'Send the invitation' }))
  await send()
  expect(await dialog.findByText('Choose at least one thing.')).toBeInTheDocument()
  expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Name is required.')
  await user.type(dialog.getByLabelText('Name'), 'Pat')
  await user.type(dialog.getByLabelText('Email'), 'nell@example.com')
  await user.click(dialog.getByLabelText('Pack and send orders'))
  await send()
  expect(await dialog.findByText('An account with this email already exists.')).toBeInTheDocument()
  await user.clear(dialog.getByLabelText('Email'))
  await user.type(dialog.getByLabelText('Email'), 'pat@example.com')
  await send()
  expect(await screen.findByText('Pat is invited.')).toBeInTheDocument()
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  expect(inviteUser).toHaveBeenLastCalledWith({
    input: { name: 'Pat', email: 'pat@example.com', permissions: ['READ_ORDERS', 'FULFIL_ORDERS'] },
  })
})

it('only who may do everything invites', async () => {
  as('WRITE_CUSTOMERS')
  openShop('/admin/users', {
    queries: { users: nothing, userStats: () => ({ totalUsers: 1, adminUsers: 1, nonAdminUsers: 0 }) },
  })
  expect(await screen.findByText('No users found.')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Invite' })).not.toBeInTheDocument()
})
