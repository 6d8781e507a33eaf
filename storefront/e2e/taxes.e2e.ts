import { readFileSync } from 'node:fs'
import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, expect, open, signIn, test } from './fixtures.ts'

// A state that no other test sends to.
const VERMONT = { ...ADDRESS, state: 'Vermont', city: 'Montpelier', postalCode: '05602' }

test('an owner sees what tax is due, by place, and takes it along as a spreadsheet @phone', async ({
  page,
  api,
  admin,
  makeProduct,
  quiet,
}) => {
  const product = await makeProduct({ price: 2400 })
  const nell = await api.register()
  const order = await api.placeOrder(nell, [{ product, quantity: 1 }], VERMONT)
  await api.pay(nell, order.id)
  await signIn(page, admin)
  await open(page, paths.adminTaxes())
  const row = page.getByRole('row').filter({ hasText: 'Vermont, United States' })
  await expect(row).toContainText('15%')
  await expect(row).toContainText('$')
  await expect(page.getByText('Tax due').first()).toBeVisible()
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)

  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await exported
  expect(file.suggestedFilename()).toMatch(/^taxes-\d{4}-\d\d-01-to-\d{4}-\d\d-\d\d\.csv$/)
  expect(readFileSync(await file.path(), 'utf8')).toContain('United States,VT,15,')

  await page.getByRole('link', { name: 'Last year' }).click()
  await expect(page).toHaveURL(/period=last-year$/)
  await expect(page.getByLabel('to', { exact: true })).toHaveValue(/-12-31$/)
  await expect(row).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Last year' })).toHaveAttribute('aria-current', 'true')

  await open(page, `${paths.adminTaxes()}?from=2019-01-01&to=2019-01-31`)
  await expect(page.getByText('Nothing was paid in these days.')).toBeVisible()
  await expectNoBarriers(page)
  quiet.expects(/status of 400/)
  await page.getByLabel('to', { exact: true }).fill('2024-01-01')
  await expect(page.getByRole('alert').getByText('A report covers at most 366 days.')).toBeVisible()
  await page.getByRole('link', { name: 'This year' }).click()
  await expect(row).toBeVisible()
})
