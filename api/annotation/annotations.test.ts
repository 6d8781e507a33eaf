import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerLimits } from '#schema/rules/owner-limits'
import { ask, auditOf } from '../testing/admin.ts'
import { line, placed } from '../testing/purchase.ts'
import {
  makeKey,
  makeProduct,
  makeUser,
  openShop,
  type Account,
  type Identity,
  type TestShop,
} from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { name: 'Ada', isAdmin: true })
  nell = await makeUser(shop.em(), { name: 'Nell' })
})
afterAll(() => shop?.close())

const FIELDS = 'id note tags externalIds { namespace value } updatedAt'
const KINDS = {
  order: {
    change: 'annotateOrder',
    make: async () => (await placed(shop, nell, [line(await makeProduct(shop.em()))])).id as string,
    called: /^#\d+$/,
    list: 'query($filter: OrderFilter) { found: orders(filter: $filter) { total items { id } } }',
  },
  product: {
    change: 'annotateProduct',
    make: async () => (await makeProduct(shop.em(), { name: 'Fen Merino' })).id,
    called: /^Fen Merino$/,
    list: 'query($filter: AdminProductFilter) { found: adminProducts(filter: $filter) { total items { id } } }',
  },
  user: {
    change: 'annotateUser',
    make: async () => (await makeUser(shop.em())).id,
    called: /@example.com$/,
    list: 'query($filter: UserFilter) { found: users(filter: $filter) { total items { id } } }',
  },
} as const
type Kind = keyof typeof KINDS
const kinds = Object.keys(KINDS) as Kind[]

let serial = 0
const fresh = () => `A-${++serial}`

interface Answered {
  /** Null when the change was refused. */
  thing: { id: string; updatedAt: string; note: string }
  userErrors: { code: string; message: string; field: string[] | null }[]
}

async function annotate(kind: Kind, id: string, input: object, as: Identity = admin): Promise<Answered> {
  const { change } = KINDS[kind]
  const operation = `mutation($id: ID!, $input: AnnotationInput!) {
    ${change}(id: $id, input: $input) { thing: ${kind} { ${FIELDS} } userErrors { code message field } } }`
  const { data, errors } = await shop.gql(operation, { id, input }, as)
  expect(errors).toBeUndefined()
  return present((data as Record<string, Answered>)[change])
}
const find = async (kind: Kind, filter: object) =>
  (await ask(shop, admin, KINDS[kind].list, { filter })).found.items.map(({ id }: { id: string }) => id)
const codes = ({ userErrors }: { userErrors: { code: string; field: string[] | null }[] }) =>
  userErrors.map(({ code, field }) => [code, ...(field ?? [])].join(' '))

describe.each(kinds)('an administrator', kind => {
  const { make, called } = KINDS[kind]

  it(`writes on an ${kind}: what is given replaces, what is left out stays`, async () => {
    const [id, value] = [await make(), fresh()]
    const written = await annotate(kind, id, {
      note: '  Wrap it.\nTwice. ',
      tags: ['Wholesale', ' gift ', 'GIFT', 'Éclair'],
      externalIds: [
        { namespace: 'wms', value },
        { namespace: 'erp', value },
      ],
    })
    expect(written).toMatchObject({
      thing: {
        note: 'Wrap it.\nTwice.',
        tags: ['gift', 'Wholesale', 'Éclair'],
        externalIds: [
          { namespace: 'erp', value },
          { namespace: 'wms', value },
        ],
      },
      userErrors: [],
    })
    expect((await annotate(kind, id, { tags: ['Gift'], note: null })).thing).toMatchObject({
      note: 'Wrap it.\nTwice.',
      tags: ['Gift'],
      externalIds: [{ namespace: 'erp' }, { namespace: 'wms' }],
    })
    expect((await annotate(kind, id, { note: '', tags: [], externalIds: [] })).thing).toMatchObject({
      note: '',
      tags: [],
      externalIds: [],
    })
  })

  it(`sees in the history of the ${kind} what was written, and the ${kind} has changed; the same again is no change`, async () => {
    const [id, value] = [await make(), fresh()]
    const before = (await annotate(kind, id, {})).thing.updatedAt
    const key = await makeKey(shop.em(), admin, ['ADMIN'])
    const input = { note: 'Wrap it.', tags: ['gift', 'Blue'], externalIds: [{ namespace: 'erp', value }] }
    const { thing } = await annotate(kind, id, input, key)
    expect(thing.updatedAt > before).toBe(true)
    expect((await annotate(kind, id, input)).thing.updatedAt).toBe(thing.updatedAt)
    const [entry, ...others] = await auditOf(shop, admin, id)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      entity: kind.toUpperCase(),
      action: 'UPDATED',
      label: expect.stringMatching(called),
      changes: [
        { field: 'note', before: '', after: 'Wrap it.' },
        { field: 'tags', before: '', after: 'Blue, gift' },
        { field: 'externalIds', before: '', after: `erp: ${value}` },
      ],
    })
    expect(await shop.em().execute('select api_key_name from audit_entries where entity_id = ?', [id])).toEqual([
      { api_key_name: 'Warehouse' },
    ])
  })

  it(`finds an ${kind} by a tag, whatever its capitals, and by an external id`, async () => {
    const [id, tag, value] = [await make(), fresh(), fresh()]
    await annotate(kind, id, { tags: [`${tag} Gift`], externalIds: [{ namespace: 'erp', value }] })
    await annotate(kind, await make(), { tags: [tag], externalIds: [{ namespace: 'wms', value }] })
    expect(await find(kind, { tag: ` ${tag} GIFT` })).toEqual([id])
    expect(await find(kind, { externalId: { namespace: 'erp', value } })).toEqual([id])
    expect(await find(kind, { externalId: { namespace: 'erp', value }, tag: 'another' })).toEqual([])
    expect(await find(kind, { externalId: { namespace: 'erp', value: 'nul\0' } })).toEqual([])
    expect(await find(kind, { tag: 'nul\0' })).toEqual([])
  })

  it(`is told which ${kind} has an external id already, and nothing is written then`, async () => {
    const [first, second, value] = [await make(), await make(), fresh()]
    const externalIds = [{ namespace: 'erp', value }]
    await annotate(kind, first, { externalIds })
    const refused = await annotate(kind, second, {
      note: 'Lost.',
      externalIds: [{ namespace: 'wms', value: fresh() }, ...externalIds],
    })
    expect(refused.thing).toBeNull()
    expect(codes(refused)).toEqual(['EXTERNAL_ID_TAKEN externalIds 1'])
    const [, holder, said] = present(/^(.*) has the id (.*) of erp\.$/.exec(nth(refused.userErrors, 0).message))
    expect([holder, said]).toEqual([expect.stringMatching(called), value])
    expect((await annotate(kind, second, {})).thing).toMatchObject({ note: '', externalIds: [] })
    // Another program may use the same id, and once an id is free it can be taken.
    expect((await annotate(kind, second, { externalIds: [{ namespace: 'wms', value }] })).userErrors).toEqual([])
    await annotate(kind, first, { externalIds: [] })
    expect((await annotate(kind, second, { externalIds })).userErrors).toEqual([])
  })

  it(`of ten who give ten things the same external id, one wins, and nine are told who`, async () => {
    const [value, things] = [fresh(), await Promise.all(Array.from({ length: 10 }, make))]
    const answers = await Promise.all(
      things.map(id => annotate(kind, id, { externalIds: [{ namespace: 'erp', value }] })),
    )
    const won = answers.filter(({ userErrors }) => userErrors.length === 0)
    expect(won).toHaveLength(1)
    for (const answer of answers.filter(each => each !== won[0])) {
      expect(codes(answer)).toEqual(['EXTERNAL_ID_TAKEN externalIds 0'])
      expect(nth(answer.userErrors, 0).message).not.toMatch(/^Another/)
    }
    expect(await find(kind, { externalId: { namespace: 'erp', value } })).toEqual([nth(won, 0).thing.id])
  })

  it.each([
    ['a note that is too long', { note: 'n'.repeat(ownerLimits.note + 1) }, 'note'],
    ['a blank tag', { tags: ['gift', ' '] }, 'tags 1'],
    ['a tag with a comma', { tags: ['gift, blue'] }, 'tags 0'],
    ['a long tag', { tags: ['t'.repeat(51)] }, 'tags 0'],
    ['too many tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'tags'],
    ['a program in capitals', { externalIds: [{ namespace: 'ERP', value: '1' }] }, 'externalIds 0 namespace'],
    ['no program', { externalIds: [{ namespace: '', value: '1' }] }, 'externalIds 0 namespace'],
    ['no value', { externalIds: [{ namespace: 'erp', value: '' }] }, 'externalIds 0 value'],
    ['NUL', { externalIds: [{ namespace: 'erp', value: 'a\0' }] }, 'externalIds 0 value'],
    [
      'two ids of a program',
      {
        externalIds: [
          { namespace: 'erp', value: '1' },
          { namespace: 'erp', value: '2' },
        ],
      },
      'externalIds 1 namespace',
    ],
    [
      'too many external ids',
      { externalIds: Array.from({ length: 21 }, (_, n) => ({ namespace: `p${n}`, value: '1' })) },
      'externalIds',
    ],
  ])(`is refused %s on a ${kind}`, async (_, input, field) => {
    expect(codes(await annotate(kind, await make(), input))).toEqual([`INVALID ${field}`])
  })

  it(`finds no ${kind} of another kind by its id`, async () => {
    const others = kinds.filter(each => each !== kind)
    for (const other of others)
      expect(codes(await annotate(kind, await KINDS[other].make(), { note: 'Lost.' }))).toEqual(['NOT_FOUND'])
    expect(codes(await annotate(kind, 'abc', { note: 'Lost.' }))).toEqual(['NOT_FOUND'])
  })
})

it('finds an order by the value of an external id in the search of orders, and counts them so', async () => {
  const [id, value] = [await KINDS.order.make(), fresh()]
  await annotate('order', id, { tags: [value], externalIds: [{ namespace: 'erp', value: `${value} x` }] })
  expect(await find('order', { search: ` ${value.toLowerCase()} X ` })).toEqual([id])
  expect(await find('order', { search: `${value}%` })).toEqual([])
  const counts = 'query($search: String, $tag: String) { orderCounts(search: $search, tag: $tag) { all } }'
  for (const filter of [{ search: `${value} X` }, { tag: value }])
    expect((await ask(shop, admin, counts, filter)).orderCounts.all).toBe(1)
})

it('takes over what an archived product had, and forgets what was written on a closed account', async () => {
  const [old, next, value] = [await KINDS.product.make(), await KINDS.product.make(), fresh()]
  const externalIds = [{ namespace: 'erp', value }]
  await annotate('product', old, { externalIds })
  await ask(shop, admin, 'mutation($id: ID!) { deleteProduct(id: $id) { userErrors { code } } }', { id: old })
  expect((await annotate('product', next, { externalIds })).userErrors).toEqual([])

  expect(codes(await annotate('product', old, { note: 'Late.' }))).toEqual(['NOT_FOUND'])

  const account = await KINDS.user.make()
  await annotate('user', account, { note: 'Likes moss.', externalIds })
  await ask(shop, admin, 'mutation($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id: account })
  expect(codes(await annotate('user', account, { note: 'Late.' }))).toEqual(['NOT_FOUND'])
  expect(
    await shop
      .em()
      .execute(
        'select note from annotations where user_id = ? union all select value from external_ids where user_id = ?',
        [account, account],
      ),
  ).toEqual([])
})

it('keys read and write with the scopes of the thing alone', async () => {
  const key = (...scopes: Parameters<typeof makeKey>[2]) => makeKey(shop.em(), admin, scopes)
  const product = await KINDS.product.make()
  const read = async (who: Identity, query: string, id: string) => {
    const { data, errors } = await shop.gql(query, { id }, who)
    return errors?.[0]?.extensions?.code ?? data
  }
  const PRODUCT = 'query($id: ID!) { product(id: $id) { note } }'
  expect(await read(await key('READ_CATALOGUE'), PRODUCT, product)).toBe('FORBIDDEN')
  expect(await read(await key('READ_CATALOGUE', 'WRITE_PRODUCTS'), PRODUCT, product)).toEqual({ product: { note: '' } })
  const VIEWER = '{ viewer { note } }'
  expect(await read(await key('READ_ORDERS'), VIEWER, product)).toBe('FORBIDDEN')
  expect(await read(await key('READ_ORDERS', 'READ_CUSTOMERS'), VIEWER, product)).toEqual({ viewer: { note: '' } })
  expect(await read(nell, VIEWER, product)).toBe('FORBIDDEN')
})
