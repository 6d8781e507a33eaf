import { ADDRESS, dollars, expect, freshEmail, open, openPayment, stored, test, toasts } from './fixtures.ts'
import { nth } from '#schema/rules/present'

test(
  'a guest buys from home to paid, and the order’s link opens it',
  { tag: '@phone' },
  async ({ page, api, browser }) => {
    const product = await api.find('Daywork Kitchen Cotton in Terracotta')
    const email = freshEmail()
    await open(page, `/product/${product.id}`)
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click()
    await expect(page).toHaveURL('/login?redirect=shipping')

    await page.getByRole('link', { name: 'Continue as a guest' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Continue as a guest')
    await page.getByLabel('Email').fill('nobody')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()

    await expect(page).toHaveURL('/shipping')
    await page.getByLabel('Name').fill(ADDRESS.name)
    await page.getByLabel('Country').fill(ADDRESS.country)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Review your order')
    await expect(page.getByRole('region', { name: 'Email' })).toContainText(email)
    await page.getByLabel('Note for the shop').fill('A present, please:\nno prices.')
    await page.reload()
    await expect(page.getByLabel('Note for the shop')).toHaveValue('A present, please:\nno prices.')
    await page.getByRole('button', { name: 'Place order' }).click()

    await expect(page).toHaveURL(/\/order\/[\w-]+$/)
    const address = page.url()
    await expect(page.getByRole('heading', { level: 1, name: /^Order #\d+$/ })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('region', { name: 'Your note' })).toContainText('A present, please:')
    await expect(page.getByText('Order is unpaid and has not been processed.')).toBeVisible()
    const popup = await openPayment(page, 'PayPal')
    await popup.getByRole('button', { name: /^Pay \$[\d.]+ now$/ }).click()
    await expect(toasts(page).getByText('Order paid successfully.')).toBeVisible()
    await expect(page.getByText('Thank you! Your order is paid.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible()
    const [invoice] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDF' }).click(),
    ])
    expect(invoice.suggestedFilename()).toMatch(/^invoice-\d+\.pdf$/)

    // In another browser the address alone leads to the sign-in; with its token it leads to the order.
    const [id, token] = nth(Object.entries(await stored<Record<string, string>>(page, 'orderTokens')), 0)
    const elsewhere = await browser.newContext({ baseURL: new URL(address).origin })
    const other = await elsewhere.newPage()
    await open(other, `/order/${id}`)
    await expect(other).toHaveURL(`/login?redirect=${encodeURIComponent(`/order/${id}`)}`)
    await open(other, `/order/${id}#${'A'.repeat(43)}`)
    await expect(other.getByRole('heading', { name: 'We can’t find this order' })).toBeVisible()
    await open(other, '/')
    await other.goto(`/order/${id}#${token}`)
    await expect(other.getByRole('region', { name: 'Order summary' })).toContainText(dollars(product.price))
    await expect(other).toHaveURL(address)
    await elsewhere.close()
  },
)
