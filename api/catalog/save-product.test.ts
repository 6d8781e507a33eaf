import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#schema/rules/limits'
import { stockOf } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const FIELDS =
  'id name image description weight length gauge knittingNeedle crochetHook recommendedCare content category price countInStock isDraft version'

const INPUT = {
  name: 'Fen Merino',
  image: '/images/fen-merino.webp',
  description: 'Soft.',
  weight: '100 g',
  length: '210 m',
  gauge: '20 sts',
  knittingNeedle: '4.5 mm',
  crochetHook: '5 mm',
  recommendedCare: 'Hand wash',
  content: '100% merino',
  category: 'Worsted',
  price: 2400,
  countInStock: 12,
}

const PAYLOAD = `{ product { ${FIELDS} } userErrors { code field message } }`

async function saveProduct(id: string, input: object = {}) {
  const { data } = await shop.gql(
    `mutation($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) ${PAYLOAD} }`,
    { id, input: { ...INPUT, ...input } },
    admin,
  )
  return data.updateProduct
}

async function archiveProduct(id: string) {
  return (await shop.gql(`mutation($id: ID!) { deleteProduct(id: $id) ${PAYLOAD} }`, { id }, admin)).data.deleteProduct
}

const inShop = async (id: string) =>
  (await shop.gql(`query($id: ID!) { product(id: $id) { ${FIELDS} } }`, { id })).data.product

const discontinued = async (id: string) =>
  (await shop.gql('query($id: ID!) { discontinuedProduct(id: $id) { name category } }', { id })).data
    .discontinuedProduct

describe('a new product', () => {
  it('is a draft with sample texts until it is saved for the first time', async () => {
    const { data } = await shop.gql(
      `mutation { createProduct { product { ${FIELDS} } userErrors { code } } }`,
      {},
      admin,
    )
    const { product: draft, userErrors } = data.createProduct
    expect(userErrors).toEqual([])
    expect(draft).toMatchObject({ name: 'Sample name', isDraft: true, version: 1, price: 0, countInStock: 0 })
    expect(await inShop(draft.id)).toBeNull()

    const saved = await saveProduct(draft.id, { version: 1 })
    expect(saved).toEqual({ product: { id: draft.id, ...INPUT, isDraft: false, version: 2 }, userErrors: [] })
    expect(await inShop(draft.id)).toEqual(saved.product)
    expect(await stockOf(shop, draft.id)).toMatchObject({ left: 12, ledger: 12 })
  })
})

describe('saving a product', () => {
  it('replaces every field, trimmed', async () => {
    const { id } = await makeProduct(shop.em())
    expect(
      (await saveProduct(id, { name: '  Renamed ', gauge: ' ', price: 9_999_999, countInStock: 0 })).product,
    ).toMatchObject({ name: 'Renamed', gauge: '', price: 9_999_999, countInStock: 0 })
  })

  it.each([
    ['name', ''],
    ['name', '   '],
    ['name', 'n'.repeat(limits.productText + 1)],
    ['image', ''],
    ['image', 'javascript:alert(1)'],
    ['image', 'data:image/png;base64,AA'],
    ['image', '/backend/'],
    ['description', 'd'.repeat(limits.description + 1)],
    ['weight', 'w'.repeat(limits.productText + 1)],
    ['content', 'a\0b'],
    ['category', 'half \ud800'],
    ['price', -1],
    ['price', limits.price + 1],
    ['countInStock', -1],
    ['countInStock', limits.stock + 1],
  ])('refuses %s %j and changes nothing', async (field, value) => {
    const before = await makeProduct(shop.em())
    const { product, userErrors } = await saveProduct(before.id, { [field]: value })
    expect(product).toBeNull()
    expect(userErrors[0]).toEqual({ code: 'INVALID', field: [field], message: expect.stringMatching(/\w{3}/) })
    expect(await inShop(before.id)).toMatchObject({
      name: before.name,
      version: 1,
      price: before.price,
      countInStock: before.countInStock,
    })
  })

  it.each([
    'backend/uploads/x.webp',
    '/backend/uploads/x.webp',
    'uploads/x.webp',
    '//uploads/x.webp',
    '/uploads/x.webp',
  ])('knows the picture %s by one address', async image => {
    const { id } = await makeProduct(shop.em())
    expect((await saveProduct(id, { image })).userErrors).toEqual([])
    expect(await inShop(id)).toMatchObject({ image: '/uploads/x.webp' })
  })

  it('names every field that is wrong at once', async () => {
    const { id } = await makeProduct(shop.em())
    const { userErrors } = await saveProduct(id, { name: '', price: -1 })
    expect(userErrors.map(({ field }: { field: string[] }) => field)).toEqual([['name'], ['price']])
  })

  it('tells the second of two administrators, and shows what is there now', async () => {
    const { id } = await makeProduct(shop.em())
    expect((await saveProduct(id, { name: 'First', version: 1 })).userErrors).toEqual([])
    expect(await saveProduct(id, { name: 'Second', version: 1 })).toMatchObject({
      product: { name: 'First', version: 2 },
      userErrors: [{ code: 'CONFLICT' }],
    })
    expect(await inShop(id)).toMatchObject({ name: 'First', version: 2 })
    expect((await saveProduct(id, { name: 'Second', version: 2 })).product).toMatchObject({
      name: 'Second',
      version: 3,
    })
  })

  it('by ten administrators at once lets exactly one through', async () => {
    const { id } = await makeProduct(shop.em())
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => saveProduct(id, { name: `By ${index}`, version: 1 })),
    )
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))).toEqual(
      Array(9).fill('CONFLICT'),
    )
    expect(await inShop(id)).toMatchObject({ version: 2 })
  })

  it('without a version overwrites', async () => {
    const { id } = await makeProduct(shop.em(), { version: 7 })
    expect((await saveProduct(id)).product).toMatchObject({ name: INPUT.name, version: 8 })
  })

  it('writes the change of stock into the ledger', async () => {
    const { id } = await makeProduct(shop.em(), { countInStock: 10 })
    await saveProduct(id, { countInStock: 4 })
    await saveProduct(id, { countInStock: 4 })
    expect(await stockOf(shop, id)).toMatchObject({ left: 4, ledger: 4 })
    const moves = await shop
      .em()
      .execute('select delta, reason from stock_movements where product_id = ? order by id', [id])
    expect(moves).toEqual([
      { delta: 10, reason: 'initial' },
      { delta: -6, reason: 'adjusted' },
    ])
  })
})

describe('archiving a product', () => {
  it('takes it off sale for good', async () => {
    const { id } = await makeProduct(shop.em())
    expect(await archiveProduct(id)).toMatchObject({ product: { id }, userErrors: [] })
    expect(await inShop(id)).toBeNull()
    expect(await archiveProduct(id)).toMatchObject({ product: null, userErrors: [{ code: 'NOT_FOUND' }] })
    expect(await saveProduct(id)).toMatchObject({ product: null, userErrors: [{ code: 'NOT_FOUND' }] })
  })

  it('leaves its name and category to whoever follows an old link', async () => {
    const { id } = await makeProduct(shop.em(), { name: 'Fen Merino', category: 'Worsted' })
    expect(await discontinued(id)).toBeNull()
    await archiveProduct(id)
    expect(await discontinued(id)).toEqual({ name: 'Fen Merino', category: 'Worsted' })
    expect((await fetch(`${shop.url}/product/${id}`)).status).toBe(410)
  })

  it('leaves nothing of a draft, which never was in the shop', async () => {
    const { id } = await makeProduct(shop.em(), { publishedAt: null })
    await archiveProduct(id)
    expect(await discontinued(id)).toBeNull()
    expect((await fetch(`${shop.url}/product/${id}`)).status).toBe(404)
  })

  it.each(['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc', ''])('named %j finds nothing', async id => {
    expect(await discontinued(id)).toBeNull()
    expect(await archiveProduct(id)).toMatchObject({ product: null, userErrors: [{ code: 'NOT_FOUND' }] })
    expect(await saveProduct(id)).toMatchObject({ product: null, userErrors: [{ code: 'NOT_FOUND' }] })
  })
})

describe('the administrator’s overview', () => {
  it('counts what is not archived: low from 1 to 19, out at 0', async () => {
    const own = await openShop()
    try {
      const owner = await makeUser(own.em(), { isAdmin: true })
      for (const countInStock of [0, 0, 1, 19, 20, 500]) await makeProduct(own.em(), { countInStock })
      const draft = await makeProduct(own.em(), { countInStock: 5, publishedAt: null })
      const gone = await makeProduct(own.em(), { countInStock: 0, archivedAt: new Date() })
      const { data } = await own.gql(
        '{ productStats { totalProducts lowStockCount outOfStockCount } adminProducts { total items { id isDraft } } }',
        {},
        owner,
      )
      expect(data.productStats).toEqual({ totalProducts: 7, lowStockCount: 3, outOfStockCount: 2 })
      expect(data.adminProducts.total).toBe(7)
      expect(data.adminProducts.items).toContainEqual({ id: draft.id, isDraft: true })
      expect(data.adminProducts.items.map(({ id }: { id: string }) => id)).not.toContain(gone.id)
    } finally {
      await own.close()
    }
  })
})
