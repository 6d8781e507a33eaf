import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, upload } from '../testing/admin.ts'
import { line, placed, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const takeEvents = (id: string, types: string) =>
  shop.em().execute<{ type: string; data: { product: object; stock: Record<string, unknown> } }[]>(
    `with gone as (delete from events where subject_id = ? returning type, data, sequence)
       select type, data from gone where type ${types} order by sequence`,
    [id],
  )

/** The events about a product since the last look, except those about its stock. */
async function newEvents(id: string) {
  const events = await takeEvents(id, `<> 'STOCK_CHANGED'`)
  return events.map(({ type, data: { product } }) => ({ type, ...product }))
}

/** How its stock changed since the last look. */
async function moves(id: string) {
  const events = await takeEvents(id, `= 'STOCK_CHANGED'`)
  return events.map(({ data: { stock } }) => stock)
}

const change = (name: string, parameters: string, args: string) => (variables: object) =>
  ask(shop, admin, `mutation(${parameters}) { ${name}(${args}) { userErrors { message } } }`, variables)
const patch = change('patchProduct', '$id: ID!, $input: ProductPatch!', 'id: $id, input: $input')
const bulk = change('bulkUpdateProducts', '$ids: [ID!]!, $change: BulkProductChange!', 'ids: $ids, change: $change')
const remove = change('deleteProduct', '$id: ID!', 'id: $id')

describe('the world hears', () => {
  it('how a product looks after each change of an administrator’s, and nothing when nothing changed', async () => {
    const { id, sku } = await makeProduct(shop.em(), { name: 'Fen Merino', price: 2400, countInStock: 30 })
    await patch({ id, input: { price: 2500 } })
    expect(await newEvents(id)).toEqual([
      {
        type: 'PRODUCT_CHANGED',
        id,
        sku,
        name: 'Fen Merino',
        price: 2500,
        countInStock: 30,
        expectedOn: null,
        isForSale: true,
        version: expect.any(Number),
      },
    ])
    await patch({ id, input: { price: 2500 } })
    expect(await newEvents(id)).toEqual([])
    await patch({ id, input: { price: -1 } })
    expect(await newEvents(id)).toEqual([])
    await bulk({ ids: [id], change: { stockBy: 5 } })
    expect(await newEvents(id)).toMatchObject([{ type: 'PRODUCT_CHANGED', countInStock: 35 }])
    await remove({ id })
    expect(await newEvents(id)).toMatchObject([{ type: 'PRODUCT_CHANGED', isForSale: false }])
  })

  it('of a draft when it is put on sale, and not before', async () => {
    const {
      createProduct: {
        product: { id },
      },
    } = await ask(shop, admin, 'mutation { createProduct { product { id } } }')
    await patch({ id, input: { price: 2500 } })
    expect(await newEvents(id)).toEqual([])
    const input = {
      name: 'Fen Merino',
      image: '/images/fen-merino.webp',
      description: 'Soft.',
      weight: '100 g',
      length: '210 m',
      gauge: '20 sts',
      knittingNeedle: '4.5 mm',
      crochetHook: '5 mm',
      recommendedCare: 'Hand wash',
      content: 'merino',
      category: 'Worsted',
      price: 2400,
      countInStock: 12,
    }
    await change('updateProduct', '$id: ID!, $input: ProductInput!', 'id: $id, input: $input')({ id, input })
    expect(await newEvents(id)).toMatchObject([
      { type: 'PRODUCT_CHANGED', name: 'Fen Merino', countInStock: 12, isForSale: true },
    ])
  })

  it('of an import and its undoing, product by product', async () => {
    const { id, sku, name } = await makeProduct(shop.em(), { price: 2400 })
    const { id: other } = await makeProduct(shop.em())
    const file = new Blob([`sku,name,price\n${sku},${name},25.00\n`])
    const { data } = await upload(
      shop,
      admin,
      'mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id status updates } userErrors { message } } }',
      'csv',
      file,
      'products.csv',
    )
    expect(data.importProducts).toMatchObject({ productImport: { status: 'READY', updates: 1 } })
    for (const [field, price] of [
      ['applyImport', 2500],
      ['undoImport', 2400],
    ] as const) {
      await change(field, '$id: ID!', 'id: $id')({ id: data.importProducts.productImport.id })
      expect(await newEvents(id)).toMatchObject([{ type: 'PRODUCT_CHANGED', price }])
    }
    expect(await newEvents(other)).toEqual([])
  })
})

describe('stock that runs low', () => {
  it('is told when a sale crosses the line, once', async () => {
    const buyer = await makeUser(shop.em())
    const product = await makeProduct(shop.em(), { countInStock: 22 })
    await placed(shop, buyer, [line(product, 2)])
    expect(await newEvents(product.id)).toEqual([])
    await placed(shop, buyer, [line(product)])
    expect(await newEvents(product.id)).toMatchObject([
      { type: 'STOCK_LOW', id: product.id, sku: product.sku, countInStock: 19, price: product.price, isForSale: true },
    ])
    await placed(shop, buyer, [line(product)])
    expect(await newEvents(product.id)).toEqual([])
  })

  it('is told once of many buyers at a time, and not of an order that was refused', async () => {
    const buyer = await makeUser(shop.em())
    const [product, scarce] = [
      await makeProduct(shop.em(), { countInStock: 25 }),
      await makeProduct(shop.em(), { countInStock: 1 }),
    ]
    await placeOrder(shop, buyer, [line(product, 10), line(scarce, 2)])
    expect(await newEvents(product.id)).toEqual([])
    await Promise.all(Array.from({ length: 20 }, () => placed(shop, buyer, [line(product)])))
    expect(await newEvents(product.id)).toMatchObject([{ type: 'STOCK_LOW', countInStock: 19 }])
  })
})

describe('stock that moves', () => {
  it('has an event with what it was and is, why, and for which order', async () => {
    const buyer = await makeUser(shop.em())
    const { id, ...yarn } = await makeProduct(shop.em(), { countInStock: 30 })
    expect(await moves(id)).toEqual([{ before: 0, after: 30, delta: 30, reason: 'INITIAL', lots: [], order: null }])
    const order = await placed(shop, buyer, [line({ ...yarn, id }, 4)])
    const of = { lots: [], order: { id: order.id, reference: order.reference } }
    expect(await moves(id)).toEqual([{ before: 30, after: 26, delta: -4, reason: 'SOLD', ...of }])
    await shop.gql('mutation($id: ID!) { cancelOrder(id: $id) { userErrors { code } } }', { id: order.id }, buyer)
    expect(await moves(id)).toEqual([{ before: 26, after: 30, delta: 4, reason: 'RELEASED', ...of }])
    await patch({ id, input: { countInStock: 28 } })
    await patch({ id, input: { price: 2500 } })
    expect(await moves(id)).toEqual([{ before: 30, after: 28, delta: -2, reason: 'ADJUSTED', lots: [], order: null }])
  })

  it('has its dye lots in the event', async () => {
    const yarn = await makeProduct(shop.em(), { lots: { 4471: 6, 4472: 3 } })
    expect(await moves(yarn.id)).toMatchObject([
      {
        after: 9,
        reason: 'INITIAL',
        lots: [
          { code: '4471', delta: 6 },
          { code: '4472', delta: 3 },
        ],
      },
    ])
    await placed(shop, await makeUser(shop.em()), [
      {
        ...line(yarn, 8),
        lots: [
          { code: '4471', quantity: 6 },
          { code: '4472', quantity: 2 },
        ],
      },
    ])
    expect(await moves(yarn.id)).toMatchObject([
      {
        delta: -8,
        lots: [
          { code: '4471', delta: -6 },
          { code: '4472', delta: -2 },
        ],
      },
    ])
  })

  it('adds up without a gap, however many buy and count at a time', async () => {
    const buyer = await makeUser(shop.em())
    const [one, two] = [
      await makeProduct(shop.em(), { countInStock: 50 }),
      await makeProduct(shop.em(), { countInStock: 50 }),
    ]
    const lines = [line(one), line(two, 2)]
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => placed(shop, buyer, index % 2 ? lines : lines.toReversed())),
      ...Array.from({ length: 5 }, () => bulk({ ids: [one.id, two.id], change: { stockBy: 3 } })),
    ])
    for (const [{ id }, left] of [
      [one, 55],
      [two, 45],
    ] as const) {
      const [first, ...later] = await moves(id)
      expect(first).toMatchObject({ before: 0, after: 50 })
      let before = 50
      for (const move of later) {
        expect(move).toMatchObject({ before, after: before + (move.delta as number) })
        before = move.after as number
      }
      expect([later.length, before]).toEqual([15, left])
    }
  })
})
