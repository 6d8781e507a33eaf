import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { present } from '#schema/rules/present'
import { ADDRESS, arrived, expect, fillCart, open, openPayment, signIn, test, toasts, unique } from './fixtures.ts'

test('an owner issues a gift card, and it pays a part of one order and all of another @phone', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const note = `Paid in cash ${unique()}`
  const product = await makeProduct({ name: 'Gift Wool', price: 2400 })
  await signIn(page, admin)
  await open(page, paths.adminGiftCards())
  await page.getByRole('button', { name: 'Issue gift card' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Issue a gift card' })
  await dialog.getByRole('button', { name: 'Issue gift card' }).click()
  await expect(dialog.getByText('Please enter an amount such as 50.')).toBeVisible()
  await dialog.getByLabel('Amount in US dollars').fill('39.10')
  await dialog.getByLabel('Note').fill(note)
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Issue gift card' }).click()
  const ready = page.getByRole('alertdialog', { name: 'The gift card is ready' })
  const code = (await ready.getByText(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/).innerText()).trim()
  // The list behind is faded while it is fetched anew.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expectNoBarriers(page)
  await ready.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close anyway' }).click()
  const row = page.getByRole('row').filter({ hasText: note })
  await expect(row).toContainText('$39.10')
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)

  // $29.10 with shipping and tax.
  const buyer = await api.register()
  await signIn(page, buyer)
  await fillCart(page, [{ product, quantity: 1 }], ADDRESS)
  await open(page, paths.placeOrder())
  await page.getByLabel('Gift card').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Use card' }).click()
  await expect(page.getByText('pays $29.10, $10.00 stays on it')).toBeVisible()
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(toasts(page).getByText('Thank you! Your order is paid.')).toBeVisible()
  await expect(page).toHaveURL(/\/order\//)
  await expect(page.getByText('Paid on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'PayPal' })).toHaveCount(0)

  await fillCart(page, [{ product, quantity: 1 }], ADDRESS)
  await open(page, paths.placeOrder())
  await page.getByLabel('Gift card').fill(code)
  await page.getByLabel('Gift card').press('Enter')
  await expect(page.getByText('pays $10.00, all that is on it')).toBeVisible()
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page).toHaveURL(/\/order\//)
  const order = new URL(page.url()).pathname
  const summary = page.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText('To pay$19.10')
  const paypal = await openPayment(page, 'PayPal')
  await paypal.getByRole('button', { name: 'Pay $19.10 now' }).click()
  await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
  await expect(summary).toContainText('Paid with PayPal$19.10')
  // Words that fade away have no contrast.
  await expect(toasts(page).getByText('Order paid successfully.')).toHaveCount(0)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)

  await signIn(page, admin)
  await open(page, paths.adminGiftCards())
  await expect(row).toContainText('Used up')
  await expect(row.getByRole('link', { name: /^#\d+$/ })).toHaveCount(2)

  // What PayPal took goes back first, and the rest on the card.
  await open(page, order)
  const refunds = page.getByRole('region', { name: 'Refunds' })
  await refunds.getByRole('button', { name: 'Refund' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Refund $29.10?' })
  await expect(confirm).toContainText('what is more than was paid so goes back on the gift card')
  await confirm.getByRole('button', { name: 'Refund $29.10' }).click()
  await expect(refunds).toContainText('All that was paid has been refunded.')
  await open(page, paths.adminGiftCards())
  await expect(row).toContainText('$10.00')
})

test('an owner sells gift cards, whose code is their buyer’s once they are paid @phone', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const product = await makeProduct({ name: `Gift Card ${unique()}`, price: 2500 })
  await signIn(page, admin)
  await open(page, paths.adminProduct(product.id))
  const panel = page.getByRole('region', { name: 'Downloads' })
  await panel.getByLabel('Nothing else is sent: this product is its downloads alone').check()
  await panel.getByLabel('It is a gift card: who buys it gets one over its price').check()
  await expect(toasts(page).getByText('This product is a gift card.')).toBeVisible()
  await expect(panel.getByText('gets nothing yet')).toHaveCount(0)
  await expect(toasts(page).getByText('This product is a gift card.')).toHaveCount(0)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)

  const buyer = await api.register()
  await signIn(page, buyer)
  await open(page, paths.product(product.id, product.name))
  await expect(page.getByText('Sent by email', { exact: true })).toBeVisible()
  await expectNoBarriers(page)
  await page.getByLabel('Quantity').selectOption('2')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await page.getByLabel('Name').fill(ADDRESS.name)
  await page.getByLabel('Country').fill(ADDRESS.country)
  await page.getByRole('button', { name: 'Continue' }).click()
  const summary = page.getByRole('region', { name: 'Order summary' })
  // No tax, and nothing to send.
  await expect(summary).toContainText('Tax$0.00')
  await expect(summary).toContainText('Total$50.00')
  await page.getByRole('button', { name: 'Place order' }).click()
  const paypal = await openPayment(page, 'PayPal')
  await paypal.getByRole('button', { name: 'Pay $50.00 now' }).click()
  await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
  const order = new URL(page.url()).pathname
  const cards = page.getByRole('region', { name: 'Your gift cards' })
  const codes = cards.getByText(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
  await expect(codes).toHaveCount(2)
  const code = (await codes.first().innerText()).trim()
  await expect(toasts(page).getByText('Order paid successfully.')).toHaveCount(0)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)

  // The second goes to a friend, after a slip.
  const friend = `wren-${unique()}@example.com`
  const sent = (await codes.last().innerText()).trim()
  await cards.getByRole('button', { name: 'Send by email' }).last().click()
  const dialog = page.getByRole('alertdialog', { name: 'Send the gift card over $25.00' })
  await dialog.getByLabel('Email of who gets it').fill('wren')
  await dialog.getByLabel('Your message').fill('For a hat, dear Wren.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible()
  await expectNoBarriers(page)
  await dialog.getByLabel('Email of who gets it').fill(friend)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(toasts(page).getByText(`Gift card sent to ${friend}.`)).toBeVisible()
  await expect(cards.getByText(`Sent to ${friend}`)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(toasts(page).getByText(`Gift card sent to ${friend}.`)).toHaveCount(0)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
  const gift = page.getByRole('article').filter({ hasText: sent }).filter({ hasText: 'For a hat, dear Wren.' })
  await arrived(page, gift)
  await expect(gift).toContainText('has given you a gift card')
  await open(page, order)
  await expect(cards.getByText(`Sent to ${friend}`)).toBeVisible()

  const letter = page.getByRole('article').filter({ hasText: code })
  await arrived(page, letter)
  await expect(letter).toContainText('Your gift card over $25.00')

  await signIn(page, admin)
  await open(page, order)
  await expect(page.getByRole('region', { name: 'Refunds' })).toBeVisible()
  await expect(page.getByText(code)).toHaveCount(0)
  await open(page, paths.adminGiftCards())
  await page.getByRole('searchbox', { name: 'Search gift cards' }).fill(code.slice(-4))
  const row = page.getByRole('row').filter({ hasText: `… ${code.slice(-4)}` })
  await expect(row).toContainText('Active')
  await row.getByRole('link', { name: /^#\d+$/ }).click()
  const refunds = page.getByRole('region', { name: 'Refunds' })
  await refunds.getByRole('button', { name: 'Refund' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Refund $50.00?' })
  await expect(confirm).toContainText('The gift cards it is for pay nothing any more.')
  await confirm.getByRole('button', { name: 'Refund $50.00' }).click()
  await expect(refunds).toContainText('All that was paid has been refunded.')
  await page.goBack()
  await expect(row).toContainText('Refunded')
})

test('an owner takes an order that a gift card pays a part of, and one that it pays all of', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const product = await makeProduct({ name: 'Counter Wool', price: 2400 })
  const { issueGiftCard } = await api.ask(
    'mutation($input: GiftCardInput!) { issueGiftCard(input: $input) { code } }',
    { input: { amount: 3910, idempotencyKey: `counter-card-${unique()}` } },
    admin,
  )
  const summary = page.getByRole('region', { name: 'Order summary' })
  await signIn(page, admin)
  async function take() {
    await open(page, paths.adminNewOrder(`caller-${unique()}@example.com`))
    await page.getByLabel('Add a product').fill(product.name)
    await page.getByRole('option', { name: product.name }).click()
    await page.getByLabel('Name', { exact: true }).fill('Nell Knitter')
    await page.getByLabel('City').fill('Portland')
    await page.getByLabel('Gift card').fill('NOSUCHCARD')
    await expect(page.getByText('We don’t know this gift card.')).toBeVisible()
    await page.getByLabel('Gift card').fill(issueGiftCard.code)
    await expect(page.getByText('We don’t know this gift card.')).toHaveCount(0)
  }
  await take()
  await expect(summary).toContainText('To pay$0.00')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText('Paid on')).toBeVisible()

  await take()
  await expect(summary).toContainText('To pay$19.10')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText('Waits to be paid.')).toBeVisible()
  await expect(summary).toContainText('To pay$19.10')
})

test('gift cards have a shelf of their own @phone', async ({ page }) => {
  await open(page, '/gift-cards')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gift cards')
  const card = page.getByRole('article').filter({ hasText: 'Gift Card, 50' })
  await expect(card).toContainText('$50.00')
  await expectNoBarriers(page)
  await card.getByRole('link', { name: 'Gift Card, 50' }).click()
  await expect(page.getByText('Sent by email', { exact: true })).toBeVisible()
  // Nothing is printed on its band.
  await expect(page.getByRole('region', { name: 'Product facts' })).toHaveCount(0)
})

test('a gift card is mailed to who gets it, and can be stopped', async ({ page, api, admin, makeProduct }) => {
  const email = `reader-${unique()}@example.com`
  const product = await makeProduct({ name: 'Stopped Wool', price: 2400 })
  await signIn(page, admin)
  await open(page, paths.adminGiftCards())
  await page.getByRole('button', { name: 'Issue gift card' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Issue a gift card' })
  await dialog.getByLabel('Amount in US dollars').fill('25')
  await dialog.getByLabel('Send the code to').fill(email)
  await dialog.getByLabel('Message in the letter').fill('For your next shawl.')
  await dialog.getByRole('button', { name: 'Issue gift card' }).click()
  await expect(toasts(page).getByText(`Gift card sent to ${email}.`)).toBeVisible()
  const letter = page.getByRole('article').filter({ hasText: email })
  await arrived(page, letter)
  await expect(letter).toContainText('For your next shawl.')
  const code = present(/([A-Z2-9]{4}-){3}[A-Z2-9]{4}/.exec(present(await letter.textContent())))[0]

  await open(page, paths.adminGiftCards())
  await page.getByRole('searchbox', { name: 'Search gift cards' }).fill(email)
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(page.getByRole('row')).toHaveCount(2)
  await row.getByRole('button', { name: /^Stop the card/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop card' }).click()
  await expect(row).toContainText('Stopped')

  const buyer = await api.register()
  await signIn(page, buyer)
  await fillCart(page, [{ product, quantity: 1 }], ADDRESS)
  await open(page, paths.placeOrder())
  await page.getByLabel('Gift card').fill(code)
  await page.getByLabel('Gift card').press('Enter')
  await expect(page.getByText(/^The gift card that ends with .* cannot be used any more/)).toBeVisible()
  await expect(page.getByLabel('Gift card')).toBeFocused()
})
