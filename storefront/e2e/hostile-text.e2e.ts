import { ADDRESS, expect, fillCart, open, signIn, store, test, unique } from './fixtures.ts'
import { paths } from '../paths.ts'

// Text that would become a picture, a drawing or a script wherever it was treated as more than text.
const PICTURE = '</script><img data-harm src=x onerror=window.harmed=1>'
const DRAWING = '"><svg data-harm onload=window.harmed=1>'
const SCRIPT = `'--><!--<script data-harm>window.harmed=1</script>`
const TEMPLATE = '{{harmed=1}}${harmed=1} javascript:window.harmed=1'
const SIGNS = '\u202eknits\u202c\u200b\u2066\ufeff\u2028'
const ALL = [PICTURE, DRAWING, SCRIPT, TEMPLATE, SIGNS].join(' ')

test('text that means harm is shown as the text it is, to shoppers and to administrators', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  page.on('dialog', dialog => {
    throw new Error(`A page asks: ${dialog.message()}`)
  })
  // Lists are narrowed to what this test made: other tests fill them at the same time.
  const mark = unique()
  const dollars = 7_000 + (Number.parseInt(mark.slice(-6), 36) % 2_000)
  const name = `${PICTURE} ${mark}`
  const product = await makeProduct({
    name,
    price: dollars * 100,
    description: ALL,
    weight: `100 g ${DRAWING}`,
    length: DRAWING,
    gauge: SCRIPT,
    knittingNeedle: PICTURE,
    crochetHook: TEMPLATE,
    recommendedCare: SIGNS,
    content: PICTURE,
    category: SCRIPT,
  })
  const shopper = await api.register(PICTURE)
  // Not among the best rated, which other tests look at.
  await api.review(product, shopper, { rating: 1, comment: ALL })
  const { placeOrder } = await api.ask(
    'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id reference } userErrors { message } } }',
    {
      input: {
        lines: [{ productId: product.id, quantity: 1 }],
        shippingAddress: {
          name: PICTURE,
          address: DRAWING,
          address2: SCRIPT,
          city: TEMPLATE,
          state: SIGNS,
          postalCode: `${DRAWING}`.slice(0, 20),
          country: PICTURE,
        },
      },
    },
    shopper,
  )
  const { id: order, reference } = placeOrder.order

  /** The page shows it as text, and nothing else has come of it. */
  const inert = async (path: string, text = PICTURE) => {
    await open(page, path)
    await expect(
      page
        .getByText(text)
        .or(page.getByRole('textbox').and(page.locator(`[value*="data-harm"]`)))
        .first(),
      path,
    ).toBeAttached()
    await expect(page.locator('main [aria-busy="true"]'), path).toHaveCount(0)
    expect(await page.locator('[data-harm]').count(), path).toBe(0)
    expect(await page.evaluate(() => (window as { harmed?: unknown }).harmed), path).toBeUndefined()
  }

  await inert(`${paths.home()}?price=${dollars}-${dollars}`)
  await inert(paths.product(product.id, product.name))
  for (const keyword of [PICTURE, DRAWING, SCRIPT, TEMPLATE]) await inert(paths.search(keyword), keyword)
  await inert(paths.topRatedSearch(PICTURE))

  await signIn(page, shopper)
  await fillCart(page, [{ product, quantity: 1 }], { ...ADDRESS, name: PICTURE, address: DRAWING })
  for (const path of [paths.cart(), paths.placeOrder(), paths.order(order), paths.profile()]) await inert(path)

  await store(page, 'cart', '')
  await signIn(page, admin)
  // The newest reviews of the whole shop are soon those of other tests.
  await page.route('**/graphql', async route => {
    if (route.request().postDataJSON()?.operationName !== 'Dashboard') return route.fallback()
    const response = await route.fetch()
    const json = await response.json()
    Object.assign(json.data.dashboard.newestReviews[0], { name: PICTURE, comment: ALL })
    await route.fulfill({ response, json })
  })
  for (const path of [
    `${paths.adminProducts()}?search=${mark}`,
    paths.adminProduct(product.id),
    `${paths.adminOrders()}?search=${encodeURIComponent(reference)}`,
    paths.order(order),
    `${paths.adminUsers()}?search=${encodeURIComponent(shopper.email)}`,
    paths.adminReviews(product.id),
    `${paths.adminAudit()}?entity=product`,
    paths.admin(),
  ])
    await inert(path)
})
