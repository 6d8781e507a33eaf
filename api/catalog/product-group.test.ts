import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Review } from '../review/review.entity.ts'
import { ask, auditOf, REFUSED, upload } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import type { Product } from './product.entity.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin' })
})
afterAll(() => shop?.close())

let serial = 0
let line = ''
beforeEach(() => {
  line = `Ninepin no${++serial}z`
})

const GROUP =
  'group { id name maker variesBy total rating numReviews colours { hex } products { id name } reviews { total items { comment product { name } } } }'
const groupOf = async (id: string) =>
  (await ask(shop, null, `query($id: ID!) { product(id: $id) { ${GROUP} } }`, { id })).product?.group
const names = (products: { name: string }[]) => products.map(({ name }) => name.replace(`${line} in `, ''))

const patch = async (id: string, input: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { id version group { name } } ${REFUSED} } }`,
      { id, input },
    )
  ).patchProduct
const update = async (id: string, input: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: ProductGroupInput!) { updateProductGroup(id: $id, input: $input) { productGroup { name maker variesBy products { name } } ${REFUSED} } }`,
      { id, input },
    )
  ).updateProductGroup

async function makeGroup<const Colours extends readonly string[]>(
  colours: Colours,
  fields: Parameters<typeof makeProduct>[1] = {},
) {
  const products: Product[] = []
  for (const colour of colours) {
    const product = await makeProduct(shop.em(), { name: `${line} in ${colour}`, ...fields })
    expect((await patch(product.id, { group: line })).userErrors).toEqual([])
    products.push(product)
  }
  return products as { -readonly [Place in keyof Colours]: Product }
}

describe('a group', () => {
  it('is made with its first product, and holds its products in the order they came', async () => {
    const [marmalade, verge] = await makeGroup(['Marmalade', 'Wildflower Verge'])
    const group = await groupOf(marmalade.id)
    expect(group).toMatchObject({ name: line, maker: '', variesBy: 'COLOUR', total: 2, numReviews: 0, rating: 0 })
    expect(names(group.products)).toEqual(['Marmalade', 'Wildflower Verge'])
    expect(await groupOf(verge.id)).toEqual(group)
  })

  it('varies by size when its first product is a needle or a hook', async () => {
    const [needle] = await makeGroup(['4.0 mm'], { category: 'Needles' })
    expect(await groupOf(needle.id)).toMatchObject({ variesBy: 'SIZE' })
  })

  it('is found by its name whatever its capitals', async () => {
    const [first] = await makeGroup(['Marmalade'])
    const second = await makeProduct(shop.em())
    await patch(second.id, { group: `  ${line.toUpperCase()} ` })
    expect((await groupOf(second.id)).id).toBe((await groupOf(first.id)).id)
  })

  it('loses a product whose group is emptied, and keeps one whose group is left out', async () => {
    const [marmalade, verge] = await makeGroup(['Marmalade', 'Verge'])
    await patch(verge.id, { price: 2500 })
    expect((await groupOf(marmalade.id)).total).toBe(2)
    await patch(verge.id, { group: '' })
    expect(await groupOf(verge.id)).toBeNull()
    expect(names((await groupOf(marmalade.id)).products)).toEqual(['Marmalade'])
  })

  it('shows nobody drafts and what is not sold any more, but administrators the drafts', async () => {
    const [marmalade, draft, gone] = await makeGroup(['Marmalade', 'Draft', 'Gone'])
    const em = shop.em()
    await em.execute('update products set published_at = null where id = ?', [draft.id])
    await em.execute('update products set archived_at = now() where id = ?', [gone.id])
    expect(await groupOf(marmalade.id)).toMatchObject({ total: 1, products: [{ id: marmalade.id }] })
    const query = 'query($id: ID!) { product(id: $id) { group { members { name } } } }'
    const { product } = await ask(shop, admin, query, { id: marmalade.id })
    expect(names(product.group.members)).toEqual(['Marmalade', 'Draft'])
    const answer = await shop.gql(query, { id: marmalade.id })
    expect(answer.errors?.[0]).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } })
    const shopper = await makeUser(em)
    expect((await shop.gql(query, { id: marmalade.id }, shopper)).errors?.[0]).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
    })
  })

  it('of which nothing is on sale is nobody’s but an administrator’s', async () => {
    const [only] = await makeGroup(['Only'])
    const { id } = await groupOf(only.id)
    const read = async (who: Account | null) =>
      (await ask(shop, who, 'query($id: ID!) { productGroup(id: $id) { name } }', { id })).productGroup
    expect(await read(null)).toEqual({ name: line })
    await shop.em().execute('update products set archived_at = now() where id = ?', [only.id])
    expect(await read(null)).toBeNull()
    expect(await read(admin)).toEqual({ name: line })
  })

  it('tells the reviews of all its products, newest first, each with its colourway, hidden ones not', async () => {
    const [marmalade, verge] = await makeGroup(['Marmalade', 'Verge'])
    const em = shop.em()
    for (const [product, rating, comment, hidden] of [
      [marmalade, 5, 'first', false],
      [verge, 2, 'second', false],
      [verge, 1, 'hidden', true],
    ] as const) {
      const { id: userId } = await makeUser(em)
      em.create(Review, {
        productId: product.id,
        userId,
        name: 'Nell',
        rating,
        comment,
        verifiedPurchase: false,
        createdAt: new Date(Date.now() + serial++),
        ...(hidden && { hiddenAt: new Date(), hiddenReason: 'Spam' }),
      })
      await em.flush()
      if (!hidden)
        await em.execute(
          'update products set num_reviews = num_reviews + 1, rating_sum = rating_sum + ? where id = ?',
          [rating, product.id],
        )
    }
    const group = await groupOf(marmalade.id)
    expect(group).toMatchObject({ rating: 3.5, numReviews: 2 })
    expect(group.reviews).toEqual({
      total: 2,
      items: [
        { comment: 'second', product: { name: `${line} in Verge` } },
        { comment: 'first', product: { name: `${line} in Marmalade` } },
      ],
    })
  })

  it('tells the main colours of its products, at most six', async () => {
    const products = await makeGroup(['A', 'B', 'C', 'D', 'E', 'F', 'G'])
    for (const [place, { id }] of products.entries())
      await patch(id, { factCorrections: { colours: [{ hex: `#00000${place}`, family: 'BLACK' }] } })
    expect((await groupOf(products[0].id)).colours).toEqual(
      [0, 1, 2, 3, 4, 5].map(place => ({ hex: `#00000${place}` })),
    )
  })
})

describe('changing a group', () => {
  it('renames it, says who makes it and puts its products in order, those left out behind', async () => {
    const [a, b, c] = await makeGroup(['A', 'B', 'C'])
    const { id } = await groupOf(a.id)
    const input = { name: `${line} Sock`, maker: 'Ninepin', variesBy: 'SIZE', productIds: [c.id, b.id] }
    const { productGroup, userErrors } = await update(id, input)
    expect(userErrors).toEqual([])
    expect(productGroup).toMatchObject({ name: `${line} Sock`, maker: 'Ninepin', variesBy: 'SIZE' })
    expect(names(productGroup.products)).toEqual(['C', 'B', 'A'])
    expect((await auditOf(shop, admin, a.id))[0]).toMatchObject({
      changes: expect.arrayContaining([{ field: 'group', before: line, after: `${line} Sock` }]),
    })
  })

  it('is refused a name that another group has', async () => {
    const [taken] = await makeGroup(['A'])
    const before = line
    line = `${line} other`
    const [other] = await makeGroup(['B'])
    expect(await groupOf(taken.id)).toMatchObject({ name: before })
    const { id } = await groupOf(other.id)
    expect(await update(id, { name: before.toUpperCase(), maker: '', variesBy: 'COLOUR' })).toMatchObject({
      productGroup: null,
      userErrors: [{ code: 'INVALID', field: ['name'] }],
    })
  })

  it('is refused products of another group', async () => {
    const [a] = await makeGroup(['A'])
    const stranger = await makeProduct(shop.em())
    const { id } = await groupOf(a.id)
    expect(await update(id, { name: line, maker: '', variesBy: 'COLOUR', productIds: [stranger.id] })).toMatchObject({
      userErrors: [{ code: 'INVALID', field: ['productIds'] }],
    })
  })

  it('while its products are saved ends well for both', async () => {
    const products = await makeGroup(['A', 'B', 'C', 'D'])
    const { id } = await groupOf(products[0].id)
    const newcomers = await Promise.all(Array.from({ length: 4 }, () => makeProduct(shop.em())))
    await Promise.all([
      ...newcomers.map(newcomer => patch(newcomer.id, { group: line })),
      ...products.map((_, turn) =>
        update(id, {
          name: line,
          maker: `Maker ${turn}`,
          variesBy: 'COLOUR',
          productIds: products.map(({ id }) => id).toReversed(),
        }),
      ),
    ])
    const group = await groupOf(products[0].id)
    expect(group.total).toBe(8)
    expect(group.products.slice(0, 4).map(({ id }: { id: string }) => id)).toEqual(
      products.map(({ id }) => id).toReversed(),
    )
  })

  it('that two make at once is one group', async () => {
    const products = await Promise.all(Array.from({ length: 6 }, () => makeProduct(shop.em())))
    await Promise.all(products.map(({ id }) => patch(id, { group: line })))
    expect((await groupOf(nth(products, 0).id)).total).toBe(6)
  })
})

it('groups are found by words of their names', async () => {
  await makeGroup(['A'])
  const find = async (search: string) =>
    (await ask(shop, admin, 'query($search: String) { productGroups(search: $search) { name } }', { search }))
      .productGroups
  expect(await find(line.toLowerCase())).toEqual([{ name: line }])
  expect(await find(`${line} nothing`)).toEqual([])
})

describe('a copy of a product', () => {
  const copy = async (id: string) =>
    (
      await ask(
        shop,
        admin,
        `mutation($id: ID!) { copyProduct(id: $id) { product { id sku name image price countInStock content isDraft group { name } facts { corrected } } ${REFUSED} } }`,
        { id },
      )
    ).copyProduct

  it('is a draft in the same group, with nothing in stock and no picture or colours of its own', async () => {
    const [marmalade] = await makeGroup(['Marmalade'], { price: 2800, content: '75% merino, 25% nylon' })
    await patch(marmalade.id, { factCorrections: { grams: 95, colourFamilies: ['ORANGE'] } })
    const { product, userErrors } = await copy(marmalade.id)
    expect(userErrors).toEqual([])
    expect(product).toMatchObject({
      name: `${line} in Marmalade (copy)`,
      image: '/images/sample.webp',
      price: 2800,
      countInStock: 0,
      content: '75% merino, 25% nylon',
      isDraft: true,
      group: { name: line },
      facts: { corrected: ['grams'] },
    })
    expect(product.sku).not.toBe(marmalade.sku)
    expect((await groupOf(marmalade.id)).total).toBe(1)
  })

  it('of what is not there is refused', async () => {
    expect(await copy('0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c')).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] })
  })
})

describe('a table of products', () => {
  const run = async (csv: string) => {
    const { data } = await upload(
      shop,
      admin,
      `mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id creates updates unchanged refused } ${REFUSED} } }`,
      'csv',
      new Blob([csv]),
    )
    return data.importProducts.productImport
  }
  const step = (name: 'applyImport' | 'undoImport', id: string) =>
    ask(shop, admin, `mutation($id: ID!) { ${name}(id: $id) { ${REFUSED} } }`, { id })
  const exported = async () =>
    (
      await ask(shop, admin, 'query($filter: AdminProductFilter) { exportProducts(filter: $filter) }', {
        filter: { search: line },
      })
    ).exportProducts as string

  it('groups what it makes and changes, says so again when exported, and takes it back', async () => {
    const [old] = await makeGroup(['Old'])
    const loner = await makeProduct(shop.em(), { name: `${line} in Loner` })
    const made = await run(
      [
        'sku,name,price,group',
        `${loner.sku},,,${line}`,
        `${old.sku},,,`,
        `NEW-${serial}-A,${line} in New,24.00,${line}`,
        `NEW-${serial}-B,${line} in Newer,24.00,${line.toUpperCase()}`,
      ].join('\n'),
    )
    expect(made).toMatchObject({ creates: 2, updates: 2, refused: 0 })
    await step('applyImport', made.id)
    expect(await groupOf(old.id)).toBeNull()
    expect(names((await groupOf(loner.id)).products)).toEqual(['Loner', 'New', 'Newer'])
    const table = await exported()
    expect(table.split('\r\n')[0]).toMatch(/,group,lots$/)
    expect(table).toContain(`,${line},\r\n`)
    expect(await run(table)).toMatchObject({ unchanged: 4, updates: 0, creates: 0 })

    await step('undoImport', made.id)
    expect(await groupOf(loner.id)).toBeNull()
    expect(names((await groupOf(old.id)).products)).toEqual(['Old'])
  })
})
