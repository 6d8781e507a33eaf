import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../testing/admin.ts'
import { openShop, type TestShop } from '../../testing/shop.ts'
import { seed } from '../../db/seed/seed.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  await seed(shop.em())
})
afterAll(() => shop?.close())

const LIST = `query($keyword: String, $filter: ProductFilter, $sort: ProductSort) {
  products(keyword: $keyword, filter: $filter, sort: $sort) {
    total items { id name price } facets { field values { value count countIsExact selected } }
  }
}`

describe('facets', () => {
  it('count what pressing them gives', async () => {
    const { products } = await ask(shop, null, LIST, { filter: { kind: ['YARN'] } })
    expect(products.total).toBeGreaterThan(10)
    const filters: Record<string, (value: string) => object> = {
      KIND: value => ({ kind: [value] }),
      WEIGHT_CLASS: value => ({ weightClass: [value] }),
      FIBRE: value => ({ fibre: [value] }),
      COLOUR: value => ({ colour: [value] }),
      NEEDLE_MM: value => ({ needleMm: [Number(value)] }),
      HOOK_MM: value => ({ hookMm: [Number(value)] }),
      METRES: value => range('metres', value),
      PRICE: value => range('price', value),
      PRICE_PER_100_M: value => range('pricePer100m', value),
      SUPERWASH: value => ({ superwash: value === 'true' }),
      IN_STOCK: value => ({ inStock: value === 'true' }),
      RATING: value => ({ ratingFrom: Number(value) }),
    }
    for (const { field, values } of products.facets)
      for (const { value, count, countIsExact } of values) {
        const pressed = await ask(shop, null, LIST, { filter: { kind: ['YARN'], ...filters[field]!(value) } })
        expect([field, value, pressed.products.total]).toEqual([field, value, count])
        expect(countIsExact).toBe(true)
      }
  })
})

function range(name: string, value: string) {
  const [from, to] = value.split('-') as [string, string]
  return { [`${name}From`]: Number(from), ...(to && { [`${name}To`]: Number(to) }) }
}
