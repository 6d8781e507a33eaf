import { paths } from '../paths.ts'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import {
  ADDRESS,
  dollars,
  expect,
  fillCart,
  freshEmail,
  open,
  openWhole,
  store,
  stored,
  test,
  toasts,
  unique,
} from './fixtures.ts'
import { present } from '#schema/rules/present'

test.describe.configure({ mode: 'parallel' })

test.describe('the stored cart', () => {
  test('has the shape the spec gives it', async ({ page, makeProduct }) => {
    const product = await makeProduct({ price: 1999, countInStock: 20, weight: '50 g' })
    await open(page, `/product/${product.id}`)
    await page.getByRole('combobox', { name: 'Quantity' }).selectOption('2')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page).toHaveURL('/cart')
    const { id, knittingNeedle, crochetHook, recommendedCare, price, ...same } = product
    expect(await stored(page, 'cart')).toEqual({
      cartItems: [
        {
          ...same,
          _id: id,
          knitting_needle: knittingNeedle,
          crochet_hook: crochetHook,
          recommended_care: recommendedCare,
          price: 19.99,
          quantity: 2,
        },
      ],
      itemsPrice: '39.98',
      shippingPrice: '1.50',
      taxPrice: '6.00',
      totalPrice: '47.48',
      shippingAddress: { name: '', address: '', address2: '', city: '', state: '', postalCode: '', country: '' },
      paymentMethod: 'PayPal',
    })
  })

  test('has one line per product: adding again sets the quantity', async ({ page, makeProduct }) => {
    const product = await makeProduct({ countInStock: 9 })
    for (const quantity of ['4', '3']) {
      await open(page, `/product/${product.id}`)
      await page.getByRole('combobox', { name: 'Quantity' }).selectOption(quantity)
      await page.getByRole('button', { name: 'Add to Cart' }).click()
      await expect(page.getByText(`Subtotal (${quantity} items)`)).toBeVisible()
    }
    await expect(page.getByRole('combobox', { name: `Quantity of ${product.name}` }).getByRole('option')).toHaveCount(9)
  })

  test('ships free from $100 on, with two decimals to everything', async ({ page, makeProduct }) => {
    const product = await makeProduct({ price: 9999, countInStock: 5, weight: '900 g' })
    await fillCart(page, [{ product, quantity: 1 }])
    await open(page, '/cart')
    await expect(page.getByText('Subtotal (1 item)')).toContainText('$99.99')
    await expect
      .poll(() => stored(page, 'cart'))
      .toMatchObject({
        itemsPrice: '99.99',
        shippingPrice: '13.50',
        taxPrice: '15.00',
        totalPrice: '128.49',
      })
    await page.getByRole('combobox', { name: `Quantity of ${product.name}` }).selectOption('2')
    await expect
      .poll(() => stored(page, 'cart'))
      .toMatchObject({
        itemsPrice: '199.98',
        shippingPrice: '0.00',
        taxPrice: '30.00',
        totalPrice: '229.98',
      })
  })

  test('may be anything at all', async ({ page }) => {
    await page.goto('/robots.txt')
    for (const rubbish of [
      '',
      'not json',
      'null',
      '[]',
      '5',
      '"cart"',
      '{"cartItems":"none"}',
      '{"cartItems":[null,5,{"_id":7,"price":1},{"_id":"x","price":"free"}],"shippingAddress":null}',
    ]) {
      await store(page, 'cart', rubbish)
      await store(page, 'userInfo', rubbish)
      await open(page, '/cart')
      await expect(page.getByText('Your cart is empty.'), rubbish).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
    }
  })
})

test('an empty cart says so and leads back to the shelves', async ({ page }) => {
  await open(page, '/cart')
  await expect(page.getByRole('alert').filter({ hasText: 'Your cart is empty.' })).toBeVisible()
  await expect(page.getByText('Subtotal (0 items)')).toContainText('$0.00')
  await expect(page.getByRole('button', { name: 'Proceed to Checkout' })).toBeDisabled()
  await page.getByRole('link', { name: 'Browse our yarns' }).click()
  await expect(page).toHaveURL('/')
})

test('a cart with something in it is not shown empty before the page is alive', async ({ page, makeProduct }) => {
  await fillCart(page, [{ product: await makeProduct(), quantity: 1 }])
  // This script never arrives.
  await page.route(/assets\/vendor-/, () => {})
  await page.goto('/cart', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible()
  await expect(page.getByText('Your cart is empty.')).toBeHidden()
  await expect(page.getByText('Subtotal')).toBeHidden()
})

test.describe('what changed since it was put into the cart', () => {
  test('is told: a price, a stock, something sold out, something gone', async ({
    page,
    makeProduct,
    changeProduct,
    archiveProduct,
  }) => {
    const [dearer, scarce, soldOut, gone] = [
      await makeProduct({ price: 1000 }),
      await makeProduct(),
      await makeProduct(),
      await makeProduct(),
    ]
    await fillCart(
      page,
      [dearer, scarce, soldOut, gone].map(product => ({ product, quantity: 4 })),
    )
    await changeProduct(dearer, { price: 1250 })
    await changeProduct(scarce, { countInStock: 3 })
    await changeProduct(soldOut, { countInStock: 0 })
    await archiveProduct(gone)

    await open(page, '/cart')
    await expect(page.getByText(`The price of “${dearer.name}” changed from $10.00 to $12.50.`)).toBeVisible()
    await expect(page.getByText(`Only 3 of “${scarce.name}” are left: we lowered the quantity from 4.`)).toBeVisible()
    await expect(page.getByText(`“${soldOut.name}” is sold out, so it left your cart.`)).toBeVisible()
    await expect(page.getByText(`“${gone.name}” is no longer for sale, so it left your cart.`)).toBeVisible()
    await expect(page.getByText('Subtotal (7 items)')).toContainText('$80.00')
    await expect(page.getByRole('combobox', { name: `Quantity of ${scarce.name}` }).getByRole('option')).toHaveCount(3)
    await expect(page.getByRole('link', { name: soldOut.name })).toHaveCount(0)

    // The changes are reported only once.
    await page.reload()
    await expect(page.getByText('Subtotal (7 items)')).toBeVisible()
    await expect(page.getByText(/changed from|sold out|no longer for sale/)).toHaveCount(0)
  })

  test('stops the order, shows the fresh figures and lets one go on', async ({
    page,
    shopper,
    makeProduct,
    changeProduct,
  }) => {
    const product = await makeProduct({ price: 1000 })
    await fillCart(page, [{ product, quantity: 2 }], ADDRESS)
    await openWhole(page, '/place-order', 'QuoteCart')
    const summary = page.getByRole('region', { name: 'Order summary' })
    await expect(summary).toContainText('Total$26.00')
    await changeProduct(product, { price: 1200 })
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText(
      'Prices have changed since you looked. Please check the new total.',
    )
    await expect(page.getByText(`The price of “${product.name}” changed from $10.00 to $12.00.`)).toBeVisible()
    await expect(summary).toContainText('Items$24.00')
    await expect(summary).toContainText('Tax$3.60')
    await expect(summary).toContainText('Total$30.60')
    await expect(page).toHaveURL('/place-order')

    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(page.getByRole('heading', { level: 1, name: /^Order #/ })).toBeVisible()
    await expect(summary).toContainText('Total$30.60')
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('stops the order when somebody else bought the last ones', async ({ page, api, shopper, makeProduct }) => {
    const product = await makeProduct({ countInStock: 3 })
    await fillCart(page, [{ product, quantity: 3 }], ADDRESS)
    await openWhole(page, '/place-order', 'QuoteCart')
    await expect(page.getByText('3 × $10.00')).toBeVisible()
    await api.placeOrder(await api.register(), [{ product, quantity: 2 }])
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(toasts(page).getByRole('alert')).toHaveText(`Only 1 left of “${product.name}”.`)
    await expect(page.getByText('1 × $10.00')).toBeVisible()

    await api.placeOrder(await api.register(), [{ product, quantity: 1 }])
    await page.getByRole('button', { name: 'Place order' }).click()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByText(`“${product.name}” is sold out, so it left your cart.`)).toBeVisible()
    await expect(page.getByText(/lowered the quantity/)).toHaveCount(0)
    await expect(page.getByText('Your cart is empty.')).toBeVisible()
    expect((await api.ask('{ myOrders { id } }', {}, shopper)).myOrders).toEqual([])
  })
})

test('a checkout without anything to order leads to the cart, also back from an order', async ({
  page,
  shopper,
  makeProduct,
}) => {
  for (const address of ['/shipping', '/place-order']) {
    await page.goto(address)
    await expect(toasts(page).getByText('There is nothing in your cart to order.')).toBeVisible()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByText('Your cart is empty.')).toBeVisible()
  }
  await fillCart(page, [{ product: await makeProduct(), quantity: 1 }], ADDRESS)
  await open(page, '/cart')
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Order #/ })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/cart')
  await expect(page.getByText('Your cart is empty.')).toBeVisible()
  await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
})

test('an address book that is on its way moves nothing that can be pressed', async ({
  page,
  api,
  shopper,
  makeProduct,
}) => {
  await api.ask(
    'mutation($input: AddressInput!) { addAddress(input: $input) { userErrors { message } } }',
    { input: { label: 'Mill', shippingAddress: { ...ADDRESS, city: 'York' } } },
    shopper,
  )
  await fillCart(page, [{ product: await makeProduct(), quantity: 1 }], ADDRESS)
  let arrive = () => {}
  const arrival = new Promise<void>(resolve => (arrive = resolve))
  await page.route('**/graphql', async route => {
    if (route.request().postData()?.includes('CheckoutAddresses')) await arrival
    await route.fallback()
  })
  await page.goto('/shipping')
  const form = page.locator('form', { has: page.getByLabel('Postal code') })
  await expect(form).toHaveAttribute('aria-busy', 'true')
  // Later the outline that says that something is loading is gone, and a shopper who waits so long may type.
  await form.getByLabel('City').click()
  await expect.poll(() => form.evaluate(element => getComputedStyle(element, '::before').opacity)).toBe('0')
  arrive()
  await expect(form.getByLabel('Your address book')).toBeVisible()
  await expect(form).not.toHaveAttribute('aria-busy')
  await form.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/place-order')
})

test('the 51st different product says that an order has room for fifty', async ({ page, makeProduct }) => {
  const product = await makeProduct()
  const others = Array.from({ length: 50 }, (_, number) => ({
    product: { ...product, id: `0198f0c2-7a51-7c3e-9d55-${String(number).padStart(12, '0')}` },
    quantity: 1,
  }))
  await fillCart(page, others)
  await open(page, `/product/${product.id}`)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: 'Your cart holds 50 different products, as many as one order can have.' }),
  ).toBeVisible()
  await expect(page).toHaveURL(paths.product(product.id, product.name))
  expect((await stored<{ cartItems: unknown[] }>(page, 'cart')).cartItems).toHaveLength(50)
})

test(
  'what is added from a list is told in a drawer, can be taken back, and leads on or to the cart',
  { tag: '@phone' },
  async ({ page, makeProduct }) => {
    const product = await makeProduct({ price: 4000, countInStock: 9 })
    await open(page, `/search/${encodeURIComponent(product.name)}`)
    const add = page.getByRole('button', { name: `Add ${product.name} to cart` })
    const drawer = page.getByRole('dialog', { name: 'In your cart' })
    const stay = drawer.getByRole('button', { name: 'Continue shopping' })

    await add.focus()
    await page.keyboard.press('Enter')
    await expect(stay).toBeFocused()
    await expect(drawer).toContainText('Add $60.00 more, and shipping is free.')
    await expectNoBarriers(page)
    await drawer.getByRole('button', { name: 'Undo' }).click()
    await expect(drawer.getByRole('status')).toHaveText(`“${product.name}” left your cart.`)
    expect((await stored<{ cartItems: unknown[] }>(page, 'cart')).cartItems).toEqual([])
    await drawer.getByRole('button', { name: 'Put it back' }).click()
    await drawer.getByRole('combobox', { name: `Quantity of ${product.name}` }).selectOption('3')
    await expect(drawer.getByText('Your shipping is free.')).toBeVisible()
    await expect(drawer).toContainText('Estimated total$138.00')
    await stay.click()
    await expect(drawer).toBeHidden()
    await expect(add).toBeFocused()

    // One more of the same product.
    await add.click()
    await expect(drawer).toContainText('4 items')
    await drawer.getByRole('link', { name: 'Go to cart' }).click()
    await expect(page).toHaveURL('/cart')
    await expect(drawer).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByText('Subtotal (4 items)')).toContainText('$160.00')

    await page.getByRole('button', { name: `Remove ${product.name}` }).click()
    await expect(page.getByText('Your cart is empty.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Subtotal (4 items)')).toContainText('$160.00')
    await expectNoSidewaysScroll(page)
  },
)

test('all that is in stock can be put into the cart', async ({ page, makeProduct }) => {
  const product = await makeProduct({ price: 100, countInStock: 1500 })
  await open(page, `/product/${product.id}`)
  await page.getByRole('combobox', { name: 'Quantity' }).selectOption('21 or more …')
  const field = page.getByRole('textbox', { name: 'Quantity' })
  await expect(field).toBeFocused()
  await field.fill('1200')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(page.getByText('Subtotal (1200 items)')).toContainText('$1,200.00')
  const line = page.getByRole('textbox', { name: `Quantity of ${product.name}` })
  await line.fill('2000')
  await line.press('Enter')
  await expect(line).toHaveValue('1500')
  await expect(page.getByText('Only 1,500 in stock.')).toBeVisible()
  await expect(page.getByText('Subtotal (1500 items)')).toContainText('$1,500.00')
})

test.describe('an order page', () => {
  test('without an id says that it is missing', async ({ page, shopper }) => {
    await open(page, '/order')
    await expect(page.getByText('Yarn it! Your order ID is missing.')).toBeVisible()
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('is only for who ordered', async ({ page, api, shopper, makeProduct }) => {
    const owner = await api.register()
    const order = await api.placeOrder(owner, [{ product: await makeProduct(), quantity: 1 }])
    for (const id of [order.id, '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'nonsense']) {
      await open(page, `/order/${id}`)
      await expect(page.getByRole('heading', { name: 'We can’t find this order' })).toBeVisible()
      await expect(page.getByText(order.reference)).toHaveCount(0)
    }
    await expect(page.getByRole('button', { name: shopper.name })).toBeVisible()
  })

  test('keeps what was ordered as it was', async ({
    page,
    api,
    shopper,
    makeProduct,
    changeProduct,
    archiveProduct,
  }) => {
    const product = await makeProduct({ price: 1000 })
    const order = await api.placeOrder(shopper, [{ product, quantity: 2 }])
    await changeProduct(product, { price: 9900 })
    await archiveProduct(product)
    await open(page, `/order/${order.id}`)
    await expect(page.getByText(product.name)).toBeVisible()
    await expect(page.getByText('2 × $10.00')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(`Total${dollars(order.totalPrice)}`)
  })
})

test.describe('the newsletter', () => {
  test('thanks for an address and shows the code', async ({ page }) => {
    await open(page, '/')
    const email = page.getByLabel('Email address')
    await email.fill(freshEmail())
    await page.getByRole('button', { name: 'Sign me up' }).click()
    const dialog = page.getByRole('dialog', { name: "You're In!" })
    await expect(dialog).toContainText('15% off')
    await dialog.getByRole('button', { name: 'Shop Now' }).click()
    await expect(dialog).toBeHidden()
    await expect(email).toHaveValue('')
  })

  test('warns about an address that is none, at the bottom, for three seconds', async ({ page }) => {
    await page.clock.install()
    await open(page, '/')
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
    const email = page.getByLabel('Email address')
    const warning = toasts(page).getByText('Please enter a valid email address.')
    for (const wrong of ['', 'nell', 'nell@home', 'nell @home.example', '@home.example']) {
      await email.fill(wrong)
      await email.press('Enter')
      await expect(warning, wrong).toBeVisible()
      await expect(email).toHaveValue(wrong)
    }
    const { x, y, width, height } = present(await warning.boundingBox())
    expect(Math.abs(x + width / 2 - 720), 'in the middle').toBeLessThan(8)
    expect(y + height, 'at the bottom').toBeGreaterThan(820)
    await page.clock.fastForward(2_500)
    await expect(warning).toBeVisible()
    await page.clock.fastForward(2_000)
    await page.clock.resume()
    await expect(warning).toBeHidden()
  })
})

test.describe('notifications', () => {
  test('are top right for five seconds, wait while pointed at, and are a key away', async ({ page }) => {
    await page.clock.install()
    await open(page, '/login')
    await page.getByLabel('Email').fill(`nobody-${unique()}@example.com`)
    await page.getByLabel('Password').fill('whatever it is')
    await page.getByRole('button', { name: 'Sign In' }).click()
    const toast = toasts(page).getByText('Invalid email or password.')
    await expect(toast).toBeVisible()
    const { x, y, width } = present(await toast.boundingBox())
    expect(x + width, 'on the right').toBeGreaterThan(1400)
    expect(y, 'at the top, below the header').toBeLessThan(100)

    await toast.hover()
    await page.clock.fastForward(30_000)
    await expect(toast).toBeVisible()
    await page.keyboard.press('Alt+t')
    await expect(toasts(page)).toBeFocused()
    await page.mouse.move(700, 700)
    await page.clock.fastForward(30_000)
    await expect(toast, 'while it has the focus').toBeVisible()

    await page.getByLabel('Email').focus()
    await page.clock.fastForward(6_000)
    await expect(toast).toBeHidden()
  })
})
