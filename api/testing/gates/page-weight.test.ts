import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readManifest } from '../../http/web.ts'

const client = new URL('../../../dist/client/', import.meta.url)
const { preload } = readManifest(new URL('.vite/manifest.json', client))

/**
 * The most kilobytes that a page may load before it is interactive, compressed with brotli.
 * The aim is 150, and 155 for all but the home page.
 */
const BUDGETS = {
  'catalog/HomePage': 186.9,
  'catalog/ProductPage': 189.9,
  'catalog/ShelfPage': 184.8,
  'catalog/TopRatedPage': 182.5,
  'cart/CartPage': 177.9,
  'account/LoginPage': 182.7,
  'account/RegisterPage': 182.9,
  'account/ProfilePage': 184.7,
  'checkout/ShippingPage': 191.1,
  'checkout/PlaceOrderPage': 176.3,
  'order/OrderPage': 184.8,
  'page/ShopPage': 182.8,
}

/** Small files are sent uncompressed. */
function weightOf(file: string): number {
  try {
    return statSync(new URL(`.${file}.br`, client)).size
  } catch {
    return readFileSync(new URL(`.${file}`, client)).length
  }
}

test.each(Object.entries(BUDGETS))('%s loads no more than %d kB of JavaScript', (page, budget) => {
  const bytes = preload([`storefront/${page}.tsx`]).reduce((sum, file) => sum + weightOf(file), 0)
  expect(bytes / 1_000).toBeLessThanOrEqual(budget)
  // A page that is missing from the build would add nothing.
  expect(preload([`storefront/${page}.tsx`]).length).toBeGreaterThan(preload([]).length)
})
