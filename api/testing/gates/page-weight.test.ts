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
  'catalog/HomePage': 180.2,
  'catalog/ProductPage': 182.5,
  'catalog/ShelfPage': 178.2,
  'catalog/TopRatedPage': 175.8,
  'collection/CollectionsPage': 175.2,
  'collection/CollectionPage': 175.6,
  'cart/CartPage': 174.4,
  'account/LoginPage': 178.3,
  'account/RegisterPage': 178.5,
  'account/ProfilePage': 180.6,
  'checkout/ShippingPage': 189.1,
  'checkout/PlaceOrderPage': 175.0,
  'order/OrderPage': 182.8,
  'page/ShopPage': 179.2,
}

/** Tiny files are sent uncompressed. */
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
