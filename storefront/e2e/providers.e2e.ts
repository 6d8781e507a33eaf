import { expectNoBarriers } from './barriers.ts'
import { expect, open, stored, test, unique } from './fixtures.ts'

test('somebody with a cart continues with Google, and is back with it @phone', async ({ page, makeProduct }) => {
  const product = await makeProduct()
  await open(page, `/product/${product.id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).first().click()
  await open(page, '/login?redirect=/shipping')
  await expectNoBarriers(page)
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible()
  const email = `${unique()}@gmail.com`
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/shipping')
  await expect.poll(() => stored(page, 'userInfo')).toMatchObject({ name: 'Ann Lee', email })
  await expect.poll(() => page.context().cookies()).toEqual([])
  await open(page, '/cart')
  await expect(page.getByRole('link', { name: product.name }).first()).toBeVisible()
})

test('Apple sends a form, and its name for somebody new is taken', async ({ page }) => {
  await open(page, '/register')
  await page.getByRole('link', { name: 'Continue with Apple' }).click()
  await page.getByLabel('Email').fill(`${unique()}@privaterelay.appleid.com`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/')
  await expect.poll(() => stored(page, 'userInfo')).toMatchObject({ name: 'Ann Lee' })
})

test('whoever thinks better of it is back where they were', async ({ page }) => {
  await open(page, '/login?redirect=/cart')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/login?redirect=%2Fcart')
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('a shopper links Google in the profile with their password, and takes it back', async ({ page, shopper }) => {
  await open(page, '/profile')
  await page.getByRole('link', { name: 'Link Google' }).click()
  await page.getByLabel('Email').fill(`${unique()}@gmail.com`)
  await page.getByRole('button', { name: 'Continue' }).click()
  const asked = page.getByRole('dialog', { name: 'Sign in with Google from now on?' })
  await asked.getByLabel('Your password').fill(shopper.password)
  await asked.getByRole('button', { name: 'Link Google' }).click()
  await expect(asked).toBeHidden()
  const remove = page.getByRole('button', { name: 'Remove Google' })
  await expect(remove).toBeVisible()
  await expectNoBarriers(page)
  await remove.click()
  const leaving = page.getByRole('dialog', { name: 'Remove Google?' })
  await leaving.getByLabel('Your password').fill(shopper.password)
  await leaving.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('link', { name: 'Link Google' })).toBeVisible()
})

for (const address of ['/login', '/register']) {
  test(`what is below the ways in at ${address} stays in its place when they come @phone`, async ({ page }) => {
    let send = () => {}
    const late = new Promise<void>(resolve => (send = resolve))
    await page.route('**/ProviderLinks*', async route => {
      await late
      await route.continue()
    })
    await open(page, address)
    const below = page.locator('main').getByRole('link', { name: /^(Create an account|Sign in)$/ })
    await expect(page.getByRole('link', { name: 'Continue with Google' })).toBeHidden()
    await page.evaluate(async () => void (await document.fonts.ready))
    const before = await below.boundingBox()
    send()
    await expect(page.getByRole('link', { name: 'Continue with Google' })).toBeVisible()
    await expect.poll(() => below.boundingBox()).toEqual(before)
  })
}
