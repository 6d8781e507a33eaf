import { ADDRESS, expect, fillCart, open, openPayment, signIn, test, toasts } from './fixtures.ts'

test('the owner counts dye lots; a shopper sees what mixes, chooses, pays, and later buys more of the lot', async ({
  page,
  browser,
  api,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct({ countInStock: 10 })

  await test.step('the owner says which lots there are', async () => {
    const keeper = await browser.newPage()
    await signIn(keeper, admin)
    await open(keeper, `/admin/product/${yarn.id}/edit`)
    const panel = keeper.getByRole('region', { name: 'Dye lots' })
    await panel.getByRole('checkbox', { name: 'Keep stock by dye lot' }).check()
    await expect(panel.getByLabel('Units of lot 1')).toHaveValue('10')
    await panel.getByLabel('Lot 1', { exact: true }).fill('4412')
    await panel.getByLabel('Units of lot 1').fill('8')
    await panel.getByRole('button', { name: 'Add a lot' }).click()
    await panel.getByLabel('Lot 2', { exact: true }).fill('4412')
    await panel.getByLabel('Units of lot 2').fill('5')
    await panel.getByRole('button', { name: 'Update lots' }).click()
    await expect(panel.getByText('One of the dye lots is there twice.')).toBeVisible()
    await panel.getByLabel('Lot 2', { exact: true }).fill('4417')
    await panel.getByRole('button', { name: 'Update lots' }).click()
    await expect(toasts(keeper).getByText('Dye lots updated successfully.')).toBeVisible()
    await expect(keeper.getByLabel('Count in stock')).toHaveValue('13')
    await keeper.close()
  })

  await test.step('the product page says what would mix', async () => {
    await signIn(page, await api.register())
    await fillCart(page, [], ADDRESS)
    await open(page, `/product/${yarn.id}`)
    const lot = page.getByRole('combobox', { name: 'Dye lot' })
    await expect(lot.getByRole('option')).toHaveText(['Any one lot', 'Lot 4412: 8 left', 'Lot 4417: 5 left'])
    await expect(page.getByText('All of one dye lot, so that the colour is the same throughout.')).toBeVisible()
    await page.getByRole('combobox', { name: 'Quantity' }).selectOption('10')
    await expect(page.getByText('That would be 8 of lot 4412 and 2 of lot 4417: you choose in the cart.')).toBeVisible()
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByText('Subtotal (10 items)')).toBeVisible()
  })

  await test.step('the shopper agrees, and pays', async () => {
    const choice = page.getByRole('group', { name: `Dye lots of ${yarn.name}` })
    await expect(choice).toContainText('No dye lot has 10 of these. Lots can differ a little in colour.')
    await choice.getByRole('button', { name: 'Take 8 of lot 4412 and 2 of lot 4417' }).click()
    await expect(choice).toHaveText('8 of lot 4412 and 2 of lot 4417')
    await expect(choice).toBeFocused()
    await open(page, '/place-order')
    await expect(choice).toHaveText('8 of lot 4412 and 2 of lot 4417')
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /^Order #\d+$/ })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Items' })).toContainText('8 of lot 4412 and 2 of lot 4417')
    const payment = await openPayment(page, 'PayPal')
    await payment.getByRole('button', { name: /Pay / }).click()
    await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()
  })

  const order = page.url()
  await test.step('the lot that is sold out is waited for', async () => {
    await page.getByRole('link', { name: 'More of lot 4412' }).click()
    await expect(page.getByRole('heading', { level: 1, name: yarn.name })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Dye lot' }).getByRole('option')).toHaveText([
      'Any one lot',
      'Lot 4417: 3 left',
      'Lot 4412: sold out',
    ])
    await expect(page.getByRole('combobox', { name: 'Dye lot' })).toHaveValue('4412')
    await expect(page.getByText('Nothing is left of lot 4412.')).toBeVisible()
    await page.getByRole('button', { name: 'Tell me when lot 4412 is back' }).click()
    await expect(page.getByRole('link', { name: 'read the email here' })).toBeVisible()
    await page.getByRole('combobox', { name: 'Dye lot' }).selectOption('4417')
    await expect(page.getByRole('link', { name: 'read the email here' })).toBeHidden()
    await open(page, order)
  })

  await test.step('more of the lot', async () => {
    await page.getByRole('link', { name: 'More of lot 4417' }).click()
    await expect(page.getByRole('heading', { level: 1, name: yarn.name })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Dye lot' })).toHaveValue('4417')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('group', { name: `Dye lots of ${yarn.name}` })).toHaveText('Lot 4417')
  })
})
