import { expect, open, test } from './fixtures.ts'

test('a visitor’s heart is kept through signing in, shows in the header, and can be taken out and put back', async ({
  page,
  api,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  const { email, password } = await api.register()
  const heart = page.getByRole('button', { name: `${yarn.name}: in my stash` })
  const inHeader = page.getByRole('link', { name: /^Stash, / })

  await open(page, `/product/${yarn.id}`)
  await heart.click()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page, 'back where the heart is').toHaveURL(new RegExp(`/product/${yarn.id}`))
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(inHeader).toHaveAccessibleName('Stash, 1 product')

  await inHeader.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your stash')
  await heart.click()
  await expect(page.getByRole('heading', { name: 'Nothing in your stash yet' })).toBeVisible()
  await expect(inHeader).toHaveAccessibleName('Stash, 0 products')
  const undo = page.getByRole('button', { name: `Undo for ${yarn.name}` })
  await expect(undo).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(heart, 'as the shop remembers it').toHaveAttribute('aria-pressed', 'true')
})
