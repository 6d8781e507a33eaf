import type { Locator, Page } from '@playwright/test'
import { expectControlsInSight, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, expect, fillCart, freshEmail, open, signIn, test, toasts, unique } from './fixtures.ts'
import { present } from '#schema/rules/present'

// A phone with text twice as large as usual, set in the browser or by the reader's own style.
test.describe.configure({ mode: 'parallel' })
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

// The size of the picture that is preloaded depends on the text before it grew.
test.beforeEach(({ quiet }) => quiet.expects(/was preloaded using link preload but not used/))

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Nothing is wider than the phone and no control is out of sight, whichever way the text was enlarged. */
async function expectRoomForLargeText(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await expectItAllFits(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  await expectItAllFits(page)
  await page.evaluate(() => (document.documentElement.style.fontSize = ''))
}

async function expectItAllFits(page: Page) {
  await expect.poll(() => page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))).toBe(32)
  await expectNoSidewaysScroll(page)
  await expectControlsInSight(page)
}

async function look(page: Page, address: string, ready: Locator = heading(page)) {
  await open(page, address)
  await expect(ready.first()).toBeVisible()
  await expectRoomForLargeText(page)
}

test('text twice as large fits on a phone for who looks around', async ({ page, api, quiet }) => {
  quiet.expects(/status of 404/)
  const { id } = await api.find('Lullwater Bamboo 4-Ply in Kingfisher')
  const soldOut = await api.find('Plainsong Corriedale in Weld')
  for (const address of [
    '/',
    `/product/${id}`,
    `/product/${soldOut.id}`,
    '/search/merino',
    '/search/zeppelin',
    '/top-rated',
    '/login?redirect=shipping',
    '/login?redirect=shipping&guest=',
    '/register',
    '/contact',
    '/shipping-and-returns',
    '/stash',
    '/cart',
    '/nowhere',
  ])
    await test.step(address, () => look(page, address, page.getByRole('main').getByRole('heading')))
})

test('text twice as large fits on a phone for who buys', async ({ page, api, shopper }) => {
  const product = await api.find('Slubberdegullion Thick & Thin in Thundercloud')
  const paid = await api.placeOrder(shopper, [{ product, quantity: 1 }])
  await api.pay(shopper, paid.id)
  await fillCart(page, [{ product, quantity: 3 }], ADDRESS)
  await look(page, '/cart', page.getByText('Estimated total'))
  await look(page, '/shipping')
  await look(page, '/place-order')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('button', { name: 'PayPal' })).toBeVisible()
  await expectRoomForLargeText(page)
  await look(page, `/order/${paid.id}`)
  await look(page, '/profile', page.getByText(paid.reference))
  await look(page, '/profile/addresses')
  await look(page, '/profile/downloads')
  await open(page, `/product/${product.id}`)
  await page.getByRole('button', { name: `${product.name}: in my stash` }).click()
  await expect(page.getByRole('button', { name: `${product.name}: in my stash` })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await look(page, '/stash', page.getByRole('link', { name: product.name }))
})

test('a notification and the drawer of the cart fit, too', async ({ page, makeProduct }) => {
  // With very long words.
  const { name } = await makeProduct({ name: `Handspun ${unique().padEnd(28, 'yarn')}`, category: 'Undyed'.repeat(5) })
  await open(page, '/login')
  await page.getByLabel('Email').fill(freshEmail())
  await page.getByLabel('Password').fill('what a long password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(toasts(page).getByText('Invalid email or password.')).toBeVisible()
  await toasts(page).focus()
  await expectRoomForLargeText(page)
  const box = await toasts(page).getByText('Invalid email or password.').boundingBox()
  expect(present(box).x + present(box).width).toBeLessThanOrEqual(390)
  await look(page, `/search/${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Add ${name} to cart` }).click()
  await expect(page.getByRole('dialog', { name: 'In your cart' })).toBeVisible()
  await expectRoomForLargeText(page)
})

test('text twice as large fits on a phone for who runs the shop', async ({ page, admin, makeProduct }) => {
  await signIn(page, admin)
  const { id, name } = await makeProduct()
  await look(page, '/admin', page.getByText('Average order'))
  await look(page, `/admin/products?search=${encodeURIComponent(name)}`, page.getByText(name))
  await look(page, '/admin/orders', page.getByRole('link', { name: 'See Invoice' }))
  await look(page, `/admin/product/${id}/edit`, page.getByLabel('Name'))
  for (const address of ['/admin/users', '/admin/reviews', '/admin/codes', '/admin/pages', '/admin/audit'])
    await look(page, address)
})
