import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { openShop } from '../testing/open-shop.tsx'
import { currentSession, signIn, signOut } from './session.ts'

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, createdAt: new Date(0).toISOString() }
const welcome = () => ({ user: ada, token: 'secret', userErrors: [] })
const refused = (code: string, message: string, field: string[] | null = null) => () => ({ user: null, token: null, userErrors: [{ code, message, field }] })
const notifications = () => screen.findByRole('region', { name: 'Notifications' })

afterEach(() => {
  signOut()
  localStorage.clear()
})

it('signs in, remembers it and goes where the shopper was going', async () => {
  const login = vi.fn(welcome)
  const { user, address } = openShop('/login?redirect=shipping', { mutations: { login } })
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'knit-purl')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'Shipping' })).toBeInTheDocument()
  expect(address()).toBe('/shipping')
  expect(login).toHaveBeenCalledWith({ email: 'ada@example.com', password: 'knit-purl' })
  expect(JSON.parse(localStorage.getItem('userInfo')!)).toEqual({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 'secret' })
})

it('says when email and password do not match, and keeps what was typed', async () => {
  const { user } = openShop('/login', { mutations: { login: refused('WRONG_CREDENTIALS', 'Invalid email or password.') } })
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(async () => expect(await notifications()).toHaveTextContent('Invalid email or password.'))
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
  expect(screen.getByLabelText('Password')).toHaveFocus()
  expect(currentSession()).toBeNull()
})

it('does not register with two different passwords', async () => {
  const register = vi.fn(welcome)
  const { user } = openShop('/register', { mutations: { register } })
  await user.type(await screen.findByLabelText('Name'), 'Ada')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'knit-purl')
  await user.type(screen.getByLabelText('Confirm password'), 'knit-pearl')
  await user.click(screen.getByRole('button', { name: 'Register' }))
  await waitFor(async () => expect(await notifications()).toHaveTextContent('Passwords don’t quite match. Purl-lease try again.'))
  expect(screen.getByLabelText('Confirm password')).toHaveFocus()
  expect(register).not.toHaveBeenCalled()
})

it('shows a refusal of the server beside its field', async () => {
  const { user } = openShop('/register', { mutations: { register: refused('EMAIL_TAKEN', 'Taken.', ['email']) } })
  await user.type(await screen.findByLabelText('Name'), 'Ada')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'knit-purl')
  await user.type(screen.getByLabelText('Confirm password'), 'knit-purl')
  await user.click(screen.getByRole('button', { name: 'Register' }))
  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Taken.'))
  expect(screen.getByLabelText('Email')).toHaveFocus()
})

it('keeps the way back between signing in and registering', async () => {
  const { user, address } = openShop('/login?redirect=shipping')
  await user.click(await screen.findByRole('link', { name: 'Create an account' }))
  await screen.findByRole('heading', { name: 'Create an account' })
  expect(address()).toBe('/register?redirect=shipping')
  await user.click(screen.getByRole('link', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'Sign In' })
  expect(address()).toBe('/login?redirect=shipping')
})

it.each(['/shipping', '/place-order', '/order/1', '/profile', '/admin/orders'])('asks a visitor of %s to sign in', async path => {
  const { address } = openShop(path)
  await screen.findByRole('heading', { name: 'Sign In' })
  expect(address()).toBe(`/login?redirect=${encodeURIComponent(path)}`)
})

it('keeps shoppers out of the admin', async () => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  const products = () => ({ items: [], page: 1, pages: 1, total: 0 })
  const { address } = openShop('/admin/orders', { queries: { products } })
  await waitFor(() => expect(address()).toBe('/'))
  expect(await screen.findByText('Only administrators can open that page.')).toBeInTheDocument()
})

it('names an order page without an id', async () => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  openShop('/order')
  expect(await screen.findByText('Yarn it! Your order ID is missing.')).toBeInTheDocument()
})
