import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { expect, open, signIn, test, toasts, unique } from './fixtures.ts'

test('an owner puts a collection together, shoppers find it, and it goes again @phone', async ({
  page,
  browser,
  baseURL,
  admin,
  makeProduct,
  quiet,
}) => {
  const mark = unique()
  const [sock, lace] = [await makeProduct({ name: `Sock ${mark}` }), await makeProduct({ name: `Lace ${mark}` })]
  const name = `Gifts ${mark}`
  await signIn(page, admin)
  await page.goto(paths.adminCollections())
  await page.getByRole('link', { name: 'Add collection' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Name is required.')).toBeVisible()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('What it is about').fill('Small and soft.')
  for (const product of [sock, lace]) {
    await page.getByLabel('Add a product').fill(product.name)
    await page.getByRole('option', { name: product.name }).click()
    await expect(page.getByRole('link', { name: product.name })).toBeVisible()
  }
  await page.getByRole('button', { name: `Move ${lace.name} up` }).click()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toasts(page).getByText('Collection created successfully.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveURL(/collections\/[\da-f-]{36}$/)
  const edited = page.url()

  const visitor = await browser.newContext({ baseURL })
  const shop = await visitor.newPage()
  await open(shop, paths.home())
  const shelf = shop.getByRole('navigation', { name: 'Put together by us' })
  await expect(shelf.getByRole('listitem').filter({ hasText: name })).toContainText('2 products')
  await expectNoBarriers(shop)
  await shelf.getByRole('link', { name }).click()
  await expect(shop.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(shop.getByText('Small and soft.')).toBeVisible()
  const cards = shop.getByRole('main').getByRole('article').getByRole('heading')
  await expect(cards).toHaveText([lace.name, sock.name])
  const address = shop.url()
  await shop.reload()
  await expect(cards).toHaveText([lace.name, sock.name])
  await expectNoBarriers(shop)
  await expectNoSidewaysScroll(shop)
  const picture = await shop.locator('meta[property="og:image"]').getAttribute('content')
  expect((await shop.request.get(String(picture))).headers()['content-type']).toBe('image/jpeg')
  const sitemap = await (await shop.request.get('/sitemap.xml')).text()
  for (const listed of [paths.collections(), new URL(address).pathname]) expect(sitemap).toContain(`${listed}</loc>`)
  await shop.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Collections' }).click()
  await expect(shop).toHaveURL(paths.collections())
  const tile = shop.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(tile).toContainText('2 products')
  await shop.reload()
  await expect(tile).toContainText('2 products')
  await expectNoBarriers(shop)
  await expectNoSidewaysScroll(shop)

  await page.getByRole('button', { name: `Remove ${sock.name}` }).click()
  await page.getByLabel('Shoppers see it').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toasts(page).getByText('Collection updated successfully.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Hidden')
  quiet.expects(/status of 404/)
  expect((await shop.goto(address))?.status()).toBe(404)
  await visitor.close()

  await page.getByLabel('Name').fill('Not yet saved')
  await page.getByRole('link', { name: 'Collections' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Not yet saved')
  await page.getByRole('link', { name: 'Collections' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(paths.adminCollections())

  await page.goto(edited)
  await expect(page.getByRole('link', { name: lace.name })).toBeVisible()
  await expect(page.getByRole('link', { name: sock.name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toasts(page).getByText('Collection deleted successfully.')).toBeVisible()
  await expect(page).toHaveURL(paths.adminCollections())
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})

test('collections stand in the order that an owner gives them, and are never saved over unseen', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const mark = unique()
  const { id: productId } = await makeProduct({})
  const make = async (name: string) =>
    (
      await api.ask(
        'mutation($input: CollectionInput!) { createCollection(input: $input) { collection { id version } userErrors { message } } }',
        { input: { name: `${name} ${mark}`, description: '', isPublished: false, productIds: [productId] } },
        admin,
      )
    ).createCollection.collection
  const [first, second] = [await make('One'), await make('Two')]
  const mine = page.getByRole('listitem').filter({ hasText: mark })
  await signIn(page, admin)
  await page.goto(paths.adminCollections())
  await expect(mine).toContainText([/One/, /Two/])
  await page.getByRole('button', { name: `Move Two ${mark} up` }).click()
  await expect(mine).toContainText([/Two/, /One/])
  await page.reload()
  await expect(mine).toContainText([/Two/, /One/])

  await page.getByRole('link', { name: `One ${mark}` }).click()
  await page.getByLabel('Name').fill(`Mine ${mark}`)
  await api.ask(
    'mutation($id: ID!, $input: CollectionInput!) { updateCollection(id: $id, input: $input) { userErrors { message } } }',
    { id: first?.id, input: { name: `Theirs ${mark}`, description: '', isPublished: false, productIds: [] } },
    admin,
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`it is called “Theirs ${mark}” now`)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Mine ${mark}` })).toBeVisible()
  for (const made of [first, second])
    await api.ask(
      'mutation($id: ID!) { deleteCollection(id: $id) { userErrors { message } } }',
      { id: made?.id },
      admin,
    )
})

test('selected products are added to a collection from their list', async ({ page, api, admin, makeProduct }) => {
  const mark = unique()
  const [one, two] = [await makeProduct({ name: `Ash ${mark}` }), await makeProduct({ name: `Birch ${mark}` })]
  const { createCollection } = await api.ask(
    'mutation($input: CollectionInput!) { createCollection(input: $input) { collection { id } userErrors { message } } }',
    { input: { name: `Trees ${mark}`, description: '', isPublished: false, productIds: [] } },
    admin,
  )
  await signIn(page, admin)
  await page.goto(`${paths.adminProducts()}?search=${mark}`)
  for (const { name } of [one, two]) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Add to collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add 2 products to a collection' })
  await dialog.getByLabel('Collection').selectOption(`Trees ${mark}`)
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(toasts(page).getByText(`Added to Trees ${mark}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to collection' })).toHaveCount(0)
  await page.goto(paths.adminCollections(createCollection.collection?.id))
  for (const { name } of [one, two]) await expect(page.getByRole('link', { name })).toBeVisible()
  await api.ask(
    'mutation($id: ID!) { deleteCollection(id: $id) { userErrors { message } } }',
    { id: createCollection.collection?.id },
    admin,
  )
})
