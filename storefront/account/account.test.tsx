import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cart } from '../cart/cart.ts'
import { openShop } from '../testing/open-shop.tsx'
import { resetRedirect } from './reset-redirect.ts'
import { currentSession, signIn, signOut } from './session.ts'
import { present } from '#schema/rules/present'

const ada = {
  id: 'u1',
  name: 'Ada',
  email: 'ada@example.com',
  isAdmin: false,
  permissions: [],
  createdAt: new Date(0).toISOString(),
}
const welcome = () => ({ user: ada, token: 'secret', userErrors: [] })
const refused =
  (code: string, message: string, field: string[] | null = null) =>
  () => ({ user: null, token: null, userErrors: [{ code, message, field }] })
const notifications = () => screen.findByRole('region', { name: 'Notifications' })

afterEach(() => {
  signOut()
  cart.reset()
  localStorage.clear()
})

it('signs in, remembers it and goes where the shopper was going', async () => {
  cart.add({ id: 'p1', name: 'Merino', image: '', price: 1000, countInStock: 5 }, 1)
  const login = vi.fn(welcome)
  const { user, address } = openShop('/login?redirect=shipping', { mutations: { login } })
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'knit-purl')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'Shipping' })).toBeInTheDocument()
  expect(address()).toBe('/shipping')
  expect(login).toHaveBeenCalledWith({ email: 'ada@example.com', password: 'knit-purl' })
  expect(JSON.parse(present(localStorage.getItem('userInfo')))).toEqual({
    _id: 'u1',
    name: 'Ada',
    email: 'ada@example.com',
    isAdmin: false,
    token: 'secret',
  })
})

it('says when email and password do not match, and keeps what was typed', async () => {
  const { user } = openShop('/login', {
    mutations: { login: refused('WRONG_CREDENTIALS', 'Invalid email or password.') },
  })
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(async () => expect(await notifications()).toHaveTextContent('Invalid email or password.'))
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
  expect(screen.getByLabelText('Password')).toHaveFocus()
  expect(currentSession()).toBeNull()
})

describe('a forgotten password', () => {
  const asked = (mailbox: string | null = null) => vi.fn(() => ({ mailbox, userErrors: [] }))
  const ask = async ({ user }: ReturnType<typeof openShop>, email = 'ada@example.com') => {
    await user.type(await screen.findByLabelText('Email'), email)
    await user.click(screen.getByRole('button', { name: 'Send me a link' }))
  }

  it('is asked a link for, on the way from signing in', async () => {
    const requestPasswordReset = asked()
    const shop = openShop('/login?redirect=shipping', { mutations: { requestPasswordReset } })
    await shop.user.click(await screen.findByRole('link', { name: 'Forgot your password?' }))
    await screen.findByRole('heading', { name: 'Forgot your password?' })
    await ask(shop)
    expect(await screen.findByRole('heading', { name: 'Look into your mailbox' })).toBeInTheDocument()
    expect(screen.getByRole('main')).toHaveFocus()
    expect(screen.getByText('ada@example.com')).toBeInTheDocument()
    expect(requestPasswordReset).toHaveBeenCalledWith({ email: 'ada@example.com' })
    expect(screen.queryByRole('link', { name: 'Open the mailbox' })).not.toBeInTheDocument()
    await shop.user.click(screen.getByRole('button', { name: 'ask again' }))
    expect(await screen.findByLabelText('Email')).toHaveValue('ada@example.com')
    await shop.user.click(screen.getByRole('link', { name: 'Back to signing in' }))
    await screen.findByRole('heading', { name: 'Sign In' })
    expect(shop.address()).toBe('/login?redirect=shipping')
  })

  it('leads to the mailbox where mails are shown', async () => {
    const shop = openShop('/forgot-password', { mutations: { requestPasswordReset: asked('/dev/mailbox') } })
    await ask(shop)
    expect(await screen.findByRole('link', { name: 'Open the mailbox' })).toHaveAttribute('href', '/dev/mailbox')
  })

  it('is not asked a link for with half an email, and says when the shop refuses', async () => {
    const requestPasswordReset = asked()
    const shop = openShop('/forgot-password', {
      mutations: {
        requestPasswordReset: () => {
          throw new Error('Too many tries. Please wait 12 minutes.')
        },
      },
    })
    await ask(shop, 'ada')
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address.')
    expect(requestPasswordReset).not.toHaveBeenCalled()
    await shop.user.type(screen.getByLabelText('Email'), '@example.com')
    await shop.user.click(screen.getByRole('button', { name: 'Send me a link' }))
    await waitFor(async () =>
      expect(await notifications()).toHaveTextContent('Too many tries. Please wait 12 minutes.'),
    )
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
  })
})

describe('a new password', () => {
  const choose = async ({ user }: ReturnType<typeof openShop>, password = 'cable and moss', confirm = password) => {
    await user.type(await screen.findByLabelText('New password'), password)
    await user.type(screen.getByLabelText('Confirm password'), confirm)
    await user.click(screen.getByRole('button', { name: 'Change my password' }))
  }

  it('is chosen by the token behind the #, which does not stay in the address; then one signs in and goes on', async () => {
    signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
    resetRedirect.set('shipping')
    const resetPassword = vi.fn(() => ({ userErrors: [] }))
    const shop = openShop('/reset-password#s3cret', { mutations: { resetPassword } })
    await screen.findByLabelText('New password')
    expect(shop.hash()).toBe('')
    await choose(shop)
    await screen.findByRole('heading', { name: 'Sign In' })
    expect(resetPassword).toHaveBeenCalledWith({ token: 's3cret', password: 'cable and moss' })
    expect(shop.address()).toBe('/login?redirect=shipping')
    expect(currentSession()).toBeNull()
    expect(resetRedirect.get()).toBe('')
    await waitFor(async () => expect(await notifications()).toHaveTextContent('Your password is changed.'))
  })

  it('has to be typed the same twice, and to please the shop', async () => {
    const resetPassword = vi.fn(() => ({
      userErrors: [{ code: 'INVALID', message: 'Too common.', field: ['password'] }],
    }))
    const shop = openShop('/reset-password#s3cret', { mutations: { resetPassword } })
    await choose(shop, 'password1', 'password2')
    expect(screen.getByLabelText('Confirm password')).toHaveFocus()
    expect(resetPassword).not.toHaveBeenCalled()
    await shop.user.clear(screen.getByLabelText('Confirm password'))
    await shop.user.type(screen.getByLabelText('Confirm password'), 'password1{Enter}')
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/Too common\./))
    expect(screen.getByLabelText('New password')).toHaveFocus()
  })

  it('cannot be chosen by a link that is spent: a new one is offered', async () => {
    const shop = openShop('/reset-password#s3cret', {
      mutations: {
        resetPassword: () => ({ userErrors: [{ code: 'RESET_LINK_SPENT', message: 'Spent.', field: null }] }),
      },
    })
    await choose(shop)
    expect(await screen.findByRole('heading', { name: 'This link has come undone' })).toBeInTheDocument()
    expect(screen.getByRole('main')).toHaveFocus()
    await shop.user.click(screen.getByRole('link', { name: 'Send me a new link' }))
    expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeInTheDocument()
  })

  it('cannot be chosen without a token', async () => {
    openShop('/reset-password')
    expect(await screen.findByRole('heading', { name: 'This link has come undone' })).toBeInTheDocument()
  })
})

it('does not register with two different passwords', async () => {
  const register = vi.fn(welcome)
  const { user } = openShop('/register', { mutations: { register } })
  await user.type(await screen.findByLabelText('Name'), 'Ada')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'knit-purl')
  await user.type(screen.getByLabelText('Confirm password'), 'knit-pearl')
  await user.click(screen.getByRole('button', { name: 'Register' }))
  await waitFor(async () =>
    expect(await notifications()).toHaveTextContent('Passwords don’t quite match. Purl-lease try again.'),
  )
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

it.each(['/shipping', '/place-order', '/order/1', '/profile', '/admin/orders'])(
  'asks a visitor of %s to sign in',
  async path => {
    const { address } = openShop(path)
    await screen.findByRole('heading', { name: 'Sign In' })
    expect(address()).toBe(`/login?redirect=${encodeURIComponent(path)}`)
  },
)

it('keeps shoppers out of the admin', async () => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  const products = () => ({ items: [], page: 1, pages: 1, total: 0, totalIsExact: true })
  const { address } = openShop('/admin/orders', { queries: { products } })
  await waitFor(() => expect(address()).toBe('/'))
  expect(await screen.findByText('Only administrators can open that page.')).toBeInTheDocument()
})

it('names an order page without an id', async () => {
  signIn({ _id: 'u1', name: 'Ada', email: 'ada@example.com', isAdmin: false, token: 't' })
  openShop('/order')
  expect(await screen.findByText('Yarn it! Your order ID is missing.')).toBeInTheDocument()
})
