import type { Locator, Page } from '@playwright/test'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, arrived, expect, fillCart, open, promoted, signIn, test, toasts } from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const tag = '@phone'

// Nothing moves, so that no colour is measured half faded.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe('axe finds nothing on', () => {
  const publicPages: [name: string, path: string, ready: (page: Page) => Locator][] = [
    ['the home page', '/', page => page.getByRole('region', { name: 'From the shop' })],
    ['a list page', '/page/2', page => page.getByRole('article').first()],
    ['search results', '/search/merino', heading],
    [
      'a search without results',
      '/search/zeppelin',
      page => page.getByRole('region', { name: 'Customers Also Viewed' }),
    ],
    ['the top-rated picks', '/top-rated', heading],
    ['the collections', '/collections', heading],
    ['an empty cart', '/cart', page => page.getByText('Your cart is empty.')],
    ['the sign-in page', '/login?redirect=shipping', heading],
    ['the register page', '/register', heading],
    ['the page for a forgotten password', '/forgot-password', heading],
    ['the page for a new password', '/reset-password#token', page => page.getByLabel('New password')],
    ['a link that has come undone', '/reset-password', heading],
    ['the way in for guests', '/login?redirect=shipping&guest=', heading],
    ['an unconfirmed email', '/verify-email#token', heading],
    ['a page about the shop', '/privacy', heading],
    ['the page to write to the shop', '/contact', heading],
    ['a stash on this device', '/stash', heading],
    ['a newsletter to be confirmed', '/newsletter/confirm#token', heading],
    ['a newsletter to be left', '/newsletter/unsubscribe#token', heading],
    ['a bell to be confirmed', '/bell/confirm#token', heading],
    ['a bell to be stopped', '/bell/stop#token', heading],
  ]
  for (const [name, path, ready] of publicPages) {
    test(name, { tag }, async ({ page }) => {
      await open(page, path)
      await expect(ready(page)).toBeVisible()
      await expectNoBarriers(page)
      await expectNoSidewaysScroll(page)
    })
  }

  test('the mailbox', { tag }, async ({ page, api }) => {
    const { email } = await api.register()
    await api.ask('mutation($email: String!) { requestPasswordReset(email: $email) { userErrors { message } } }', {
      email,
    })
    await arrived(page, page.getByRole('article', { name: 'Choose a new password' }).filter({ hasText: email }))
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
  })

  test('a page that is not there', { tag }, async ({ page, quiet }) => {
    quiet.expects(/status of 404/)
    await open(page, '/nowhere')
    await expectNoBarriers(page)
  })

  test('a product, for a visitor and for a shopper writing a review', { tag }, async ({ page, api, shopper }) => {
    const { id, name } = await api.find('Lullwater Bamboo 4-Ply in Kingfisher')
    await open(page, `/product/${id}`)
    await expect(heading(page)).toHaveText(name)
    await page.getByRole('button', { name: 'Write a customer review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByText('Please tell us a little about it.')).toBeVisible()
    await expectNoBarriers(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Write a customer review' })).toBeFocused()
    await page.getByRole('button', { name: shopper.name }).click()
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
    await expectNoBarriers(page)
  })

  test('a product that is sold out', { tag }, async ({ page, api }) => {
    const { id } = await api.find('Plainsong Corriedale in Weld')
    await open(page, `/product/${id}`)
    await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
  })

  test('a full cart', { tag }, async ({ page, api, makeProduct, changeProduct }) => {
    const product = await makeProduct({ price: 500 })
    await fillCart(page, [
      { product, quantity: 1 },
      { product: await api.find('Slubberdegullion Thick & Thin in Thundercloud'), quantity: 2 },
    ])
    await changeProduct(product, { price: 600 })
    await open(page, '/cart')
    await expect(page.getByText(/changed from/)).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
  })

  test('forms with mistakes in them', { tag }, async ({ page, api }) => {
    const { email } = await api.register()
    await open(page, '/register')
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('Name is required.')).toBeVisible()
    await expectNoBarriers(page)
    await open(page, '/login')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(toasts(page).getByText('Invalid email or password.')).toBeVisible()
    await expectNoBarriers(page)
  })

  test('the newsletter’s thanks', { tag }, async ({ page }) => {
    await open(page, '/')
    await page.getByLabel('Email address').fill('axe@example.com')
    await page.getByRole('button', { name: 'Sign me up' }).click()
    await expect(page.getByRole('button', { name: 'Shop Now' })).toBeVisible()
    await expectNoBarriers(page)
  })

  test('the checkout', { tag }, async ({ page, api, shopper }) => {
    await fillCart(page, [{ product: await api.find('Waxed Project Bag in Bottle Green'), quantity: 1 }], {
      ...ADDRESS,
      country: '',
    })
    await open(page, '/shipping')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Country is required.')).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
    await page.getByLabel('Country').fill(ADDRESS.country)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page)).toHaveText('Review your order')
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('orders, unpaid and paid, and what is one’s own', { tag }, async ({ page, api, shopper }) => {
    const product = await api.find('Fellwright Worsted in Undyed Fleece')
    const [unpaid, paid] = [
      await api.placeOrder(shopper, [{ product, quantity: 1 }]),
      await api.placeOrder(shopper, [{ product, quantity: 2 }]),
    ]
    await api.pay(shopper, paid.id)
    await open(page, `/order/${unpaid.id}`)
    await expect(page.getByRole('button', { name: 'Debit or Credit Card' })).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
    await open(page, `/order/${paid.id}`)
    await expect(page.getByText(/^Paid on/)).toBeVisible()
    await expectNoBarriers(page)
    for (const [address, seen] of [
      ['/profile', paid.reference],
      ['/profile/addresses', 'Your address book'],
      ['/profile/downloads', 'Nothing to download yet'],
      ['/stash', 'Your stash'],
    ] as const) {
      await open(page, address)
      await expect(page.getByText(seen, { exact: true }).first()).toBeVisible()
      await expectNoBarriers(page)
      await expectNoSidewaysScroll(page)
    }
  })
})

test('the header has room for an administrator with a long name, however wide a tablet is', async ({
  page,
  api,
  admin,
}) => {
  await signIn(page, { ...(await promoted(api, admin)), name: 'Wilhelmina Featherstonehaugh' })
  for (const width of [640, 820, 960]) {
    await page.setViewportSize({ width, height: 800 })
    await open(page, '/')
    await expect(page.getByRole('banner').getByRole('button', { name: 'Admin' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Wilhelmina Featherstonehaugh' })).toBeVisible()
    await expectNoSidewaysScroll(page)
  }
})

test.describe('with the keyboard alone', () => {
  /** Presses Tab until the element has the focus. */
  async function tabTo(page: Page, element: Locator) {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      if (await element.evaluate(node => node === document.activeElement)) return
    }
    await expect(element, 'reached by Tab').toBeFocused()
  }

  test('one skips the header', async ({ page }) => {
    await open(page, '/')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })

  test('one finds a yarn and puts two of it into the cart', async ({ page, api }) => {
    const { name } = await api.find('Second Spin Denim DK in Workshirt')
    await open(page, '/')
    await tabTo(page, page.getByRole('combobox', { name: 'Search products' }))
    await page.keyboard.type('workshirt')
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText('Search Results for "workshirt":')
    await tabTo(page, page.getByRole('link', { name }))
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText(name)
    await expect(page.getByRole('main')).toBeFocused()
    const quantity = page.getByRole('combobox', { name: 'Quantity' })
    await tabTo(page, quantity)
    await page.keyboard.press('ArrowDown')
    await expect(quantity).toHaveValue('2')
    await tabTo(page, page.getByRole('button', { name: 'Add to Cart' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: `Remove ${name}` }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your cart is empty.')).toBeVisible()
    await expect(heading(page)).toBeFocused()
  })
})
