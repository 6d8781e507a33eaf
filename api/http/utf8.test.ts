import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { makeUser, makeProduct, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const PATCH =
  'mutation ($id: ID!, $name: String!) { patchProduct(id: $id, input: { name: $name }) { product { name } userErrors { message } } }'
const IMPORT =
  'mutation ($csv: Upload!) { importProducts(csv: $csv) { productImport { fileName } userErrors { code message } } }'
const nameOf = async (id: string) =>
  nth(await shop.em().execute<{ name: string }[]>('select name from products where id = ?', [id]), 0).name
/** The text with each ~ replaced by a byte that is invalid there in UTF-8. */
const broken = (text: string) => Buffer.from(text.replaceAll('~', '\xe9'), 'latin1')

function send(path: string, method: string, type: string, body: Buffer) {
  const headers = { 'content-type': type, 'apollo-require-preflight': 'true', authorization: `Bearer ${admin.token}` }
  return fetch(`${shop.url}${path}`, { method, headers, body: new Uint8Array(body) })
}

/** A GraphQL multipart request whose parts may contain any bytes. */
function form(
  operations: Buffer,
  fileName = Buffer.from('products.csv'),
  map = Buffer.from('{"0":["variables.csv"]}'),
) {
  const part = (head: string | Buffer, body: Buffer | string) =>
    Buffer.concat([
      Buffer.from('--edge\r\ncontent-disposition: form-data; '),
      Buffer.from(head),
      Buffer.from('\r\n\r\n'),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ])
  return Buffer.concat([
    part('name="operations"', operations),
    part('name="map"', map),
    part(Buffer.concat([Buffer.from('name="0"; filename="'), fileName, Buffer.from('"')]), 'name,price\nYarn,1'),
    Buffer.from('--edge--\r\n'),
  ])
}
const upload = (body: Buffer) => send('/graphql', 'POST', 'multipart/form-data; boundary=edge', body)

describe('bytes that are no UTF-8 are refused, and nothing is changed:', () => {
  test.each<[string, (id: string) => [path: string, method: string, body: Buffer]]>([
    [
      'in GraphQL',
      id => ['/graphql', 'POST', broken(JSON.stringify({ query: PATCH, variables: { id, name: 'Caf~' } }))],
    ],
    [
      'over REST',
      id => [`/api/products/${id}/reviews`, 'POST', broken(JSON.stringify({ rating: 5, comment: 'Caf~' }))],
    ],
    [
      'cut within a sign',
      id => [
        '/graphql',
        'POST',
        Buffer.concat([
          Buffer.from('{"query":"{ shop { name } }","variables":{"id":"'),
          Buffer.from(id),
          Buffer.from('🧶').subarray(0, 3),
          Buffer.from('"}}'),
        ]),
      ],
    ],
  ])('%s', async (_where, request) => {
    const { id, name } = await makeProduct(shop.em())
    const [path, method, body] = request(id)
    const response = await send(path, method, 'application/json', body)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('UTF-8')])
    expect(await nameOf(id)).toBe(name)
    expect(await shop.em().execute('select 1 from reviews where product_id = ?', [id])).toEqual([])
  })

  test.each<[string, Buffer]>([
    [
      'in the field operations of a form',
      form(broken(JSON.stringify({ query: IMPORT, variables: { csv: null, note: 'Caf~' } }))),
    ],
    [
      'in the field map of a form',
      form(
        Buffer.from(JSON.stringify({ query: IMPORT, variables: { csv: null } })),
        undefined,
        broken('{"0":["variables.csv","variables.Caf~"]}'),
      ),
    ],
  ])('%s', async (_where, body) => {
    const response = await upload(body)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('UTF-8')])
  })

  it('in the name of a file', async () => {
    const answer = await upload(
      form(Buffer.from(JSON.stringify({ query: IMPORT, variables: { csv: null } })), broken('Caf~.csv')),
    )
    expect(await answer.json()).toMatchObject({
      data: {
        importProducts: {
          productImport: null,
          userErrors: [{ code: 'FILE_UNREADABLE', message: expect.stringContaining('UTF-8') }],
        },
      },
    })
  })
})

describe('the sign for a lost letter is kept as any other when it was sent itself:', () => {
  it('in GraphQL', async () => {
    const { id } = await makeProduct(shop.em())
    expect((await shop.gql(PATCH, { id, name: 'Caf\uFFFD 🧶' }, admin)).data.patchProduct).toEqual({
      product: { name: 'Caf\uFFFD 🧶' },
      userErrors: [],
    })
  })

  it('in a form', async () => {
    const answer = await upload(
      form(Buffer.from(JSON.stringify({ query: `${IMPORT} # \uFFFD`, variables: { csv: null } }))),
    )
    expect(await answer.json()).toMatchObject({ data: { importProducts: { userErrors: [] } } })
  })
})
