import type { Page } from '@playwright/test'
import { paths } from '../paths.ts'
import { alive, expect, freshEmail, open, signIn, test } from './fixtures.ts'

// A phone with a slow processor at the end of a slow line: its pages come alive many seconds after they are in sight.
test.describe.configure({ mode: 'parallel' })
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
test.slow()

/** How long it may take until a page on such a line is alive and has done what was asked of it before. */
const LATER = { timeout: 60_000 }

/**
 * Opens a page over slow 3G, 1.1 seconds in: it is in sight, and its scripts are still loading. The first script
 * arrives only after the returned function is called, however long a busy machine takes for what is done before.
 */
async function openSlowly(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/assets/entry-client-*', async route => {
    await released
    await route.continue()
  })
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.enable')
  const throughput = 400_000 / 8
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.now() >= 1100)
  return async () => {
    // What was done until now was done before our script ran.
    expect(await page.evaluate(() => typeof globalThis.early)).toBe('object')
    release()
  }
}

test('more than twenty of a product are put into the cart', async ({ page, makeProduct }) => {
  const product = await makeProduct({ price: 1250 })
  const goOn = await openSlowly(page, `/product/${product.id}`)
  await page.getByRole('combobox', { name: 'Quantity' }).selectOption('21 or more …')
  await page.getByRole('button', { name: 'Add to Cart' }).tap()
  await goOn()
  await expect(page).toHaveURL('/cart', LATER)
  await expect(page.getByRole('textbox', { name: `Quantity of ${product.name}` })).toHaveValue('21', LATER)
})

test('a product of a list is put into the cart', async ({ page, makeProduct }) => {
  const product = await makeProduct({ price: 1250 })
  const goOn = await openSlowly(page, `/search/${encodeURIComponent(product.name)}`)
  await page.getByRole('button', { name: `Add ${product.name} to cart` }).tap()
  await goOn()
  await expect(page.getByRole('dialog', { name: 'In your cart' })).toContainText(product.name, LATER)
})

test('a search is sent', async ({ page }) => {
  const goOn = await openSlowly(page, '/')
  await page.getByLabel('Search products').pressSequentially('merino')
  await goOn()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/search/merino', LATER)
})

test('words stay in the search box, and the newsletter is signed up for', async ({ page }) => {
  const email = freshEmail()
  const goOn = await openSlowly(page, '/')
  await page.getByLabel('Search products').pressSequentially('merino')
  await page.getByLabel('Email address').pressSequentially(email)
  await page.getByRole('button', { name: 'Sign me up' }).tap()
  await goOn()
  const dialog = page.getByRole('dialog', { name: "You're In!" })
  await expect(dialog).toContainText(email, LATER)
  await dialog.getByRole('button', { name: 'Shop Now' }).tap()
  const search = page.getByLabel('Search products')
  await expect(search).toHaveValue('merino')
  await search.tap()
  await expect(page.getByRole('option').first()).toBeVisible(LATER)
})

test('somebody signs in', async ({ page, api }) => {
  const account = await api.register()
  const goOn = await openSlowly(page, '/login?redirect=profile')
  await page.getByLabel('Email').pressSequentially(account.email)
  await page.getByLabel('Password').pressSequentially(account.password)
  await page.getByRole('button', { name: 'Sign In' }).tap()
  await goOn()
  await expect(page).toHaveURL('/profile', LATER)
})

test('a list is narrowed by two ticks', async ({ page }) => {
  const goOn = await openSlowly(page, '/search/merino')
  await page.getByRole('button', { name: 'Filter' }).tap()
  const [first, second] = [
    page.getByRole('checkbox', { name: /^In stock/ }),
    page.getByRole('checkbox', { name: /^DK/ }),
  ]
  await first.tap()
  await second.tap()
  await goOn()
  await expect(page).toHaveURL(url => url.searchParams.size === 2, LATER)
  await expect(first).toBeChecked()
  await expect(second).toBeChecked()
})

test('an owner who has pressed a link is not called back by the search they typed before', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const product = await makeProduct()
  const { reference } = await api.placeOrder(await api.register(), [{ product, quantity: 1 }])
  await page.route('**/assets/OrderPage-*', async route => {
    await new Promise(resolve => setTimeout(resolve, 2_000))
    await route.continue()
  })
  await signIn(page, admin)
  await open(page, paths.adminOrders())
  const link = page.getByRole('link', { name: reference, exact: true })
  await expect(link).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(reference)
  await link.tap()
  await expect(page.getByRole('heading', { level: 1, name: `Order ${reference}` })).toBeVisible()
})

test('what is typed into a message while its page comes alive stands there whole', async ({ page }) => {
  const words = 'Is there more of the moss, and will it be of the same lot as in spring? '.repeat(3)
  const goOn = await openSlowly(page, '/contact')
  await page.getByLabel('Your name').fill('Nell')
  await page.getByLabel('Your email').fill('nell@example.com')
  const message = page.getByLabel('Message')
  await message.tap()
  await page.keyboard.type('Hello. ')
  await goOn()
  // Key after key without waiting for the page, as fingers do.
  const browser = await page.context().newCDPSession(page)
  const keys = []
  for (const text of words) {
    keys.push(browser.send('Input.dispatchKeyEvent', { type: 'char', text }))
    await page.waitForTimeout(30)
  }
  await Promise.all(keys)
  await alive(page)
  await expect(message).toHaveValue(`Hello. ${words}`)
  await page.getByRole('button', { name: 'Send' }).tap()
  await expect(
    page.getByRole('status').filter({ hasText: 'Thank you. Your message is on its way' }).first(),
  ).toBeVisible(LATER)
})
