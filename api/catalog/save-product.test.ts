import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { stockOf } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

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
    ['description', 'd'.repeat(ownerLimits.description + 1)],
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
      userErrors: [{ code: 'CONFLICT', field: ['version'] }],
    })
    expect(await inShop(id)).toMatchObject({ name: 'First', version: 2 })
    expect((await saveProduct(id, { name: 'Second', version: 2 })).product).toMatchObject({
      name: 'Second',
      version: 3,
    })
  })

  it('is not taken off sale by who saw it before it was saved', async () => {
    const { id } = await makeProduct(shop.em())
    const remove = async (version: number) =>
      (
        await shop.gql(
          `mutation($id: ID!, $version: Int) { deleteProduct(id: $id, version: $version) { product { name } userErrors { code field } } }`,
          { id, version },
          admin,
        )
      ).data.deleteProduct
    await saveProduct(id, { name: 'First', version: 1 })
    expect(await remove(1)).toEqual({
      product: { name: 'First' },
      userErrors: [{ code: 'CONFLICT', field: ['version'] }],
    })
    expect(await inShop(id)).not.toBeNull()
    expect((await remove(2)).userErrors).toEqual([])
    expect(await inShop(id)).toBeNull()
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

describe('the facts of a product', () => {
  const FACTS = `kind weightClass grams metres metresPer100g pricePer100m fibres { fibre percent } washing superwash
    stitches { from to } rows { from to } needles { from to } hooks { from to } corrected`
  const factsOf = async (id: string) =>
    (await shop.gql(`query($id: ID!) { product(id: $id) { facts { ${FACTS} } } }`, { id })).data.product.facts
  const columnsOf = async (id: string) =>
    (
      await shop
        .em()
        .execute(
          'select kind, weight_class, metres, fibres, needle_mm, superwash, round(price_per_100_m) as per_100_m from products where id = ?',
          [id],
        )
    )[0]
  const patch = async (id: string, input: object) =>
    (
      await shop.gql(
        `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { id facts { ${FACTS} } } userErrors { code message field } } }`,
        { id, input },
        admin,
      )
    ).data.patchProduct

  it('are read from its texts when it is saved', async () => {
    const { id } = await makeProduct(shop.em())
    await saveProduct(id, {
      weight: '2 × 50 g',
      length: '400 m (437 yd)',
      gauge: '26–28 sts × 38 rows = 10 cm',
      knittingNeedle: 'US 2–3',
      recommendedCare: 'Machine wash cool.',
      content: '75% superwash merino, 25% nylon',
      category: 'Fingering',
      price: 2800,
    })
    expect(await factsOf(id)).toEqual({
      kind: 'YARN',
      weightClass: 'FINGERING',
      grams: 100,
      metres: 400,
      metresPer100g: 400,
      pricePer100m: 700,
      fibres: [
        { fibre: 'MERINO', percent: 75 },
        { fibre: 'NYLON', percent: 25 },
      ],
      washing: 'MACHINE',
      superwash: true,
      stitches: { from: 26, to: 28 },
      rows: { from: 38, to: 38 },
      needles: [{ from: 2.75, to: 3.25 }],
      hooks: [{ from: 5, to: 5 }],
      corrected: [],
    })
    expect(await columnsOf(id)).toEqual({
      kind: 'YARN',
      weight_class: 1,
      metres: 400,
      fibres: ['MERINO', 'NYLON'],
      needle_mm: [2.75, 3, 3.25],
      superwash: true,
      per_100_m: 700,
    })
  })

  it('are null or empty where the texts do not say', async () => {
    const { id } = await makeProduct(shop.em())
    await saveProduct(id, { weight: 'a hank', length: '', gauge: '', content: 'Soft things', recommendedCare: '' })
    expect(await factsOf(id)).toMatchObject({
      grams: null,
      metres: null,
      metresPer100g: null,
      pricePer100m: null,
      fibres: [],
      washing: null,
      superwash: null,
      stitches: null,
      rows: null,
    })
  })

  it('are read at once from a product that was not indexed since an upgrade', async () => {
    const { id } = await makeProduct(shop.em(), { category: 'DK', length: '225 m' })
    await shop.em().execute('update products set facts = null where id = ?', [id])
    expect(await factsOf(id)).toMatchObject({ weightClass: 'DK', metres: 225, metresPer100g: 225 })
  })

  it('can be corrected by hand, and then outlast the next save', async () => {
    const { id } = await makeProduct(shop.em())
    await saveProduct(id, {
      length: 'plenty',
      factCorrections: { metres: 300, superwash: null, fibres: [{ fibre: 'SILK', percent: 100 }] },
    })
    await saveProduct(id, { length: '210 m', content: '100% superwash merino' })
    expect(await factsOf(id)).toMatchObject({
      metres: 300,
      metresPer100g: 300,
      pricePer100m: 800,
      superwash: null,
      fibres: [{ fibre: 'SILK', percent: 100 }],
      corrected: expect.toSatisfy((names: string[]) => names.toSorted().join() === 'fibres,metres,superwash'),
    })
    expect(await columnsOf(id)).toMatchObject({ metres: 300, fibres: ['SILK'], superwash: null, per_100_m: 800 })
  })

  it('can be taken back to what the texts say, one by one', async () => {
    const { id } = await makeProduct(shop.em())
    await patch(id, { factCorrections: { metres: 300, grams: 50 } })
    expect((await patch(id, { factCorrections: { grams: 50 } })).product.facts).toMatchObject({
      metres: 210,
      grams: 50,
      metresPer100g: 420,
      corrected: ['grams'],
    })
    expect((await patch(id, { factCorrections: {} })).product.facts).toMatchObject({ grams: 100, corrected: [] })
  })

  it('find their product by what was corrected', async () => {
    const { id } = await makeProduct(shop.em(), { name: 'Quernstone', content: 'a secret' })
    await patch(id, { factCorrections: { fibres: [{ fibre: 'QIVIUT', percent: 100 }] } })
    const { data } = await shop.gql(`{ products(keyword: "qiviut") { items { id } } }`)
    expect(data.products.items).toEqual([{ id }])
  })

  it('tell the audit log which of them was set by hand', async () => {
    const { id } = await makeProduct(shop.em())
    await patch(id, { factCorrections: { kind: 'KIT' } })
    const { data } = await shop.gql(
      `query($id: ID!) { product(id: $id) { history { items { changes { field before after } } } } }`,
      { id },
      admin,
    )
    expect(nth(data.product.history.items, 0).changes).toEqual([{ field: 'facts.kind', before: null, after: '"KIT"' }])
  })

  it.each([
    ['grams', { grams: 0 }],
    ['metres', { metres: -1 }],
    ['stitches', { stitches: { from: 24, to: 20 } }],
    ['needles', { needles: [{ from: 3, to: 400 }] }],
    [
      'fibres',
      {
        fibres: [
          { fibre: 'WOOL', percent: 80 },
          { fibre: 'SILK', percent: 40 },
        ],
      },
    ],
  ])('are refused as %j when nothing can be like that', async (field, factCorrections) => {
    const { id } = await makeProduct(shop.em())
    const { userErrors } = await patch(id, { factCorrections })
    expect(userErrors).toMatchObject([{ code: 'INVALID' }])
    expect(nth(userErrors, 0).field.slice(0, 2)).toEqual(['factCorrections', field])
  })
})
