import { expect, onTestFinished, test } from 'vitest'
import { openShop } from '../testing/shop.ts'

test('in development no file of a page is turned away, however busy the shop is', async () => {
  const full = { atOnce: 0, perClient: 0, perAddress: 0, patienceMs: 0 }
  const shop = await openShop({ dev: true, admission: { visitors: full, signedIn: full, uploads: full } })
  onTestFinished(shop.close)
  expect((await fetch(`${shop.url}/login`)).status).toBe(503)
  expect((await fetch(`${shop.url}/storefront/entry-client.tsx`)).status).toBe(200)
})
