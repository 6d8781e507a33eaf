import { readFile } from 'node:fs/promises'
import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { expect, open, signIn, test, toasts } from './fixtures.ts'

const PDF = Buffer.from(`%PDF-1.7\n${'knit one, purl two\n'.repeat(80)}%%EOF\n`)
const file = (name: string, buffer = PDF) => ({ name, mimeType: 'application/pdf', buffer })

test('an owner adds a pattern to a product, and who has paid for it downloads it @phone', async ({
  page,
  browser,
  baseURL,
  api,
  admin,
  makeProduct,
}) => {
  const product = await makeProduct({ name: 'Rib Hat Kit' })
  const buyer = await api.register()
  const order = await api.placeOrder(buyer, [{ product, quantity: 1 }])

  await signIn(page, admin)
  await open(page, paths.adminProduct(product.id))
  const panel = page.getByRole('region', { name: 'Downloads' })
  const choose = panel.getByLabel('Drop PDFs here, or choose some')
  await choose.setInputFiles(file('Hat.pdf', Buffer.from('no pattern')))
  await expect(panel.getByText('Hat.pdf: This is not a PDF. Please choose a PDF file.')).toBeVisible()
  await panel.getByRole('button', { name: 'Dismiss the message about Hat.pdf' }).click()
  await choose.setInputFiles([file('Rib Hat.pdf'), file('Old chart.pdf')])
  await expect(panel.getByLabel('Title of download 1')).toHaveValue('Rib Hat')
  await expect(panel.getByLabel('Title of download 2')).toHaveValue('Old chart')
  await panel.getByLabel('Title of download 1').fill('Rib Hat, in six sizes')
  await panel.getByRole('button', { name: 'Save title' }).click()
  await expect(toasts(page).getByText('Title saved.')).toBeVisible()
  await panel.getByRole('button', { name: 'Remove Old chart' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Remove Old chart?' })
  await expect(dialog).toContainText('not even who has bought it already')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(panel.getByLabel(/^Title of download/)).toHaveCount(1)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
  // The product's own form still knows which version it was opened with.
  await page.getByLabel('Recommended care').fill('Hand wash')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toasts(page).getByText('Product updated successfully.')).toBeVisible()

  const elsewhere = await browser.newContext({ baseURL })
  const shopper = await elsewhere.newPage()
  await signIn(shopper, buyer)
  await open(shopper, paths.product(product.id, product.name))
  await expect(shopper.getByRole('list', { name: 'To download once it is paid' })).toContainText(
    'Rib Hat, in six sizes',
  )
  await expectNoBarriers(shopper)
  await open(shopper, paths.order(order.id))
  await expect(shopper.getByText('left to pay')).toBeVisible()
  const downloads = shopper.getByRole('region', { name: 'Downloads' })
  await expect(downloads).toHaveCount(0)
  // Paid at the counter while the page is open.
  await open(page, paths.order(order.id))
  await page.getByRole('region', { name: 'Record a payment' }).getByRole('button', { name: 'Record payment' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Record / })
    .click()
  await expect(downloads).toContainText('Rib Hat, in six sizes')
  await expect(downloads).toContainText('comes with Rib Hat Kit')
  await expectNoBarriers(shopper)
  await expectNoSidewaysScroll(shopper)
  const [saved] = await Promise.all([
    shopper.waitForEvent('download'),
    downloads.getByRole('button', { name: 'Download Rib Hat, in six sizes' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('rib-hat-in-six-sizes.pdf')
  expect((await readFile(await saved.path())).equals(PDF)).toBe(true)
  await elsewhere.close()
})
