import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { paths } from '../paths.ts'
import { expectNoBarriers } from './barriers.ts'
import { Api } from './fixtures.ts'
import { nth } from '#schema/rules/present'

const owner = { email: 'admin@example.com', password: 'knit-purl-admin' }

interface SignedIn {
  token: string
  user: { id: string; name: string; email: string; isAdmin: boolean }
}

async function api<Data>(
  request: APIRequestContext,
  query: string,
  variables: object = {},
  token?: string,
): Promise<Data> {
  const response = await request.post('/graphql', {
    data: { query, variables },
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] }
  expect(errors, 'errors of the API').toBeUndefined()
  return data
}

/** Signs in without the form. */
async function signIn(page: Page, credentials = owner): Promise<SignedIn> {
  const { login } = await api<{ login: SignedIn }>(
    page.request,
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token user { id name email isAdmin } } }',
    credentials,
  )
  const { token, user } = login
  await page.addInitScript(
    stored => {
      localStorage.setItem('userInfo', stored)
    },
    JSON.stringify({ _id: user.id, name: user.name, email: user.email, isAdmin: user.isAdmin, token }),
  )
  return login
}

const unique = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
const dialog = (page: Page) => page.getByRole('alertdialog')
const toast = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('region', { name: 'Notifications' }).getByText(text).last()).toBeVisible()
/** Nothing is loading any more: there are no outlines, and no rows of the previous list. */
const settled = (page: Page) => expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
/** Presses a filter chip and waits until it is the current one. */
async function choose(page: Page, filter: string, chip: string | RegExp) {
  const link = page.getByRole('navigation', { name: filter }).getByRole('link', { name: chip })
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'true')
}
const row = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })

function picture(): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 900, channels: 3, background: { r: 163, g: 49, b: 42 } } })
    .png()
    .toBuffer()
}

/** Makes a product through the API and puts it on sale. */
async function stockProduct(page: Page, { token }: SignedIn, name: string, price = 1000): Promise<string> {
  const { createProduct } = await api<{ createProduct: { product: { id: string } } }>(
    page.request,
    'mutation { createProduct { product { id } } }',
    {},
    token,
  )
  const { id } = createProduct.product
  const input = {
    name,
    price,
    countInStock: 40,
    image: '/images/ninepin-marmalade.webp',
    description: '',
    weight: '100 g',
    length: '',
    gauge: '',
    knittingNeedle: '',
    crochetHook: '',
    recommendedCare: '',
    content: '100% wool',
    category: 'DK',
  }
  await api(
    page.request,
    'mutation ($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { userErrors { message } } }',
    { id, input },
    token,
  )
  return id
}

test('an owner signs in, adds a yarn with a picture and finds it in the shop', async ({ page }) => {
  const name = `Owner’s Own ${unique()}`
  await page.goto(paths.login(paths.adminProducts()))
  await page.getByLabel('Email', { exact: true }).fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.locator('main').getByRole('button', { name: 'Sign In' }).click()

  await expect(page.getByRole('heading', { name: 'Products', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Add Product' }).click()
  await dialog(page).getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('This is a draft.')).toBeVisible()

  const file = page.getByLabel('Drop a picture here, or choose one')
  await file.setInputFiles({ name: 'yarn.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
  await expect(page.getByText('Please choose a JPG or PNG picture.')).toBeVisible()
  await file.setInputFiles({ name: 'yarn.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') })
  await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible()
  await file.setInputFiles({ name: 'yarn.png', mimeType: 'image/png', buffer: await picture() })
  await toast(page, 'Image uploaded successfully.')

  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Price', { exact: true }).fill('twelve')
  await page.getByLabel('Count in stock').fill('25')
  await page.getByLabel('Category').fill('Worsted')
  await page.getByLabel('Content').fill('100% wool')
  await page.getByRole('button', { name: 'Save and publish' }).click()
  await expect(page.getByText('Please enter a price such as 12.50.')).toBeVisible()
  await page.getByLabel('Price', { exact: true }).fill('12.50')

  // Following a wrong link does not lose what was typed.
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Products' }).click()
  await dialog(page).getByRole('button', { name: 'Stay' }).click()

  await page.getByRole('button', { name: 'Save and publish' }).click()
  await toast(page, 'Product updated successfully.')
  await expect(page.getByRole('region', { name: 'History' }).getByText('Changed').first()).toBeVisible()

  await page.getByRole('link', { name: 'View in shop' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(page.locator('main').getByText('$12.50').first()).toBeVisible()
  await expect(page.locator('main img').first()).toHaveJSProperty('complete', true)
})

test('prices of several products change at once, across pages of a list', async ({ page }) => {
  const session = await signIn(page)
  const mark = unique()
  for (let number = 1; number <= 14; number++) await stockProduct(page, session, `Batch ${mark} no ${number}`, 1000)
  await page.goto(`${paths.adminProducts()}?search=${mark}`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/\/admin\/products\/page\/2\?search=/)
  const batch = page.getByRole('checkbox', { name: /^Select Batch/ })
  // The first page stays in sight until the second one has loaded.
  await expect(batch).toHaveCount(2)
  await batch.first().check()
  await batch.nth(1).check()
  await expect(page.getByText('14 products selected')).toBeVisible()

  await page.getByRole('button', { name: 'Change price' }).click()
  await dialog(page).getByRole('button', { name: 'Change prices' }).click()
  await expect(dialog(page).getByText('Please enter a percentage such as 10.')).toBeVisible()
  await dialog(page).getByLabel('Percentage').fill('12.5')
  await expect(dialog(page).getByText('$11.25').first()).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Change prices' }).click()
  await toast(page, 'Prices changed: 14 products.')
  await expect(page.getByText('$11.25')).toHaveCount(2)
  await page.getByRole('link', { name: 'Page 1', exact: true }).click()
  await expect(page.getByText('$11.25')).toHaveCount(12)
})

test('price and stock are edited in the table; a refusal keeps what was typed', async ({ page }) => {
  const session = await signIn(page)
  const name = `Inline ${unique()}`
  await stockProduct(page, session, name)
  await page.goto(`${paths.adminProducts()}?search=${encodeURIComponent(name)}`)

  await page.getByRole('button', { name: `Price of ${name}` }).click()
  const price = page.getByRole('textbox', { name: `Price of ${name}` })
  await price.fill('a lot')
  await price.press('Enter')
  await expect(page.getByText('Please enter a price such as 12.50.')).toBeVisible()
  await expect(price).toHaveValue('a lot')
  await price.press('Escape')
  await expect(page.getByRole('button', { name: `Price of ${name}` })).toBeFocused()
  await expect(row(page, name)).toContainText('$10.00')

  await page.keyboard.press('Enter')
  await price.fill('10.75')
  await price.press('Enter')
  await toast(page, 'Product updated successfully.')
  await expect(row(page, name)).toContainText('$10.75')

  await page.getByRole('button', { name: `Stock of ${name}` }).click()
  const stock = page.getByRole('textbox', { name: `Stock of ${name}` })
  await stock.fill('7')
  await stock.press('Enter')
  await expect(row(page, name)).toContainText('Low Stock')
})

test('two admins edit one product: the second sees the difference and chooses', async ({ page }) => {
  const session = await signIn(page)
  const name = `Contested ${unique()}`
  const id = await stockProduct(page, session, name)
  await page.goto(paths.adminProduct(id))
  await page.getByLabel('Gauge').fill('mine')
  await expect(page.getByLabel('Gauge')).toHaveValue('mine')
  await api(
    page.request,
    'mutation ($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { userErrors { message } } }',
    { id, input: { gauge: 'theirs', length: '200 m' } },
    session.token,
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog(page).getByText('Somebody else saved this product')).toBeVisible()
  await expect(dialog(page).getByRole('group', { name: 'Gauge' }).getByRole('radio', { name: /Mine/ })).toBeChecked()
  await expect(
    dialog(page)
      .getByRole('group', { name: 'Length' })
      .getByRole('radio', { name: /Theirs/ }),
  ).toBeChecked()
  await dialog(page).getByRole('button', { name: 'Save these choices' }).click()
  await toast(page, 'Product updated successfully.')
  await expect(page.getByLabel('Gauge')).toHaveValue('mine')
  await expect(page.getByLabel('Length')).toHaveValue('200 m')
})

test('an order is found, marked delivered and leaves its history', async ({ page }) => {
  const session = await signIn(page)
  const shop = new Api(page.request)
  const shopper = await shop.register()
  const product = await shop.product(await stockProduct(page, session, `Parcelled ${unique()}`))
  const { id, reference } = await shop.placeOrder(shopper, [{ product, quantity: 1 }])
  await shop.pay(shopper, id)
  await page.goto(paths.adminOrders())
  await choose(page, 'Status', /^To deliver/)
  await expect(page).toHaveURL(/status=to-deliver/)
  await settled(page)
  await page.getByLabel('Search orders').fill(reference)
  await expect(page.getByRole('link', { name: /^#\d+$/ })).toHaveText([reference])
  await settled(page)
  await expect(page.getByRole('button', { name: 'Not delivered yet' })).toBeVisible()
  await page.getByRole('checkbox', { name: `Select order ${reference}`, exact: true }).check()
  await page.getByRole('button', { name: 'Mark delivered' }).click()
  await expect(dialog(page)).toContainText(`Order ${reference} will be marked as delivered.`)
  await dialog(page).getByRole('button', { name: 'Mark delivered' }).click()
  await toast(page, 'Order delivered successfully.')
  await expect(page.getByRole('link', { name: reference, exact: true })).toHaveCount(0)

  await page.goto(`${paths.adminOrders()}?search=${encodeURIComponent(reference)}`)
  await page.getByRole('link', { name: `See Invoice of order ${reference}` }).click()
  await expect(page.getByRole('heading', { name: `Order ${reference}`, level: 1 })).toBeVisible()
  await page.goto(`${paths.adminAudit()}?entity=order`)
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `Delivered order ${reference}` })
      .first(),
  ).toBeVisible()
})

test('an export from Shopify becomes groups of products with pictures of the shop’s own', async ({ page, baseURL }) => {
  await signIn(page)
  const mark = unique()
  const pictures = [`${baseURL}/images/velveteen-garnet.webp?w=320&as=png`, `${baseURL}/images/halfacre-spruce.webp`]
  const csv = [
    'Handle,Title,Body (HTML),Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price,Image Src,Variant Image,Image Alt Text',
    `lark-${mark},Lark ${mark},<p>Two plies.</p>,Sock,Color,Garnet,LARK-${mark}-1,19.90,24.50,${pictures[0]},${pictures[0]},A skein`,
    `lark-${mark},,,,,Rust,LARK-${mark}-2,24.50,,${baseURL}/images/maud-fenner-cornflower.webp?w=320&as=png,${pictures[1]},Knitted up`,
  ].join('\n')
  await page.goto(paths.adminImport())
  await page
    .getByLabel('Drop a CSV here, or choose one')
    .setInputFiles({ name: `products_export-${mark}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(row(page, `Lark ${mark} in Garnet`)).toContainText('New')
  await expect(page.getByText('Applying also fetches 4 pictures')).toBeVisible()
  await page.getByRole('button', { name: 'Apply import' }).click()
  await dialog(page).getByRole('button', { name: 'Apply import' }).click()
  await toast(page, 'Import applied: 2 products.')
  await expect(page.getByText('1 picture could not be fetched')).toBeVisible()
  await expect(page.getByText('Fetching')).toHaveCount(0)
  await expect(row(page, `Lark ${mark} in Rust`)).toContainText('This is not a JPG or PNG picture.')
  const again = page.waitForResponse(response => response.request().postData()?.includes('FetchPicturesAgain') ?? false)
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await (await again).json()).toMatchObject({ data: { fetchPicturesAgain: { userErrors: [] } } })
  await expect(page.getByText('1 picture could not be fetched')).toBeVisible()
  await choose(page, 'Rows', /^Picture not fetched/)
  await expect(row(page, `Lark ${mark} in Garnet`)).toHaveCount(0)
  await expect(row(page, `Lark ${mark} in Rust`)).toHaveCount(1)
  await expectNoBarriers(page)

  await choose(page, 'Rows', /^All rows/)
  await row(page, `Lark ${mark} in Garnet`).getByRole('link').click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(`Lark ${mark} in Garnet`)
  await expect(page.getByText('Knitted up')).toBeVisible()
  await page.goto(`${paths.adminProducts()}?search=${mark}`)
  await expect(row(page, `Lark ${mark} in Garnet`).locator('img')).toHaveAttribute('src', /^\/uploads\//)

  await page.goto(paths.adminImport())
  await page.getByRole('link', { name: `products_export-${mark}.csv` }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await dialog(page).getByRole('button', { name: 'Undo import' }).click()
  await toast(page, 'Import undone.')
  await expect(page.getByText('could not be fetched')).toHaveCount(0)
})

test('a spreadsheet is tried, applied and undone', async ({ page }) => {
  const session = await signIn(page)
  const mark = unique()
  await stockProduct(page, session, `Known ${mark}`)
  const sku = await api<{ adminProducts: { items: { sku: string }[] } }>(
    page.request,
    'query ($search: String) { adminProducts(filter: { search: $search }) { items { sku } } }',
    { search: mark },
    session.token,
  ).then(({ adminProducts }) => nth(adminProducts.items, 0).sku)

  await page.goto(paths.adminImport())
  const template = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download template' }).click()
  expect((await template).suggestedFilename()).toBe('products-template.csv')

  const csv = [
    'sku;name;price',
    `${sku};Known ${mark};15.25`,
    `NEW-${mark};New ${mark};9.90`,
    `BAD-${mark};Bad ${mark};cheap`,
  ].join('\r\n')
  await page
    .getByLabel('Drop a CSV here, or choose one')
    .setInputFiles({ name: `spring-${mark}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${csv}`) })
  await expect(page.getByRole('heading', { name: `spring-${mark}.csv` })).toBeVisible()
  await expect(row(page, `Known ${mark}`)).toContainText('$15.25')
  await expect(row(page, `Bad ${mark}`)).toContainText('Refused')
  await choose(page, 'Rows', /^Refused/)
  await expect(row(page, `Known ${mark}`)).toHaveCount(0)

  await page.getByRole('button', { name: 'Apply import' }).click()
  await dialog(page).getByRole('button', { name: 'Apply import' }).click()
  await toast(page, 'Import applied: 2 products.')
  await page.goto(`${paths.adminProducts()}?search=${mark}`)
  await expect(row(page, `New ${mark}`)).toContainText('$9.90')
  await expect(row(page, `Known ${mark}`)).toContainText('$15.25')

  await page.goto(paths.adminImport())
  await page.getByRole('link', { name: `spring-${mark}.csv` }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await dialog(page).getByRole('button', { name: 'Undo import' }).click()
  await toast(page, 'Import undone.')
  await page.goto(`${paths.adminProducts()}?search=${mark}`)
  await expect(row(page, `Known ${mark}`)).toContainText('$10.00')
  await expect(row(page, `New ${mark}`)).toHaveCount(0)

  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^products-.*\.csv$/)
})

test('a user is edited, made an admin and deleted', async ({ page }) => {
  const mark = unique()
  await api(page.request, 'mutation ($input: RegisterInput!) { register(input: $input) { userErrors { message } } }', {
    input: { name: `Fern ${mark}`, email: `${mark}@example.com`, password: 'knit-purl-fern' },
  })
  await signIn(page)
  await page.goto(paths.adminUsers())
  await page.getByRole('searchbox', { name: 'Search users' }).fill(mark)
  await expect(page).toHaveURL(new RegExp(`search=${mark}`))
  await expect(page.getByRole('link', { name: `${mark}@example.com` })).toHaveAttribute(
    'href',
    `mailto:${mark}@example.com`,
  )
  await page.getByRole('link', { name: `Edit Fern ${mark}` }).click()

  await page.getByLabel('Email', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(`fern-${mark}@example.com`)
  await page.getByLabel('Is Admin Role').check()
  await page.getByRole('button', { name: 'Update' }).click()
  await toast(page, 'User updated successfully.')

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Users' }).click()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(mark)
  await expect(row(page, `fern-${mark}@example.com`)).toContainText('Admin')
  await page.getByRole('button', { name: `Delete Fern ${mark}` }).click()
  await expect(dialog(page)).toContainText(
    `Are you sure you want to delete Fern ${mark}? This action cannot be undone.`,
  )
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await toast(page, 'User deleted successfully.')
  await expect(page.getByText('No users found.')).toBeVisible()
})

test('a review is hidden with a reason and restored', async ({ page }) => {
  await signIn(page)
  await page.goto(`${paths.adminReviews()}?status=shown&rating=5`)
  const comment = 'Even twist, even dye'
  await page.getByRole('searchbox', { name: 'Search reviews' }).fill(comment)
  await expect(page.getByRole('button', { name: /^Hide the review by/ })).toHaveCount(1)
  await page.getByRole('button', { name: /^Hide the review by/ }).click()
  await dialog(page).getByRole('button', { name: 'Hide review' }).click()
  await expect(dialog(page).getByText('Please say why, for the other admins.')).toBeVisible()
  await dialog(page).getByLabel('Reason').fill('Names a customer')
  await dialog(page).getByRole('button', { name: 'Hide review' }).click()
  await toast(page, 'Review hidden successfully.')
  await choose(page, 'Status', 'Hidden')
  await expect(page.getByText('Hidden: Names a customer')).toBeVisible()
  await page.getByRole('button', { name: /^Restore the review by/ }).click()
  await toast(page, 'Review restored successfully.')
  await expect(page.getByText('No reviews found.')).toBeVisible()
})

test('a product is deleted after being asked word for word', async ({ page }) => {
  const session = await signIn(page)
  const name = `Farewell ${unique()}`
  await stockProduct(page, session, name)
  await page.goto(`${paths.adminProducts()}?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await expect(dialog(page)).toContainText('Are you sure you want to delete this item? This action cannot be undone.')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await toast(page, 'Product deleted successfully.')
  await expect(page.getByText('No products found.')).toBeVisible()
})

test('the dashboard tells of millions on one line @phone', async ({ page }) => {
  await signIn(page)
  await page.route('**/graphql', async route => {
    if (route.request().postDataJSON()?.operationName !== 'Dashboard') return route.fallback()
    const response = await route.fetch()
    const json = (await response.json()) as { data: { dashboard: { totals: object } } }
    const totals = { revenue: 1_234_567_890, orders: 1_234_567, averageOrder: 123_456_789, units: 1_234_567 }
    Object.assign(json.data.dashboard.totals, totals)
    await route.fulfill({ response, json })
  })
  await page.goto(paths.admin())
  const figure = page.getByText('$12,345,678.90', { exact: true })
  await expect(figure).toBeVisible()
  const lines = () =>
    figure.evaluate(text => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return range.getClientRects().length
    })
  await expect.poll(lines).toBe(1)
})

test('the dashboard says what there is to see to before the shop sells in earnest @phone', async ({ page }) => {
  await signIn(page)
  await page.goto(paths.admin())
  await page.getByText('Before you sell in earnest').click()
  const steps = page.getByRole('listitem')
  await expect(steps.filter({ hasText: 'Take real payments' })).toContainText('no money moves.PAYPAL_MODE, ')
  await expect(steps.filter({ hasText: 'Put something on the shelf (done)' })).toBeVisible()
  await expectNoBarriers(page)
  await steps.filter({ hasText: 'Write your own pages' }).getByRole('link', { name: 'Pages' }).click()
  await expect(page).toHaveURL(paths.adminPages())
})

test('lists are sorted and filtered in the address, and the dashboard by period', async ({ page }) => {
  await signIn(page)
  await page.goto(paths.adminProducts())
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=price/)
  await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=-price/)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'descending')

  await page.goto(paths.admin())
  await choose(page, 'Period', 'Months')
  await expect(page).toHaveURL(/period=month/)
  await page.getByRole('link', { name: /^Units sold/ }).click()
  await expect(page.getByRole('heading', { name: 'Units sold, last 12 months' })).toBeVisible()
  await page.getByText('The same figures as a table').click()
  await expect(page.getByRole('table', { name: 'Sales of the last 12 months' }).getByRole('row')).toHaveCount(13)
})

test('shoppers and visitors never download the admin', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', request => scripts.push(request.url()))
  await page.goto(paths.adminOrders())
  await expect(page).toHaveURL(paths.login(paths.adminOrders()))
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await signIn(page, { email: 'shopper@example.com', password: 'knit-purl-shopper' })
  await page.goto(paths.home())
  await expect(page.getByRole('button', { name: 'Admin' })).toHaveCount(0)
  await page.goto(paths.adminUsers())
  await toast(page, 'Only administrators can open that page.')
  await expect(page).not.toHaveURL(/\/admin/)
  expect(scripts.filter(url => /admin-pages|Chart/i.test(url))).toEqual([])
})

const rooms: [path: string, heading: string][] = [
  [paths.admin(), 'Dashboard'],
  [paths.adminOrders(), 'Orders'],
  [paths.adminNewOrder(), 'New order'],
  [paths.adminProducts(), 'Products'],
  [paths.adminUsers(), 'Users'],
  [paths.adminImport(), 'Import products'],
  [paths.adminCollections(), 'Collections'],
  [paths.adminCollections('new'), 'Add collection'],
  [paths.adminReviews(), 'Reviews'],
  [paths.adminSearches(), 'Searches'],
  [paths.adminCodes(), 'Codes'],
  [paths.adminGiftCards(), 'Gift cards'],
  [paths.adminTaxes(), 'Taxes'],
  [paths.adminPages(), 'Pages'],
  [paths.adminAudit(), 'Audit log'],
]

test('axe finds nothing in the admin, light or dark @phone', async ({ page }) => {
  const session = await signIn(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { products, orders } = await api<Record<'products' | 'orders', { items: { id: string }[] }>>(
    page.request,
    '{ products { items { id } } orders(filter: { status: TO_SEND }) { items { id } } }',
    {},
    session.token,
  )
  const pages = [
    ...rooms,
    [paths.adminProduct(nth(products.items, 0).id), ''] as const,
    [paths.order(nth(orders.items, 0).id), 'Order'] as const,
    [paths.adminUser(session.user.id), session.user.name] as const,
  ]
  for (const [path, heading] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading || undefined }).first()).toBeVisible()
    await settled(page)
    await expectNoBarriers(page, 'every rule')
  }
})
