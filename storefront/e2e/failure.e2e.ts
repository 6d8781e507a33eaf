import {
  ADDRESS,
  answer,
  BROKEN_REQUEST,
  breakApi,
  expect,
  fillCart,
  open,
  openPayment,
  openWhole,
  stored,
  test,
  toasts,
} from './fixtures.ts'
import { present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

const FALLBACK = 'Yarn it! Something went wrong!'
const NO_ANSWER = 'We could not reach the shop. Please check your connection and try again.'
const DROPPED_STITCH = 'Oh no, we dropped a stitch! Something went wrong while placing your order.'

test.describe('while the API cannot be reached', () => {
  test.beforeEach(({ quiet }) => quiet.expects(BROKEN_REQUEST))

  test('a list says so and comes with the next try', async ({ page }) => {
    await open(page, '/')
    const mend = await breakApi(page)
    await page.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There’s a knot in this page')
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(NO_ANSWER)
    await expect(page.getByRole('banner')).toBeVisible()
    const again = page.getByRole('button', { name: 'Try again' })
    const failed = page.waitForEvent('requestfailed', request => request.url().includes('/graphql'))
    await again.click()
    // A request under way when the way is free again might never be answered.
    await failed
    await expect(again).toBeEnabled()
    await mend()
    await again.click()
    await expect(page.getByRole('heading', { name: 'Everything on the shelves' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page')
  })

  test('a product page too', async ({ page, api }) => {
    const { name } = await api.find('Darning Needles in a Copper Tin')
    await open(page, '/search/darning')
    const mend = await breakApi(page)
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There’s a knot in this page')
    await mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  })

  test('more reviews can be asked for again', async ({ page, api, makeProduct }) => {
    const product = await makeProduct()
    for (let number = 1; number <= 13; number++)
      await api.review(product, await api.register(), { rating: 5, comment: `Opinion number ${number}.` })
    await open(page, `/product/${product.id}`)
    const mend = await breakApi(page)
    const reviews = page.getByRole('region', { name: 'Customer Reviews' })
    await reviews.getByRole('button', { name: 'Show more reviews' }).click()
    await expect(reviews.getByRole('alert')).toBeVisible()
    await expect(reviews.getByText('Opinion number 13.', { exact: true })).toBeVisible()
    await mend()
    await reviews.getByRole('button', { name: 'Try again' }).click()
    await expect(reviews.getByText('Opinion number 1.', { exact: true })).toBeVisible()
  })

  test('the cart shows what it has and checks it with the next try', async ({ page, makeProduct, changeProduct }) => {
    const product = await makeProduct({ price: 1000 })
    await fillCart(page, [{ product, quantity: 1 }])
    await changeProduct(product, { price: 1100 })
    const mend = await breakApi(page)
    await open(page, '/cart')
    await expect(page.getByText(/We could not check prices and stock\./)).toBeVisible()
    await expect(page.getByRole('link', { name: product.name })).toBeVisible()
    await mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(`The price of “${product.name}” changed from $10.00 to $11.00.`)).toBeVisible()
    await expect(page.getByText(/We could not check/)).toHaveCount(0)
  })

  test('profile and order say so and come with the next try', async ({ page, api, shopper, makeProduct }) => {
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    const orders = page.getByRole('region', { name: 'Your Orders' })
    for (const [path, part, seen] of [
      ['/profile', orders, orders.getByRole('cell', { name: order.reference, exact: true })],
      [`/order/${order.id}`, page.getByRole('main'), page.getByRole('heading', { name: `Order ${order.reference}` })],
    ] as const) {
      const mend = await breakApi(page)
      await open(page, path)
      await expect(part.getByRole('alert')).toBeVisible()
      // One failure is reported once, even if other parts of the page got no answer either.
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1)
      await mend()
      await part.getByRole('button', { name: 'Try again' }).click()
      await expect(seen).toBeVisible()
    }
  })

  test('an order that could not be placed keeps the cart, and is placed once', async ({
    page,
    api,
    shopper,
    makeProduct,
  }) => {
    const product = await makeProduct()
    await fillCart(page, [{ product, quantity: 2 }], ADDRESS)
    await open(page, '/place-order')
    await expect(page.getByText('2 × $10.00')).toBeVisible()
    // The order arrives, its answer does not.
    await page.route('**/graphql', async route => {
      if (route.request().postDataJSON()?.operationName !== 'PlaceOrder') return route.fallback()
      await route.fetch()
      await route.abort('connectionrefused')
    })
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText(DROPPED_STITCH)
    await expect(page).toHaveURL('/place-order')
    expect((await stored<{ cartItems: unknown[] }>(page, 'cart')).cartItems).toHaveLength(1)

    await page.unroute('**/graphql')
    await page.reload()
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /^Order #/ })).toBeVisible()
    expect((await api.ask('{ myOrders { id } }', {}, shopper)).myOrders).toHaveLength(1)
    expect((await api.product(product.id)).countInStock).toBe(28)
  })
})

test.describe('when the API answers with an error', () => {
  test('without words, the shop has its own', async ({ page, shopper, quiet }) => {
    quiet.expects(/status of 50\d/)
    await open(page, '/')
    await answer(page, 'HomePage', { status: 502, text: '<h1>Bad gateway</h1>' })
    await page.getByRole('link', { name: 'Page 3', exact: true }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(FALLBACK)

    await answer(page, 'MyOrders', { status: 500, json: {} })
    await page.getByRole('button', { name: shopper.name }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(FALLBACK)
  })

  test('its words are shown', async ({ page, shopper }) => {
    await answer(page, 'MyOrders', { json: { errors: [{ message: 'The order book is at the binder’s.' }] } })
    await answer(page, 'UpdateProfile', { json: { errors: [{ message: 'The pen has run dry.' }] } })
    await open(page, '/profile')
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('The order book is at the binder’s.')
    await page.getByLabel('Name').fill('Nell Inkless')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText('The pen has run dry.')
    await expect(page.getByLabel('Name')).toHaveValue('Nell Inkless')
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('an order has words of its own, unless the API has some', async ({ page, shopper, makeProduct, quiet }) => {
    quiet.expects(/status of 500/)
    await fillCart(page, [{ product: await makeProduct(), quantity: 1 }], ADDRESS)
    await open(page, '/place-order')
    await answer(page, 'PlaceOrder', { status: 500, text: '<h1>Oops</h1>' })
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(toasts(page).getByText(DROPPED_STITCH)).toBeVisible()
    await answer(page, 'PlaceOrder', { json: { errors: [{ message: 'The till is locked.' }] } })
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(toasts(page).getByText('The till is locked.')).toBeVisible()
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('a review keeps what was written', async ({ page, shopper, makeProduct, quiet }) => {
    quiet.expects(/status of 500/)
    const { id } = await makeProduct()
    await open(page, `/product/${id}`)
    await answer(page, 'CreateReview', { status: 500, json: {} })
    await page.getByRole('button', { name: 'Write a customer review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
    await dialog.locator('label', { hasText: 'Pretty good' }).click()
    await expect(dialog.getByRole('radio', { name: 'Pretty good' })).toBeChecked()
    await dialog.getByLabel('Comment').fill('It will do.')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(toasts(page).getByText(FALLBACK)).toBeVisible()
    await expect(dialog.getByLabel('Comment')).toHaveValue('It will do.')
    await page.unroute('**/graphql')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Thanks for leaving feedback!')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Customer Reviews' })).toContainText(shopper.name)
  })
})

test.describe('when a payment goes wrong', () => {
  test('because PayPal’s script does not come, it can be loaded again', async ({
    page,
    api,
    shopper,
    makeProduct,
    quiet,
  }) => {
    quiet.expects(BROKEN_REQUEST, /Failed to load the PayPal JS SDK/)
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    await page.route('**/sdk/js**', route => route.abort('connectionrefused'))
    await open(page, `/order/${order.id}`)
    await expect(page.getByRole('alert').filter({ hasText: 'PayPal could not be loaded.' })).toBeVisible()
    await expect(page.getByText('Order is unpaid and has not been processed.')).toBeVisible()
    await page.unroute('**/sdk/js**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'PayPal' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Debit or Credit Card' })).toBeVisible()
  })

  test('because the shop cannot say how to pay, it can be asked again', async ({
    page,
    api,
    shopper,
    makeProduct,
    quiet,
  }) => {
    quiet.expects(/status of 500/)
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    await answer(page, 'PaypalConfig', { status: 500, json: {} })
    await open(page, `/order/${order.id}`)
    await expect(page.getByRole('alert').filter({ hasText: FALLBACK })).toBeVisible()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'PayPal' })).toBeVisible()
  })

  test('because PayPal cannot be reached, the shop says so and the buttons go on working', async ({
    page,
    api,
    shopper,
    makeProduct,
  }) => {
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    await open(page, `/order/${order.id}`)
    const message = 'PayPal cannot be reached right now. Please try again in a moment.'
    await answer(page, 'CreatePaypalOrder', {
      json: {
        data: {
          createPaypalOrder: {
            __typename: 'PaypalOrderPayload',
            paypalOrderId: null,
            userErrors: [{ __typename: 'UserError', code: 'PAYMENT_UNAVAILABLE', message, field: null }],
          },
        },
      },
    })
    await openPayment(page, 'PayPal')
    await expect(toasts(page).getByRole('alert')).toHaveText(message)
    await page.unroute('**/graphql')
    const popup = await openPayment(page, 'PayPal')
    await popup.getByRole('button', { name: /^Pay / }).click()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  })

  test('because the answer names no capture, it says that it failed', async ({ page, api, shopper, makeProduct }) => {
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    await open(page, `/order/${order.id}`)
    await answer(page, 'CapturePaypalOrder', {
      json: { data: { capturePaypalOrder: { __typename: 'PaymentPayload', captureId: null, userErrors: [] } } },
    })
    const popup = await openPayment(page, 'PayPal')
    await popup.getByRole('button', { name: /^Pay / }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText('Payment failed. Please try again.')
    await expect(page.getByText('Unpaid', { exact: true })).toBeVisible()
  })

  test('because a payment is held for review, it says so and stays unpaid', async ({
    page,
    api,
    shopper,
    makeProduct,
  }) => {
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    await open(page, `/order/${order.id}`)
    const message = 'PayPal is still looking at this payment.'
    await answer(page, 'CapturePaypalOrder', {
      json: {
        data: {
          capturePaypalOrder: {
            __typename: 'PaymentPayload',
            captureId: null,
            userErrors: [{ __typename: 'UserError', code: 'PAYMENT_PENDING', message, field: null }],
          },
        },
      },
    })
    const popup = await openPayment(page, 'PayPal')
    await popup.getByRole('button', { name: /^Pay / }).click()
    await expect(page.getByRole('main').getByText(message)).toBeVisible()
    await expect(toasts(page).getByRole('alert')).toHaveCount(0)
    await expect(page.getByText('Unpaid', { exact: true })).toBeVisible()
  })

  test('no two tabs pay an order twice', async ({ page, context, api, shopper, makeProduct, quiet }) => {
    quiet.expects(/status of 409/, BROKEN_REQUEST)
    const order = await api.placeOrder(shopper, [{ product: await makeProduct(), quantity: 1 }])
    const other = await context.newPage()
    // This page does not learn what the first one does, neither from the shop nor from the browser's storage.
    await other.route('**/graphql/stream', route => route.abort())
    await other.addInitScript(() => window.addEventListener('storage', event => event.stopImmediatePropagation(), true))
    await open(page, `/order/${order.id}`)
    await open(other, `/order/${order.id}`)
    const [first, second] = [await openPayment(page, 'PayPal'), await openPayment(other, 'Debit or Credit Card')]
    await expect(second.getByRole('button', { name: /^Pay / })).toBeVisible()
    // It does not ask for the order again either, which would make it close its window.
    await other.route('**/graphql', route => {
      if (route.request().postDataJSON()?.operationName !== 'Order') return route.fallback()
    })
    await first.getByRole('button', { name: /^Pay / }).click()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    const token = present(new URL(second.url()).searchParams.get('token'))
    await second.getByRole('button', { name: /^Pay / }).click()
    await expect(second.getByText('This payment is already made.')).toBeVisible()
    expect((await api.journal(token)).filter(({ effect }) => effect === 'captured')).toHaveLength(1)
  })
})

test.describe('when a program of the shop does not come', () => {
  test.beforeEach(({ quiet }) =>
    quiet.expects(/Failed to (load resource|fetch dynamically)|ERR_INTERNET_DISCONNECTED|404|^thrown: $/),
  )

  test('because a newer version took it away, the page asked for is loaded anew, once', async ({ page, api }) => {
    const { name } = await api.find('Darning Needles in a Copper Tin')
    await open(page, '/search/darning')
    const documents: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
    })
    await page.route('**/assets/ProductPage-*', route => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    // The new document cannot load the script either: it stays as the server made it.
    await page.waitForLoadState('networkidle')
    expect(documents).toEqual([expect.stringMatching(/^\/product\//)])
  })

  test('because a newer version took the very first away, the page is loaded anew, once, and then says so', async ({
    page,
    shopper,
  }) => {
    const documents: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
    })
    await page.route('**/assets/entry-client-*', route => route.fulfill({ status: 404, body: '' }))
    await page.goto('/profile')
    await expect(page.getByRole('alert')).toContainText('Part of this page could not be loaded.')
    expect(documents.slice(-2)).toEqual(['/profile', '/profile'])
    const { length } = documents
    await page.waitForLoadState('networkidle')
    expect(documents).toHaveLength(length)
    await page.unroute('**/assets/entry-client-*')
    await page.reload()
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('with the page asked for, a form on it goes its own way', async ({ page, makeProduct }) => {
    const product = await makeProduct()
    await page.route('**/assets/ProductPage-*', async route => {
      await page.getByRole('button', { name: 'Add to Cart' }).click()
      await route.fulfill({ status: 404, body: '' })
    })
    await page.goto(`/product/${product.id}`, { waitUntil: 'commit' })
    await expect(page).toHaveURL('/cart')
    await expect(page.getByRole('combobox', { name: `Quantity of ${product.name}` })).toHaveValue('1')
  })

  test('because there is no line, the shop says so, and goes on when there is one', async ({ page, api, context }) => {
    const { name } = await api.find('Darning Needles in a Copper Tin')
    await open(page, '/search/darning')
    await context.setOffline(true)
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('This page could not be loaded.')
    await expect(page.getByText(/dynamically imported/)).toHaveCount(0)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  })

  test('what is typed stays, and nothing is loaded anew over it', async ({
    page,
    api,
    shopper,
    makeProduct,
    quiet,
  }) => {
    quiet.expects(/401/)
    const product = await makeProduct()
    await openWhole(page, `/product/${product.id}`, 'StashPlaces', 'ViewerReview')
    await page.getByRole('button', { name: 'Write a customer review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
    await dialog.getByRole('radio').nth(3).press('Space')
    await dialog.getByLabel('Comment').fill('Typed with love.')
    await api.ask('mutation { logout }', {}, shopper)
    const documents: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest()) documents.push(request.url())
    })
    await page.route('**/assets/SessionDialog-*', route => route.fulfill({ status: 404, body: '' }))
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(toasts(page).getByText('Part of this page could not be loaded.')).toBeVisible()
    await expect(dialog.getByLabel('Comment')).toHaveValue('Typed with love.')
    expect(documents).toEqual([])
  })
})
