import type { Page, Route } from '@playwright/test'
import { alive, BROKEN_REQUEST, dollars, expect, freshEmail, stored, test } from './fixtures.ts'

// The shop before its script runs, without it and after it. Decision 037.

test('without JavaScript a shopper searches, narrows, fills the cart and is told what needs it', async ({
  browser,
  baseURL,
  makeProduct,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL })
  const page = await context.newPage()
  const one = await makeProduct({ price: 1250, countInStock: 30 })
  const other = await makeProduct({ price: 700, countInStock: 3 })

  await test.step('an empty cart says so', async () => {
    await page.goto('/cart')
    await expect(page.getByRole('alert').filter({ hasText: 'Your cart is empty.' })).toBeVisible()
    expect(await context.cookies()).toEqual([])
  })

  await test.step('a product with a quantity, and one more of it from a list', async () => {
    await page.goto(`/product/${one.id}`)
    await page.getByRole('combobox', { name: 'Quantity' }).selectOption('2')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByRole('spinbutton', { name: `Quantity of ${one.name}` })).toHaveValue('2')
    await page.goto(`/search/${encodeURIComponent(one.name)}`)
    await page.getByRole('button', { name: `Add ${one.name} to cart` }).click()
    await expect(page.getByRole('spinbutton', { name: `Quantity of ${one.name}` })).toHaveValue('3')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText(`Subtotal (3 items)${dollars(3750)}`)
  })

  await test.step('no more than there is, and a line that goes', async () => {
    await page.goto(`/product/${other.id}`)
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    const quantity = page.getByRole('spinbutton', { name: `Quantity of ${other.name}` })
    await quantity.fill('3')
    await page.getByRole('button', { name: `Change the quantity of ${other.name}` }).click()
    await expect(quantity).toHaveValue('3')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText(`Subtotal (6 items)${dollars(5850)}`)
    await page.getByRole('button', { name: `Remove ${one.name}` }).click()
    await expect(page.getByRole('link', { name: one.name })).toHaveCount(0)
    await expect(page.getByRole('status').filter({ hasText: 'PayPal does not work without it' })).toBeVisible()
  })

  await test.step('a new price is the price', async () => {
    expect((await page.request.get('/cart')).headers()['cache-control']).toBe('no-store')
    const [cookie] = await context.cookies(`${baseURL}/cart`)
    expect(cookie).toMatchObject({ name: 'cart', path: '/', sameSite: 'Lax', value: `${other.id}*3` })
  })

  await test.step('signing in and the checkout say what they need, and keep what was typed', async () => {
    await page.goto('/login')
    await page.getByLabel('Email').fill('nell@example.com')
    await page.getByLabel('Password').fill('knit two together')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Signing in needs JavaScript, so your password was')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('nell@example.com')
    await expect(page.getByLabel('Password')).toHaveValue('')
    await page.getByLabel('Email').fill('nell')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.')
    await page.goto('/shipping')
    await expect(page.getByRole('status').filter({ hasText: 'This page needs JavaScript' })).toBeVisible()
  })

  await test.step('the newsletter', async () => {
    const email = freshEmail()
    await page.goto('/')
    await page.getByLabel('Email address').fill('nobody')
    await page.getByRole('button', { name: 'Sign me up' }).click()
    await expect(page.getByLabel('Email address')).toHaveValue('nobody')
    await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Sign me up' }).click()
    await expect(page.getByRole('heading', { name: "You're In!" })).toBeVisible()
    await expect(page.getByText(email)).toBeVisible()
  })

  await test.step('a message to the shop', async () => {
    await page.goto('/contact')
    await page.getByLabel('Your name').fill('Nell')
    await page.getByLabel('Message').fill('Is there more of the moss?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByLabel('Your email')).toHaveAccessibleDescription('Email is required.')
    await expect(page.getByLabel('Message')).toHaveValue('Is there more of the moss?')
    await page.getByLabel('Your email').fill('nell@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('Your message is on its way; the answer goes to nell@example.com.')).toBeVisible()
  })

  await test.step('what only a script can do is not offered', async () => {
    for (const [address, button] of [
      ['/register', 'Register'],
      ['/forgot-password', 'Send me a link'],
    ] as const) {
      await page.goto(address)
      await expect(page.getByRole('status').filter({ hasText: 'needs JavaScript' })).toBeVisible()
      await expect(page.getByRole('button', { name: button })).toBeHidden()
    }
  })

  await test.step('with the script on again, the cart goes on in the browser’s storage', async () => {
    const scripted = await browser.newContext({ baseURL: baseURL })
    await scripted.addCookies(await context.cookies(`${baseURL}/cart`))
    const again = await scripted.newPage()
    await again.goto('/')
    await alive(again)
    await again.getByRole('link', { name: 'Cart, 3 items' }).click()
    await expect(again.getByRole('combobox', { name: `Quantity of ${other.name}` })).toHaveValue('3')
    await expect.poll(() => scripted.cookies(`${baseURL}/cart`)).toEqual([])
    expect((await stored<{ cartItems: unknown[] }>(again, 'cart')).cartItems).toMatchObject([
      { _id: other.id, quantity: 3, price: 7 },
    ])
    await scripted.close()
  })
  await context.close()
})

/** Holds the shop's scripts back until the returned function is called. */
async function holdPrograms(page: Page, then: (route: Route) => Promise<void>): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/assets/*.js', async route => {
    await released
    await then(route)
  })
  return release
}

test('what is done before the page is alive counts once it is', async ({ page, api, makeProduct, quiet }) => {
  const product = await makeProduct({ price: 1250 })
  const release = await holdPrograms(page, route => route.continue())

  await test.step('into the cart from a product page, once, in the quantity that was chosen', async () => {
    await page.goto(`/product/${product.id}`, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'One more' }).click()
    await page.getByRole('button', { name: 'One more' }).click()
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await expect(page.getByRole('button', { name: 'Add to Cart' })).toHaveAttribute('aria-busy', 'true')
    release()
    await expect(page).toHaveURL('/cart')
    await expect(page.getByRole('combobox', { name: `Quantity of ${product.name}` })).toHaveValue('3')
    expect(await page.context().cookies()).toEqual([])
  })

  await test.step('a field typed into and the form it is in', async () => {
    const account = await api.register()
    const release = await holdPrograms(page, route => route.continue())
    await page.goto('/login?redirect=profile', { waitUntil: 'commit' })
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password').pressSequentially(account.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    release()
    await expect(page).toHaveURL('/profile')
  })

  await test.step('a form goes its own way when the script cannot be loaded', async () => {
    quiet.expects(BROKEN_REQUEST)
    const release = await holdPrograms(page, route => route.abort('connectionrefused'))
    await page.goto(`/product/${product.id}`, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    release()
    await expect(page.getByRole('spinbutton', { name: `Quantity of ${product.name}` })).toHaveValue('1')
  })
})

test('what is put into a field without a press or a key stays when its part of the page comes alive', async ({
  page,
  makeProduct,
}) => {
  const product = await makeProduct()
  /** Sets fields that are not alive yet, without events: once they are there, or once the page begins to come alive. */
  const fillIn = (when: 'there' | 'begun', values: Record<string, string>) =>
    page.addInitScript(
      ([when, values]) => {
        const left = new Map(Object.entries(values))
        const { port1, port2 } = new MessageChannel()
        const look = () => {
          const isAlive = (field: Element) => Object.keys(field).some(key => key.startsWith('__reactProps$'))
          const search = document.querySelector('[role=search] input')
          for (const [selector, value] of left) {
            const field = document.querySelector<HTMLInputElement>(selector)
            if (!field || isAlive(field) || (when === 'begun' && !(search && isAlive(search)))) continue
            left.delete(selector)
            field.value = value
            field.dataset.filled = ''
          }
          if (left.size > 0) port2.postMessage(null)
        }
        port1.addEventListener('message', look)
        port1.start()
        port2.postMessage(null)
      },
      [when, values] as const,
    )

  for (const when of ['there', 'begun'] as const)
    await test.step(`a quantity, filled in when it is ${when}`, async () => {
      await fillIn(when, { 'main select': '3' })
      await page.goto(`/product/${product.id}`)
      const quantity = page.getByRole('combobox', { name: 'Quantity', exact: true })
      await expect(quantity).toHaveAttribute('data-filled')
      await alive(page)
      await page.getByRole('button', { name: 'One more' }).click()
      await expect(quantity).toHaveValue('4')
    })

  await test.step('an email for the newsletter', async () => {
    await fillIn('begun', { 'main [name=email]': 'nell@example.com' })
    await page.goto('/')
    await expect(page.getByLabel('Email address')).toHaveAttribute('data-filled')
    await alive(page)
    await page.getByRole('button', { name: 'Sign me up' }).click()
    await expect(page.getByRole('dialog')).toContainText('nell@example.com')
  })

  for (const when of ['there', 'begun'] as const)
    await test.step(`a message to the shop, filled in when it is ${when}`, async () => {
      await fillIn(when, { 'main textarea': 'Is there more of the moss?' })
      await page.goto('/contact')
      const message = page.getByLabel('Message')
      await expect(message).toHaveAttribute('data-filled')
      await alive(page)
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByLabel('Your name')).toHaveAccessibleDescription(/Name is required/)
      await expect(message).toHaveValue('Is there more of the moss?')
      await expect(message).not.toHaveAttribute('aria-invalid')
    })

  await test.step('an email and a password, before anything is alive', async () => {
    await fillIn('there', { 'main [name=email]': 'nell@example.com', 'main [name=password]': 'knit two together' })
    await page.goto('/login')
    await expect(page.getByLabel('Email')).toHaveAttribute('data-filled')
    await alive(page)
    const sent = page.waitForRequest(request => request.postDataJSON()?.operationName === 'Login')
    await page.getByRole('button', { name: 'Sign In' }).click()
    expect((await sent).postDataJSON().variables).toMatchObject({
      email: 'nell@example.com',
      password: 'knit two together',
    })
  })
})
