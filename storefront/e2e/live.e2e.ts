import type { Browser, Page } from '@playwright/test'
import {
  type Account,
  ADDRESS,
  expect,
  fillCart,
  open,
  openPayment,
  openWhole,
  signIn,
  test,
  toasts,
} from './fixtures.ts'
import { present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

/** Somebody else's browser. */
async function elsewhere(browser: Browser, account: Account): Promise<Page> {
  const page = await browser.newPage()
  await signIn(page, account)
  return page
}

/**
 * Returns a function that checks that the page is still the same document, and that it asked the API for nothing except
 * the account's cart, which every page checks again after half a minute.
 */
async function undisturbed(page: Page) {
  const asked: string[] = []
  await page.evaluate(() => Object.assign(window, { sameAsBefore: true }))
  page.on('request', request => {
    if (new URL(request.url()).pathname !== '/graphql') return
    const { operationName } = request.postDataJSON()
    if (operationName !== 'AccountCart') asked.push(operationName)
  })
  return async () => {
    expect(await page.evaluate(() => 'sameAsBefore' in window)).toBe(true)
    expect(asked).toEqual([])
  }
}

test(
  'the page of an order follows its payment, delivery and refund',
  { tag: '@phone' },
  async ({ page, browser, api, shopper, admin, makeProduct }) => {
    const { id, reference } = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    const streams = page.waitForResponse(response => new URL(response.url()).pathname === '/graphql/stream')
    await openWhole(page, `/order/${id}`, 'StashPlaces')
    await expect(page.getByRole('button', { name: 'Debit or Credit Card' })).toBeVisible()
    expect((await streams).status()).toBe(200)
    const stillUndisturbed = await undisturbed(page)
    const items = page.getByRole('heading', { name: 'Items' })
    const before = await items.boundingBox()

    await api.pay(shopper, id)
    await expect(page.getByText(/^Paid on /)).toBeVisible()
    await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()
    // What is below stays where it was, although the buttons have gone.
    await expect.poll(async () => Math.abs(present(await items.boundingBox()).y - present(before).y)).toBeLessThan(2)

    const keeper = await elsewhere(browser, admin)
    await keeper.goto(`/order/${id}`)
    await keeper.getByRole('button', { name: 'Mark as Delivered' }).click()
    await expect(page.getByText(/^Delivered on /)).toBeVisible()

    await api.ask(
      'mutation($id: ID!) { refundOrder(orderId: $id, amount: 250, reason: "One ply short", idempotencyKey: "once") { userErrors { message } } }',
      { id },
      admin,
    )
    await expect(page.getByText(/^Refunded on .+: \$2\.50, One ply short$/)).toBeVisible()
    // The administrator's page follows as well, to the last entry of the history.
    await expect(keeper.getByText(/One ply short/).first()).toBeVisible()
    await expect(keeper.getByRole('heading', { name: `Order ${reference}` })).toBeVisible()
    await stillUndisturbed()
    await keeper.context().close()
  },
)

test('a payment window closes by itself when the order is paid elsewhere', async ({
  page,
  api,
  shopper,
  makeProduct,
}) => {
  const { id } = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
  await open(page, `/order/${id}`)
  const window = await openPayment(page, 'PayPal')
  await expect(window.getByRole('button', { name: /^Pay / })).toBeVisible()
  await api.pay(shopper, id)
  await expect(page.getByText(/^Paid on /)).toBeVisible()
  await expect.poll(() => window.isClosed()).toBe(true)
  await expect(toasts(page).getByRole('alert')).toHaveCount(0)
})

test('the administrator’s board hears of an order as it is placed, and follows what becomes of it', async ({
  page,
  browser,
  api,
  shopper,
  admin,
  makeProduct,
}) => {
  const keeper = await elsewhere(browser, admin)
  const streams = keeper.waitForResponse(response => new URL(response.url()).pathname === '/graphql/stream')
  await keeper.goto('/admin/orders')
  await expect(keeper.getByRole('table', { name: 'Orders' })).toBeVisible()
  expect((await streams).status()).toBe(200)
  await keeper.evaluate(() => Object.assign(window, { sameAsBefore: true }))
  const first = keeper.getByRole('row').nth(1)
  // The content of the row may change: other tests run at the same time.
  const place = async () => [await first.getByRole('link').first().textContent(), (await first.boundingBox())?.y]
  const before = await place()

  // Through the shop's own pages.
  await fillCart(page, [{ product: await makeProduct(), quantity: 1 }], ADDRESS)
  await open(page, '/place-order')
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.waitForURL(/\/order\/./)
  const id = present(new URL(page.url()).pathname.split('/').pop())

  // Other tests run at the same time, so there may be more than one.
  const pill = keeper.getByRole('button', { name: /new orders? – show$/ })
  await expect(pill).toBeVisible()
  await expect.poll(place).toEqual(before)
  await pill.focus()
  await keeper.keyboard.press('Enter')
  const row = keeper.locator(`[data-row="${id}"]`)
  await expect(row).toContainText('Not paid yet')
  await api.pay(shopper, id)
  await expect(row).not.toContainText('Not paid yet')
  await api.ask('mutation($id: ID!) { deliverOrder(id: $id) { userErrors { message } } }', { id }, admin)
  await expect(row).not.toContainText('Not delivered yet')
  await expect(page.getByText(/^Delivered on /)).toBeVisible()
  expect(await keeper.evaluate(() => 'sameAsBefore' in window)).toBe(true)
  await keeper.context().close()
})
