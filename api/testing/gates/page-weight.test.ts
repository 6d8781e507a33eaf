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
  'catalog/HomePage': 181.6,
  'catalog/ProductPage': 186.8,
  'catalog/ShelfPage': 179.6,
  'catalog/TopRatedPage': 177.3,
  'cart/CartPage': 174.6,
  'account/LoginPage': 179.4,
  'account/RegisterPage': 179.5,
  'account/ProfilePage': 181.3,
  'checkout/ShippingPage': 187.7,
  'checkout/PlaceOrderPage': 173.0,
  'order/OrderPage': 181.4,
  'page/ShopPage': 179.5,
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
