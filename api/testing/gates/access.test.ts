import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Product } from '../../catalog/product.entity.ts'
import { recordIncident } from '../../order/record-incident.ts'
import { Review } from '../../review/review.entity.ts'
import { calls, uploads } from '../../rest/calls.ts'
import { schema } from '../../schema.ts'
import { QUERY_LIMITS } from '../../graphql/query-limits.ts'
import type { ApiScope } from '../../generated/types.ts'
import { ACCESS, FOR_AGENTS, IMPERSONAL, OPEN, REST, THINGS, type Outcome, type Row } from './access-matrix.ts'
import { FIELD_ARGUMENTS, call, GUARDED_FIELDS, rootFields, type World } from './operations.ts'
import { ADDRESS, line, placed } from '../purchase.ts'
import {
  makeKey,
  makeProduct,
  makeUser,
  makeUsers,
  openShop,
  type Account,
  type Answer,
  type Identity,
  type TestShop,
} from '../shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let discontinued: Product
beforeAll(async () => {
  shop = await openShop()
  discontinued = await makeProduct(shop.em(), { archivedAt: new Date() })
})
afterAll(() => shop?.close())

const ROOTS = ['Query', 'Mutation', 'Subscription'] as const

async function makeWorld() {
  const em = shop.em()
  const users = await makeUsers(em, 6)
  const [owner, other, admin, closed, expired, bystander] = users as [
    Account,
    Account,
    Account,
    Account,
    Account,
    Account,
  ]
  for (const { user } of [admin, closed, expired]) user.isAdmin = true
  closed.user.closedAt = new Date()
  await em.flush()
  await em.execute(`update sessions set used_at = now() - interval '31 days' where user_id = ?`, [expired.id])
  const product = await makeProduct(em, onSale())
  const order = await placed(shop, owner, [line(product)])
  return {
    owner,
    other,
    admin,
    closed,
    expired,
    world: {
      productId: product.id,
      // Only read.
      discontinuedId: discontinued.id,
      orderId: order.id,
      userId: bystander.id,
    } satisfies World,
    /** The identities that have asked already, by name. */
    askers: new Map<string, Promise<Identity>>(),
  }
}

type Made = Awaited<ReturnType<typeof makeWorld>>

/** The world for askers who only read, or are refused. */
let still: Promise<Made> | undefined
const stillWorld = () => (still ??= makeWorld())

/** An asker, and what the row says they get. */
interface Asker<T> {
  who: string
  gets: T
  /** Whether the request is refused on arrival, whatever it asks for. */
  refused?: true
  identity: (made: Made) => Identity | Promise<Identity>
}

function identify<T>({ who, identity }: Asker<T>, made: Made): Promise<Identity> {
  const known = made.askers.get(who) ?? Promise.resolve(identity(made))
  made.askers.set(who, known)
  return known
}

/** What each asker got: all at once where nothing changes, otherwise one after the other. */
async function seenBy<T, Seen>(
  askers: Asker<T>[],
  made: Made,
  changes: boolean,
  look: (identity: Identity, who: string) => Promise<Seen>,
): Promise<Seen[]> {
  const ask = async (asker: Asker<T>) => look(await identify(asker, made), asker.who)
  if (!changes) return Promise.all(askers.map(ask))
  const seen: Seen[] = []
  for (const asker of askers) seen.push(await ask(asker))
  return seen
}

const scopesOf = ([, , , , ...scopes]: Row<unknown>): readonly ApiScope[] => (scopes.length > 0 ? scopes : ['ADMIN'])
const key = (made: Pick<Account, 'id'>, ...scopes: ApiScope[]) => makeKey(shop.em(), made, scopes)

function people<T>([visitor, owner, other, admin]: Row<T>, refusal: T): Asker<T>[] {
  const refused = { gets: refusal, refused: true } as const
  return [
    { who: 'a visitor', gets: visitor, identity: () => null },
    { who: 'a closed account', ...refused, identity: ({ closed }) => closed },
    { who: 'an expired session', ...refused, identity: ({ expired }) => expired },
    { who: 'a token nobody has', ...refused, identity: () => ({ token: 'A'.repeat(43) }) },
    { who: 'garbage for a token', ...refused, identity: () => ({ token: `' or 1=1; --` }) },
    { who: 'a key nobody has', ...refused, identity: () => ({ token: `sk_${'A'.repeat(43)}` }) },
    {
      who: 'a revoked key',
      ...refused,
      identity: ({ admin }) => makeKey(shop.em(), admin, ['ADMIN'], { revokedAt: new Date() }),
    },
    { who: 'a key of a closed account', ...refused, identity: ({ closed }) => key(closed, 'ADMIN') },
    { who: 'the owner', gets: owner, identity: ({ owner }) => owner },
    { who: 'another shopper', gets: other, identity: ({ other }) => other },
    { who: 'an administrator', gets: admin, identity: ({ admin }) => admin },
  ]
}

/** Keys with only these scopes. */
function keysWith<T>([, owner, other, admin]: Row<T>, scopes: readonly ApiScope[]): Asker<T>[] {
  const who = (whose: string) => `${whose} key for ${scopes.join(' and ')}`
  return [
    { who: who('the owner’s'), gets: owner, identity: made => key(made.owner, ...scopes) },
    { who: who('another shopper’s'), gets: other, identity: made => key(made.other, ...scopes) },
    { who: who('an administrator’s'), gets: admin, identity: made => key(made.admin, ...scopes) },
  ]
}

/** An administrator's keys that lack one needed scope each, and ADMIN, but have all others. */
function keysWithout<T>(row: Row<unknown>, lacking: (missing: readonly ApiScope[]) => T): Asker<T>[] {
  const others = SCOPES.filter(scope => scope !== 'ADMIN')
  return scopesOf(row).map(needed => ({
    who: `a key without ${needed}`,
    gets: lacking([needed]),
    identity: made => key(made.admin, ...others.filter(scope => !suffices(scope, needed))),
  }))
}

/**
 * Administrators who may do only what is needed, and such who may do everything but one thing that is: where a row is
 * for administrators alone they are told what they lack, elsewhere they are shoppers.
 */
function staff<T>(
  [, , other, admin]: Row<T>,
  needed: readonly ApiScope[],
  lacking: (missing: readonly ApiScope[]) => T,
): Asker<T>[] {
  const make = (limitedTo: ApiScope[]) => () => makeUser(shop.em(), { isAdmin: true, limitedTo })
  const isForAdmins = ([403, 'FORBIDDEN'] as unknown[]).includes(other)
  return [
    ...needed
      .filter(scope => scope !== 'READ_CATALOGUE')
      .map(scope => ({
        who: `an administrator who may not ${scope}`,
        gets: isForAdmins ? lacking([scope]) : other,
        identity: make(SCOPES.filter(each => each !== 'ADMIN' && !suffices(each, scope))),
      })),
    ...(needed.includes('ADMIN')
      ? []
      : [{ who: `an administrator who may ${needed.join(' and ')}`, gets: admin, identity: make([...needed]) }]),
  ]
}

const SCOPES: readonly ApiScope[] = [
  'READ_CATALOGUE',
  'READ_ORDERS',
  'WRITE_ORDERS',
  'FULFIL_ORDERS',
  'REFUND_ORDERS',
  'WRITE_STOCK',
  'WRITE_PRICES',
  'WRITE_PRODUCTS',
  'IMPORT_PRODUCTS',
  'MODERATE_REVIEWS',
  'MANAGE_DISCOUNTS',
  'MANAGE_SEARCH',
  'WRITE_PAGES',
  'READ_REPORTS',
  'READ_CUSTOMERS',
  'WRITE_CUSTOMERS',
  'MANAGE_WEBHOOKS',
  'ADMIN',
]
/** Whether a key with `scope` may use what needs the other scope. */
const suffices = (scope: ApiScope, needed: ApiScope) => scope === needed || WIDER[needed] === scope
const WIDER: Partial<Record<ApiScope, ApiScope>> = {
  FULFIL_ORDERS: 'WRITE_ORDERS',
  WRITE_PRICES: 'WRITE_PRODUCTS',
  READ_CUSTOMERS: 'WRITE_CUSTOMERS',
}
const lacks = (missing: readonly ApiScope[]) => `lacks ${missing.join(' and ')}`

function outcomeOf(name: string, { data, errors }: Answer): Outcome {
  if (errors) {
    const { code, missing } = nth(errors, 0).extensions
    return missing ? lacks(missing as ApiScope[]) : code
  }
  const result = (data as Record<string, { userErrors?: { code: string }[] } | null>)[name]
  return result ? (result.userErrors?.[0]?.code ?? 'ok') : 'null'
}

const statusOf = (outcome: Outcome) =>
  outcome === 'UNAUTHENTICATED' ? 401 : outcome === 'FORBIDDEN' || outcome.startsWith('lacks') ? 403 : 200

it('every scope there is has its keys here', () => {
  const type = schema.getType('ApiScope')
  expect(type && 'getValues' in type && type.getValues().map(({ name }) => name)).toEqual(SCOPES)
})

describe.each(ROOTS)('%s', root => {
  it('has a rule for every field', () => {
    expect(Object.keys(ACCESS[root]).toSorted()).toEqual(
      rootFields(root)
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  test.each(Object.entries(ACCESS[root]))('%s', async (name, row) => {
    const needed = scopesOf(row)
    const groups = [
      people(row, 'UNAUTHENTICATED'),
      [...keysWithout<Outcome>(row, lacks), ...keysWith(row, needed)],
      needed.includes('ADMIN') ? [] : keysWith(row, ['ADMIN']),
      needed.flatMap(scope => (WIDER[scope] && needed.length === 1 ? keysWith(row, [WIDER[scope]]) : [])),
      staff<Outcome>(row, needed, lacks),
    ]
    const changes = root === 'Mutation' && row.includes('ok')
    for (const askers of groups) {
      // Something done once, such as writing a review, is refused when another asker repeats it.
      // The administrator, who deletes, comes last.
      const made = changes ? await makeWorld() : await stillWorld()
      const seen = await seenBy(askers, made, changes, async (identity, who) => {
        const answer = await call(shop, root, name, made.world, identity)
        return [who, outcomeOf(name, answer), answer.status]
      })
      expect(seen).toEqual(
        askers.map(({ who, gets, refused }) => [who, gets, root === 'Subscription' && !refused ? 200 : statusOf(gets)]),
      )
    }
  })
})

describe('REST', () => {
  const nothing = v7()
  const bodies: Record<string, () => unknown> = {
    'POST /api/users/login': () => ({ email: `${v7()}@example.com`, password: 'knit one, drop two' }),
    'POST /api/users': () => ({ name: '', email: 'nobody@example.com', password: '' }),
    'PUT /api/users/profile': () => ({ name: '', email: 'nobody@example.com' }),
    'PUT /api/users/:id': () => ({ name: '', email: 'nobody@example.com', isAdmin: false }),
    'PUT /api/products/:id': () => ({
      name: 'Moss',
      image: '/images/moss.webp',
      description: 'Green',
      weight: '50 g',
      length: '100 m',
      gauge: '20',
      knitting_needle: '4 mm',
      crochet_hook: '4 mm',
      recommended_care: 'Hand wash',
      content: 'Wool',
      category: 'DK',
      price: 12.5,
      countInStock: 7,
    }),
    'POST /api/products/stock': () => ({ lines: [{ product: nothing, delta: 1 }] }),
    'PUT /api/products': () => ({ lines: [{ product: nothing, price: 12.5 }] }),
    'POST /api/products/:id/reviews': () => ({ rating: 9, comment: 'x' }),
    'POST /api/carts': () => ({}),
    'PUT /api/carts/:id': () => ({ code: null }),
    'POST /api/carts/mine/merge': () => ({ cart: 'A'.repeat(43) }),
    'POST /api/orders': () => ({ orderItems: [], shippingAddress: ADDRESS }),
    'POST /api/discount-codes': () => ({ code: '', kind: 'FREE_SHIPPING' }),
    'PUT /api/discount-codes/:id': () => ({ isPaused: true }),
    'POST /api/orders/:id/fulfilments': () => ({}),
    'POST /api/fulfilments/:id/returns': () => ({}),
    // A started export would keep the next one from starting.
    'POST /api/exports': () => ({ query: '{ shop { name } }' }),
    'PUT /api/orders/:id/pay': () => ({ id: 'NOTOURPAYPALORDER' }),
  }

  async function ask(name: string, { productId, orderId, userId }: World, identity: Identity): Promise<number> {
    const [method, pattern] = name.split(' ') as [string, string]
    const id = pattern.startsWith('/api/orders')
      ? orderId
      : method === 'GET' || pattern.endsWith('reviews')
        ? pattern.startsWith('/api/users')
          ? userId
          : productId
        : nothing
    const token = identity?.token
    const body = bodies[name] && JSON.stringify(bodies[name]())
    const file = uploads.some(each => name === `${each.method} ${each.path}`) ? new FormData() : undefined
    file?.set('image', new Blob(['no picture']), 'picture.jpg')
    const response = await fetch(shop.url + pattern.replace(':id', id).replace(':paypalId', 'NOTOURPAYPALORDER'), {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...((body ?? file) && { body: body ?? file }),
    })
    const answer = Buffer.from(await response.arrayBuffer())
    if (response.status >= 400)
      expect(JSON.parse(answer.toString())).toEqual({
        message: expect.stringMatching(/\w/),
        code: expect.stringMatching(/^[A-Z_]+$/),
        // Agents are told where their buyer can continue.
        ...(pattern.startsWith('/api/ucp/') && { content: expect.any(String), continue_url: expect.any(String) }),
      })
    return response.status
  }

  it('has a rule for every call', () => {
    expect(Object.keys(REST)).toEqual(
      expect.arrayContaining([...calls, ...uploads].map(({ method, path }) => `${method} ${path}`)),
    )
  })

  it('has a rule for every route, or says that there is none', async () => {
    const { admin, world } = await makeWorld()
    const named = (route: string) =>
      route in REST ||
      IMPERSONAL.includes(route) ||
      FOR_AGENTS.includes(route) ||
      /^\w+ \/graphql(\/stream)?$|^(HEAD|OPTIONS) |^GET \/(assets\/|favicon|apple-touch-icon|icon-|manifest\.|service-worker\.)/.test(
        route,
      )
    const routes = shop.routes()
    expect(routes).toEqual(
      expect.arrayContaining([...Object.keys(REST).filter(name => !name.includes('?')), ...IMPERSONAL, ...FOR_AGENTS]),
    )
    for (const route of routes.filter(route => !named(route)))
      expect([route, await ask(route, world, admin)]).toEqual([route, 405])
  })

  test.each(Object.entries(REST))('%s', async (name, row) => {
    const changes = !name.startsWith('GET') && row.some(status => status === 200 || status === 201)
    const made = changes ? await makeWorld() : await stillWorld()
    const needed = scopesOf(row)
    // An invoice is not one of the calls: a key without the scope gets 404, as visitors do.
    const isCall = [...calls, ...uploads].some(({ method, path }) => name === `${method} ${path}`)
    const askers = [
      ...people(row, 401),
      ...keysWithout(row, () => (row[0] === 404 && !isCall ? 404 : 403)),
      ...keysWith(row, needed),
      ...(needed.includes('ADMIN') ? [] : keysWith(row, ['ADMIN'])),
      ...staff(row, needed, () => 403),
    ]
    // Signing out would end the session that the next asker needs.
    const last = [made.owner, made.other, made.admin]
    const seen = await seenBy(askers, made, changes, async (identity, who) => [
      who,
      await ask(name, made.world, name.endsWith('logout') && last.some(each => each === identity) ? null : identity),
    ])
    expect(seen).toEqual(askers.map(({ who, gets }) => [who, gets]))
  })
})

describe('someone else’s order', () => {
  const nowhere = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'

  test.each([
    ['Query', 'order'],
    ['Mutation', 'createPaypalOrder'],
    ['Mutation', 'capturePaypalOrder'],
    ['Mutation', 'payOrder'],
  ] as const)('looks to %s.%s exactly like one that does not exist', async (root, name) => {
    const { other, world } = await makeWorld()
    const ask = (orderId: string, asker: Account) => call(shop, root, name, { ...world, orderId }, asker)
    const missing = await ask(nowhere, other)
    expect(await ask(world.orderId, other)).toEqual(missing)
    expect(await ask('abc', other)).toEqual(missing)
    expect(['null', 'NOT_FOUND']).toContain(outcomeOf(name, missing))
  })

  it('is in no list of another shopper, not even by its owner’s name', async () => {
    const { owner, other, world } = await makeWorld()
    const query = '{ myOrders { id } viewer { orders(first: 100) { edges { node { id } } } } }'
    const ids = async (asker: Account) =>
      JSON.stringify((await shop.gql(query, {}, asker)).data).split(world.orderId).length - 1
    expect([await ids(owner), await ids(other)]).toEqual([2, 0])
  })
})

/** The fields of a type of the contract. */
const fieldsOf = (name: string) => Object.values((schema.getType(name) as GraphQLObjectType).getFields())
const nodes = schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name)

const onSale = () => ({
  price: 1800,
  regularPrice: 2400,
  expectedOn: '2031-12-01',
  salePrice: 1800,
  saleUntil: new Date(Date.now() + 24 * 3_600_000),
})

describe('a thing by its id', () => {
  let made: Made
  let ids: Record<string, string>
  beforeAll(async () => {
    made = await makeWorld()
    const { owner, other, world } = made
    const em = shop.em()
    const [draft, archived] = [
      await makeProduct(em, { ...onSale(), publishedAt: null }),
      await makeProduct(em, { archivedAt: new Date() }),
    ]
    const write = (productId: string, writer: Account, fields = {}) =>
      em.create(Review, {
        productId,
        userId: writer.id,
        name: 'Nell',
        rating: 5,
        comment: 'Round.',
        verifiedPurchase: true,
        needleMm: 4.5,
        gauge: 21,
        project: 'A hat',
        answerText: 'Thank you.',
        answeredAt: new Date(),
        ...fields,
      })
    const hidden = write(world.productId, owner, { hiddenAt: new Date(), hiddenReason: 'Spam' })
    const shown = write((await makeProduct(em)).id, other)
    const past = write(archived.id, owner)
    await em.flush()
    await em.execute(
      `update orders set paid_at = now(), first_sent_at = now(), sent_at = now(), delivered_at = now(), discount_code = 'CASTON15', customer_note = 'A present.' where id = ?`,
      [world.orderId],
    )
    await em.execute(
      `with f as (insert into fulfilments (id, order_id, created_at) values (gen_random_uuid(), ?, now()) returning id, order_id)
       insert into fulfilment_lines (id, fulfilment_id, item_id, quantity)
       select gen_random_uuid(), f.id, i.id, i.quantity from f join order_items i using (order_id)`,
      [world.orderId],
    )
    await em.execute(
      `with g as (insert into product_groups (id, name, varies_by) values (gen_random_uuid(), 'Fen Merino', 'COLOUR') returning id)
       update products set group_id = g.id, group_position = 1 from g where products.id in (?)`,
      [[world.productId, draft.id]],
    )
    await recordIncident(em, world.orderId, { code: 'NOTED', data: { text: 'Look.' } })
    await em.execute(`update users set new_email = 'nell.elsewhere@example.com' where id = ?`, [owner.id])
    ids = {
      'a product': world.productId,
      'a draft': draft.id,
      'an archived product': archived.id,
      'a review': shown.id,
      'a hidden review': hidden.id,
      'a review of an archived product': past.id,
      'an order': world.orderId,
      'an account': owner.id,
      'a closed account': made.closed.id,
    }
  })

  it('is of a type that has a rule', () => {
    expect([...new Set(Object.values(THINGS).map(({ type }) => type))].toSorted()).toEqual(nodes.toSorted())
    for (const { type, but = {} } of Object.values(THINGS))
      expect(fieldsOf(type).map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(but)))
  })

  /** What an administrator has to be permitted to see what administrators alone see of a thing. */
  const KEEPERS: Record<string, ApiScope[]> = {
    Product: ['WRITE_PRODUCTS'],
    Review: ['MODERATE_REVIEWS'],
    Order: ['READ_ORDERS'],
    User: ['READ_CUSTOMERS'],
  }

  const cases = Object.entries(THINGS).flatMap(([what, { type, row, but }]) =>
    fieldsOf(type).map(field => [what, field.name, type, but?.[field.name] ?? row] as const),
  )

  test.each(cases)('%s: %s', async (what, field, type, row) => {
    const own = row.slice(4) as ApiScope[]
    const [visitor, owner, other, admin] = row
    // A key reads orders as its account does. Of everything else, an administrator's key with these scopes sees what a shopper's does.
    const narrow = keysWith(
      [visitor, owner, other, type === 'Order' ? admin : other],
      ['READ_CATALOGUE', 'READ_ORDERS'],
    )
      // Only an asker who can read the thing learns that the field needs more scopes.
      .map(asker => (own.length > 0 && asker.gets !== 'null' ? { ...asker, gets: lacks(own) } : asker))
    const permitted = staff<Outcome>(row, present(KEEPERS[type]), lacks)
      // Orders take a permission of their own, also those of an account.
      .map(asker =>
        `${type}.${field}` === 'User.orders' && asker.gets === 'ok'
          ? { ...asker, gets: lacks(['READ_ORDERS']) }
          : asker,
      )
    const askers = [...people(row, 'UNAUTHENTICATED'), ...narrow, ...keysWith(row, ['ADMIN']), ...permitted]
    // One after the other, because each asks for dozens of things at once.
    const seen = await seenBy(askers, made, true, async (identity, who) => [
      who,
      (await outcomesOf(what, type, who, identity))[field],
    ])
    expect(seen).toEqual(askers.map(({ who, gets }) => [who, gets]))
  })

  const outcomes = new Map<string, Promise<Record<string, Outcome>>>()

  /** What an asker gets for each field of a thing. Each field is asked for alone, as many in one request as the limit allows. */
  function outcomesOf(what: string, type: string, who: string, identity: Identity): Promise<Record<string, Outcome>> {
    const key = `${what} to ${who}`
    const known = outcomes.get(key) ?? ask()
    outcomes.set(key, known)
    return known

    async function ask() {
      const outcomes: Record<string, Outcome> = {}
      const fields = fieldsOf(type)
      for (let first = 0; first < fields.length; first += QUERY_LIMITS.aliases) {
        const part = fields.slice(first, first + QUERY_LIMITS.aliases)
        const nodes = part.map(field => {
          const subfields = isObjectType(getNamedType(field.type)) ? ' { __typename }' : ''
          const asked = field.name + (FIELD_ARGUMENTS[`${type}.${field.name}`] ?? '')
          return `${field.name}: node(id: $id) { __typename ... on ${type} { ${asked}${subfields} } }`
        })
        const answer = await shop.gql(`query($id: ID!) { ${nodes.join(' ')} }`, { id: ids[what] }, identity)
        const { errors } = answer
        const data = answer.data as Record<string, Record<string, unknown> | null>
        for (const { name } of part) {
          const error = errors?.find(({ path }) => !path || path[0] === name)
          outcomes[name] = error
            ? outcomeOf('node', { status: 200, data, errors: [error] })
            : data[name]?.[name] == null
              ? 'null'
              : 'ok'
        }
      }
      return outcomes
    }
  }
})

describe('what can be read without the id of a thing', () => {
  /** Every field that the operations lead to, by type, except fields for administrators only. */
  function reached(operations: string[]): Record<string, string[]> {
    const found: Record<string, string[]> = {}
    const visit = (type: unknown) => {
      if (!isObjectType(type) || found[type.name]) return
      const fields = fieldsOf(type.name).filter(({ name }) => !GUARDED_FIELDS.includes(`${type.name}.${name}`))
      found[type.name] = fields.map(({ name }) => name).toSorted()
      for (const field of fields) visit(getNamedType(field.type))
    }
    for (const field of rootFields('Query').filter(({ name }) => operations.includes(name)))
      visit(getNamedType(field.type))
    return found
  }
  const queries = Object.entries(ACCESS.Query).filter(([name]) => !name.startsWith('node'))
  const open = Object.fromEntries(Object.entries(OPEN).map(([type, fields]) => [type, fields.split(/\s+/).toSorted()]))

  it('by a visitor is listed, field by field', () => {
    expect(reached(queries.filter(([, [visitor]]) => visitor === 'ok').map(([name]) => name))).toEqual(open)
  })

  it('by a key for the catalogue is no more than that', () => {
    expect(
      reached(
        queries
          .filter(([, row]) => scopesOf(row).join() === 'READ_CATALOGUE')
          .map(([name]) => name)
          // An administrator's own exports; reading their contents needs the scopes of what was exported.
          .filter(name => !['export', 'exports'].includes(name)),
      ),
    ).toEqual(open)
  })

  it('holds no email address, role or password', () => {
    expect(JSON.stringify(OPEN)).not.toMatch(/email|password|token|isAdmin|address/i)
  })

  it('leaves out what is for administrators', () => {
    expect(GUARDED_FIELDS.toSorted()).toEqual([
      'Collection.members',
      'Order.externalIds',
      'Order.history',
      'Order.incidents',
      'Order.note',
      'Order.tags',
      'Product.bellsWaiting',
      'Product.externalIds',
      'Product.history',
      'Product.note',
      'Product.preordered',
      'Product.sale',
      'Product.tags',
      'ProductGroup.members',
      'User.externalIds',
      'User.note',
      'User.tags',
    ])
  })
})

it('a key for customers sees none of their orders, and one for webhooks none of the administrator’s who made them', async () => {
  const { owner, admin } = await makeWorld()
  await shop.gql(
    'mutation { createWebhook(input: { url: "https://warehouse.example.com/x", events: [ORDER_PAID] }) { secret } }',
    {},
    admin,
  )
  const lacksOrders = { errors: [{ extensions: { missing: ['READ_ORDERS'] } }] }
  const user = 'query ($id: ID!) { user(id: $id) { email orders { edges { node { id } } } } }'
  expect(await shop.gql(user, { id: owner.id }, await key(admin, 'READ_CUSTOMERS'))).toMatchObject(lacksOrders)
  const { data } = await shop.gql(user, { id: owner.id }, await key(admin, 'READ_CUSTOMERS', 'READ_ORDERS'))
  expect(data.user.orders.edges).toHaveLength(1)
  const webhooks = '{ webhooks { items { createdBy { orders { edges { node { id } } } } } } }'
  expect(await shop.gql(webhooks, {}, await key(admin, 'MANAGE_WEBHOOKS'))).toMatchObject(lacksOrders)
})

it('a key for the catalogue sees what a visitor sees, whoever it acts for', async () => {
  const em = shop.em()
  const admin = await makeUser(em, { isAdmin: true })
  const [yarn, draft] = [await makeProduct(em), await makeProduct(em, { publishedAt: null })]
  const seenBy = async (identity: Identity) => {
    const { data } = await shop.gql(
      `query ($yarn: ID!, $draft: ID!) {
        shown: product(id: $yarn) { id isDraft } hidden: product(id: $draft) { id }
        products { items { id } } productsConnection(first: 100) { edges { node { id } } }
        quoteCart(lines: [{ productId: $draft, quantity: 1 }]) { lines { product { id } } }
      }`,
      { yarn: yarn.id, draft: draft.id },
      identity,
    )
    const rest = await fetch(
      `${shop.url}/api/products/${draft.id}`,
      identity ? { headers: { authorization: `Bearer ${identity.token}` } } : {},
    )
    return { data, rest: rest.status }
  }
  const visitor = await seenBy(null)
  expect(visitor).toMatchObject({ data: { shown: { id: yarn.id }, hidden: null }, rest: 404 })
  expect(await seenBy(await key(admin, 'READ_CATALOGUE'))).toEqual(visitor)
  expect(await seenBy(await key(admin, 'READ_CATALOGUE', 'READ_ORDERS', 'WRITE_ORDERS'))).toEqual(visitor)
  expect(await seenBy(await key(admin, 'ADMIN'))).toMatchObject({ data: { hidden: { id: draft.id } }, rest: 200 })
})
