import { alive, expect, fillCart, test } from './fixtures.ts'

test.use({ serviceWorkers: 'allow' })

test('without a connection, visited pages and the cart stay in sight, and say that prices may have changed', async ({
  page,
  context,
  makeProduct,
  changeProduct,
  quiet,
}) => {
  quiet.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|503/)
  // In a page that the service worker serves, Chromium fetches a preloaded script a second time.
  quiet.expects(/cross-world service worker resource mismatch/)
  const product = await makeProduct({ price: 1250 })
  const unseen = await makeProduct()
  await fillCart(page, [{ product, quantity: 2 }])
  const address = `/product/${product.id}`

  await test.step('with a connection, every page comes from the shop', async () => {
    await page.goto(address)
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready
      return active?.state === 'activated'
    })
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await page.reload()
    await alive(page)
    await changeProduct(product, { price: 1300 })
    await page.reload()
    await expect(page.getByText('$13.00').first()).toBeVisible()
    await expect(page.getByText('You are offline')).toHaveCount(0)
  })

  await test.step('without one, the page as it was last', async () => {
    await context.setOffline(true)
    await expect(page.getByText('You are offline')).toBeVisible()
    await page.reload()
    await alive(page)
    await expect(page.getByText('$13.00').first()).toBeVisible()
    await expect(page.getByText('You are offline: prices and stock may have changed.')).toBeVisible()
  })

  await test.step('the cart, by a link', async () => {
    await page.getByRole('link', { name: 'Cart, 2 items' }).click()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByRole('link', { name: product.name })).toBeVisible()
    await expect(page.getByText('ordering needs a connection')).toBeVisible()
  })

  await test.step('a page nobody has looked at says so', async () => {
    await page.goto(`/product/${unseen.id}`)
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: unseen.name })).toBeVisible()
  })
})
