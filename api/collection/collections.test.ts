import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { nth } from '#schema/rules/present'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const FIELDS = 'id slug name description isPublished total pictures version products { name } members { name }'
const INPUT = { name: 'Gifts for knitters', description: 'Small and soft.', isPublished: true }
interface Input {
  name?: string
  description?: string
  isPublished?: boolean
  productIds?: string[]
  version?: number
}

async function make(input: Input = {}) {
  const { createCollection } = await ask(
    shop,
    admin,
    `mutation($input: CollectionInput!) { createCollection(input: $input) { collection { ${FIELDS} } ${REFUSED} } }`,
    { input: { ...INPUT, productIds: [], ...input } },
  )
  return createCollection
}
const update = async (id: string, input: Input) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: CollectionInput!) { updateCollection(id: $id, input: $input) { collection { ${FIELDS} } ${REFUSED} } }`,
      { id, input: { ...INPUT, productIds: [], ...input } },
    )
  ).updateCollection
const addTo = async (id: string, productIds: string[]) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $productIds: [ID!]!) { addToCollection(id: $id, productIds: $productIds) { collection { ${FIELDS} } ${REFUSED} } }`,
      { id, productIds },
    )
  ).addToCollection
const order = async (ids: string[]) =>
  (
    await ask(
      shop,
      admin,
      `mutation($ids: [ID!]!) { orderCollections(ids: $ids) { collections { name } ${REFUSED} } }`,
      { ids },
    )
  ).orderCollections
const shown = async () => (await shop.gql('{ collections { slug name total pictures } }')).data.collections
const atSlug = async (slug: string) =>
  (await shop.gql('query($slug: String!) { collection(slug: $slug) { name products { name } } }', { slug })).data
    .collection
const names = (list: { name: string }[]) => list.map(({ name }) => name)
const product = (name: string, more: object = {}) =>
  makeProduct(shop.em(), { name, image: `/images/${name}.webp`, ...more })

describe('a collection', () => {
  it('is products in the order that the shop wants, and shows those on sale', async () => {
    const [moss, fern, draft] = [
      await product('moss'),
      await product('fern'),
      await product('draft', { publishedAt: null }),
    ]
    const gone = await product('gone')
    const { collection, userErrors } = await make({ productIds: [fern.id, draft.id, gone.id, moss.id] })
    expect(userErrors).toEqual([])
    await ask(shop, admin, 'mutation($id: ID!) { deleteProduct(id: $id) { userErrors { code } } }', { id: gone.id })
    expect(collection).toMatchObject({ slug: 'gifts-for-knitters', ...INPUT, version: 1 })
    expect(await shown()).toEqual([
      {
        slug: 'gifts-for-knitters',
        name: INPUT.name,
        total: 2,
        pictures: ['/images/fern.webp', '/images/moss.webp'],
      },
    ])
    expect(names((await atSlug('gifts-for-knitters')).products)).toEqual(['fern', 'moss'])
    const { adminCollections } = await ask(shop, admin, `{ adminCollections { ${FIELDS} } }`)
    expect(names(nth(adminCollections as { members: { name: string }[] }[], 0).members)).toEqual([
      'fern',
      'draft',
      'moss',
    ])
  })

  it('shows administrators alone what is not on sale', async () => {
    const draft = await product('secret', { publishedAt: null })
    await make({ name: 'Secrets', productIds: [draft.id] })
    const query = '{ collection(slug: "secrets") { members { name } } }'
    expect(names((await ask(shop, admin, query)).collection.members)).toEqual(['secret'])
    const shopper = await makeUser(shop.em())
    for (const [who, code] of [[null, 'UNAUTHENTICATED'] as const, [shopper, 'FORBIDDEN'] as const])
      expect((await shop.gql(query, {}, who)).errors?.[0]).toMatchObject({ extensions: { code } })
  })

  it('is shown as soon as it is published, and no longer when it is not', async () => {
    const { id: productId } = await product('skein')
    const { collection } = await make({ name: 'Hidden', isPublished: false, productIds: [productId] })
    expect(await atSlug('hidden')).toBeNull()
    expect(names(await shown())).not.toContain('Hidden')
    await update(collection.id, { name: 'Hidden', productIds: [productId] })
    expect(await atSlug('hidden')).toMatchObject({ name: 'Hidden' })
    expect(names(await shown())).toContain('Hidden')
    await update(collection.id, { name: 'Hidden', isPublished: false, productIds: [productId] })
    expect(await atSlug('hidden')).toBeNull()
  })

  it('has a page, but is not listed, while nothing of it is on sale', async () => {
    await make({ name: 'Sold out', productIds: [] })
    expect(names(await shown())).not.toContain('Sold out')
    expect(await atSlug('sold-out')).toEqual({ name: 'Sold out', products: [] })
  })

  it('keeps its address when it gets another name, and never takes that of another', async () => {
    const { collection: first } = await make({ name: 'Crème de la crème' })
    const { collection: second } = await make({ name: 'Creme de la Creme' })
    const { collection: third } = await make({ name: '☆' })
    expect([first.slug, second.slug, third.slug]).toEqual(['creme-de-la-creme', 'creme-de-la-creme-2', 'collection'])
    expect((await update(first.id, { name: 'Best of all' })).collection).toMatchObject({
      slug: first.slug,
      name: 'Best of all',
      version: 2,
    })
  })

  it('tells who changed it meanwhile, and what they made of it', async () => {
    const { collection } = await make({ name: 'Two people' })
    expect((await update(collection.id, { name: 'One of them', version: 1 })).userErrors).toEqual([])
    const late = await update(collection.id, { name: 'The other', version: 1 })
    expect(late).toMatchObject({ collection: { name: 'One of them', version: 2 }, userErrors: [{ code: 'CONFLICT' }] })
    // Who sends the same once more, as after a lost answer, is not told of themselves.
    expect((await update(collection.id, { name: 'One of them', version: 1 })).userErrors).toEqual([])
    expect((await update(collection.id, { name: 'Either' })).userErrors).toEqual([])
  })

  it('tells products of one name apart', async () => {
    const [one, other] = [await product('alike'), await product('alike')]
    const { collection } = await make({ name: 'Alike', productIds: [one.id] })
    await update(collection.id, { name: 'Alike', productIds: [other.id], version: 1 })
    const late = await update(collection.id, { name: 'Alike', productIds: [one.id], version: 1 })
    expect(late).toMatchObject({ collection: { version: 2 }, userErrors: [{ code: 'CONFLICT' }] })
  })

  it('stands in the audit log, with its products by name and SKU', async () => {
    const [one, two] = [await product('one', { sku: 'ONE' }), await product('two', { sku: 'TWO' })]
    const { collection } = await make({ name: 'Logged', productIds: [one.id] })
    await update(collection.id, { name: 'Logged', productIds: [two.id, one.id] })
    await ask(shop, admin, 'mutation($id: ID!) { deleteCollection(id: $id) { userErrors { code } } }', {
      id: collection.id,
    })
    expect(await auditOf(shop, admin, collection.id)).toMatchObject([
      { action: 'DELETED', entity: 'COLLECTION', label: 'Logged' },
      { action: 'UPDATED', changes: [{ field: 'products', before: 'one (ONE)', after: 'two (TWO), one (ONE)' }] },
      { action: 'CREATED' },
    ])
    expect(await shop.em().execute('select from collection_products where collection_id = ?', [collection.id])).toEqual(
      [],
    )
  })

  it('takes more products at its end, each once', async () => {
    const [moss, fern, bark] = [await product('moss'), await product('fern'), await product('bark')]
    const { collection } = await make({ name: 'Grown', productIds: [moss.id] })
    const grown = await addTo(collection.id, [bark.id, moss.id.toUpperCase(), fern.id, bark.id])
    expect(grown).toMatchObject({ collection: { version: 2 }, userErrors: [] })
    expect(names(grown.collection.members)).toEqual(['moss', 'bark', 'fern'])
    expect((await addTo(collection.id, [fern.id])).collection.version).toBe(2)
    expect(nth(await auditOf(shop, admin, collection.id), 0)).toMatchObject({ action: 'UPDATED' })

    const nowhere = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'
    expect((await addTo(nowhere, [moss.id])).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    expect((await addTo(collection.id, [nowhere])).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    const many = await Promise.all(Array.from({ length: 58 }, (_, n) => product(`many ${n}`)))
    expect(
      (
        await addTo(
          collection.id,
          many.map(({ id }) => id),
        )
      ).userErrors,
    ).toMatchObject([{ code: 'INVALID', message: 'A collection has at most 60 products.' }])
    const [more, most] = await Promise.all(
      [[many[0]], many.slice(1, 57)].map(some =>
        addTo(
          collection.id,
          some.flatMap(each => each?.id ?? []),
        ),
      ),
    )
    expect([more?.userErrors, most?.userErrors]).toEqual([[], []])
    expect(
      (await update(collection.id, { name: 'Grown', productIds: [moss.id], version: 3 })).userErrors,
    ).toMatchObject([{ code: 'CONFLICT' }])
  })

  it('stands where it was put among the others', async () => {
    const made = [await make({ name: 'A' }), await make({ name: 'B' }), await make({ name: 'C' })]
    const [a, b, c] = made.map(({ collection }) => collection.id) as [string, string, string]
    const mine = (list: { name: string }[]) => names(list).filter(name => /^[ABC]$/.test(name))
    expect(mine((await order([c, a])).collections)).toEqual(['C', 'A', 'B'])
    expect(mine((await order([b, c, a])).collections)).toEqual(['B', 'C', 'A'])
    expect(await order([b, '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'])).toMatchObject({
      collections: [],
      userErrors: [{ code: 'NOT_FOUND' }],
    })
    expect(names((await order([a, b, c])).collections).slice(0, 3)).toEqual(['A', 'B', 'C'])
  })

  test.each<[string, Input | (() => Promise<Input>), string]>([
    ['no name', { name: '  ' }, 'INVALID'],
    ['too long a name', { name: 'x'.repeat(101) }, 'INVALID'],
    ['too long a description', { description: 'x'.repeat(1_001) }, 'INVALID'],
    ['a product that is not there', { productIds: ['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'] }, 'NOT_FOUND'],
    ['what is no id', { productIds: ['moss'] }, 'NOT_FOUND'],
    ['61 products', { productIds: Array.from({ length: 61 }, (_, n) => String(n)) }, 'INVALID'],
    [
      'a product twice',
      async () => {
        const { id } = await product('twice')
        return { productIds: [id, id] }
      },
      'INVALID',
    ],
  ])('is refused with %s', async (_what, input, code) => {
    const given = typeof input === 'function' ? await input() : input
    expect(await make(given)).toMatchObject({ collection: null, userErrors: [{ code }] })
  })

  it('is one of 24 at most', async () => {
    await shop.em().execute(
      `insert into collections (id, slug, name, description, is_published, position, created_at)
       select gen_random_uuid(), 'many-' || n, 'Many', '', false, 1000 + n, now()
       from generate_series(1, 23 - (select count(*)::int from collections)) n`,
    )
    const made = await Promise.all(['Ash', 'Beech', 'Cedar', 'Dogwood'].map(name => make({ name })))
    expect(made.filter(({ collection }) => collection !== null)).toHaveLength(1)
    expect(await make()).toMatchObject({ collection: null, userErrors: [{ code: 'INVALID' }] })
    await shop.em().execute(`delete from collections where slug like 'many-%'`)
  })
})
