import { expect, open, signIn, test, toasts, unique } from './fixtures.ts'

test('the owner plans a sale; shoppers see what it was and until when, and pay the sale price while it is on', async ({
  page,
  browser,
  admin,
  makeProduct,
  changeProduct,
}) => {
  // A price that no other product has, so that this one can be listed alone.
  const dollars = 2_000 + (Number.parseInt(unique().slice(-6), 36) % 5_000)
  const yarn = await makeProduct({ price: dollars * 100, countInStock: 5 })
  const was = `$${dollars.toLocaleString('en-US')}.00`

  await test.step('a sale that cannot be is said at its field, one that can is saved', async () => {
    const keeper = await browser.newPage()
    await signIn(keeper, admin)
    await open(keeper, `/admin/product/${yarn.id}/edit`)
    const sale = keeper.getByRole('group', { name: 'Sale' })
    await sale.getByLabel('Sale price').fill(String(dollars))
    await sale.getByLabel('Until').fill('2099-12-01T08:00')
    await keeper.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(sale.getByText('The sale price must be lower than the price.')).toBeVisible()
    await sale.getByLabel('Sale price').fill('12.50')
    await keeper.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(toasts(keeper).getByText('Product updated successfully.')).toBeVisible()
    await expect(keeper.getByLabel('Price', { exact: true })).toHaveValue(`${dollars}.00`)
    await expect(sale.getByLabel('Sale price')).toHaveValue('12.50')
    await expect(sale.getByLabel('Until')).toHaveValue('2099-12-01T08:00')
    await keeper.close()
  })

  await test.step('the product’s page, its card and the cart tell of it in words', async () => {
    await open(page, `/product/${yarn.id}`)
    const main = page.getByRole('main')
    await expect(main.getByText(`On sale for $12.50, was ${was}`)).toBeVisible()
    await expect(main.locator('s')).toHaveText(was)
    await expect(main.getByText(/^The sale ends Dec 1, 2099, 8:00 AM/)).toBeVisible()
    const jsonLd = (await page.locator('script[type="application/ld+json"]').allTextContents()).map(text =>
      JSON.parse(text),
    )
    const { offers } = jsonLd.find(thing => thing['@type'] === 'Product')
    expect(offers).toMatchObject({ price: '12.50', priceValidUntil: expect.stringMatching(/^2099-1[12]-\d\dT/) })
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByText('Subtotal (1 item) $12.50')).toBeVisible()
    await expect(page.getByRole('main').locator('s')).toHaveText(was)
    await open(page, '/?price=12.5-12.5')
    await expect(page.getByRole('article').filter({ hasText: yarn.name })).toContainText(was)
  })

  await test.step('and when it is over, the cart says that the price changed', async () => {
    await changeProduct(yarn, { sale: { price: null } })
    await open(page, '/cart')
    await expect(page.getByText(`changed from $12.50 to ${was}`)).toBeVisible()
    await expect(page.getByRole('main').locator('s')).toHaveCount(0)
  })
})
