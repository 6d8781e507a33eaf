import { readFile } from 'node:fs/promises'
import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, expect, open, openPayment, signIn, test, toasts } from './fixtures.ts'

const PDF = Buffer.from(`%PDF-1.7\n${'knit one, purl two\n'.repeat(80)}%%EOF\n`)
/** Words of what goes on a journey. */
const NOTHING_SENT = /Shipping|parcel|deliver|yarn|packing|pick/i
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
  const [looked] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download Rib Hat, in six sizes' }).click(),
  ])
  expect((await readFile(await looked.path())).equals(PDF)).toBe(true)
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

  await open(shopper, paths.profile())
  await shopper.getByRole('link', { name: 'Your downloads' }).click()
  const kit = shopper.getByRole('listitem').filter({ has: shopper.getByRole('link', { name: 'Rib Hat Kit' }) })
  await expect(kit.getByRole('link', { name: /^Ordered on/ })).toHaveAttribute('href', paths.order(order.id))
  await expectNoBarriers(shopper)
  await expectNoSidewaysScroll(shopper)
  const [again] = await Promise.all([
    shopper.waitForEvent('download'),
    kit.getByRole('button', { name: 'Download Rib Hat, in six sizes' }).click(),
  ])
  expect((await readFile(await again.path())).equals(PDF)).toBe(true)
  await elsewhere.close()
})

test('patterns have a shelf of their own, and stand beside the yarns that they name @phone', async ({ page, api }) => {
  await open(page, '/patterns')
  await expect(page.getByRole('heading', { name: 'Patterns', level: 1 })).toBeVisible()
  const hat = page.getByRole('link', { name: 'First Hat Pattern' })
  await expect(page.getByRole('article').filter({ has: hat })).toContainText('4.5')
  await expectNoBarriers(page)
  await hat.click()
  await expect(page.getByText('To download', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'To download once it is paid' })).toContainText('First Hat')
  await expect(page.getByRole('list', { name: 'At a glance' })).toContainText('19')
  await expect(page.getByText('How many skeins?')).toHaveCount(0)
  const yarn = await api.find('Skerrow 4-Ply in Storm')
  await open(page, paths.product(yarn.id, yarn.name))
  await page.getByRole('link', { name: 'Fox & Fir Mittens Pattern' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fox & Fir Mittens Pattern')
})

test('a pattern alone takes no shipping and no parcel: it is downloaded once it is paid @phone', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const product = await makeProduct({ name: 'Rib Hat Pattern', price: 700 })
  await signIn(page, admin)
  await open(page, paths.adminProduct(product.id))
  const panel = page.getByRole('region', { name: 'Downloads' })
  await panel.getByLabel('Nothing else is sent: this product is its downloads alone').check()
  await expect(panel.getByText('Who buys this product gets nothing yet: add a PDF.')).toBeVisible()
  await expect(page.getByLabel('Count in stock')).toHaveValue('1000000')
  await expect(page.getByLabel('Count in stock')).not.toBeEditable()
  await panel.getByLabel('Drop PDFs here, or choose some').setInputFiles(file('Rib Hat.pdf'))
  await expect(panel.getByLabel('Title of download 1')).toHaveValue('Rib Hat')
  await expect(panel.getByText('gets nothing yet')).toHaveCount(0)
  await expectNoBarriers(page)

  const buyer = await api.register()
  await signIn(page, buyer)
  await open(page, paths.product(product.id, product.name))
  await expect(page.getByText('To download', { exact: true })).toBeVisible()
  await expect(page.getByText('Estimated delivery')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Your address' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).not.toContainText(NOTHING_SENT)
  await expectNoBarriers(page)
  await page.getByLabel('Name').fill(ADDRESS.name)
  await page.getByLabel('Country').fill(ADDRESS.country)
  await page.getByRole('button', { name: 'Continue' }).click()
  const summary = page.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText('$8.05')
  await expect(main).not.toContainText(NOTHING_SENT)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText('left to pay')).toBeVisible()
  await expect(main).not.toContainText(NOTHING_SENT)
  const popup = await openPayment(page, 'PayPal')
  await popup.getByRole('button', { name: 'Pay $8.05 now' }).click()
  await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
  await expect(page.getByText('All yours. Happy knitting!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Downloads' })).toContainText('Rib Hat')
  await expect(main).not.toContainText(NOTHING_SENT)
  await expectNoBarriers(page)
  await expectNoSidewaysScroll(page)
})
