import { expectNoBarriers } from './barriers.ts'
import { expect, open, signIn, test, toasts } from './fixtures.ts'

test('an administrator writes a note, tags and external ids on an order, finds it by them, and its shopper sees none of it', async ({
  page,
  browser,
  api,
  shopper,
  admin,
  makeProduct,
}) => {
  const yarn = await makeProduct()
  const [first, second] = [
    await api.placeOrder(shopper, [{ product: yarn, quantity: 1 }]),
    await api.placeOrder(shopper, [{ product: yarn, quantity: 1 }]),
  ]
  const value = `SO-${first.id.slice(-8)}`
  const tag = `moor ${first.id.slice(-6)}`
  await signIn(page, admin)
  await open(page, `/order/${first.id}`)
  const form = page.getByRole('form', { name: 'Note, tags and external ids' })
  await form.getByLabel('Note').fill('Wrap it as a gift.')
  await form.getByLabel('Tags').fill(`${tag}, Wholesale, wholesale`)
  await form.getByRole('button', { name: 'Add an external id' }).click()
  await form.getByLabel('Program', { exact: true }).fill('ERP')
  await form.getByLabel('Its id').fill(value)
  await expect(form.getByText('Not saved yet')).toBeVisible()
  await form.getByRole('button', { name: 'Save notes' }).click()
  await expect(form.getByText(/A program is written in small letters/)).toBeVisible()
  await expect(form.getByLabel('Program', { exact: true })).toBeFocused()

  // Leaving the page by accident does not lose what was typed.
  await page.getByRole('link', { name: 'Skein, home' }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await form.getByLabel('Program', { exact: true }).fill('erp')
  await form.getByRole('button', { name: 'Save notes' }).click()
  await expect(toasts(page).getByText('Note, tags and external ids saved.')).toBeVisible()
  await expect(form.getByLabel('Tags')).toHaveValue(`${tag}, Wholesale`)
  await expectNoBarriers(page)

  // Another order cannot have the same external id.
  await open(page, `/order/${second.id}`)
  await form.getByRole('button', { name: 'Add an external id' }).click()
  await form.getByLabel('Program', { exact: true }).fill('erp')
  await form.getByLabel('Its id').fill(value)
  await form.getByLabel('Its id').press('Enter')
  await expect(form.getByText(`has the id ${value} of erp.`)).toBeVisible()
  await expect(form.getByLabel('Its id')).toBeFocused()
  await form.getByRole('button', { name: 'Remove the id of erp' }).click()
  await expect(form.getByRole('button', { name: 'Add an external id' })).toBeFocused()

  await open(page, '/admin/orders')
  await page.getByLabel('Search orders').fill(value)
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: /^#\d+$/ })
  await expect(rows).toHaveText([first.reference])
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: tag }).click()
  await expect(page).toHaveURL(/\/admin\/orders\?tag=moor/)
  await expect(rows).toHaveText([first.reference])

  const own = await browser.newPage()
  await signIn(own, shopper)
  await open(own, `/order/${first.id}`)
  await expect(own.getByText(yarn.name).first()).toBeVisible()
  await expect(own.getByText('Wrap it as a gift.')).toHaveCount(0)
  await expect(own.getByText('Note, tags and external ids')).toHaveCount(0)
})

test('products and accounts are noted on their pages', async ({ page, shopper, admin, makeProduct }) => {
  const yarn = await makeProduct()
  await signIn(page, admin)
  for (const address of [`/admin/product/${yarn.id}/edit`, `/admin/user/${shopper.id}/edit`]) {
    await open(page, address)
    const form = page.getByRole('form', { name: 'Note, tags and external ids' })
    await form.getByLabel('Note').fill('Likes moss.')
    await form.getByRole('button', { name: 'Save notes' }).click()
    await expect(toasts(page).getByText('Note, tags and external ids saved.')).toBeVisible()
    await page.reload()
    await expect(form.getByLabel('Note')).toHaveValue('Likes moss.')
  }
})
