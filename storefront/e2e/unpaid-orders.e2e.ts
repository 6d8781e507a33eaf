import type { Page } from '@playwright/test'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { expect, open, signIn, test, toasts } from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const tag = '@phone'

// Nothing moves, so that no colour is measured half faded.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const dialog = (page: Page, name: string) => page.getByRole('alertdialog', { name })

test(
  'a shopper cancels an unpaid order, and its yarn is back on the shelf',
  { tag },
  async ({ page, api, shopper, makeProduct }) => {
    const product = await makeProduct({ countInStock: 5 })
    const order = await api.placeOrder(shopper, [{ product, quantity: 3 }])
    expect((await api.product(product.id)).countInStock).toBe(2)
    await open(page, `/order/${order.id}`)
    const cancel = page.getByRole('button', { name: 'Cancel order' })
    const asked = dialog(page, 'Cancel this order?')

    await cancel.click()
    await expect(asked).toContainText(`the yarn of order ${order.reference} goes back on the shelf`)
    await expectNoBarriers(page)
    await asked.getByRole('button', { name: 'Keep order' }).click()
    await expect(asked).toBeHidden()
    await expect(cancel).toBeFocused()
    await expect(page.getByText('Unpaid', { exact: true })).toBeVisible()

    await cancel.click()
    await asked.getByRole('button', { name: 'Cancel order' }).click()
    await expect(toasts(page).getByText('Order cancelled.')).toBeVisible()
    await expect(asked).toBeHidden()
    await expect(cancel).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    for (const reloaded of [false, true]) {
      if (reloaded) await open(page, `/order/${order.id}`)
      await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
      await expect(page.getByText('This order was cancelled. Nothing is to be paid.')).toBeVisible()
      await expect(page.getByRole('button', { name: /PayPal|Card|Cancel order/ })).toHaveCount(0)
    }
    expect((await api.product(product.id)).countInStock).toBe(5)
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)
  },
)

test(
  'the owner releases what an unpaid order holds, and its shopper can still pay',
  { tag },
  async ({ page, api, admin, makeProduct }) => {
    const shopper = await api.register('Holly Held')
    const product = await makeProduct({ countInStock: 5 })
    const order = await api.placeOrder(shopper, [{ product, quantity: 3 }])
    await signIn(page, admin)
    await open(page, `/order/${order.id}`)
    const place = page.getByRole('region', { name: 'For administrators' })
    const release = place.getByRole('button', { name: 'Release hold' })
    const asked = dialog(page, 'Release the stock?')
    await expect(place.getByText(/^Holds its stock until/)).toBeVisible()
    await expectNoBarriers(page)
    await expectNoSidewaysScroll(page)

    await release.click()
    await expect(asked).toContainText(`What order ${order.reference} holds can be bought by others at once.`)
    await expectNoBarriers(page)
    await asked.getByRole('button', { name: 'Release hold' }).click()
    await expect(toasts(page).getByText('Stock released.')).toBeVisible()
    await expect(asked).toBeHidden()
    await expect(release).toHaveCount(0)
    await expect(place).toBeFocused()
    await expect(page.getByText('Unpaid', { exact: true })).toBeVisible()
    await expectNoBarriers(page)
    expect((await api.product(product.id)).countInStock).toBe(5)

    await api.pay(shopper, order.id)
    await expect(page.getByText('Paid', { exact: true })).toBeVisible()
    expect((await api.product(product.id)).countInStock).toBe(2)
  },
)
