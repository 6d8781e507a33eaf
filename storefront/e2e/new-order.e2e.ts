import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, arrived, dollars, expect, freshEmail, open, openPayment, signIn, test, toasts } from './fixtures.ts'

test('an owner takes an order by phone, and the customer pays it by their letter @phone', async ({
  page,
  browser,
  baseURL,
  admin,
  makeProduct,
}) => {
  const [sock, lace] = [await makeProduct({ price: 2_400 }), await makeProduct({ price: 1_000 })]
  const [misheard, email] = [freshEmail(), freshEmail()]
  await signIn(page, admin)
  await open(page, paths.adminOrders())
  await page.getByRole('link', { name: 'New order' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New order' })).toBeVisible()
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText('Please add a product.')).toBeVisible()
  await expect(page.getByText('Email is required.')).toBeVisible()
  await expect(page.getByText('Name is required.')).toBeVisible()
  await expectNoBarriers(page)

  await expect(page.getByLabel('Customer’s email')).toBeFocused()
  await page.getByLabel('Customer’s email').fill(misheard)
  await expect(page.getByText('Email is required.')).toHaveCount(0)
  for (const product of [sock, lace]) {
    await page.getByLabel('Add a product').fill(product.name)
    await page.getByRole('option', { name: product.name }).click()
    await expect(page.getByRole('link', { name: product.name })).toBeVisible()
  }
  await page.getByRole('group', { name: 'Items' }).getByRole('button', { name: 'One more' }).first().click()
  await page.getByRole('button', { name: `Remove ${lace.name}` }).click()
  const summary = page.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText(`Items${dollars(4_800)}`)
  await page.getByLabel('Name', { exact: true }).fill('Nell Knitter')
  await page.getByLabel('City').fill('Portland')
  await page.getByLabel('State').fill('ME')
  // Tax may depend on all of it.
  const priced = page.waitForRequest(request => {
    const to = request.postDataJSON()?.variables?.to
    return to?.state === 'ME' && to.postalCode === '04101'
  })
  await page.getByLabel('Postal code').fill('04101')
  await priced
  await page.getByLabel('Discount code').fill('NOTACODE')
  await page.getByLabel('What the customer wants you to know').fill('They call when they are back.')
  await expect(page.getByText('We don’t know this code.')).toBeVisible()
  await page.getByLabel('Discount code').fill('CASTON15')
  await expect(summary).toContainText(`Code CASTON15${dollars(-720)}`)
  await page.getByLabel('Discount code').fill('')
  await page.getByLabel('Set aside until it is paid').selectOption('7 days')
  await expect(page.getByText('We don’t know this code.')).toHaveCount(0)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(toasts(page).getByText(`and ${misheard} is written to.`)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: /^Order #\d+/ })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('They call when they are back.')
  await page.getByLabel('Goes to').fill('nell')
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await page.getByLabel('Goes to').fill(email)
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(toasts(page).getByText(`The letter goes to ${email}.`)).toBeVisible()
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  await expectNoBarriers(page)
  const [address, reference] = [page.url(), await page.getByRole('heading', { level: 1 }).textContent()]

  const elsewhere = await browser.newContext({ baseURL })
  const customer = await elsewhere.newPage()
  const letter = customer.getByRole('article').filter({ hasText: email })
  await arrived(customer, letter)
  const link = await letter.getByRole('link', { name: /\/order\// }).getAttribute('href')
  await customer.goto(String(link))
  await expect(customer.getByRole('heading', { level: 1, name: String(reference).trim() })).toBeVisible()
  await expect(customer.getByText(/^[67] days left to pay\.$/)).toBeVisible()
  const popup = await openPayment(customer, 'PayPal')
  await popup.getByRole('button', { name: /^Pay \$[\d.]+ now$/ }).click()
  await expect(customer.getByText('Thank you! Your order is paid.')).toBeVisible()
  await elsewhere.close()

  await page.goto(address)
  await expect(page.getByText('Order is unpaid')).toHaveCount(0)
})

test('what is not there in time is said beside its line, and nothing typed is lost', async ({
  page,
  api,
  admin,
  makeProduct,
  quiet,
}) => {
  const product = await makeProduct({ countInStock: 3 })
  const nell = await api.register('Nell Knitter')
  await api.placeOrder(nell, [{ product: await makeProduct(), quantity: 1 }])
  await signIn(page, admin)
  await page.goto(paths.adminNewOrder(nell.email))
  await expect(page.getByLabel('Customer’s email')).toHaveValue(nell.email)
  // Nobody orders at a total that is not in view.
  const place = page.getByRole('button', { name: 'Place order' })
  const unpriced = (url: URL) => url.pathname === '/graphql'
  let wanted: { to?: unknown } = {}
  await page.route(unpriced, route => {
    const { operationName, variables } = route.request().postDataJSON() ?? {}
    if (operationName !== 'QuoteNewOrder') return route.fallback()
    wanted = variables
    return route.abort()
  })
  quiet.expects(/ERR_FAILED/)
  await page.getByLabel('Add a product').fill(product.name)
  await page.getByRole('option', { name: product.name }).click()
  await expect(page.getByText('We could not reach the shop.')).toBeVisible()
  await expect(place).toBeDisabled()
  // Asked once more by itself, a moment after the last key: for where the order goes.
  await expect.poll(() => wanted.to).toBeTruthy()
  await page.unroute(unpriced)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(place).toBeEnabled()
  await page.getByLabel(`Quantity of ${product.name}`).selectOption('3')
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nell Knitter')
  await expect(page.getByLabel('City')).toHaveValue(ADDRESS.city)
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('Total')
  await api.placeOrder(nell, [{ product, quantity: 2 }])
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText('Only 1 of them are left.')).toBeVisible()
  await page.getByLabel(`Quantity of ${product.name}`).selectOption('1')
  await page.getByRole('link', { name: 'Orders' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Nell Knitter')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(toasts(page).getByText(`and ${nell.email} is written to.`)).toBeVisible()
})
