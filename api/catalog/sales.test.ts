import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataOf } from '../generated/answers.ts'
import { ask, auditOf, upload } from '../testing/admin.ts'
import { line, placed, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'
import type { Product } from './product.entity.ts'
import { turnAllSales } from './turn-sales.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(() => shop?.close())

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR = 3_600_000

const PRICES = 'price compareAtPrice onSaleUntil'
const SALE = 'sale { price from until }'

const patch = async (id: string, input: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { ${PRICES} ${SALE} version } userErrors { code message field } } }`,
      { id, input },
    )
  ).patchProduct

type Seen = DataOf<`{ product { ${typeof PRICES} ${typeof SALE} updatedAt } }`>['product']
const read = async (id: string, fields = PRICES, who: Identity = null) =>
  ((await ask(shop, who, `query($id: ID!) { product(id: $id) { ${fields} } }`, { id })) as { product: Seen }).product

const quoted = async (id: string) =>
  (
    await ask(
      shop,
      null,
      `query($lines: [CartLineInput!]!) { quoteCart(lines: $lines) { itemsPrice lines { product { ${PRICES} } } } }`,
      { lines: [{ productId: id, quantity: 2 }] },
    )
  ).quoteCart

/** A product's prices in the events that partners get, in order. */
const pricesInEvents = async ({ id }: Pick<Product, 'id'>) =>
  (
    await shop
      .em()
      .execute<{ price: number }[]>(
        `select (data -> 'product' ->> 'price')::int as price from events where subject_id = ? and type = 'PRODUCT_CHANGED' order by recorded_in, id`,
        [id],
      )
  ).map(({ price }) => price)

const changedAt = async (id: string) => (await read(id, 'updatedAt')).updatedAt

/** Stores a sale whose start or end passed unnoticed: as it lies in the database until the shop updates it. */
const plan = (id: string, sale: { from?: string; until?: string; on?: boolean }) =>
  shop
    .em()
    .execute(
      `update products set price = case when ? then 1800 else 2400 end, regular_price = case when ? then 2400 end, sale_price = 1800, sale_from = ?, sale_until = ? where id = ?`,
      [sale.on ?? false, sale.on ?? false, sale.from ?? null, sale.until ?? null, id],
    )

const began = { from: soon(-1_000), until: soon(HOUR) }
const ended = { from: soon(-HOUR), until: soon(-1_000), on: true }

describe('a sale', () => {
  it('that is saved begins at once, lowers the price and says what it was and until when', async () => {
    const { id } = await makeProduct(shop.em())
    const until = soon(HOUR)
    const { product } = await patch(id, { sale: { price: 1800, until } })
    expect(product).toMatchObject({
      price: 1800,
      compareAtPrice: 2400,
      onSaleUntil: until,
      sale: { price: 1800, from: null, until },
    })
    expect(await read(id)).toEqual({ price: 1800, compareAtPrice: 2400, onSaleUntil: until })
    expect(await pricesInEvents({ id })).toEqual([1800])
    expect(nth(await auditOf(shop, admin, id), 0).changes).toEqual([
      { field: 'salePrice', before: null, after: '1800' },
      { field: 'saleUntil', before: null, after: until },
    ])
  })

  it('that is planned changes no price before its time, and only administrators see it', async () => {
    const { id } = await makeProduct(shop.em())
    const from = soon(HOUR)
    await patch(id, { sale: { price: 1800, from } })
    expect(await read(id)).toEqual({ price: 2400, compareAtPrice: null, onSaleUntil: null })
    expect((await read(id, SALE, admin)).sale).toEqual({ price: 1800, from, until: null })
    for (const who of [null, nell]) {
      const answer = await shop.gql(`query($id: ID!) { product(id: $id) { ${SALE} } }`, { id }, who)
      expect(answer.errors?.[0]?.extensions.code).toMatch(/UNAUTHENTICATED|FORBIDDEN/)
    }
  })

  it('begins and ends by itself, each told once, and is then forgotten', async () => {
    const { id } = await makeProduct(shop.em())
    await plan(id, began)
    const before = await changedAt(id)
    await Promise.all([turnAllSales(shop.em()), turnAllSales(shop.em()), turnAllSales(shop.em())])
    expect(await read(id)).toMatchObject({ price: 1800, compareAtPrice: 2400 })
    expect((await changedAt(id)) > before).toBe(true)
    await plan(id, ended)
    await Promise.all([turnAllSales(shop.em()), turnAllSales(shop.em()), turnAllSales(shop.em())])
    expect(await read(id, `${PRICES} ${SALE}`, admin)).toEqual({
      price: 2400,
      compareAtPrice: null,
      onSaleUntil: null,
      sale: null,
    })
    expect(await pricesInEvents({ id })).toEqual([1800, 2400])
    expect(await turnAllSales(shop.em())).toBe(0)
  })

  it('that was over before it began is forgotten without a change of price', async () => {
    const { id } = await makeProduct(shop.em())
    await plan(id, { ...ended, on: false })
    await turnAllSales(shop.em())
    expect(await read(id, `${PRICES} ${SALE}`, admin)).toMatchObject({ price: 2400, compareAtPrice: null, sale: null })
  })

  it('ends when it is taken away', async () => {
    const { id } = await makeProduct(shop.em())
    await patch(id, { sale: { price: 1800 } })
    const { product } = await patch(id, { sale: { price: null } })
    expect(product).toMatchObject({ price: 2400, compareAtPrice: null, sale: null })
  })

  it.each([
    ['is not below the price', { sale: { price: 2400 } }, ['sale', 'price']],
    ['ends before it begins', { sale: { price: 1800, from: soon(HOUR), until: soon(HOUR / 2) } }, ['sale', 'until']],
    ['would be over', { sale: { price: 1800, until: soon(-HOUR) } }, ['sale', 'until']],
    ['costs nothing', { sale: { price: 0 } }, ['sale', 'price']],
  ])('that %s is refused at its field', async (_what, input, field) => {
    const { id } = await makeProduct(shop.em())
    const { userErrors } = await patch(id, input)
    expect(userErrors).toEqual([{ code: 'INVALID', message: expect.stringMatching(/sale/i), field }])
    expect(await read(id, `${PRICES} ${SALE} version`, admin)).toMatchObject({ price: 2400, sale: null, version: 1 })
  })
})

describe('the price of a product on sale', () => {
  it('is changed without the sale, which goes on', async () => {
    const { id } = await makeProduct(shop.em())
    await patch(id, { sale: { price: 1800 } })
    expect((await patch(id, { price: 2600 })).product).toMatchObject({ price: 1800, compareAtPrice: 2600 })
    expect((await patch(id, { price: 1800 })).userErrors).toMatchObject([{ code: 'INVALID', field: ['sale', 'price'] }])
    expect((await patch(id, { price: 1500, sale: { price: 1200 } })).product).toMatchObject({
      price: 1200,
      compareAtPrice: 1500,
    })
  })

  it('is changed in bulk without the sale, unless that would not lower it any more', async () => {
    const [one, two] = [await makeProduct(shop.em(), { name: 'Fen Merino' }), await makeProduct(shop.em())]
    await patch(one.id, { sale: { price: 1800 } })
    const bulk = async (change: object) =>
      (
        await ask(
          shop,
          admin,
          `mutation($ids: [ID!]!, $change: BulkProductChange!) { bulkUpdateProducts(ids: $ids, change: $change) { products { ${PRICES} } userErrors { message field } } }`,
          { ids: [one.id, two.id], change },
        )
      ).bulkUpdateProducts
    expect((await bulk({ priceByBasisPoints: 1_000 })).products).toMatchObject([
      { price: 1800, compareAtPrice: 2640 },
      { price: 2640, compareAtPrice: null },
    ])
    expect(await bulk({ priceByCents: -840 })).toEqual({
      products: [],
      userErrors: [
        {
          field: ['ids', one.id],
          message: 'The price of Fen Merino would not be above its sale price of $18.00 any more.',
        },
      ],
    })
  })

  it('is set by lines without the sale, unless that would not lower it any more', async () => {
    const { id } = await makeProduct(shop.em())
    await patch(id, { sale: { price: 1800 } })
    const set = async (price: number) =>
      nth(
        (
          await ask(
            shop,
            admin,
            'mutation($lines: [ProductLineInput!]!) { setProducts(lines: $lines) { lines { price userErrors { message field } } } }',
            { lines: [{ id, price }] },
          )
        ).setProducts.lines,
        0,
      )
    expect(await set(2500)).toEqual({ price: 2500, userErrors: [] })
    expect(await read(id)).toMatchObject({ price: 1800, compareAtPrice: 2500 })
    expect((await set(1800)).userErrors).toEqual([
      { message: 'The price must be above the sale price of $18.00.', field: ['lines', '0', 'price'] },
    ])
  })

  it('is copied without the sale', async () => {
    const { id } = await makeProduct(shop.em())
    await patch(id, { sale: { price: 1800 } })
    const copy = await ask(
      shop,
      admin,
      `mutation($id: ID!) { copyProduct(id: $id) { product { ${PRICES} ${SALE} } } }`,
      {
        id,
      },
    )
    expect(copy.copyProduct.product).toMatchObject({ price: 2400, compareAtPrice: null, sale: null })
  })
})

describe('who buys', () => {
  it.each([
    ['whose sale has just begun', began, 1800],
    ['whose sale has just ended', ended, 2400],
  ])('a product %s pays the price of that moment, in the cart and in the order', async (_what, sale, price) => {
    const [seen, bought] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    await plan(seen.id, sale)
    await plan(bought.id, sale)
    expect(await quoted(seen.id)).toMatchObject({ itemsPrice: 2 * price, lines: [{ product: { price } }] })
    const order = await placed(shop, nell, [line(bought, 2)])
    expect(order).toMatchObject({ itemsPrice: 2 * price, items: [{ price }] })
    expect([await pricesInEvents(seen), await pricesInEvents(bought)]).toEqual([[price], [price]])
  })

  it('at the very moment a sale ends gets the one price or the other, never with another total', async () => {
    const yarn = await makeProduct(shop.em(), { countInStock: 1_000_000 })
    await patch(yarn.id, { sale: { price: 1800 } })
    const orders: { itemsPrice: number; items: { price: number }[] }[] = []
    const buyers = await Promise.all([0, 1, 2].map(() => makeUser(shop.em())))
    const buy = async (buyer: (typeof buyers)[number]) => {
      const order = await placed(shop, buyer, [line(yarn)])
      orders.push(order)
      expect(nth(order.items, 0).price).toBe(order.itemsPrice)
      return order.itemsPrice
    }
    await Promise.all(buyers.map(buy))
    await shop.em().execute('update products set sale_until = ? where id = ?', [soon(500), yarn.id])
    const turnSales = async () => {
      while (!orders.some(({ itemsPrice }) => itemsPrice === 2400)) {
        await turnAllSales(shop.em())
        await sleep(20)
      }
    }
    await Promise.all([
      turnSales(),
      ...buyers.map(async buyer => {
        while ((await buy(buyer)) !== 2400) await sleep(20)
      }),
    ])
    expect(new Set(orders.map(({ itemsPrice }) => itemsPrice))).toEqual(new Set([1800, 2400]))
    // It was saved once while on sale, and the sale ended once.
    expect(await pricesInEvents(yarn)).toEqual([1800, 2400])
  })

  it('with a total from before the sale ended is asked again', async () => {
    const yarn = await makeProduct(shop.em())
    await patch(yarn.id, { sale: { price: 1800, until: soon(HOUR) } })
    const { data } = await shop.gql(
      'query($lines: [CartLineInput!]!) { quoteCart(lines: $lines) { totalPrice } }',
      { lines: [line(yarn)] },
      nell,
    )
    await shop
      .em()
      .execute('update products set sale_until = ?, sale_from = null where id = ?', [soon(-1_000), yarn.id])
    const { userErrors, quote } = await placeOrder(shop, nell, [line(yarn)], {
      expectedTotal: data.quoteCart.totalPrice,
    })
    expect(userErrors).toMatchObject([{ code: 'PRICE_CHANGED' }])
    expect(quote.itemsPrice).toBe(2400)
  })
})

describe('spreadsheets', () => {
  const preview = async (csv: string) =>
    (
      await upload(
        shop,
        admin,
        'mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id erases rows { items { action reasons changes { field before after } } } } userErrors { message } } }',
        'csv',
        new Blob([csv]),
        'sale.csv',
      )
    ).data.importProducts.productImport
  const apply = (id: string, field = 'applyImport') =>
    ask(shop, admin, `mutation($id: ID!) { ${field}(id: $id) { userErrors { message } } }`, { id })

  it('carry the price without the sale, and the sale; an import begins and ends it, and undoing brings it back', async () => {
    const { id } = await makeProduct(shop.em(), { sku: 'SALE-1' })
    const made = await preview('sku,sale_price,sale_from,sale_until\nSALE-1,18.00,,2099-12-01T00:00:00+02:00')
    expect(made.rows.items[0]).toMatchObject({
      action: 'UPDATE',
      changes: [
        { field: 'salePrice', before: null, after: '1800' },
        { field: 'saleUntil', before: null, after: '2099-11-30T22:00:00Z' },
      ],
    })
    await apply(made.id)
    expect(await read(id)).toEqual({ price: 1800, compareAtPrice: 2400, onSaleUntil: '2099-11-30T22:00:00.000Z' })
    expect(await pricesInEvents({ id })).toEqual([1800])

    const table = (
      await ask(shop, admin, 'query($f: AdminProductFilter) { exportProducts(filter: $f) }', {
        f: { search: 'SALE-1' },
      })
    ).exportProducts
    expect(table).toContain('24.00,10,18.00,,2099-11-30T22:00:00Z')
    expect((await preview(table)).rows.items[0]).toMatchObject({ action: 'UNCHANGED' })

    const dearer = await preview('sku,price\nSALE-1,30.00')
    await apply(dearer.id)
    expect(await read(id)).toMatchObject({ price: 1800, compareAtPrice: 3000 })
    await apply(dearer.id, 'undoImport')
    expect(await read(id)).toMatchObject({ price: 1800, compareAtPrice: 2400 })

    const off = await preview('sku,sale_price,sale_from,sale_until\nSALE-1,,,')
    expect(off.erases).toBe(nth(off.rows.items, 0).changes.length)
    await apply(off.id)
    expect(await read(id)).toEqual({ price: 2400, compareAtPrice: null, onSaleUntil: null })
    await apply(off.id, 'undoImport')
    expect(await read(id)).toMatchObject({ price: 1800, compareAtPrice: 2400 })
  })

  it.each([
    ['24.00,,', 'The sale price must be lower than the price.'],
    ['18.00,tomorrow,', 'Sale from is not an instant with its time zone, such as 2026-11-27T08:00Z.'],
    ['18.00,2026-11-27 08:00,', 'Sale from is not an instant with its time zone, such as 2026-11-27T08:00Z.'],
    ['18.00,2098-01-02T00:00Z,2098-01-01T00:00Z', 'The sale must end after it begins.'],
    ['cheap,,', 'Sale price is not an amount such as 12.50.'],
    [',,2098-01-01T00:00Z', 'A sale needs a sale price.'],
  ])('with the sale %s are refused', async (cells, reason) => {
    const { sku } = await makeProduct(shop.em())
    const { rows } = await preview(`sku,sale_price,sale_from,sale_until\n${sku},${cells}`)
    expect(rows.items[0]).toMatchObject({ action: 'REFUSED', reasons: [reason] })
  })
})
