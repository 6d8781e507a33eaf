import { getDocumentProxy } from 'unpdf'
import { expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { bought, line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop } from '../testing/shop.ts'
import { paperOf } from './paper.ts'

it.each([
  ['United States', 'LETTER'],
  ['Canada', 'LETTER'],
  ['Mexico', 'LETTER'],
  ['Germany', 'A4'],
  ['United Kingdom', 'A4'],
  ['Japan', 'A4'],
])('printers in %s hold %s', (country, paper) => expect(paperOf(country)).toBe(paper))

it.each([
  ['United States', 612, 792],
  ['Germany', 595.28, 841.89],
])('invoices and packing slips of a shop in %s fill their paper, and leave its margins free', async (country, w, h) => {
  const shop = await openShop({ delivery: { ...DEFAULT_DELIVERY, country } })
  try {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const name = 'A yarn whose name is rather long and goes on over more than one line of the table it stands in'
    const yarns = []
    for (let index = 0; index < 45; index++) yarns.push(await makeProduct(shop.em(), { name, price: 1_234_500 }))
    const order = await bought(
      shop,
      admin,
      yarns.map(yarn => line(yarn)),
    )
    for (const path of [`/api/orders/${order.id}/invoice.pdf`, `/api/orders/packing-slips.pdf?ids=${order.id}`]) {
      const headers = { authorization: `Bearer ${admin.token}` }
      const pdf = await getDocumentProxy(new Uint8Array((await shop.app.inject({ url: path, headers })).rawPayload))
      expect(pdf.numPages).toBeGreaterThan(1)
      const ends: number[] = []
      const feet: number[] = []
      for (let number = 1; number <= pdf.numPages; number++) {
        const page = await pdf.getPage(number)
        expect(page.view).toEqual([0, 0, expect.closeTo(w, 2), expect.closeTo(h, 2)])
        for (const item of (await page.getTextContent()).items) {
          if (!('str' in item) || item.str.trim() === '') continue
          expect(item.transform[4]).toBeGreaterThanOrEqual(48)
          ends.push(item.transform[4] + item.width)
          // The page's number stands in the margin.
          if (!item.str.includes('page')) feet.push(item.transform[5])
        }
      }
      expect(Math.max(...ends)).toBeCloseTo(w - 48, 0)
      expect(Math.min(...feet)).toBeGreaterThan(48)
      expect(Math.min(...feet)).toBeLessThan(100)
    }
  } finally {
    await shop.close()
  }
})
