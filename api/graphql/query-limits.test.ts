import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import {
  concatAST,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  Lexer,
  parse,
  print,
  separateOperations,
  Source,
  TokenKind,
  validate,
  type IntrospectionQuery,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { nth, present } from '#schema/rules/present'
import { calls, uploads } from '../rest/calls.ts'
import { schema } from '../schema.ts'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { costOf, lengthOf } from './operation-cost.ts'
import { limitRules, QUERY_LIMITS, type QueryLimits } from './query-limits.ts'

const written = concatAST(globSync('storefront/**/*.graphql').map(file => parse(readFileSync(file, 'utf8'))))
const storefront = Object.entries(separateOperations(written)).map(
  ([name, document]) => [name, print(document)] as const,
)

function cost(text: string, variables = {}, pageSize = 12): number {
  const document = parse(text)
  return costOf({ schema, document, operation: present(getOperationAST(document)), variables, pageSize })
}

/** How much of everything an operation has: what the rules find when the limits are zero. */
function sizeOf(operation: string): QueryLimits {
  const size = { depth: 0, cost: 0, aliases: 0, directives: 0, tokens: 0 }
  for (const {
    extensions: { limit, found },
  } of validate(schema, parse(operation), limitRules(size)))
    size[limit as keyof QueryLimits] = found as number
  size.cost = cost(operation)
  const lexer = new Lexer(new Source(operation))
  while (lexer.advance().kind !== TokenKind.EOF) size.tokens++
  return size
}

const PRODUCT =
  'id name image description weight length gauge knittingNeedle crochetHook recommendedCare content category price'
const HUNDRED_PRODUCTS = `{ productsConnection(first: 100) { edges { cursor node { ${PRODUCT} } } pageInfo { hasNextPage endCursor } } }`

const ORDER = `id reference status user { id name email } items { productId name image price quantity } shippingAddress { name address address2 city state postalCode country }
  paymentMethod itemsPrice shippingPrice taxPrice totalPrice isPaid paidAt isDelivered deliveredAt heldUntil refundedAmount isRefunded refunds { id amount reason status } attention createdAt`
const HUNDRED_ORDERS = `{ ordersConnection(first: 100) { edges { cursor node { ${ORDER} } } pageInfo { hasNextPage endCursor } } }`

describe('the limits', () => {
  const sizes = [
    ...storefront,
    ...[...calls, ...uploads].map(({ summary, operation }) => [summary, print(operation)]),
    ['Products', HUNDRED_PRODUCTS],
    ['Orders', HUNDRED_ORDERS],
    ['Schema', getIntrospectionQuery()],
  ].map(([, operation]) => sizeOf(present(operation)))
  const largest = (limit: keyof QueryLimits) => Math.max(...sizes.map(size => size[limit]))

  it('are measured over every operation of the storefront', () => {
    expect(storefront.length).toBe(written.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length)
    expect(storefront.length).toBeGreaterThan(30)
  })

  test.each(['depth', 'cost', 'tokens'] as const)(
    'of %s leave room above our largest operation, and not much more',
    limit => {
      expect(QUERY_LIMITS[limit]).toBeGreaterThan(largest(limit) * 1.1)
      expect(QUERY_LIMITS[limit]).toBeLessThan(largest(limit) * 3.5)
    },
  )

  test.each(['aliases', 'directives'] as const)('of %s are few, and enough for our own', limit => {
    expect(QUERY_LIMITS[limit]).toBeGreaterThanOrEqual(largest(limit))
    expect(QUERY_LIMITS[limit]).toBeLessThanOrEqual(10)
  })
})

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ')
const nested = (levels: number) =>
  `{ products ${'{ items { reviews { items { product '.repeat(levels)}{ id }${' } } } }'.repeat(levels)} }`
describe('an operation beyond a limit', () => {
  test.each<[string, string, object]>([
    ['deep', nested(3), { limit: 'depth', allowed: 10, found: 14 }],
    [
      'deep in a hundred fragments',
      `{ ...f0 } ${times(100, index => `fragment f${index} on Query { products { items { id } } ...f${index + 1} }`)} fragment f100 on Query { shop { name } }`,
      { limit: 'tokens' },
    ],
    [
      'costly',
      HUNDRED_PRODUCTS.replace('price', 'price reviews { items { product { reviews { items { comment } } } } }'),
      { limit: 'cost', allowed: 8_000, found: 23_507 },
    ],
    [
      'full of aliases',
      `{ ${times(16, index => `a${index}: shop { name }`)} }`,
      { limit: 'aliases', allowed: 10, found: 16 },
    ],
    [
      'full of aliases of one field',
      `{ shop { ${times(16, index => `a${index}: name`)} } }`,
      { limit: 'aliases', found: 16 },
    ],
    [
      'full of aliases in fragments',
      `{ ...a ...b } fragment a on Query { ${times(8, index => `a${index}: shop { name }`)} } fragment b on Query { ${times(8, index => `b${index}: shop { name }`)} }`,
      { limit: 'aliases', found: 16 },
    ],
    [
      'full of directives',
      `{ shop { name ${'@include(if: true) @skip(if: false) '.repeat(6)} } }`,
      { limit: 'directives', found: 12 },
    ],
    [
      'that tries two passwords',
      'mutation { a: login(email: "a", password: "b") { token } b: login(email: "a", password: "c") { token } }',
      { limit: 'login', allowed: 1 },
    ],
    [
      'that tries two passwords in fragments',
      'mutation { ...a ...b } fragment a on Mutation { a: login(email: "a", password: "b") { token } } fragment b on Mutation { b: login(email: "a", password: "c") { token } }',
      { limit: 'login' },
    ],
    [
      'that signs ten addresses up',
      `mutation { ${times(10, index => `a${index}: subscribeToNewsletter(email: "a${index}@example.org") { subscribed }`)} }`,
      { limit: 'subscribeToNewsletter', allowed: 1, found: 10 },
    ],
    [
      'that places two orders in fragments of fragments',
      'mutation ($input: PlaceOrderInput!) { ...a ... { placeOrder(input: $input) { order { id } } } } fragment a on Mutation { ...b } fragment b on Mutation { again: placeOrder(input: $input) { order { id } } }',
      { limit: 'placeOrder', found: 2 },
    ],
    ['of many tokens, then of none', `{ ${'name '.repeat(600)} ~`, { limit: 'tokens', found: 601 }],
    ['of many tokens', `{ ${'shop { name } '.repeat(500)} }`, { limit: 'tokens', allowed: 500, found: 2_002 }],
  ])('(%s) is refused before anything runs, with the limit and the size', async (_what, query, limit) => {
    const { status, data, errors } = await shop.gql(query)
    expect({ status, data }).toEqual({ status: 400, data: undefined })
    const found = present(errors).find(({ extensions }) => extensions['limit'] === (limit as { limit: string }).limit)
    expect(found?.extensions).toMatchObject({
      ...limit,
      code: expect.stringMatching(/^GRAPHQL_(VALIDATION|PARSE)_FAILED$/),
    })
    expect(present(found).message).toMatch(/\d|once/)
  })

  it('that goes round in circles is refused', async () => {
    const circle: string = '{ ...a } fragment a on Query { shop { name } ...b } fragment b on Query { ...a }'
    expect((await shop.gql(circle)).status).toBe(400)
  })

  it('in megabytes is refused as a GraphQL answer that says how large it may be', async () => {
    const body = JSON.stringify({ query: `{ shop { name } } #${'x'.repeat(10_000_000)}` })
    const refusal = (message: string, more: object = {}) => ({
      errors: [{ message, extensions: { code: 'PAYLOAD_TOO_LARGE', limit: 'body', allowed: 100_000, ...more } }],
    })
    const plain = await shop.send(body)
    expect([plain.status, await plain.json()]).toEqual([
      413,
      refusal(`The request has ${body.length.toLocaleString('en-US')} bytes, but 100,000 are allowed.`, {
        found: body.length,
      }),
    ])
    const packed = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(body),
    })
    expect([packed.status, await packed.json()]).toEqual([
      413,
      refusal('The request is larger than the 100,000 bytes allowed.'),
    ])
  })
})

test.each(['utf-7', 'utf-16', 'iso-2022-kr'])('a request in %s is refused', async charset => {
  for (const path of ['/graphql', '/api/users/login']) {
    const response = await fetch(shop.url + path, {
      method: 'POST',
      headers: { 'content-type': `application/json; charset=${charset}` },
      body: '{}',
    })
    expect(response.status).toBe(415)
    expect(response.headers.get('content-type')).toContain('json')
  }
})

/** Lists within lists, written out or left to variables. */
const REVIEWS_OF_REVIEWS = 'reviews { items { product { reviews { items { comment } } } } }'
const ATTACKS: [string, query: string, variables: object][] = [
  [
    'reviews of reviews',
    `{ customersAlsoViewed { reviews { items { product { reviews { items { product { ${times(10, index => `r${index}: reviews { items { comment } }`)} } } } } } } } }`,
    {},
  ],
  [
    'ten connections',
    `query ($n: Int) { ${times(10, index => `a${index}: productsConnection(first: $n) { edges { node { ${REVIEWS_OF_REVIEWS} } } }`)} }`,
    { n: 100 },
  ],
  [
    'ten connections from their end',
    `query ($n: Int) { ${times(10, index => `a${index}: productsConnection(last: $n) { edges { node { ${REVIEWS_OF_REVIEWS} } } }`)} }`,
    { n: 100 },
  ],
  [
    'ten connections by a default',
    `query ($n: Int = 100) { ${times(10, index => `a${index}: productsConnection(first: $n) { edges { node { reviews { items { comment } } } } }`)} }`,
    {},
  ],
  [
    'ten connections in a fragment',
    `query ($n: Int) { ...f } fragment f on Query { ${times(10, index => `a${index}: productsConnection(first: $n) { edges { node { ...p } } }`)} } fragment p on Product { ${REVIEWS_OF_REVIEWS} }`,
    { n: 100 },
  ],
  [
    'the whole contract many times over',
    `{ __schema { ${times(10, index => `t${index}: types { fields { type { fields { name } } } }`)} } }`,
    {},
  ],
]

describe('what an operation costs', () => {
  const found = async (query: string, variables: object) => {
    const { status, data, errors } = await shop.gql(query, variables)
    expect([status, data]).toEqual([400, undefined])
    expect(nth(present(errors), 0).message).toMatch(/^This operation costs [\d,]+ points, but 8,000 are allowed\./)
    return nth(present(errors), 0).extensions
  }

  it.each(ATTACKS)('refuses %s, and asks the database nothing', async (_what, query, variables) => {
    expect(await found(query, variables)).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      limit: 'cost',
      allowed: 8_000,
    })
  })

  it('is the same with literals and with variables', async () => {
    const [, query, variables] = nth(ATTACKS, 1)
    const literal = query.replace('query ($n: Int)', '').replaceAll('$n', '100')
    expect((await found(literal, {}))['found']).toEqual((await found(query, variables))['found'])
  })

  it('counts pages by their size, connections by what is asked for, lists by what is given, and what is nested many times', () => {
    expect(cost('{ products { items { name } } }')).toBe(1 + 5 + 12)
    expect(cost('{ products { items { name } } }', {}, 100)).toBe(1 + 5 + 100)
    expect(cost('{ productsConnection { edges { node { name } } } }')).toBe(1 + 5 + 20 * 2)
    expect(cost('{ productsConnection(last: 3) { edges { node { name } } } }')).toBe(1 + 5 + 3 * 2)
    expect(cost('{ productsConnection(first: 5000) { edges { node { name } } } }')).toBe(1 + 5 + 100 * 2)
    expect(cost('{ products { items { reviews { items { rating } } } } }')).toBe(1 + 5 + 12 * (1 + 5 + 12))
    expect(
      cost('mutation ($ids: [ID!]!) { deliverOrders(ids: $ids) { orders { status } } }', { ids: ['a', 'b', 'c'] }),
    ).toBe(10 + 1 + 3)
  })

  it('counts the lines of changes in bulk, whether or not they are asked for', () => {
    const lines = Array.from({ length: 500 }, () => ({ sku: 'A' }))
    const change = (name: string, input: string, fields: string) =>
      cost(`mutation ($lines: [${input}!]!) { ${name}(lines: $lines) { ${fields} } }`, { lines })
    expect(change('adjustStock', 'StockLineInput', 'changed')).toBe(10 + 500 + 1)
    expect(change('setProducts', 'ProductLineInput', 'changed')).toBe(10 + 1000 + 1)
    expect(change('adjustStock', 'StockLineInput', 'lines { sku userErrors { code } }')).toBe(10 + 500 + 1 + 500 * 2)
  })

  it('leaves out what is skipped, and counts what is asked for twice once', () => {
    const query =
      'query ($all: Boolean!) { products { items { name ...r ...r reviews { items { name } } } } } fragment r on Product { reviews @include(if: $all) { items { rating } } sold: reviews @skip(if: true) { items { rating } } }'
    expect(cost(query, { all: true })).toBe(1 + 5 + 12 * (1 + 5 + 12))
    expect(
      cost('query ($all: Boolean!) { products { items { reviews @include(if: $all) { items { rating } } } } }', {
        all: false,
      }),
    ).toBe(1 + 5 + 12)
  })

  it('counts a document that it knows anew where variables or the size of a page decide', () => {
    const counts = (text: string) => {
      const document = parse(text)
      const operation = present(getOperationAST(document))
      return (variables: object, pageSize = 12) =>
        costOf({ schema, document, operation, variables: { ...variables }, pageSize })
    }
    const ofPage = counts('query ($page: Int) { products(page: $page) { items { name } } }')
    expect([ofPage({ page: 1 }), ofPage({ page: 2 }), ofPage({}, 100), ofPage({})]).toEqual([18, 18, 106, 18])
    const ofPart = counts('query ($n: Int) { productsConnection(first: $n) { edges { node { name } } } }')
    expect([ofPart({ n: 1 }), ofPart({ n: 10 }), ofPart({ n: 1 })]).toEqual([8, 26, 8])
    const ofSome = counts('query ($all: Boolean!) { products { items { name } } shop @include(if: $all) { name } }')
    expect([ofSome({ all: false }), ofSome({ all: true }), ofSome({ all: false })]).toEqual([18, 20, 18])
    const ofLines = counts('mutation ($ids: [ID!]!) { deliverOrders(ids: $ids) { orders { status } } }')
    expect([ofLines({ ids: ['a'] }), ofLines({ ids: ['a', 'b', 'c'] })]).toEqual([12, 14])
  })

  it('knows how long every list of the contract can get', () => {
    for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
      for (const field of Object.values(type.getFields())) {
        const isListOfThings = isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type))
        // These are as long as the request asks for or provides: their length comes from the page, the connection or the change.
        const follows = /(Page\.items|Connection\.edges|Bulk\w+Payload\.\w+|ProductLinesPayload\.lines)$/.test(
          `${type.name}.${field.name}`,
        )
        if (isListOfThings) expect(lengthOf(`${type.name}.${field.name}`, follows ? 1 : undefined)).toBeGreaterThan(0)
      }
    }
  })

  it('is not what an operation is refused for whose variables are missing', async () => {
    const { status, errors } = await shop.gql(
      'query ($all: Boolean!, $n: Int!) { products { items { name @skip(if: $all) } } productsConnection(first: $n) { edges { cursor } } }',
    )
    expect([status, nth(present(errors), 0).message]).toEqual([400, expect.stringContaining('$')])
  })

  it('is told to who asks for it', async () => {
    const { headers, ...init } = {
      headers: { 'content-type': 'application/json' },
      method: 'POST',
      body: JSON.stringify({ query: '{ products { items { name } } }' }),
    }
    const ask = async (more: object) =>
      (
        (await (await fetch(`${shop.url}/graphql`, { ...init, headers: { ...headers, ...more } })).json()) as {
          extensions?: object
        }
      ).extensions
    expect([await ask({}), await ask({ 'skein-cost': '1' })]).toEqual([
      undefined,
      { cost: { requested: 18, limit: 8_000 } },
    ])
  })
})

describe('other sites', () => {
  test.each<[string, RequestInit & { path?: string }]>([
    ['a GET', { path: '/graphql?query={shop{name}}' }],
    [
      'plain text',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ shop { name } }"}' },
    ],
    [
      'a form',
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'query={shop{name}}' },
    ],
  ])('cannot use %s of a browser', async (_what, { path = '/graphql', ...init }) => {
    const response = await fetch(shop.url + path, {
      ...init,
      headers: { ...init.headers, origin: 'https://elsewhere.example' },
    })
    expect([400, 415]).toContain(response.status)
  })
})

describe('what the shop tells of itself', () => {
  let closed: TestShop
  beforeAll(async () => {
    closed = await openShop({ introspection: false })
  })
  afterAll(() => closed?.close())

  it('is its contract, with suggestions', async () => {
    expect(
      ((await shop.gql(getIntrospectionQuery())).data as IntrospectionQuery).__schema.types.length,
    ).toBeGreaterThan(50)
    expect(nth(present((await shop.gql('{ shp { name } }')).errors), 0).message).toContain('Did you mean "shop"')
  })

  it('is neither without introspection', async () => {
    const { status, errors } = await closed.gql(getIntrospectionQuery())
    expect([status, nth(present(errors), 0).message]).toEqual([
      400,
      expect.stringContaining('introspection is not allowed'),
    ])
    expect((await closed.gql('{ __type(name: "User") { name } }')).status).toBe(400)
    expect(JSON.stringify(await closed.gql('{ shp { name } }'))).not.toContain('Did you mean')
    expect((await closed.gql('{ __typename shop { name } }')).data.shop.name).toBe('Skein')
  })

  it('is never where its code lies', async () => {
    await makeProduct(shop.em())
    for (const query of [
      '{',
      '{ nothing }',
      '{ product(id: 5.5) { id } }',
      '{ viewer { orders(first: 5000) { edges { cursor } } } }',
    ]) {
      expect(JSON.stringify(await shop.gql(query))).not.toMatch(/stacktrace|node_modules|\.ts:/)
    }
  })
})
