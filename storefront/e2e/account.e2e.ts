import type { Page } from '@playwright/test'
import {
  ADMIN,
  alive,
  arrived,
  BROKEN_REQUEST,
  expect,
  fillCart,
  freshEmail,
  open,
  openWhole,
  PASSWORD,
  signIn,
  stored,
  test,
  toasts,
} from './fixtures.ts'
import { present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

const MISMATCH = 'Passwords don’t quite match. Purl-lease try again.'

test.describe('signing in', () => {
  test('keeps who one is under userInfo, and goes home', async ({ page, api }) => {
    const shopper = await api.register('Sal Selvedge')
    await open(page, '/')
    await page.getByRole('link', { name: 'Sign In' }).click()
    // The home page has an email field too.
    await expect(heading(page)).toHaveText('Sign In')
    await page.getByLabel('Email').fill(shopper.email.toUpperCase())
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Sal Selvedge' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Admin' })).toHaveCount(0)
    expect(await stored(page, 'userInfo')).toEqual({
      _id: shopper.id,
      name: 'Sal Selvedge',
      email: shopper.email,
      isAdmin: false,
      token: expect.any(String),
    })
  })

  test('with a wrong password says so and keeps what was typed', async ({ page, api }) => {
    const { email } = await api.register()
    await open(page, '/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('knit one, drop two')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText('Invalid email or password.')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Password')).toBeFocused()
    await expect(page).toHaveURL('/login')
    expect(await stored(page, 'userInfo')).toBeNull()
  })

  test('sends one nowhere but to pages of the shop', async ({ page, shopper }) => {
    for (const [redirect, target] of [
      ['profile', '/profile'],
      ['/search/merino?x=1#top', '/search/merino?x=1#top'],
      ['', '/'],
      ['/login', '/'],
      ['//evil.example/a', '/'],
      ['https://evil.example/', '/'],
      ['/\\evil.example', '/'],
      ['\\\\evil.example', '/'],
      ['/..//evil.example', '/'],
      ['javascript:alert(1)', '/'],
      [' https://evil.example', '/'],
    ] as const) {
      await page.goto(`/login?redirect=${encodeURIComponent(redirect)}`)
      await expect(page, redirect).toHaveURL(target)
      await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
    }
  })

  test('is over for those who are: they leave /login and /register', async ({ page, shopper }) => {
    for (const path of ['/login', '/register']) {
      await open(page, path)
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
    }
  })
})

test.describe('a forgotten password', () => {
  test('is replaced through a link in a mail', async ({ page, context, api }) => {
    const { email, token } = await api.register('Fern Frogged')
    const chosen = 'cable and moss stitch'
    const printed: string[] = []
    context.on('request', request => printed.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))

    await open(page, '/login?redirect=profile')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page).toHaveURL('/forgot-password?redirect=profile')
    await expect(heading(page)).toHaveText('Forgot your password?')
    await page.getByLabel('Email').fill(email.toUpperCase())
    await page.getByLabel('Email').press('Enter')
    await expect(heading(page)).toHaveText('Look into your mailbox')

    await page.getByRole('link', { name: 'Open the mailbox' }).click()
    await expect(page).toHaveURL('/dev/mailbox')
    const link = page
      .getByRole('article')
      .filter({ hasText: email })
      .getByRole('link', { name: /reset-password/ })
    await arrived(page, link)
    const address = present(await link.getAttribute('href'))
    const secret = new URL(address).hash.slice(1)
    expect(secret).toMatch(/^[\w-]{43}$/)

    await page.goto(address)
    await alive(page)
    await expect(page).toHaveURL('/reset-password')
    expect(
      await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }])),
    ).not.toContain(secret)
    await page.getByLabel('New password').fill('password1')
    await page.getByLabel('Confirm password').fill('password1')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/one of the most common ones/)
    await page.getByLabel('New password').fill(chosen)
    await page.getByLabel('Confirm password').fill(chosen)
    await page.getByLabel('Confirm password').press('Enter')
    await expect(toasts(page).getByText('Your password is changed.')).toBeVisible()
    await expect(page).toHaveURL('/login?redirect=profile')
    // The earlier session has ended.
    expect((await api.send('{ viewer { id } }', {}, { token })).errors).toMatchObject([
      { extensions: { reason: 'INVALID_TOKEN' } },
    ])

    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(toasts(page).getByText('Invalid email or password.')).toBeVisible()
    await page.getByLabel('Password').fill(chosen)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('button', { name: 'Fern Frogged' })).toBeVisible()
    expect(printed.filter(line => line.includes(secret))).toEqual([])

    // The link does not work a second time.
    await open(page, address)
    await page.getByLabel('New password').fill('yet another password')
    await page.getByLabel('Confirm password').fill('yet another password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(heading(page)).toHaveText('This link has come undone')
    await page.getByRole('link', { name: 'Send me a new link' }).click()
    await expect(page).toHaveURL('/forgot-password')
  })
})

test.describe('registering', () => {
  test('tells what is wrong beside each field and goes to the first', async ({ page, api }) => {
    await open(page, '/register')
    const [name, email, password, confirm] = [
      page.getByLabel('Name'),
      page.getByLabel('Email'),
      page.getByLabel('Password', { exact: true }),
      page.getByLabel('Confirm password'),
    ]
    const submit = page.getByRole('button', { name: 'Register' })
    await submit.click()
    await expect(name).toBeFocused()
    await expect(name).toHaveAccessibleDescription('Name is required.')
    await expect(email).toHaveAccessibleDescription('Email is required.')
    await expect(password).toHaveAccessibleDescription(/Password is required\./)

    await name.fill('Nell')
    await email.fill('nell@nowhere')
    await password.fill('short')
    await confirm.fill('shirt')
    await submit.click()
    await expect(email).toHaveAccessibleDescription('Please enter a valid email address.')
    await expect(email).toBeFocused()

    await email.fill(ADMIN.email)
    await submit.click()
    await expect(toasts(page).getByRole('alert')).toHaveText(MISMATCH)
    await expect(confirm).toBeFocused()

    await confirm.fill('short')
    await submit.click()
    await expect(password).toHaveAccessibleDescription(/Password needs at least 8 characters\./)
    await expect(password).toBeFocused()

    await password.fill(PASSWORD)
    await confirm.fill(PASSWORD)
    await submit.click()
    // Nobody learns that this email has an account: its owner is told by mail.
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Nell' })).toBeVisible()
    expect(await api.login(ADMIN)).toMatchObject({ isAdmin: true })
  })

  test('sends a link that confirms the email, where one is signed in', async ({ page, api }) => {
    const shopper = await api.register('Cora Confirm')
    const address = await linkTo(page, shopper.email)
    await page.goto(address)
    await alive(page)
    await expect(page).toHaveURL('/verify-email')
    await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
    await page.getByLabel('Email').fill(shopper.email)
    await page.getByLabel('Password').fill(shopper.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('button', { name: 'Confirm my email' }).click()
    await expect(toasts(page).getByText('Your email is confirmed.')).toBeVisible()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByText('Please confirm')).toHaveCount(0)

    await page.goto(address)
    await page.getByRole('button', { name: 'Confirm my email' }).click()
    await expect(heading(page)).toHaveText('This link has come undone')
  })

  test('and signing in lead to each other and keep where one wanted to go', async ({ page }) => {
    await open(page, '/login?redirect=profile')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/register?redirect=profile')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/login?redirect=profile')
  })
})

test.describe('guarded pages', () => {
  test('ask visitors to sign in', async ({ page }) => {
    for (const path of [
      '/shipping',
      '/place-order',
      '/order',
      '/order/0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c',
      '/profile',
      '/admin/orders',
      '/admin/products',
      '/admin/products/page/2',
      '/admin/product/1/edit',
      '/admin/users',
      '/admin/user/1/edit',
    ]) {
      await page.goto(path)
      await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(path)}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In')
    }
  })

  test('of the admin are not for shoppers', async ({ page, shopper }) => {
    for (const path of [
      '/admin',
      '/admin/orders',
      '/admin/products',
      '/admin/product/1/edit',
      '/admin/users',
      '/admin/user/1/edit',
    ]) {
      await page.goto(path)
      // These pages lead to /login, which sends signed-in users on.
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
    }
  })

  test('of the admin are in a menu that only admins have', async ({ page, api }) => {
    await signIn(page, await api.login(ADMIN))
    await open(page, '/cart')
    await page.getByRole('button', { name: 'Admin', exact: true }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Users', 'Products', 'Orders'])
    await page.getByRole('menuitem', { name: 'Orders' }).click()
    await expect(page).toHaveURL('/admin/orders')
  })
})

test.describe('the profile', () => {
  test('is changed', async ({ page, shopper }) => {
    await open(page, '/profile')
    await expect(page.getByText('No orders found.')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue(shopper.name)
    await expect(page.getByLabel('Email')).toHaveValue(shopper.email)
    await page.getByLabel('Name').fill('Nell Bindoff')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(toasts(page).getByText('Profile updated successfully.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Nell Bindoff' })).toBeVisible()
    expect(await stored(page, 'userInfo')).toMatchObject({ name: 'Nell Bindoff', token: shopper.token })
  })

  test('is not changed when the passwords differ', async ({ page, shopper, api }) => {
    await open(page, '/profile')
    await page.getByLabel('New password').fill('purl three together')
    await page.getByLabel('Confirm password').fill('purl tree together')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText(MISMATCH)
    await expect(page.getByLabel('New password')).toHaveValue('purl three together')
    expect((await api.login(shopper)).id).toBe(shopper.id)
  })

  test('takes a new password, which ends the other sessions and goes on with this one', async ({
    page,
    shopper,
    api,
  }) => {
    const elsewhere = await api.login(shopper)
    await open(page, '/profile')
    await page.getByLabel('New password').fill('purl three together')
    await page.getByLabel('Confirm password').fill('purl three together')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(toasts(page).getByText('Profile updated successfully.')).toBeVisible()
    await expect(page.getByLabel('New password')).toHaveValue('')
    expect((await api.send('{ viewer { id } }', {}, elsewhere)).errors).toMatchObject([
      { extensions: { reason: 'INVALID_TOKEN' } },
    ])
    await page.reload()
    await expect(page.getByText('No orders found.')).toBeVisible()
    await api.login({ email: shopper.email, password: 'purl three together' })
  })

  test('takes another email once it is confirmed there, and only from who knows the password', async ({
    page,
    shopper,
  }) => {
    const next = freshEmail()
    await open(page, '/profile')
    await expect(page.getByText(`Please confirm ${shopper.email}`)).toBeVisible()
    await expect(page.getByLabel('Current password')).toHaveCount(0)
    await page.getByLabel('Email').fill(next)
    await page.getByLabel('Current password').fill('not this one')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(/This is not your current password\./)
    await expect(page.getByLabel('Current password')).toBeFocused()
    await page.getByLabel('Current password').fill(shopper.password)
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText(`Waiting for confirmation at ${next}`)).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(shopper.email)
    await page.goto(await linkTo(page, next))
    await page.getByRole('button', { name: 'Confirm my email' }).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByLabel('Email')).toHaveValue(next)
    expect(await stored(page, 'userInfo')).toMatchObject({ email: next })
  })

  test('calls another email off', async ({ page, shopper }) => {
    await open(page, '/profile')
    await page.getByLabel('Email').fill(freshEmail())
    await page.getByLabel('Current password').fill(shopper.password)
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByRole('button', { name: `Keep ${shopper.email}` }).click()
    await expect(page.getByText('Waiting for confirmation')).toHaveCount(0)
    await page.getByRole('button', { name: 'Send it again' }).click()
    await expect(toasts(page).getByText('The link is on its way.')).toBeVisible()
  })
})

/** The link in the newest mail that asks an address to be confirmed. */
async function linkTo(page: Page, email: string): Promise<string> {
  const links = page
    .getByRole('article')
    .filter({ hasText: email })
    .filter({ hasText: 'Confirm your email' })
    .getByRole('link', { name: /verify-email/ })
  await arrived(page, links.first())
  return present(await links.first().getAttribute('href'))
}

test.describe('logging out', () => {
  test('ends the session, wipes the storage and goes to /login', async ({ page, api, shopper }) => {
    await fillCart(page, [{ product: await api.find('Horn Buttons, Card of Eight'), quantity: 1 }])
    await open(page, '/')
    await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible()
    await page.getByRole('button', { name: shopper.name }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/login')
    await alive(page)
    await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible()
    expect(await page.evaluate(() => [localStorage.getItem('userInfo'), localStorage.getItem('cart')])).toEqual([
      null,
      null,
    ])
    expect((await api.send('{ viewer { id } }', {}, shopper)).errors).toMatchObject([
      { extensions: { reason: 'INVALID_TOKEN' } },
    ])
  })

  test('works although the server cannot be reached', async ({ page, shopper, quiet }) => {
    quiet.expects(BROKEN_REQUEST, /Logging out failed/)
    await open(page, '/cart')
    await page.route('**/graphql', route => route.abort('connectionrefused'))
    await page.getByRole('button', { name: shopper.name }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/login')
    await alive(page)
    await expect(toasts(page).getByRole('alert')).toHaveCount(0)
    expect(await stored(page, 'userInfo')).toBeNull()
  })
})

test('other tabs follow: signing in, the cart, logging out', async ({ page, context, api }) => {
  const shopper = await api.register('Tabby Twist')
  const product = await api.find('Gilt Stork Scissors')
  const other = await context.newPage()
  await open(page, '/login')
  await open(other, '/top-rated')
  await page.getByLabel('Email').fill(shopper.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await expect(other.getByRole('button', { name: 'Tabby Twist' })).toBeVisible()

  await open(page, `/product/${product.id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(other.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible()

  await page.getByRole('button', { name: 'Tabby Twist' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible()
})

test('a session that was ended elsewhere asks to sign in again, and comes back', async ({
  page,
  api,
  shopper,
  quiet,
}) => {
  quiet.expects(/status of 401/)
  await openWhole(page, '/cart', 'StashPlaces')
  await api.ask('mutation { logout }', {}, shopper)
  await page.getByRole('button', { name: shopper.name }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(toasts(page).getByText('Your session has expired. Please sign in again.')).toBeVisible()
  await expect(page).toHaveURL('/login?redirect=%2Fprofile')
  expect(await stored(page, 'userInfo')).toBeNull()
  await page.getByLabel('Email').fill(shopper.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByText('No orders found.')).toBeVisible()
})

test('a session that was ended elsewhere leaves public pages as they are', async ({ page, api, shopper, quiet }) => {
  quiet.expects(/status of 401/)
  await openWhole(page, '/cart', 'StashPlaces')
  await api.ask('mutation { logout }', {}, shopper)
  await page.getByRole('link', { name: 'Skein' }).first().click()
  await expect(toasts(page).getByText('Your session has expired. Please sign in again.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
})
