import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { dollars, expect, open, signIn, test, toasts } from './fixtures.ts'

test('an owner writes down what was paid at the shop, and gives a part of it back @phone', async ({
  page,
  browser,
  baseURL,
  api,
  admin,
  makeProduct,
}) => {
  const buyer = await api.register()
  const order = await api.placeOrder(buyer, [{ product: await makeProduct({ price: 12_000 }), quantity: 1 }])
  const sum = dollars(order.totalPrice)
  const elsewhere = await browser.newContext({ baseURL })
  const shopper = await elsewhere.newPage()
  await signIn(shopper, buyer)
  await open(shopper, paths.order(order.id))
  await expect(shopper.getByText('left to pay')).toBeVisible()

  await signIn(page, admin)
  await open(page, paths.order(order.id))
  const payment = page.getByRole('region', { name: 'Record a payment' })
  await payment.getByLabel('Paid with').selectOption('Bank transfer')
  await payment.getByLabel('Note').fill('No. 4711')
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
  await payment.getByRole('button', { name: 'Record payment' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Was ${sum} paid?` })
  await expect(dialog).toContainText('is then paid with bank transfer')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(payment.getByLabel('Note')).toHaveValue('No. 4711')
  await payment.getByRole('button', { name: 'Record payment' }).click()
  await dialog.getByRole('button', { name: `Record ${sum}` }).click()
  await expect(toasts(page).getByText('Payment recorded successfully.')).toBeVisible()
  await expect(payment).toHaveCount(0)
  const refunds = page.getByRole('region', { name: 'Refunds' })
  await expect(refunds).toContainText(/bank transfer, No\. 4711/)
  await expect(page.getByText('Recorded the payment')).toBeVisible()
  // It is told to whoever has the order open.
  await expect(shopper.getByText('left to pay')).toHaveCount(0)
  await expect(shopper.getByRole('main')).toContainText('Bank transfer')
  await elsewhere.close()

  await refunds.getByLabel(/^Amount/).fill('5')
  await refunds.getByRole('button', { name: 'Refund' }).click()
  const giving = page.getByRole('alertdialog', { name: 'Refund $5.00?' })
  await expect(giving).toContainText('PayPal took nothing')
  await giving.getByRole('button', { name: 'Refund $5.00' }).click()
  await expect(toasts(page).getByText('Refund recorded successfully.')).toBeVisible()
  await expect(refunds.getByRole('listitem')).toContainText('$5.00')
  await expectNoBarriers(page)
})
