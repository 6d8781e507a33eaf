import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { addTypenameToDocument } from '@apollo/client/utilities'
import { concatAST, parse, print, separateOperations } from 'graphql'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let strict: TestShop
beforeAll(async () => {
  shop = await openShop()
  strict = await openShop({ persistedOnly: true })
  await makeProduct(shop.em(), { name: 'Madder' })
})
afterAll(async () => {
  await shop?.close()
  await strict?.close()
})

const sha256Hash = (query: string) => createHash('sha256').update(query).digest('hex')
const extensions = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256Hash(query) } })

function get(parameters: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(`${shop.url}/graphql?${new URLSearchParams(parameters)}`, {
    headers: { 'apollo-require-preflight': 'true', ...headers },
  })
}

describe('an automatic persisted query', () => {
  const query = '{ products { items { name } } }'

  it('is asked for once, then known by its hash', async () => {
    const byHash = async () => (await get({ extensions: JSON.stringify(extensions(query)) })).json()
    expect(await byHash()).toMatchObject({ errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] })
    expect((await shop.send(JSON.stringify({ query, extensions: extensions(query) }))).status).toBe(200)
    expect(await byHash()).toEqual({ data: { products: { items: [{ name: 'Madder' }] } } })
  })

  it('must have the hash it claims', async () => {
    const response = await shop.send(JSON.stringify({ query: '{ shop { name } }', extensions: extensions(query) }))
    expect(response.status).toBe(400)
  })
})

describe('a GET', () => {
  const query = '{ shop { name currency } }'

  it('of public data may be cached, and is not sent twice', async () => {
    const first = await get({ query })
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('public, max-age=5')
    expect(first.headers.get('vary')).toContain('authorization')
    const etag = present(first.headers.get('etag'))
    const second = await get({ query }, { 'if-none-match': `"x", ${etag}` })
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get({ query: '{ shop { name } }' }, { 'if-none-match': etag })).status).toBe(200)
  })

  test.each<[string, string, boolean]>([
    ['with a token', query, true],
    ['that is refused', '{ myOrders { id } }', false],
    ['that is not valid', '{ nothing }', false],
  ])('%s is not cached', async (_what, query, withToken) => {
    const { token } = await makeUser(shop.em())
    const response = await get({ query }, withToken ? { authorization: `Bearer ${token}` } : {})
    expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual(['no-store', null])
  })

  it('is the only method whose answers are cached', async () => {
    expect((await shop.send(JSON.stringify({ query }))).headers.get('cache-control')).toBe('no-store')
  })
})

describe('a shop that runs only its own operations', () => {
  const written = concatAST(globSync('storefront/**/*.graphql').map(file => parse(readFileSync(file, 'utf8'))))
  const code = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code

  test.each(Object.entries(separateOperations(written)))(
    'knows %s of the storefront as a browser sends it',
    async (_name, document) => {
      const response = await strict.send(
        JSON.stringify({ query: print(addTypenameToDocument(document)), variables: {} }),
      )
      expect(code((await response.json()) as object)).not.toBe('OPERATION_NOT_LISTED')
    },
  )

  it('refuses others to everyone but administrators', async () => {
    const query = '{ shop { name } products { total } }'
    const em = strict.em()
    expect(await strict.gql(query)).toMatchObject({
      status: 403,
      errors: [{ extensions: { code: 'OPERATION_NOT_LISTED' } }],
    })
    expect((await strict.gql(query, {}, await makeUser(em))).status).toBe(403)
    expect((await strict.gql(query, {}, await makeUser(em, { isAdmin: true }))).status).toBe(200)
  })

  it('answers over REST as always', async () => {
    expect((await fetch(`${strict.url}/api/products`)).status).toBe(200)
  })
})
