import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, auditOf, ledgerDifferences, REFUSED } from '../testing/admin.ts'
import { line, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ pageSize: 3 })
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin' })
})
afterAll(() => shop?.close())

const PRODUCT = 'id sku name price countInStock category reducedTax version isDraft'
const patch = async (id: string, input: object, who = admin) =>
  (
    await ask(
      shop,
      who,
      `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { ${PRODUCT} } ${REFUSED} } }`,
      { id, input },
    )
  ).patchProduct
const bulk = async (ids: string[], change: object, versions?: number[]) =>
  (
    await ask(
      shop,
      admin,
      `mutation($ids: [ID!]!, $change: BulkProductChange!, $versions: [Int!]) { bulkUpdateProducts(ids: $ids, change: $change, versions: $versions) { changed products { ${PRODUCT} } ${REFUSED} } }`,
      { ids, change, versions },
    )
  ).bulkUpdateProducts
const list = async (filter: object, sort?: object, page = 1) =>
  (
    await ask(
      shop,
      admin,
      `query($filter: AdminProductFilter, $sort: AdminProductSort, $page: Int) { adminProducts(filter: $filter, sort: $sort, page: $page) { page pages total items { ${PRODUCT} rating } } }`,
      { filter, sort, page },
    )
  ).adminProducts
const make = (fields: Parameters<typeof makeProduct>[1] = {}) => makeProduct(shop.em(), fields)
const missing = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'

describe('the product table', () => {
  beforeAll(async () => {
    await make({
      name: 'alpaca Cloud',
      sku: 'CLOUD-1',
      category: 'Lace',
      price: 3000,
      countInStock: 0,
      numReviews: 2,
      ratingSum: 9,
    })
    await make({ name: 'Birch Needle', sku: 'BIRCH-1', category: 'Needles', price: 1200, countInStock: 19 })
    await make({
      name: 'Cotton 100%',
      sku: 'COTTON_1',
      category: 'Lace',
      price: 800,
      countInStock: 20,
      numReviews: 1,
      ratingSum: 5,
    })
    await make({ name: 'Draft Yarn', category: 'Lace', price: 1, countInStock: 1, publishedAt: null })
    await make({ name: 'Gone Yarn', archivedAt: new Date() })
  })

  test.each([
    [{}, ['Draft Yarn', 'Cotton 100%', 'Birch Needle', 'alpaca Cloud']],
    [{ stock: 'OUT' }, ['alpaca Cloud']],
    [{ stock: 'LOW' }, ['Draft Yarn', 'Birch Needle']],
    [{ stock: 'IN_STOCK' }, ['Cotton 100%']],
    [{ category: 'Lace', draft: false }, ['Cotton 100%', 'alpaca Cloud']],
    [{ draft: true }, ['Draft Yarn']],
    [{ search: 'cloud-1' }, ['alpaca Cloud']],
    [{ search: 'CLOUD alpaca' }, ['alpaca Cloud']],
    [{ search: '100%' }, ['Cotton 100%']],
    [{ search: '_1' }, ['Cotton 100%']],
    [{ search: '\0' }, []],
    [{ search: 'x'.repeat(10_000) }, []],
    [{ category: 'La\0ce' }, []],
  ])('filtered by %j', async (filter, names) => {
    const first = await list(filter)
    const second = first.pages > 1 ? (await list(filter, undefined, 2)).items : []
    // Texts of the sample contain 100% as well, so they are found too.
    const found = [...first.items, ...second].map(({ name }: { name: string }) => name)
    if ('search' in filter && filter.search === '100%') expect(found).toContain('Cotton 100%')
    else expect(found).toEqual(names)
  })

  test.each([
    ['NAME', 'ASC', ['alpaca Cloud', 'Birch Needle', 'Cotton 100%']],
    ['NAME', 'DESC', ['Draft Yarn', 'Cotton 100%', 'Birch Needle']],
    ['PRICE', 'ASC', ['Draft Yarn', 'Cotton 100%', 'Birch Needle']],
    ['STOCK', 'DESC', ['Cotton 100%', 'Birch Needle', 'Draft Yarn']],
    ['CATEGORY', 'DESC', ['Birch Needle', 'Draft Yarn', 'Cotton 100%']],
    ['CREATED', 'ASC', ['alpaca Cloud', 'Birch Needle', 'Cotton 100%']],
    ['RATING', 'DESC', ['Cotton 100%', 'alpaca Cloud', 'Draft Yarn']],
  ])('sorted by %s %s', async (field, direction, names) => {
    expect((await list({}, { field, direction })).items.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  it('serves the nearest page and counts everything', async () => {
    expect(await list({}, undefined, 99)).toMatchObject({ page: 2, pages: 2, total: 4 })
  })

  it('knows the categories', async () => {
    expect((await ask(shop, admin, '{ categories }')).categories).toEqual(['Lace', 'Needles'])
  })
})

describe('an edit in the table', () => {
  it('changes one field, keeps the rest, and is written down', async () => {
    const yarn = await make({ price: 2400, countInStock: 5 })
    const { product, userErrors } = await patch(yarn.id, { price: 2600, version: 1 })
    expect(userErrors).toEqual([])
    expect(product).toMatchObject({ price: 2600, countInStock: 5, name: yarn.name, version: 2 })
    expect(await auditOf(shop, admin, yarn.id)).toEqual([
      {
        action: 'UPDATED',
        label: yarn.name,
        entity: 'PRODUCT',
        entityId: yarn.id,
        actor: { userId: admin.id, name: 'Ada Admin' },
        changes: [{ field: 'price', before: '2400', after: '2600' }],
        importId: null,
      },
    ])
    const { product: seen } = await ask(
      shop,
      admin,
      'query($id: ID!) { product(id: $id) { history { total items { action } } } }',
      { id: yarn.id },
    )
    expect(seen.history).toEqual({ total: 1, items: [{ action: 'UPDATED' }] })
  })

  it('leaves a draft a draft', async () => {
    const draft = await make({ publishedAt: null })
    expect((await patch(draft.id, { name: 'Still a draft' })).product).toMatchObject({
      name: 'Still a draft',
      isDraft: true,
    })
  })

  it('of an older version is refused with what is there now, and nothing is written down', async () => {
    const yarn = await make()
    await patch(yarn.id, { name: 'Renamed', version: 1 })
    const { product, userErrors } = await patch(yarn.id, { name: 'Overwritten', version: 1 })
    expect(userErrors).toMatchObject([{ code: 'CONFLICT' }])
    expect(product).toMatchObject({ name: 'Renamed', version: 2 })
    expect(await auditOf(shop, admin, yarn.id)).toHaveLength(1)
  })

  it('of the stock applies only the difference to what was seen', async () => {
    const yarn = await make({ countInStock: 10 })
    await placeOrder(shop, await makeUser(shop.em()), [line(yarn, 3)])
    expect((await patch(yarn.id, { countInStock: 15, countInStockSeen: 10 })).product.countInStock).toBe(12)
    expect((await patch(yarn.id, { countInStock: 0, countInStockSeen: 13 })).userErrors).toMatchObject([
      { code: 'OUT_OF_STOCK', available: 12 },
    ])
    expect((await patch(yarn.id, { countInStock: 4 })).product.countInStock).toBe(4)
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  test.each([
    [{ price: -1 }, 'INVALID', ['price']],
    [{ countInStock: -1 }, 'INVALID', ['countInStock']],
    [{ name: '  ' }, 'INVALID', ['name']],
    [{ name: 'a\0b' }, 'INVALID', ['name']],
    [{ sku: 'no spaces' }, 'INVALID', ['sku']],
    [{ sku: 'cloud-1' }, 'SKU_TAKEN', ['sku']],
    [{ image: 'javascript:alert(1)' }, 'INVALID', ['image']],
  ])('to %j is refused as %s', async (input, code, field) => {
    const yarn = await make()
    expect((await patch(yarn.id, input)).userErrors).toMatchObject([{ code, field }])
    expect(await auditOf(shop, admin, yarn.id)).toEqual([])
  })

  test.each([missing, 'abc', ''])('of product %j finds none', async id => {
    expect((await patch(id, { price: 1 })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})

describe('a change of many products', () => {
  test.each([
    [{ priceByCents: 50 }, { price: 1050 }],
    [{ priceByCents: -999 }, { price: 1 }],
    [{ priceByBasisPoints: 1000 }, { price: 1100 }],
    [{ priceByBasisPoints: -3333 }, { price: 667 }],
    [{ stockTo: 0 }, { countInStock: 0 }],
    [{ stockBy: 5 }, { countInStock: 15 }],
    [{ stockBy: -10 }, { countInStock: 0 }],
    [{ category: 'Lace' }, { category: 'Lace' }],
    [{ reducedTax: true }, { reducedTax: true }],
  ])('by %j', async (change, after) => {
    const [one, two] = [await make({ price: 1000 }), await make({ price: 1000 })]
    const { products, changed, userErrors } = await bulk([two.id, one.id, two.id], change)
    expect(userErrors).toEqual([])
    expect(changed).toBe(2)
    expect(products).toMatchObject([
      { id: two.id, version: 2, ...after },
      { id: one.id, version: 2, ...after },
    ])
    expect((await auditOf(shop, admin, one.id))[0]).toMatchObject({
      action: 'UPDATED',
      changes: [{ field: Object.keys(after)[0], after: String(Object.values(after)[0]) }],
    })
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('archives', async () => {
    const yarn = await make()
    expect(await bulk([yarn.id], { archive: true })).toMatchObject({ changed: 1, userErrors: [] })
    expect((await ask(shop, admin, 'query($id: ID!) { product(id: $id) { id } }', { id: yarn.id })).product).toBeNull()
    expect(await auditOf(shop, admin, yarn.id)).toMatchObject([{ action: 'ARCHIVED' }])
  })

  it('leaves what is already so alone', async () => {
    const yarn = await make({ category: 'Lace' })
    expect(await bulk([yarn.id], { category: 'Lace' })).toMatchObject({ changed: 0, products: [{ version: 1 }] })
    expect(await auditOf(shop, admin, yarn.id)).toEqual([])
  })

  it('is all or nothing, and says what is wrong with each', async () => {
    const [fine, poor, newer] = [await make({ price: 1000 }), await make({ price: 10 }), await make({ price: 1000 })]
    await patch(newer.id, { name: 'Saved since' })
    const { userErrors, products, changed } = await bulk(
      [fine.id, poor.id, newer.id, missing, 'abc'],
      { priceByCents: -500 },
      [1, 1, 1, 1, 1],
    )
    expect(userErrors).toMatchObject([
      { code: 'NOT_FOUND', field: ['ids', missing] },
      { code: 'NOT_FOUND', field: ['ids', 'abc'] },
      { code: 'CONFLICT', field: ['ids', newer.id] },
      { code: 'INVALID', field: ['ids', poor.id] },
    ])
    expect([products, changed]).toEqual([[], 0])
    const untouched = await ask(shop, admin, 'query($id: ID!) { product(id: $id) { price version } }', { id: fine.id })
    expect(untouched.product).toEqual({ price: 1000, version: 1 })
    expect(await auditOf(shop, admin, fine.id)).toEqual([])
  })

  test.each([[{}], [{ priceByCents: 1, stockTo: 2 }], [{ priceByCents: null }]])('of %j is no change', async change => {
    const answer = await shop.gql(
      'mutation($change: BulkProductChange!) { bulkUpdateProducts(ids: ["x"], change: $change) { changed } }',
      { change },
      admin,
    )
    expect(answer.errors).toBeDefined()
    expect(answer.status).toBeLessThan(500)
  })

  test.each([[[]], [Array.from({ length: 501 }, () => missing)]])('needs 1 to 500 products', async ids => {
    expect((await bulk(ids, { stockTo: 1 })).userErrors).toMatchObject([{ code: 'INVALID', field: ['ids'] }])
  })
})

it('keeps the ledger exact while the stock is set and shoppers buy', async () => {
  const yarn = await make({ countInStock: 60 })
  const buyers = await Promise.all(Array.from({ length: 50 }, () => makeUser(shop.em())))
  const edits = Array.from({ length: 10 }, (_, index) =>
    index % 2 ? patch(yarn.id, { countInStock: 61, countInStockSeen: 60 }) : bulk([yarn.id], { stockBy: 1 }),
  )
  const [orders] = await Promise.all([
    Promise.all(buyers.map(buyer => placeOrder(shop, buyer, [line(yarn)]))),
    Promise.all(edits),
  ])
  const sold = orders.filter(({ order }) => order).length
  expect(sold).toBe(50)
  expect((await patch(yarn.id, {})).product.countInStock).toBe(60 - 50 + 10)
  expect(await ledgerDifferences(shop)).toEqual([])
  const [{ total }] = await shop
    .em()
    .execute<[{ total: number }]>(
      `select -sum(delta)::int as total from stock_movements where product_id = ? and reason = 'sold'`,
      [yarn.id],
    )
  expect(total).toBe(50)
})

it('saves with the whole form too, and archives, with both written down', async () => {
  const yarn = await make({ countInStock: 3 })
  const {
    name,
    image,
    description,
    weight,
    length,
    gauge,
    knittingNeedle,
    crochetHook,
    recommendedCare,
    content,
    category,
    price,
  } = yarn
  const input = {
    name,
    image,
    description,
    weight,
    length,
    gauge,
    knittingNeedle,
    crochetHook,
    recommendedCare,
    content,
    category,
    price,
    countInStock: 7,
    countInStockSeen: 3,
    sku: 'form-1',
  }
  const { updateProduct } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { product { ${PRODUCT} } ${REFUSED} } }`,
    { id: yarn.id, input },
  )
  expect(updateProduct).toMatchObject({ userErrors: [], product: { sku: 'FORM-1', countInStock: 7 } })
  await ask(shop, admin, 'mutation($id: ID!) { deleteProduct(id: $id) { userErrors { code } } }', { id: yarn.id })
  expect(await auditOf(shop, admin, yarn.id)).toMatchObject([
    { action: 'ARCHIVED' },
    {
      action: 'UPDATED',
      changes: [
        { field: 'sku', after: 'FORM-1' },
        { field: 'countInStock', before: '3', after: '7' },
      ],
    },
  ])
  const { createProduct } = await ask(
    shop,
    admin,
    'mutation { createProduct { product { id sku isDraft } userErrors { code } } }',
  )
  expect(createProduct.product).toMatchObject({ isDraft: true, sku: expect.stringMatching(/^SKN-\d+$/) })
  expect(await auditOf(shop, admin, createProduct.product.id)).toMatchObject([{ action: 'CREATED' }])
})
