import type { Browser, Page } from '@playwright/test'
import { type Account, ADDRESS, expect, open, PASSWORD, signIn, test, unique } from './fixtures.ts'
import { nth } from '#schema/rules/present'

/** Opens the shop on another device of the same person. */
async function another(browser: Browser, here: Page, who: Account): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: new URL(here.url()).origin })).newPage()
  await signIn(page, who)
  return page
}

/** What happens when somebody picks up a device again. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

const badge = (page: Page, units: number, timeout?: number) =>
  expect(
    page.getByRole('link', { name: units === 1 ? 'Cart, 1 item' : `Cart, ${units} items`, exact: true }),
  ).toBeVisible({ timeout })

const add = async (page: Page, id: string) => {
  await open(page, `/product/${id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).first().click()
  await expect(page).toHaveURL('/cart')
}

const ofAccount = '{ cart { lines { productId quantity } } }'

test('what was put in on the phone is there on the laptop, and the other way round', async ({
  page: phone,
  browser,
  shopper,
  makeProduct,
}) => {
  const [moss, slate] = [await makeProduct({ countInStock: 9 }), await makeProduct()]
  const laptop = await another(browser, phone, shopper)
  await open(laptop, '/cart')
  await expect(laptop.getByText('Your cart is empty.')).toBeVisible()

  await add(phone, moss.id)
  await badge(phone, 1)
  // The laptop learns of it when it is picked up again.
  await expect(async () => {
    await comeBack(laptop)
    await expect(laptop.getByRole('main').getByRole('link', { name: moss.name }).first()).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  await badge(laptop, 1)
  const stored = await laptop.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? 'null'))
  expect(stored.cartItems).toMatchObject([{ _id: moss.id, quantity: 1, price: moss.price / 100 }])

  await add(laptop, slate.id)
  await laptop.getByLabel(`Quantity of ${moss.name}`).selectOption('3')
  await expect(async () => {
    await comeBack(phone)
    await badge(phone, 4, 5_000)
  }).toPass()
  await phone.getByRole('button', { name: `Remove ${moss.name}` }).click()
  await expect(async () => {
    await comeBack(laptop)
    await badge(laptop, 1, 5_000)
  }).toPass()
  await laptop.context().close()
})

test('a cart from before signing in is put together with the account’s, and that is told', async ({
  page,
  api,
  makeProduct,
}) => {
  const account = await api.register()
  const [both, before] = [await makeProduct({ countInStock: 3 }), await makeProduct()]
  await api.ask(
    'mutation ($lines: [CartLineChange!]) { changeCart(input: { lines: $lines }) { userErrors { code } } }',
    { lines: [both, before].map(({ id: productId }) => ({ productId, quantity: 2 })) },
    account,
  )
  await add(page, both.id)
  await page.getByLabel(`Quantity of ${both.name}`).selectOption('2')
  await open(page, '/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await expect(
    page.getByText(`Your cart has what you had put in before, too: “${both.name}” and “${before.name}”.`),
  ).toBeVisible()
  await expect(page.getByText(`Only 3 left of “${both.name}”.`)).toBeVisible()
  await badge(page, 5)
  const { cart } = await api.ask(ofAccount, {}, account)
  expect(cart.lines.toSorted((a, b) => b.quantity - a.quantity)).toEqual([
    { productId: both.id, quantity: 3 },
    { productId: before.id, quantity: 2 },
  ])
})

test('the code, the address and the dye lots of one device are those of the other', async ({
  page: phone,
  browser,
  api,
  admin,
  shopper,
  makeProduct,
}) => {
  const code = unique().toUpperCase()
  await api.ask(
    'mutation($input: DiscountCodeInput!) { createDiscountCode(input: $input) { userErrors { message } } }',
    { input: { code, kind: 'PERCENT', basisPoints: 1_000 } },
    admin,
  )
  const moss = await makeProduct({
    lots: [
      { code: '4412', quantity: 6 },
      { code: '4417', quantity: 3 },
    ],
  })
  const laptop = await another(browser, phone, shopper)
  await open(laptop, '/cart')

  await add(phone, moss.id)
  await phone.getByLabel(`Quantity of ${moss.name}`).selectOption('7')
  await phone.getByRole('button', { name: 'Take 6 of lot 4412 and 1 of lot 4417' }).click()
  await phone.getByLabel('Discount code').fill(code)
  await phone.getByRole('button', { name: 'Apply' }).click()
  await expect(phone.getByRole('button', { name: `Remove code ${code}` })).toBeVisible()
  await open(phone, '/shipping')
  await phone.getByLabel('Name', { exact: true }).fill(ADDRESS.name)
  await phone.getByLabel('City').fill(ADDRESS.city)
  await phone.getByLabel('Country').fill(ADDRESS.country)
  await phone.getByRole('button', { name: /continue/i }).click()
  await expect(phone).toHaveURL('/place-order')

  await expect(async () => {
    await comeBack(laptop)
    await expect(laptop.getByRole('button', { name: `Remove code ${code}` })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const lots = laptop.getByRole('group', { name: `Dye lots of ${moss.name}` })
  await expect(lots).toHaveText('6 of lot 4412 and 1 of lot 4417')
  await expect(async () => {
    await comeBack(laptop)
    const stored = await laptop.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? 'null'))
    expect(stored.shippingAddress).toMatchObject({ name: ADDRESS.name, city: ADDRESS.city, country: ADDRESS.country })
  }).toPass()

  // The other way round: removed on the laptop, it is gone on the phone.
  await laptop.getByRole('button', { name: `Remove code ${code}` }).click()
  await open(phone, '/cart')
  await expect(async () => {
    await comeBack(phone)
    await expect(phone.getByLabel('Discount code')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await laptop.context().close()
})

test('two windows that put something in at once lose neither', async ({ page, context, makeProduct }) => {
  const windows = [page, await context.newPage()]
  const products = await Promise.all(windows.map(() => makeProduct()))
  for (const [index, each] of windows.entries()) await open(each, `/product/${nth(products, index).id}`)
  await Promise.all(windows.map(each => each.getByRole('button', { name: 'Add to Cart' }).first().click()))
  for (const each of windows) await badge(each, 2)
})

test('no press is lost while there is no connection, and the cart is never seen empty', async ({
  page,
  context,
  quiet,
  api,
  shopper,
  makeProduct,
}) => {
  quiet.expects(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/)
  const [moss, slate] = [await makeProduct({ countInStock: 9 }), await makeProduct()]
  await add(page, moss.id)
  await expect.poll(async () => (await api.ask(ofAccount, {}, shopper)).cart?.lines).toHaveLength(1)
  await context.setOffline(true)
  await page.getByLabel(`Quantity of ${moss.name}`).selectOption('4')
  // Meanwhile on another device.
  await api.ask(
    'mutation ($lines: [CartLineChange!]) { changeCart(input: { lines: $lines }) { userErrors { code } } }',
    {
      lines: [
        { productId: moss.id, add: 1 },
        { productId: slate.id, add: 2 },
      ],
    },
    shopper,
  )
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (document.body.innerText.includes('Your cart is empty.')) seen.push('empty')
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await context.setOffline(false)
  await badge(page, 7)
  await expect
    .poll(async () => (await api.ask(ofAccount, {}, shopper)).cart?.lines)
    .toEqual([
      { productId: moss.id, quantity: 5 },
      { productId: slate.id, quantity: 2 },
    ])
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
})

test('what was ordered leaves the cart of every device, and signing out leaves the account’s cart as it was', async ({
  page,
  api,
  shopper,
  makeProduct,
}) => {
  const [moss, slate] = [await makeProduct(), await makeProduct()]
  await add(page, moss.id)
  await expect.poll(async () => (await api.ask(ofAccount, {}, shopper)).cart?.lines).toHaveLength(1)
  await open(page, '/shipping')
  await page.getByLabel('Name', { exact: true }).fill(ADDRESS.name)
  await page.getByLabel('Country').fill(ADDRESS.country)
  await page.getByRole('button', { name: /continue/i }).click()
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page).toHaveURL(/\/order\//)
  await expect.poll(async () => (await api.ask(ofAccount, {}, shopper)).cart?.lines).toEqual([])

  await add(page, slate.id)
  await page.getByRole('button', { name: shopper.name }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  const { cart } = await api.ask(ofAccount, {}, shopper).catch(() => ({ cart: null }))
  // The token has ended by now: the shopper signs in again.
  expect(cart).toBeNull()
  const again = await api.login(shopper)
  await expect
    .poll(async () => (await api.ask(ofAccount, {}, again)).cart.lines)
    .toEqual([{ productId: slate.id, quantity: 1 }])
})
