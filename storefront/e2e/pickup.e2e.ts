import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { expect, fillCart, open, openPayment, signIn, test, toasts } from './fixtures.ts'

// Nothing moves, so that no colour is measured half faded.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('an order is picked up at the shop, which tells when it is ready @phone', async ({
  page,
  browser,
  shopper,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  await open(page, `/product/${yarn.id}`)
  await expect(page.getByText(/^Likely ready for pickup in Portland: /)).toBeVisible()
  await fillCart(page, [{ product: yarn, quantity: 2 }])
  await open(page, '/shipping')
  await expect(page.getByLabel('Name')).toHaveValue(shopper.name)
  await page.getByRole('radio', { name: 'Pick it up in Portland, free' }).check()
  await expect(page.getByText('12 Mill Lane')).toBeVisible()
  await expect(page.getByText('Open Tuesday to Saturday, 10 to 6')).toBeVisible()
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Phone').fill('+1 207 555 0199')
  await page.getByRole('button', { name: 'Continue' }).click()

  const review = page.getByRole('region', { name: 'Pickup' })
  await expect(review).toContainText('Portland, ME 04101')
  await expect(review).toContainText('+1 207 555 0199')
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('PickupFree')
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.waitForURL('**/order/*')
  const payment = await openPayment(page, 'PayPal')
  await payment.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()

  const keeper = await browser.newPage()
  await signIn(keeper, admin)
  await open(keeper, new URL(page.url()).pathname)
  const pack = keeper.getByRole('form', { name: 'Pack' })
  await expect(pack.getByLabel('Carrier')).toHaveCount(0)
  await pack.getByRole('button', { name: 'Mark as ready' }).click()
  await expect(toasts(keeper).getByText('Parcel ready.')).toBeVisible()
  await expect(page.getByText('Your yarn is ready. Come and get it.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pickup' })).toContainText('Open Tuesday to Saturday, 10 to 6')

  await open(keeper, '/admin/orders')
  await keeper
    .getByRole('navigation', { name: 'Status' })
    .getByRole('link', { name: /^To pick up/ })
    .click()
  const reference = await page.getByRole('heading', { level: 1 }).textContent()
  const row = keeper.getByRole('row').filter({ hasText: (reference ?? '').replace('Order ', '') })
  await expect(row).toContainText('Pickup')
  await row.getByRole('link').first().click()
  await keeper.getByRole('button', { name: 'Mark parcel as picked up' }).click()
  await expect(toasts(keeper).getByText('Parcel picked up.')).toBeVisible()
  await expect(page.getByText('In your hands. Happy knitting!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pickup' })).toContainText('Picked up on')
  await keeper.close()
})
