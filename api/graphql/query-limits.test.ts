import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { concatAST, getIntrospectionQuery, Kind, Lexer, parse, print, separateOperations, Source, TokenKind, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { OPERATIONS } from '../rest/operations.ts'
import { schema } from '../schema.ts'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { limitRules, QUERY_LIMITS, type QueryLimits } from './query-limits.ts'

const written = concatAST(globSync('storefront/**/*.graphql').map(file => parse(readFileSync(file, 'utf8'))))
const storefront = Object.entries(separateOperations(written)).map(([name, document]) => [name, print(document)] as const)

/** How much of everything an operation has: what the rules find when nothing is allowed. */
function sizeOf(operation: string): QueryLimits {
  const size = { depth: 0, cost: 0, aliases: 0, directives: 0, tokens: 0 }
  for (const { extensions: { limit, found } } of validate(schema, parse(operation), limitRules(size))) size[limit as keyof QueryLimits] = found as number
  const lexer = new Lexer(new Source(operation))
  while (lexer.advance().kind !== TokenKind.EOF) size.tokens++
  return size
}

const PRODUCT = 'id name image description weight length gauge knittingNeedle crochetHook recommendedCare content category price'
const HUNDRED_PRODUCTS = `{ productsConnection(first: 100) { edges { cursor node { ${PRODUCT} } } pageInfo { hasNextPage endCursor } } }`

describe('the limits', () => {
  const sizes = [...storefront, ...Object.entries(OPERATIONS), ['Everything', HUNDRED_PRODUCTS], ['Schema', getIntrospectionQuery()]].map(([, operation]) => sizeOf(operation!))
  const largest = (limit: keyof QueryLimits) => Math.max(...sizes.map(size => size[limit]))

  it('are measured over every operation of the storefront', () => {
    expect(storefront.length).toBe(written.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length)
    expect(storefront.length).toBeGreaterThan(30)
  })

  test.each(['depth', 'cost', 'tokens'] as const)('of %s leave room above our largest operation, and not much more', limit => {
    expect(QUERY_LIMITS[limit]).toBeGreaterThan(largest(limit) * 1.1)
    expect(QUERY_LIMITS[limit]).toBeLessThan(largest(limit) * 3.5)
  })

  test.each(['aliases', 'directives'] as const)('of %s are few, and enough for our own', limit => {
    expect(QUERY_LIMITS[limit]).toBeGreaterThanOrEqual(largest(limit))
    expect(QUERY_LIMITS[limit]).toBeLessThanOrEqual(10)
  })
})

let shop: TestShop
beforeAll(async () => { shop = await openShop() })
afterAll(() => shop?.close())

const times = (count: number, part: (index: number) => string) => Array.from({ length: count }, (_, index) => part(index)).join(' ')
const nested = (levels: number) => `{ products ${'{ items { reviews { items { product '.repeat(levels)}{ id }${' } } } }'.repeat(levels)} }`
describe('an operation beyond a limit', () => {
  test.each<[string, string, object]>([
    ['deep', nested(3), { limit: 'depth', allowed: 10, found: 14 }],
    ['deep in a hundred fragments', `{ ...f0 } ${times(100, index => `fragment f${index} on Query { products { items { id } } ...f${index + 1} }`)} fragment f100 on Query { shop { name } }`, { limit: 'tokens' }],
    ['costly', HUNDRED_PRODUCTS.replace('price', 'price reviews { items { comment } }'), { limit: 'cost', allowed: 8_000 }],
    ['full of aliases', `{ ${times(16, index => `a${index}: shop { name }`)} }`, { limit: 'aliases', allowed: 10, found: 16 }],
    ['full of aliases of one field', `{ shop { ${times(16, index => `a${index}: name`)} } }`, { limit: 'aliases', found: 16 }],
    ['full of aliases in fragments', `{ ...a ...b } fragment a on Query { ${times(8, index => `a${index}: shop { name }`)} } fragment b on Query { ${times(8, index => `b${index}: shop { name }`)} }`, { limit: 'aliases', found: 16 }],
    ['full of directives', `{ shop { name ${'@include(if: true) @skip(if: false) '.repeat(6)} } }`, { limit: 'directives', found: 12 }],
    ['that tries two passwords', 'mutation { a: login(email: "a", password: "b") { token } b: login(email: "a", password: "c") { token } }', { limit: 'login', allowed: 1 }],
    ['that tries two passwords in fragments', 'mutation { ...a ...b } fragment a on Mutation { a: login(email: "a", password: "b") { token } } fragment b on Mutation { b: login(email: "a", password: "c") { token } }', { limit: 'login' }],
    ['that signs ten addresses up', `mutation { ${times(10, index => `a${index}: subscribeToNewsletter(email: "a${index}@example.org") { subscribed }`)} }`, { limit: 'subscribeToNewsletter', allowed: 1, found: 10 }],
    ['that places two orders in fragments of fragments', 'mutation ($input: PlaceOrderInput!) { ...a ... { placeOrder(input: $input) { order { id } } } } fragment a on Mutation { ...b } fragment b on Mutation { again: placeOrder(input: $input) { order { id } } }', { limit: 'placeOrder', found: 2 }],
    ['of many tokens, then of none', `{ ${'name '.repeat(600)} ~`, { limit: 'tokens', found: 601 }],
    ['of many tokens', `{ ${'shop { name } '.repeat(500)} }`, { limit: 'tokens', allowed: 500, found: 2_002 }],
  ])('(%s) is refused before anything runs, with the limit and the size', async (_what, query, limit) => {
    const { status, data, errors } = await shop.gql(query)
    expect({ status, data }).toEqual({ status: 400, data: undefined })
    const found = errors!.find(({ extensions }) => extensions['limit'] === (limit as { limit: string }).limit)
    expect(found?.extensions).toMatchObject({ ...limit, code: expect.stringMatching(/^GRAPHQL_(VALIDATION|PARSE)_FAILED$/) })
    expect(found!.message).toMatch(/\d|once/)
  })

  it('that goes round in circles is refused', async () => {
    expect((await shop.gql('{ ...a } fragment a on Query { shop { name } ...b } fragment b on Query { ...a }')).status).toBe(400)
  })

  it('in megabytes is refused as a GraphQL answer that says how large it may be', async () => {
    const body = JSON.stringify({ query: `{ shop { name } } #${'x'.repeat(10_000_000)}` })
    const refusal = (message: string, more: object = {}) => ({ errors: [{ message, extensions: { code: 'PAYLOAD_TOO_LARGE', limit: 'body', allowed: 100_000, ...more } }] })
    const plain = await shop.send(body)
    expect([plain.status, await plain.json()]).toEqual([413, refusal(`The request has ${body.length.toLocaleString('en-US')} bytes, but 100,000 are allowed.`, { found: body.length })])
    const packed = await fetch(`${shop.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: gzipSync(body) })
    expect([packed.status, await packed.json()]).toEqual([413, refusal('The request is larger than the 100,000 bytes allowed.')])
  })
})

test.each(['utf-7', 'utf-16', 'iso-2022-kr'])('a request in %s is refused', async charset => {
  for (const path of ['/graphql', '/api/users/login']) {
    const response = await fetch(shop.url + path, { method: 'POST', headers: { 'content-type': `application/json; charset=${charset}` }, body: '{}' })
    expect(response.status).toBe(415)
    expect(response.headers.get('content-type')).toContain('json')
  }
})

describe('other sites', () => {
  test.each<[string, RequestInit & { path?: string }]>([
    ['a GET', { path: '/graphql?query={shop{name}}' }],
    ['plain text', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ shop { name } }"}' }],
    ['a form', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'query={shop{name}}' }],
  ])('cannot use %s of a browser', async (_what, { path = '/graphql', ...init }) => {
    const response = await fetch(shop.url + path, { ...init, headers: { ...init.headers, origin: 'https://elsewhere.example' } })
    expect([400, 415]).toContain(response.status)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('what the shop tells of itself', () => {
  let closed: TestShop
  beforeAll(async () => { closed = await openShop({ introspection: false }) })
  afterAll(() => closed?.close())

  it('is its contract, with suggestions', async () => {
    expect((await shop.gql(getIntrospectionQuery())).data.__schema.types.length).toBeGreaterThan(50)
    expect((await shop.gql('{ shp { name } }')).errors![0]!.message).toContain('Did you mean "shop"')
  })

  it('is neither without introspection', async () => {
    const { status, errors } = await closed.gql(getIntrospectionQuery())
    expect([status, errors![0]!.message]).toEqual([400, expect.stringContaining('introspection is not allowed')])
    expect((await closed.gql('{ __type(name: "User") { name } }')).status).toBe(400)
    expect(JSON.stringify(await closed.gql('{ shp { name } }'))).not.toContain('Did you mean')
    expect((await closed.gql('{ __typename shop { name } }')).data.shop.name).toBe('Skein')
  })

  it('is never where its code lies', async () => {
    await makeProduct(shop.em())
    for (const query of ['{', '{ nothing }', '{ product(id: 5.5) { id } }', '{ viewer { orders(first: 5000) { edges { cursor } } } }']) {
      expect(JSON.stringify(await shop.gql(query))).not.toMatch(/stacktrace|node_modules|\.ts:/)
    }
  })
})
