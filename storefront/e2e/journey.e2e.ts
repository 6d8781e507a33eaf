import type { Page } from '@playwright/test'
import { paths } from '../paths.ts'
import {
  type Account,
  ADDRESS,
  answered,
  type Api,
  day,
  dollars,
  expect,
  fillCart,
  freshEmail,
  open,
  openPayment,
  PASSWORD,
  stored,
  test,
  toasts,
} from './fixtures.ts'
import { present } from '#schema/rules/present'

// The whole way through the shop, on a desktop and on a phone.
test.describe.configure({ mode: 'parallel' })

const tag = '@phone'
const today = () => day({ dateStyle: 'medium' })

test(
  'a shopper finds yarn, reviews it, buys it with an account and finds the order in the profile',
  { tag },
  async ({ page, api }) => {
    const shopper = await api.register('Polly Ply')
    const product = await api.find('Ninepin Sock in Wildflower Verge')

    await test.step('search', async () => {
      await open(page, '/')
      const search = page.getByRole('combobox', { name: 'Search products' })
      await search.fill('wildflower')
      await search.press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Results for "wildflower":')
      await page.getByRole('link', { name: product.name }).click()
      await expect(page.getByRole('heading', { level: 1, name: product.name })).toBeVisible()
    })

    await test.step('sign in to write a review', async () => {
      await page.getByRole('link', { name: 'Please login to write a review' }).click()
      await page.getByLabel('Email').fill(shopper.email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page).toHaveURL(paths.product(product.id, product.name))
      await page.getByRole('button', { name: 'Write a customer review' }).click()
      const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
      for (const label of [
        'Not my favorite',
        'A bit tangled',
        'Pretty good',
        'Lovely to stitch',
        'Absolute perfection',
      ]) {
        await expect(dialog.getByRole('radio', { name: label })).toBeAttached()
      }

      // This part loads a moment later.
      await expect(dialog.getByText('Pictures of what you knitted (optional)')).toBeVisible()
      // A star under the pointer says what it means, and stays under the pointer.
      await dialog.locator('label', { hasText: 'Lovely to stitch' }).hover()
      const named = await dialog.boundingBox()
      await page.mouse.move(1, 1)
      await expect(dialog.getByText('Choose one to five stars', { exact: true })).toBeVisible()
      await expect.poll(() => dialog.boundingBox()).toEqual(named)

      // Nothing given: the form says what is missing, beside the field.
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await expect(dialog.getByText('Please choose one to five stars.')).toBeVisible()
      await expect(dialog.getByRole('radio', { name: 'Not my favorite' })).toBeFocused()

      // Cancelled: nothing is kept.
      await dialog.getByLabel('Comment').fill('Never mind.')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toBeHidden()
      await page.getByRole('button', { name: 'Write a customer review' }).click()
      await expect(dialog.getByLabel('Comment')).toHaveValue('')

      await dialog.locator('label', { hasText: 'Lovely to stitch' }).click()
      await expect(dialog.getByRole('radio', { name: 'Lovely to stitch' })).toBeChecked()
      await dialog.getByLabel('Comment').fill(`It stripes like a verge in June. ${shopper.email}`)
      await dialog.getByRole('button', { name: 'Submit' }).click()
      await expect(toasts(page).getByText('Review submitted successfully.')).toBeVisible()
      await expect(dialog).toBeHidden()
      await expect(page.getByText('Thanks for leaving feedback!')).toBeVisible()
      await expect(page.getByRole('region', { name: 'Customer Reviews' })).toContainText(shopper.email)
    })

    await test.step('cart', async () => {
      await page.getByRole('combobox', { name: 'Quantity' }).selectOption('2')
      await page.getByRole('button', { name: 'Add to Cart' }).click()
      await expect(page).toHaveURL('/cart')
      await expect(page.getByText('Subtotal (2 items)')).toContainText(dollars(2 * product.price))
      await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible()

      const second = await api.find('Barrel Row Counter in Mint')
      await open(page, `/product/${second.id}`)
      await page.getByRole('button', { name: 'Add to Cart' }).click()
      await expect(page.getByText('Subtotal (3 items)')).toContainText(dollars(2 * product.price + second.price))
      await page.getByRole('button', { name: `Remove ${second.name}` }).click()
      await expect(page.getByRole('link', { name: second.name })).toHaveCount(0)

      await page.getByRole('combobox', { name: `Quantity of ${product.name}` }).selectOption('3')
      await expect(page.getByText('Subtotal (3 items)')).toContainText(dollars(3 * product.price))
      await page.reload()
      await expect(page.getByRole('combobox', { name: `Quantity of ${product.name}` })).toHaveValue('3')
      await expect(page.getByText('Subtotal (3 items)')).toContainText(dollars(3 * product.price))
    })

    await test.step('shipping', async () => {
      await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
      await expect(page).toHaveURL('/shipping')
      await fillShipping(page)
    })

    const figures = { items: 3 * product.price, shipping: 450, tax: Math.round(3 * product.price * 0.15) }
    const total = figures.items + figures.shipping + figures.tax
    const reference = await test.step('place the order', async () => {
      await expect(page).toHaveURL('/place-order')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Review your order')
      await expect(page.getByRole('link', { name: product.name })).toBeVisible()
      await expect(page.getByText(`3 × ${dollars(product.price)}`)).toBeVisible()
      for (const line of ['Nell Knitter', '1 Purl Lane', 'Woolwich, ME 04579', 'United States'])
        await expect(page.getByText(line, { exact: true })).toBeVisible()
      await expect(page.getByText(/^PayPal\./)).toBeVisible()
      await expectFigures(page, figures)
      await page.getByRole('button', { name: 'Place order' }).click()
      await expect(page).toHaveURL(/\/order\/[\w-]+$/)
      const heading = page.getByRole('heading', { level: 1, name: /^Order #\d+$/ })
      await expect(heading).toBeVisible()
      return present(await heading.textContent()).replace('Order ', '')
    })

    await test.step('the unpaid order', async () => {
      await expectUnpaid(page)
      await expect(page.getByText('Not Delivered', { exact: true })).toBeVisible()
      await expect(page.getByText('Order has not yet been delivered.')).toBeVisible()
      await expectFigures(page, figures, 'Tax (15%)')
      await expect(page.getByText('TEST MODE').first()).toBeVisible()
      await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible()
      expect(await stored(page, 'cart')).toMatchObject({
        cartItems: [],
        shippingAddress: { name: '', country: '' },
        paymentMethod: 'PayPal',
      })
    })

    await test.step('pay by account', async () => {
      const popup = await openPayment(page, 'PayPal')
      await popup.getByRole('button', { name: `Pay ${dollars(total)} now` }).click()
      await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
      await expectPaid(page)
      await expect(page.getByRole('button', { name: 'PayPal' })).toHaveCount(0)
    })

    await test.step('profile', async () => {
      await page.getByRole('button', { name: 'Polly Ply' }).click()
      await page.getByRole('menuitem', { name: 'Profile' }).click()
      await expect(page).toHaveURL('/profile')
      const row = page.getByRole('table', { name: 'Your Orders' }).getByRole('row').filter({ hasText: reference })
      await expect(row).toContainText(dollars(total))
      await expect(row).toContainText('Not delivered')
      await expect(row.getByText(new RegExp(today()))).toHaveCount(2)
      await row.getByRole('link', { name: 'See Invoice' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${reference}`)
      const [invoice] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download PDF' }).click(),
      ])
      expect(invoice.suggestedFilename()).toBe(`invoice-${reference.slice(1)}.pdf`)
      await expectPaid(page)
    })
  },
)

test(
  'a visitor fills a cart, opens an account on the way to the checkout and pays by card',
  { tag },
  async ({ page, api }) => {
    const product = await api.find('Daywork Kitchen Cotton in Terracotta')
    const email = freshEmail()
    await open(page, `/product/${product.id}`)
    await page.getByRole('combobox', { name: 'Quantity' }).selectOption('5')
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
    await expect(page).toHaveURL('/login?redirect=shipping')
    const steps = page.getByRole('navigation', { name: 'Checkout steps' })
    await expect(steps.getByRole('listitem').filter({ hasText: 'Sign In' })).toHaveAttribute('aria-current', 'step')
    await expect(steps.getByRole('link', { name: 'Shipping' })).toHaveCount(0)

    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/register?redirect=shipping')
    await page.getByLabel('Name').fill('Cara Cable')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page).toHaveURL('/shipping')
    await expect(page.getByRole('link', { name: 'Cart, 5 items' })).toBeVisible()
    await fillShipping(page)

    // Over $100: shipping is free.
    const figures = { items: 5 * product.price, shipping: 0, tax: Math.round(5 * product.price * 0.15) }
    await expectFigures(page, figures)
    await page.getByRole('button', { name: 'Place order' }).click()
    await expectUnpaid(page)

    const popup = await openPayment(page, 'Debit or Credit Card')
    await expect(popup.getByRole('radio', { name: /Card that works/ })).toBeChecked()
    await expect(popup.getByLabel('Card number')).toHaveValue(/^4111/)
    await popup.getByLabel('CVC').fill('')
    await popup.getByRole('button', { name: /^Pay / }).click()
    await expect(popup.getByText('Enter the 3 or 4 digits of the CVC.')).toBeVisible()
    await popup.getByLabel('CVC').fill('123')
    await popup.getByRole('button', { name: `Pay ${dollars(figures.items + figures.tax)} now` }).click()
    await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
    await expectPaid(page)
    await page.reload()
    await expectPaid(page)
  },
)

test(
  'a declined account and a declined card can be followed by ones that work',
  { tag },
  async ({ page, api, shopper }) => {
    await test.step('account', async () => {
      const { total } = await openOrder(page, api, shopper, 'Altamesa Baby Alpaca DK in Cocoa')
      const popup = await openPayment(page, 'PayPal')
      await popup.getByRole('button', { name: 'Decline' }).click()
      await expect(popup.getByRole('alert')).toContainText('The payment was declined.')
      await expect(page.getByText('Your card or account was declined. Please choose another one.')).toBeVisible()
      await expectUnpaid(page)
      const token = present(new URL(popup.url()).searchParams.get('token'))
      await popup.getByRole('button', { name: `Pay ${total} now` }).click()
      await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
      await expectPaid(page)
      expect(
        (await api.journal(token))
          .map(({ effect }) => effect)
          .filter(effect => effect === 'captured' || effect === 'declined'),
      ).toEqual(['declined', 'captured'])
    })

    await test.step('card', async () => {
      const { total } = await openOrder(page, api, shopper, 'Birch Straight Needles, 5.0 mm')
      const popup = await openPayment(page, 'Debit or Credit Card')
      await popup.getByText('Card that is declined').click()
      await popup.getByRole('button', { name: /^Pay / }).click()
      await expect(popup.getByRole('alert')).toContainText('The payment was declined.')
      await expectUnpaid(page)
      await popup.getByText('Card that works').click()
      await popup.getByRole('button', { name: `Pay ${total} now` }).click()
      await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
      await expectPaid(page)
    })
  },
)

test(
  'a payment that is cancelled, or whose window is closed, leaves the order unpaid and says nothing bad',
  { tag },
  async ({ page, api, shopper }) => {
    const { total } = await openOrder(page, api, shopper, 'Skerrow 4-Ply in Storm')
    const hint = page.getByText('The payment was cancelled. Your order is still here.')

    const cancelled = await openPayment(page, 'PayPal')
    await cancelled.getByRole('button', { name: 'Cancel and return' }).click()
    await expect(hint).toBeVisible()
    await expectUnpaid(page)

    const closed = await openPayment(page, 'Debit or Credit Card')
    await expect(closed.getByRole('button', { name: /^Pay / })).toBeVisible()
    await expect(hint).toHaveCount(0)
    await closed.close()
    await expect(hint).toBeVisible()
    await expectUnpaid(page)
    await expect(toasts(page).getByRole('alert')).toHaveCount(0)

    // The buttons still work.
    const popup = await openPayment(page, 'PayPal')
    await popup.getByRole('button', { name: `Pay ${total} now` }).click()
    await expectPaid(page)
  },
)

// A browser that gives each site a process of its own loses an address that a window is told while another is coming.
test('the window of a payment shows its first page before it is sent on', async ({ page, api, shopper }) => {
  const { total } = await openOrder(page, api, shopper, 'Skerrow 4-Ply in Storm')
  const prepared = answered(page, 'CreatePaypalOrder')
  await page.context().route(
    url => url.pathname === '/checkoutnow' && !url.searchParams.has('token'),
    async route => {
      await prepared
      await route.continue()
    },
  )
  const lost: string[] = []
  page.context().on('requestfailed', request => lost.push(request.url()))
  const popup = await openPayment(page, 'PayPal')
  await popup.getByRole('button', { name: `Pay ${total} now` }).click()
  await expectPaid(page)
  expect(lost.filter(url => url.includes('/checkoutnow'))).toEqual([])
})

test('where windows are blocked, the payment is approved in the page', { tag }, async ({ page, api, shopper }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  const { total } = await openOrder(page, api, shopper, 'Soft-Grip Crochet Hook in Teal, 4.0 mm')
  await page.getByRole('button', { name: 'PayPal' }).click()
  const dialog = page.getByRole('dialog', { name: 'PayPal simulator, test mode' })
  await dialog
    .getByTitle('Approve the payment')
    .contentFrame()
    .getByRole('button', { name: `Pay ${total} now` })
    .click()
  await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expectPaid(page)
})

test(
  'the checkout keeps its order: no address, no review; the address is remembered',
  { tag },
  async ({ page, api, shopper }) => {
    const product = await api.find('Maud & Fenner Pima in Cornflower')
    await fillCart(page, [{ product, quantity: 1 }])
    await open(page, '/place-order')
    await expect(page).toHaveURL('/shipping')
    await page.getByLabel('Name').fill(shopper.name)
    await page.getByLabel('Country').fill('Norway')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/place-order')

    await page.getByRole('link', { name: 'Change address' }).click()
    await page.reload()
    await expect(page.getByLabel('Name')).toHaveValue(shopper.name)
    await expect(page.getByLabel('Country')).toHaveValue('Norway')
    const steps = page.getByRole('navigation', { name: 'Checkout steps' })
    await steps.getByRole('link', { name: 'Review & Order' }).click()
    await expect(page).toHaveURL('/place-order')
    await expect(steps.getByRole('listitem').filter({ hasText: 'Review & Order' })).toHaveAttribute(
      'aria-current',
      'step',
    )
  },
)

/** Goes from the empty shipping form, through mistakes in it, to the review. */
async function fillShipping(page: Page) {
  const steps = page.getByRole('navigation', { name: 'Checkout steps' })
  await expect(steps.getByRole('listitem').filter({ hasText: 'Shipping' })).toHaveAttribute('aria-current', 'step')
  await expect(steps.getByRole('link', { name: 'Review & Order' })).toHaveCount(0)

  const name = page.getByLabel('Name')
  const country = page.getByLabel('Country')
  // At first it holds the account's name.
  await expect(name).not.toHaveValue('')
  await name.fill('')
  await page.getByLabel('City').fill(ADDRESS.city)
  await page.getByRole('button', { name: 'Continue' }).click()
  const wrong = page.getByRole('group', { name: 'What is to be mended' })
  await expect(wrong).toBeFocused()
  await wrong.getByRole('button', { name: 'Name' }).click()
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription('Name is required.')
  await expect(country).toHaveAccessibleDescription('Country is required.')
  await expect(page.getByLabel('City')).toHaveValue(ADDRESS.city)

  await name.fill(ADDRESS.name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(country).toBeFocused()
  await expect(page.getByText('Name is required.')).toHaveCount(0)

  await page.getByLabel('Address (optional)').fill(ADDRESS.address)
  await page.getByLabel('State').fill(ADDRESS.state)
  await page.getByLabel('Postal code').fill(ADDRESS.postalCode)
  await country.fill(ADDRESS.country)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/place-order')
}

interface Figures {
  items: number
  shipping: number
  tax: number
}

async function expectFigures(page: Page, { items, shipping, tax }: Figures, taxLabel = 'Tax') {
  const summary = page.getByRole('region', { name: 'Order summary' })
  await expect(summary).toContainText(`Items${dollars(items)}`)
  await expect(summary).toContainText(`Shipping${shipping ? dollars(shipping) : 'Free'}`)
  await expect(summary).toContainText(`${taxLabel}${dollars(tax)}`)
  await expect(summary).toContainText(`Total${dollars(items + shipping + tax)}`)
}

async function expectUnpaid(page: Page) {
  await expect(page.getByText('Unpaid', { exact: true })).toBeVisible()
  await expect(page.getByText('Order is unpaid and has not been processed.')).toBeVisible()
}

async function expectPaid(page: Page) {
  await expect(page.getByText('Paid', { exact: true })).toBeVisible()
  await expect(page.getByText(new RegExp(`Paid on ${today()}`))).toBeVisible()
  await expect(page.getByText('Order is unpaid and has not been processed.')).toHaveCount(0)
}

/** An order as it is right after it was placed, on screen. */
async function openOrder(page: Page, api: Api, shopper: Account, productName: string) {
  const product = await api.find(productName)
  const order = await api.placeOrder(shopper, [{ product, quantity: 1 }])
  await open(page, `/order/${order.id}`)
  await expectUnpaid(page)
  return { total: dollars(order.totalPrice) }
}
