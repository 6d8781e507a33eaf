import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openShop } from '../testing/open-shop.tsx'
import { currentSession, signIn, signOut } from './session.ts'

const olive = {
  id: 'u1',
  name: 'Olive',
  email: 'olive@example.com',
  isAdmin: true,
  permissions: ['ADMIN'],
  hasSecondFactor: true,
  createdAt: new Date(0).toISOString(),
}
const CODES = Array.from({ length: 10 }, (_, place) => `AAAA-BBBB-CCCC-DDD${'ABCDEFGHIJ'[place]}`)

afterEach(() => {
  signOut()
  localStorage.clear()
})

describe('signing in with a second factor', () => {
  const refused = (code: string, message: string) => ({
    user: null,
    token: null,
    userErrors: [{ code, message, field: ['code'] }],
  })
  const login = vi.fn(({ code }: { code?: string }) => {
    if (!code) return refused('SECOND_FACTOR_REQUIRED', 'A code, please.')
    return ['123456', CODES[0]].includes(code)
      ? { user: olive, token: 'secret', userErrors: [] }
      : refused('SECOND_FACTOR_WRONG', 'This code is not right.')
  })
  const typePassword = async ({ user }: ReturnType<typeof openShop>) => {
    await user.type(await screen.findByLabelText('Email'), 'olive@example.com')
    await user.type(screen.getByLabelText('Password'), 'knit-purl')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
  }

  it('asks for the code after the password, says when it is wrong, and then goes on', async () => {
    const shop = openShop('/login', { mutations: { login } })
    await typePassword(shop)
    const code = await screen.findByLabelText('Code')
    expect(code).toHaveFocus()
    expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await shop.user.type(code, '000000{Enter}')
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(/This code is not right\./))
    expect(currentSession()).toBeNull()
    await shop.user.clear(code)
    await shop.user.type(code, '123456{Enter}')
    await waitFor(() => expect(currentSession()?.token).toBe('secret'))
    expect(login).toHaveBeenLastCalledWith({ email: 'olive@example.com', password: 'knit-purl', code: '123456' })
  })

  it('takes a recovery code, and lets people go back to what they typed', async () => {
    const shop = openShop('/login', { mutations: { login } })
    await typePassword(shop)
    await shop.user.click(await screen.findByRole('button', { name: 'Back to the password' }))
    expect(await screen.findByLabelText('Email')).toHaveValue('olive@example.com')
    await shop.user.click(screen.getByRole('button', { name: 'Sign In' }))
    await shop.user.click(await screen.findByRole('button', { name: /use a recovery code/ }))
    expect(screen.getByLabelText('Recovery code')).toHaveFocus()
    await shop.user.type(screen.getByLabelText('Recovery code'), `${CODES[0]}{Enter}`)
    await waitFor(() => expect(currentSession()?.token).toBe('secret'))
  })
})

describe('the profile', () => {
  const done = { userErrors: [] }

  it('offers an administrator to set it up: password, QR code and key, code, recovery codes', async () => {
    signIn({ _id: 'u1', name: 'Olive', email: 'olive@example.com', isAdmin: true, token: 't' })
    let hasSecondFactor = false
    const shop = openShop('/profile', {
      queries: { viewer: () => ({ ...olive, hasSecondFactor }), myOrders: () => [] },
      mutations: {
        beginSecondFactor: ({ password }: { password: string }) =>
          password === 'knit-purl'
            ? {
                secret: 'JBSWY3DPEHPK3PXP',
                uri: 'otpauth://totp/Skein:olive%40example.com?secret=JBSWY3DPEHPK3PXP',
                ...done,
              }
            : {
                userErrors: [{ code: 'WRONG_CREDENTIALS', message: 'This is not your password.', field: ['password'] }],
              },
        confirmSecondFactor: () => {
          hasSecondFactor = true
          return { recoveryCodes: CODES, ...done }
        },
      },
    })
    await shop.user.click(await screen.findByRole('button', { name: 'Set up' }))
    await shop.user.type(screen.getByLabelText('Your password'), 'wrong{Enter}')
    await waitFor(() =>
      expect(screen.getByLabelText('Your password')).toHaveAccessibleDescription('This is not your password.'),
    )
    await shop.user.clear(screen.getByLabelText('Your password'))
    await shop.user.type(screen.getByLabelText('Your password'), 'knit-purl{Enter}')
    expect(await screen.findByRole('img', { name: 'QR code for an authenticator app' })).toBeInTheDocument()
    expect(screen.getByText('JBSWY3DPEHPK3PXP')).toBeInTheDocument()
    await shop.user.type(screen.getByLabelText('Code'), '123456{Enter}')
    expect(await screen.findByText(/AAAA-BBBB-CCCC-DDDA/)).toBeInTheDocument()
    await shop.user.click(screen.getByRole('button', { name: 'I have kept them' }))
    expect(await screen.findByRole('button', { name: 'Turn off' })).toBeInTheDocument()
    expect(screen.queryByText(/AAAA-BBBB-CCCC-DDDA/)).not.toBeInTheDocument()
  })

  it('says why an administrator was led there, and leads back once it is set up', async () => {
    signIn({ _id: 'u1', name: 'Olive', email: 'olive@example.com', isAdmin: true, token: 't' })
    let hasSecondFactor = false
    const shop = openShop('/profile?redirect=%2Fcart', {
      queries: { viewer: () => ({ ...olive, hasSecondFactor }), myOrders: () => [] },
      mutations: {
        beginSecondFactor: () => ({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Skein', ...done }),
        confirmSecondFactor: () => {
          hasSecondFactor = true
          return { recoveryCodes: CODES, ...done }
        },
      },
    })
    expect(await screen.findByText(/This shop asks its administrators for a second factor\./)).toBeInTheDocument()
    expect(screen.getByRole('region', { name: 'Second factor' })).toHaveFocus()
    await shop.user.click(screen.getByRole('button', { name: 'Set up' }))
    await shop.user.type(screen.getByLabelText('Your password'), 'knit-purl{Enter}')
    await shop.user.type(await screen.findByLabelText('Code'), '123456{Enter}')
    await shop.user.click(await screen.findByRole('button', { name: 'I have kept them' }))
    await waitFor(() => expect(shop.address()).toBe('/cart'))
  })

  it('turns it off with password and code', async () => {
    signIn({ _id: 'u1', name: 'Olive', email: 'olive@example.com', isAdmin: true, token: 't' })
    let hasSecondFactor = true
    const disableSecondFactor = vi.fn(() => {
      hasSecondFactor = false
      return done
    })
    const shop = openShop('/profile', {
      queries: { viewer: () => ({ ...olive, hasSecondFactor }), myOrders: () => [] },
      mutations: { disableSecondFactor },
    })
    await shop.user.click(await screen.findByRole('button', { name: 'Turn off' }))
    await shop.user.type(screen.getByLabelText('Your password'), 'knit-purl')
    await shop.user.type(screen.getByLabelText('Code'), '123456')
    await shop.user.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeInTheDocument()
    expect(disableSecondFactor).toHaveBeenCalledWith({ password: 'knit-purl', code: '123456' })
  })

  it('offers it to nobody else', async () => {
    signIn({ _id: 'u2', name: 'Sam', email: 'sam@example.com', isAdmin: false, token: 't' })
    openShop('/profile', { queries: { myOrders: () => [] } })
    await screen.findByText('No orders found.')
    expect(screen.queryByText('Second factor')).not.toBeInTheDocument()
  })
})
