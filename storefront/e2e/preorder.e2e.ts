import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, expect, fillCart, open, openPayment, signIn, test, toasts } from './fixtures.ts'

// Nothing moves, so that no colour is measured half faded.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('the owner sells a delivery ahead; a shopper orders it, and gets it once it is here @phone', async ({
  page,
  browser,
  shopper,
  admin,
  makeProduct,
}) => {
  const [yarn, needle] = [await makeProduct({ countInStock: 3 }), await makeProduct({ category: 'Needles' })]
  const keeper = await browser.newPage()
  await signIn(keeper, admin)

  await test.step('the owner says when it is expected', async () => {
    await open(keeper, `/admin/product/${yarn.id}/edit`)
    await keeper.getByLabel('Expected on').fill('2031-12-01')
    await keeper.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(toasts(keeper).getByText('Product updated successfully.')).toBeVisible()
    await expect(keeper.getByText('Pre-order', { exact: true })).toBeVisible()
  })

  await test.step('a shopper reads so before ordering it', async () => {
    await fillCart(page, [{ product: needle, quantity: 1 }], ADDRESS)
    await open(page, `/product/${yarn.id}`)
    await expect(page.getByText('Pre-order, expected Mon, Dec 1 · only 3 left')).toBeVisible()
    await expect(page.getByText(/^Estimated delivery to United States: \w+, Dec/)).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Pre-order' }).click()
    await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: yarn.name })).toContainText(
      'Pre-order, expected Mon, Dec 1',
    )
    await open(page, '/place-order')
    await expect(page.getByText(/^Estimated delivery to United States: \w+, Dec/)).toBeVisible()
    await page.getByRole('button', { name: 'Place order' }).click()
    await page.waitForURL('**/order/*')
    const payment = await openPayment(page, 'PayPal')
    await payment.getByRole('button', { name: /^Pay \$/ }).click()
    await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()
    await expect(page.getByText('We are packing your yarn.')).toBeVisible()
  })

  await test.step('what is here goes first', async () => {
    await open(keeper, `/admin/orders?status=expected&search=${encodeURIComponent(shopper.email)}`)
    const row = keeper.getByRole('row').filter({ hasText: 'Pre-order, expected Mon, Dec 1' })
    await row.getByRole('link').first().click()
    const ship = keeper.getByRole('form', { name: 'Ship' })
    await expect(ship.getByLabel(yarn.name)).toHaveValue('0')
    await expect(ship.getByLabel(yarn.name)).toHaveAccessibleDescription(/expected Mon, Dec 1, 1 left to send/)
    await expect(ship.getByLabel(needle.name)).toHaveValue('1')
    await expectNoBarriers(keeper)
    await ship.getByRole('button', { name: 'Mark as sent' }).click()
    await expect(toasts(keeper).getByText('Parcel sent.')).toBeVisible()
    await expect(page.getByText('Your yarn leaves once it is here.')).toBeVisible()
  })

  await test.step('it is here, and goes', async () => {
    const order = keeper.url()
    await open(keeper, `/admin/product/${yarn.id}/edit`)
    await keeper.getByLabel('Expected on').fill('')
    await keeper.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(toasts(keeper).getByText('Product updated successfully.')).toBeVisible()
    await open(keeper, order)
    const ship = keeper.getByRole('form', { name: 'Ship' })
    await expect(ship.getByLabel(yarn.name)).toHaveValue('1')
    await ship.getByRole('button', { name: 'Mark as sent' }).click()
    await expect(page.getByText('Your yarn is on its way.')).toBeVisible()
    await open(page, `/product/${yarn.id}`)
    await expect(page.getByText('In Stock · only 2 left')).toBeVisible()
  })
  await keeper.close()
})
