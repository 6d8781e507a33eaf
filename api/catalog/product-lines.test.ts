import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, auditOf, ledgerDifferences, REFUSED } from '../testing/admin.ts'
import { line, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { forgetAnswers } from './answer-once.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())
beforeEach(async () => {
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin' })
})

const ANSWER = `lines { index productId sku price countInStock version ${REFUSED} } changed ${REFUSED}`
const adjust = async (lines: object[], idempotencyKey: string | null = null, who = admin) =>
  (
    await ask(
      shop,
      who,
      `mutation($lines: [StockLineInput!]!, $idempotencyKey: String) { adjustStock(lines: $lines, idempotencyKey: $idempotencyKey) { ${ANSWER} } }`,
      { lines, idempotencyKey },
    )
  ).adjustStock
const set = async (lines: object[], idempotencyKey: string | null = null) =>
  (
    await ask(
      shop,
      admin,
      `mutation($lines: [ProductLineInput!]!, $idempotencyKey: String) { setProducts(lines: $lines, idempotencyKey: $idempotencyKey) { ${ANSWER} } }`,
      { lines, idempotencyKey },
    )
  ).setProducts
const make = (fields: Parameters<typeof makeProduct>[1] = {}) => makeProduct(shop.em(), fields)
const stocks = async (...products: { id: string }[]) => {
  const rows = await shop
    .em()
    .execute<{ id: string; count: number }[]>('select id, count_in_stock as count from products where id in (?)', [
      products.map(({ id }) => id),
    ])
  return products.map(({ id }) => present(rows.find(row => row.id === id)).count)
}
const lotsOf = async ({ id }: { id: string }) =>
  (await ask(shop, admin, 'query($id: ID!) { product(id: $id) { lots { code quantity } } }', { id })).product.lots
async function makeByLot(lots: { code: string; quantity: number }[]) {
  const product = await make({ countInStock: 0 })
  const { patchProduct } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $lots: [LotCountInput!]) { patchProduct(id: $id, input: { lots: $lots }) { ${REFUSED} } }`,
    { id: product.id, lots },
  )
  expect(patchProduct.userErrors).toEqual([])
  return product
}
const codes = (answer: { lines: { userErrors: { code: string }[] }[] }) =>
  answer.lines.map(({ userErrors }) => userErrors[0]?.code ?? 'ok')

describe('stock in bulk', () => {
  it('moves by id and by SKU, adds and sets, and answers the figures', async () => {
    const moss = await make({ sku: 'BULK-MOSS', countInStock: 10 })
    const rust = await make({ countInStock: 3 })
    const answer = await adjust([
      { sku: 'bulk-moss', delta: -4 },
      { id: rust.id.toUpperCase(), set: 40 },
    ])
    expect(answer).toEqual({
      lines: [
        {
          index: 0,
          productId: moss.id,
          sku: 'BULK-MOSS',
          price: moss.price,
          countInStock: 6,
          version: 2,
          userErrors: [],
        },
        {
          index: 1,
          productId: rust.id,
          sku: rust.sku,
          price: rust.price,
          countInStock: 40,
          version: 2,
          userErrors: [],
        },
      ],
      changed: 2,
      userErrors: [],
    })
    expect(await stocks(moss, rust)).toEqual([6, 40])
    expect(await ledgerDifferences(shop)).toEqual([])
    expect((await auditOf(shop, admin, moss.id))[0]).toMatchObject({
      action: 'UPDATED',
      changes: [{ field: 'countInStock', before: '10', after: '6' }],
    })
  })

  it('answers each line by itself: one that cannot be done keeps no other back', async () => {
    const moss = await make({ countInStock: 2 })
    const lotted = await makeByLot([{ code: '4412', quantity: 5 }])
    const answer = await adjust([
      { id: moss.id, delta: -3 },
      { id: moss.id, delta: 5 },
      { id: moss.id, delta: -6 },
      { id: moss.id, delta: 1, version: 7 },
      { sku: 'NO-SUCH', delta: 1 },
      { id: 'x', delta: 1 },
      { id: moss.id, sku: moss.sku, delta: 1 },
      { id: moss.id },
      { id: moss.id, delta: 1, set: 1 },
      { id: moss.id, set: -1 },
      { id: moss.id, delta: 1_000_000 },
      { id: moss.id, delta: 1, lot: '4412' },
      { id: lotted.id, delta: 1 },
    ])
    expect(codes(answer)).toEqual([
      'OUT_OF_STOCK',
      'ok',
      'ok',
      'CONFLICT',
      'NOT_FOUND',
      'NOT_FOUND',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
      'INVALID',
    ])
    expect(answer.lines[0]).toMatchObject({
      countInStock: 1,
      userErrors: [{ field: ['lines', '0', 'delta'], available: 2 }],
    })
    expect(nth(nth(answer.lines, 9).userErrors, 0).field).toEqual(['lines', '9', 'set'])
    expect(answer.changed).toBe(1)
    expect(await stocks(moss, lotted)).toEqual([1, 5])
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('moves dye lots by their codes, and makes new ones', async () => {
    const product = await makeByLot([
      { code: '4412', quantity: 5 },
      { code: '4417', quantity: 2 },
    ])
    const answer = await adjust([
      { id: product.id, lot: '4412', delta: -5 },
      { id: product.id, lot: '4417', set: 9 },
      { id: product.id, lot: '4420', delta: 3 },
      { id: product.id, lot: '4412', delta: -1 },
    ])
    expect(codes(answer)).toEqual(['ok', 'ok', 'ok', 'OUT_OF_STOCK'])
    expect(await lotsOf(product)).toEqual([
      { code: '4417', quantity: 9 },
      { code: '4420', quantity: 3 },
    ])
    expect(await stocks(product)).toEqual([12])
    expect(nth(await auditOf(shop, admin, product.id), 0).changes).toEqual([
      { field: 'countInStock', before: '7', after: '12' },
      { field: 'lots', before: '5 of lot 4412 and 2 of lot 4417', after: '9 of lot 4417 and 3 of lot 4420' },
    ])
    // A lot that was sold out is in stock again.
    expect(codes(await adjust([{ id: product.id, lot: '4412', delta: 4 }]))).toEqual(['ok'])
    expect(await stocks(product)).toEqual([16])
  })

  it('is refused as a whole with no line, too many, or an empty key', async () => {
    const moss = await make({ countInStock: 5 })
    const refused = (answer: unknown) =>
      expect(answer).toMatchObject({ lines: [], changed: 0, userErrors: [{ code: 'INVALID' }] })
    refused(await adjust([]))
    refused(await adjust(Array.from({ length: 501 }, () => ({ id: moss.id, delta: 1 }))))
    refused(await adjust([{ id: moss.id, delta: 1 }], ' '))
    expect(await stocks(moss)).toEqual([5])
  })

  it('takes 500 lines at once, with as many statements as for one', async () => {
    const products = await Promise.all(Array.from({ length: 20 }, () => make({ countInStock: 0 })))
    const lines = Array.from({ length: 500 }, (_, index) => ({ id: nth(products, index % 20).id, delta: 1 }))
    expect(await adjust(lines)).toMatchObject({ changed: 20, userErrors: [] })
    expect(await stocks(...products)).toEqual(products.map(() => 25))
  })
})

describe('an idempotency key', () => {
  it('does the same lines once, and answers them as then', async () => {
    const moss = await make({ countInStock: 10 })
    const lines = [
      { id: moss.id, delta: -4 },
      { id: moss.id, delta: -40 },
    ]
    const first = await adjust(lines, 'delivery 1')
    await adjust([{ id: moss.id, delta: 1 }])
    expect(await adjust(lines, 'delivery 1')).toEqual(first)
    expect(codes(first)).toEqual(['ok', 'OUT_OF_STOCK'])
    expect(await stocks(moss)).toEqual([7])
  })

  it('is refused for other lines, and for another operation', async () => {
    const moss = await make({ countInStock: 10 })
    await adjust([{ id: moss.id, delta: -4 }], 'delivery 2')
    const other = { lines: [], changed: 0, userErrors: [{ code: 'IDEMPOTENCY_MISMATCH', field: ['idempotencyKey'] }] }
    expect(await adjust([{ id: moss.id, delta: -3 }], 'delivery 2')).toMatchObject(other)
    expect(await set([{ id: moss.id, price: 900 }], 'delivery 2')).toMatchObject(other)
    expect(await stocks(moss)).toEqual([6])
  })

  it('belongs to its account', async () => {
    const moss = await make({ countInStock: 10 })
    const other = await makeUser(shop.em(), { isAdmin: true })
    await adjust([{ id: moss.id, delta: -1 }], 'delivery 3')
    await adjust([{ id: moss.id, delta: -1 }], 'delivery 3', other)
    expect(await stocks(moss)).toEqual([8])
  })

  it('does it once, however many send it at the same time', async () => {
    const moss = await make({ countInStock: 100 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => adjust([{ id: moss.id, delta: -7 }], 'delivery 4')),
    )
    expect(await stocks(moss)).toEqual([93])
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('is forgotten after 30 days', async () => {
    const moss = await make({ countInStock: 10 })
    await adjust([{ id: moss.id, delta: -1 }], 'delivery 5')
    await shop.em().execute(`update bulk_answers set created_at = now() - interval '31 days' where key = 'delivery 5'`)
    await forgetAnswers(shop.em())
    await adjust([{ id: moss.id, delta: -1 }], 'delivery 5')
    expect(await stocks(moss)).toEqual([8])
  })
})

describe('at the same time', () => {
  it('no unit is lost between many who adjust and many who buy, in whatever order they name the products', async () => {
    const [moss, rust] = [await make({ countInStock: 40 }), await make({ countInStock: 40 })]
    const buyers = await Promise.all(Array.from({ length: 6 }, () => makeUser(shop.em())))
    const both = [moss, rust]
    const outcomes = await Promise.all([
      ...Array.from({ length: 12 }, (_, index) =>
        adjust((index % 2 ? both : both.toReversed()).map(({ id }) => ({ id, delta: index % 3 ? 2 : -1 }))),
      ),
      ...buyers.map((buyer, index) =>
        placeOrder(
          shop,
          buyer,
          (index % 2 ? both : both.toReversed()).map(product => line(product)),
        ),
      ),
    ])
    expect(outcomes.flatMap(({ userErrors }) => userErrors)).toEqual([])
    const [left, alike] = await stocks(moss, rust)
    expect(left).toBe(40 + 8 * 2 - 4 - 6)
    expect(alike).toBe(left)
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('one of many who saw the same version is first, and the others are told', async () => {
    const moss = await make({ countInStock: 10 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => adjust([{ id: moss.id, set: 20 + index, version: 1 }])),
    )
    expect(answers.map(answer => codes(answer)[0]).toSorted()).toEqual([...Array(7).fill('CONFLICT'), 'ok'])
  })
})

describe('products in bulk', () => {
  it('sets prices and texts, of whichever lines can be done', async () => {
    const [moss, rust] = [await make({ price: 1000 }), await make({ price: 1200 })]
    const answer = await set([
      { id: moss.id, price: 1100, gauge: '22 sts' },
      { sku: rust.sku.toLowerCase(), price: 1300, version: 9 },
      { id: moss.id, price: 900 },
      { id: rust.id, price: 0 },
      { id: rust.id, name: ' ', category: null, content: 'Hemp' },
      { sku: '?', price: 100 },
    ])
    expect(codes(answer)).toEqual(['ok', 'CONFLICT', 'INVALID', 'INVALID', 'INVALID', 'INVALID'])
    expect(answer.lines[0]).toMatchObject({ price: 1100, version: 2 })
    expect(nth(answer.lines, 3).userErrors).toEqual([
      { code: 'INVALID', message: 'Price must be at least $0.01.', field: ['lines', '3', 'price'], available: null },
    ])
    expect(answer.changed).toBe(1)
    const { product } = await ask(shop, admin, 'query($id: ID!) { product(id: $id) { price gauge name content } }', {
      id: moss.id,
    })
    expect(product).toMatchObject({ price: 1100, gauge: '22 sts', name: moss.name, content: moss.content })
    expect(nth(await auditOf(shop, admin, moss.id), 0).changes.map(({ field }: { field: string }) => field)).toEqual([
      'gauge',
      'price',
    ])
    expect(await stocks(moss)).toEqual([moss.countInStock])
  })

  it('changes nothing where everything is as it was', async () => {
    const moss = await make({ price: 1000 })
    expect(await set([{ id: moss.id, price: 1000 }])).toMatchObject({ changed: 0, lines: [{ version: 1 }] })
    expect(await auditOf(shop, admin, moss.id)).toEqual([])
  })

  it('puts drafts on sale and takes products off it, and tells whoever listens', async () => {
    const { createProduct } = await ask(shop, admin, 'mutation { createProduct { product { id } } }')
    const { id } = createProduct.product
    const early = await set([{ id, isDraft: false }])
    expect(nth(early.lines, 0).userErrors).toMatchObject([{ code: 'INVALID', field: ['lines', '0', 'price'] }])
    expect(codes(await set([{ id, isDraft: false, price: 500, name: 'Fen Lace' }]))).toEqual(['ok'])
    const seen = async () => (await ask(shop, null, 'query($id: ID!) { product(id: $id) { name } }', { id })).product
    expect(await seen()).toEqual({ name: 'Fen Lace' })
    const found = async () =>
      (await ask(shop, null, '{ products(keyword: "Fen Lace", asTyped: true) { items { id } } }')).products.items
    expect(await found()).toEqual([{ id }])
    expect(codes(await set([{ id, isDraft: true }]))).toEqual(['ok'])
    expect(await seen()).toBeNull()
    expect(await found()).toEqual([])
    const events = await shop
      .em()
      .execute<{ data: { product: { isForSale: boolean } } }[]>(
        `select data from events where subject_id = ? and type = 'PRODUCT_CHANGED' order by id`,
        [id],
      )
    expect(events.map(({ data }) => data.product.isForSale)).toEqual([true, false])
  })

  it('many who set prices at the same time wait for each other', async () => {
    const products = await Promise.all(Array.from({ length: 3 }, () => make({ price: 1000 })))
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        set((index % 2 ? products : products.toReversed()).map(({ id }) => ({ id, price: 2000 + index }))),
      ),
    )
    expect(answers.flatMap(codes)).toEqual(Array(27).fill('ok'))
    const rows = await shop
      .em()
      .execute<{ price: number; version: number }[]>('select price, version from products where id in (?)', [
        products.map(({ id }) => id),
      ])
    expect(new Set(rows.map(({ price }) => price)).size).toBe(1)
    expect(rows.map(({ version }) => version)).toEqual([10, 10, 10])
  })
})

describe('a product made with its fields', () => {
  const FIELDS = {
    name: 'Reed Sport',
    image: '/images/fen-merino.webp',
    description: 'Round.',
    weight: '50 g',
    length: '150 m',
    gauge: '24 sts',
    knittingNeedle: '3.75 mm',
    crochetHook: '4 mm',
    recommendedCare: 'Hand wash',
    content: 'wool',
    category: 'Sport',
    price: 1500,
    countInStock: 7,
  }
  const create = async (input: object) =>
    (
      await ask(
        shop,
        admin,
        `mutation($input: ProductInput) { createProduct(input: $input) { product { id sku isDraft price countInStock } ${REFUSED} } }`,
        { input },
      )
    ).createProduct

  it('is on sale at once', async () => {
    const { product, userErrors } = await create({ ...FIELDS, sku: 'reed-1' })
    expect([product, userErrors]).toEqual([
      { id: expect.any(String), sku: 'REED-1', isDraft: false, price: 1500, countInStock: 7 },
      [],
    ])
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('is not made, not even as a draft, where a field is wrong or the SKU is taken', async () => {
    await create({ ...FIELDS, sku: 'REED-2' })
    const count = async () =>
      (await shop.em().execute<[{ count: number }]>('select count(*)::int as count from products'))[0].count
    const before = await count()
    expect(await create({ ...FIELDS, sku: 'reed-2' })).toMatchObject({
      product: null,
      userErrors: [{ code: 'SKU_TAKEN' }],
    })
    expect(await create({ ...FIELDS, price: 0 })).toMatchObject({ product: null, userErrors: [{ code: 'INVALID' }] })
    expect(await count()).toBe(before)
  })
})
