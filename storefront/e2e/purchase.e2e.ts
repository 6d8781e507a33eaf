import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { expectNoSidewaysScroll } from './barriers.ts'
import { ADDRESS, alive, expect, freshEmail, open, openPayment, PASSWORD, test } from './fixtures.ts'

// From the home page to the paid order, each time in a different way.
test.describe.configure({ mode: 'parallel' })

const YARN = 'Second Spin Denim DK in Workshirt'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true })

test('one buys with a code by the keyboard alone', async ({ page, shopper }) => {
  await open(page, '/')
  await tabTo(page, page.getByRole('combobox', { name: 'Search products' }))
  await page.keyboard.type('workshirt')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Search Results for "workshirt":')).toBeVisible()
  await pressOn(page, page.getByRole('button', { name: `Add ${YARN} to cart` }))
  const drawer = page.getByRole('dialog', { name: 'In your cart' })
  await expect(drawer.getByRole('button', { name: 'Continue shopping' })).toBeFocused()
  await pressOn(page, drawer.getByRole('link', { name: 'Go to cart' }))

  await expect(heading(page, 'Your cart')).toBeVisible()
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, page.getByLabel('Discount code'))
  await page.keyboard.type('CASTON15')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^15% off, you save \$\d+\.\d\d\.$/)).toBeVisible()
  await pressOn(page, page.getByRole('button', { name: 'Proceed to Checkout' }))

  await expect(heading(page, 'Shipping')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(shopper.name)
  await tabTo(page, page.getByRole('combobox', { name: 'Country' }))
  await page.keyboard.type('usa')
  await pressOn(page, page.getByRole('button', { name: 'Continue' }))

  await expect(heading(page, 'Review your order')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByText('United States', { exact: true })).toBeVisible()
  await expect(page.getByText('Code CASTON15')).toBeVisible()
  await pressOn(page, page.getByRole('button', { name: 'Place order' }))

  await expect(heading(page, /^Order #\d+$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Debit or Credit Card' })).toBeVisible()
  // A key needs no painted page: the button must not be there before it works.
  await page.context().route('**/approval-page.js', async route => {
    await pause(1_000)
    await route.fallback()
  })
  const opened = page.waitForEvent('popup')
  await pressOn(page, page.getByRole('button', { name: 'PayPal' }))
  const popup = await opened
  await pressOn(popup, popup.getByRole('button', { name: /^Pay \$/ }))
  await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()
  await expect(heading(page, /^Order #\d+$/)).toBeFocused()
})

test('one buys by what a screen reader is told: roles, names and states', async ({ page, shopper }) => {
  await open(page, '/')
  const search = page.getByRole('search').getByRole('combobox', { name: 'Search products' })
  await search.fill('workshirt')
  await search.press('Enter')
  await expect(heading(page, 'Search Results for "workshirt":')).toBeVisible()
  await page.getByRole('article').getByRole('link', { name: YARN, exact: true }).click()

  await expect(heading(page, YARN)).toBeVisible()
  await page.getByRole('combobox', { name: 'Quantity', exact: true }).selectOption('2')
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click()
  await expect(heading(page, 'Your cart')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Cart, 2 items' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: `Quantity of ${YARN}` })).toHaveValue('2')
  await page.getByRole('button', { name: 'Proceed to Checkout', exact: true }).click()

  await expect(heading(page, 'Shipping')).toBeVisible()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Shipping" [level=1]
    - textbox "Name": ${shopper.name}
    - textbox "Address (optional)"
    - textbox "Address line 2 (optional)"
    - textbox "City (optional)"
    - textbox "State (optional)"
    - textbox "Postal code (optional)"
    - combobox "Country"
    - textbox "Phone (optional)"
    - checkbox "Save this address in my address book"
    - button "Continue"
  `)
  await page.getByRole('combobox', { name: 'Country' }).fill(ADDRESS.country)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()

  await expect(heading(page, 'Review your order')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Items' }).getByRole('link', { name: YARN })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Shipping' })).toContainText(ADDRESS.country)
  await page.getByRole('region', { name: 'Order summary' }).getByRole('button', { name: 'Place order' }).click()

  await expect(heading(page, /^Order #\d+$/)).toBeVisible()
  const opened = page.waitForEvent('popup')
  await page.getByRole('region', { name: 'Order summary' }).getByRole('button', { name: 'PayPal' }).click()
  const popup = await opened
  await popup.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText('Thank you! Your order is paid.')
  await expect(heading(page, /^Order #\d+$/)).toBeFocused()
})

test('one buys as a guest with a code', async ({ page }) => {
  const email = freshEmail()
  await open(page, '/')
  await page.getByRole('combobox', { name: 'Search products' }).fill('workshirt')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('button', { name: `Add ${YARN} to cart` }).click()
  await page.getByRole('link', { name: 'Go to cart' }).click()
  await page.getByLabel('Discount code').fill('CASTON15')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(/^15% off, you save \$\d+\.\d\d\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click()

  await page.getByRole('link', { name: 'Continue as a guest' }).click()
  // The sign-in page, which is being left, has a field of that name too.
  await expect(heading(page, 'Continue as a guest')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(ADDRESS.name)
  await page.getByRole('combobox', { name: 'Country' }).fill(ADDRESS.country)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(page, 'Review your order')).toBeVisible()
  await expect(page.getByText('Code CASTON15')).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await page.getByRole('button', { name: 'Place order' }).click()

  await payWithPayPal(page)
  await expect(page.getByText('Code CASTON15')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible()
})

test.describe('on a phone of 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('one buys with the fingers, and nothing is wider than the screen', async ({ page, api }) => {
    const { email } = await api.register()
    await open(page, '/')
    await expectNoSidewaysScroll(page)
    await page.getByRole('combobox', { name: 'Search products' }).fill('workshirt')
    await page.getByRole('button', { name: 'Search', exact: true }).tap()
    await page.getByRole('article').getByRole('link', { name: YARN, exact: true }).tap()
    await expect(heading(page, YARN)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'One more' }).tap()
    await page.getByRole('button', { name: 'Add to Cart', exact: true }).tap()
    await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Proceed to Checkout' }).tap()

    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In' }).tap()
    await expect(heading(page, 'Shipping')).toBeVisible()
    await alive(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('combobox', { name: 'Country' }).fill(ADDRESS.country)
    await page.getByRole('button', { name: 'Continue' }).tap()
    await expect(heading(page, 'Review your order')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Place order' }).tap()
    await payWithPayPal(page)
    await expectNoSidewaysScroll(page)
  })
})

async function payWithPayPal(page: Page) {
  await expect(heading(page, /^Order #\d+$/)).toBeVisible()
  const popup = await openPayment(page, 'PayPal')
  await popup.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator) {
  await expect(element).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await element.evaluate(node => node === document.activeElement)) return
  }
  await expect(element, 'reached by Tab').toBeFocused()
}

async function pressOn(page: Page, element: Locator) {
  await tabTo(page, element)
  await page.keyboard.press('Enter')
}
