import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashOf } from '../kernel/tokens.ts'
import { makeKey, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let key: { token: string }
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  key = await makeKey(shop.em(), admin, ['ADMIN'])
})
afterAll(() => shop?.close())

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON Web Token that claims to be the administrator's. The shop uses none, but programs that look for holes send them. */
function jwt(header: object, secret: string | null, claims: object = {}): string {
  const said = `${part({ typ: 'JWT', ...header })}.${part({ sub: admin.id, id: admin.id, isAdmin: true, exp: 4_102_444_800, ...claims })}`
  return `${said}.${secret === null ? '' : createHmac('sha256', secret).update(said).digest('base64url')}`
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const signed = () => {
  const said = jwt({ alg: 'RS256' }, null).slice(0, -1)
  return `${said}.${sign('sha256', Buffer.from(said), rsa.privateKey).toString('base64url')}`
}

const flipped = (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')

/** The value of the header, by what each forgery tries. */
const FORGED: Record<string, () => string> = {
  'no algorithm': () => `Bearer ${jwt({ alg: 'none' }, null)}`,
  'no algorithm, in another spelling': () => `Bearer ${jwt({ alg: 'NoNe' }, null)}`,
  'a guessed secret': () => `Bearer ${jwt({ alg: 'HS256' }, 'secret')}`,
  'an empty secret': () => `Bearer ${jwt({ alg: 'HS256' }, 'x').replace(/[^.]*$/, '')}`,
  'a public key for a secret': () => `Bearer ${jwt({ alg: 'HS256' }, publicPem)}`,
  'a key of its own': () => `Bearer ${signed()}`,
  'a key it brings along': () => `Bearer ${jwt({ alg: 'HS256', jwk: { kty: 'oct', k: 'c2VjcmV0' } }, 'secret')}`,
  'a key from elsewhere': () =>
    `Bearer ${jwt({ alg: 'HS256', jku: 'https://elsewhere.example/keys', x5u: 'https://elsewhere.example/x' }, 'secret')}`,
  'a key file of the machine': () => `Bearer ${jwt({ alg: 'HS256', kid: '../../../../dev/null' }, '')}`,
  'a key out of the database': () => `Bearer ${jwt({ alg: 'HS256', kid: `x' union select 'secret'--` }, 'secret')}`,
  'two dots': () => 'Bearer ..',
  'a token that is over': () => `Bearer ${jwt({ alg: 'HS256' }, 'secret', { exp: 1 })}`,
  'a token that has not begun': () => `Bearer ${jwt({ alg: 'HS256' }, 'secret', { nbf: 4_102_444_800 })}`,
  'the hash that is stored': () => `Bearer ${hashOf(admin.token)}`,
  'the hash, as long as a token': () => `Bearer ${hashOf(admin.token).slice(0, 43)}`,
  'the hash of a key': () => `Bearer sk_${hashOf(key.token).slice(0, 43)}`,
  'a token of chance': () => `Bearer ${randomBytes(32).toString('base64url')}`,
  'a key of chance': () => `Bearer sk_${randomBytes(32).toString('base64url')}`,
  'a token with one letter changed': () => `Bearer ${flipped(admin.token)}`,
  'a key with one letter changed': () => `Bearer ${flipped(key.token)}`,
  'a token cut short': () => `Bearer ${admin.token.slice(0, -1)}`,
  'a token that goes on': () => `Bearer ${admin.token}A`,
  'a token in capitals': () =>
    `Bearer ${admin.token.toUpperCase() === admin.token ? 'A'.repeat(43) : admin.token.toUpperCase()}`,
  'a token as a key': () => `Bearer sk_${admin.token}`,
  'a key as a token': () => `Bearer ${key.token.slice(3)}`,
  'two tokens': () => `Bearer ${admin.token}, Bearer ${admin.token}`,
  'another scheme': () => `Basic ${Buffer.from(`${admin.user.email}:${admin.token}`).toString('base64')}`,
  'no scheme': () => admin.token,
  'no token': () => 'Bearer ',
  'an account’s id': () => `Bearer ${admin.id}`,
  'an injection': () => `Bearer ' or '1'='1' --`.padEnd(50, ' '),
  'a pattern': () => `Bearer ${'%'.repeat(43)}`,
  'underscores, which match any letter': () => `Bearer ${'_'.repeat(43)}`,
  'an object': () => 'Bearer {"$ne":null}',
  'letters of Latin 1': () => `Bearer ${'\xe9'.repeat(43)}`,
}

const json = { 'content-type': 'application/json' }
const REFUSED = { status: 401, challenge: 'Bearer error="invalid_token"', code: 'UNAUTHENTICATED' }

/** Sends a request to every endpoint, mostly for what anyone may see. */
async function atEveryDoor(authorization: string) {
  const headers = { ...json, authorization }
  const stream = { ...headers, accept: 'text/event-stream' }
  const answers = await Promise.all([
    shop.send(JSON.stringify({ query: '{ shop { name } }' }), headers),
    fetch(`${shop.url}/graphql?query={shop{name}}`, { headers }),
    fetch(`${shop.url}/graphql/stream`, {
      method: 'POST',
      headers: stream,
      body: JSON.stringify({ query: 'subscription { ordersChanged { type } }' }),
    }),
    fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, accept: 'multipart/mixed;subscriptionSpec=1.0' },
      body: JSON.stringify({ query: 'subscription { ordersChanged { type } }' }),
    }),
    fetch(`${shop.url}/api/products`, { headers }),
    fetch(`${shop.url}/api/products/${admin.id}`, { method: 'PUT', headers, body: '{' }),
    fetch(`${shop.url}/api/orders/${admin.id}/invoice.pdf`, { headers: { authorization } }),
  ])
  return Promise.all(
    answers.map(async answer => {
      const body = (await answer.json()) as { code?: string; errors: { extensions: { code: string } }[] }
      return {
        status: answer.status,
        challenge: answer.headers.get('www-authenticate'),
        code: body.code ?? nth(body.errors, 0).extensions.code,
      }
    }),
  )
}

describe('a forged token', () => {
  test.each(Object.entries(FORGED))(
    '(%s) is refused at every endpoint, and never taken for a visitor’s',
    async (_what, forge) => {
      expect(await atEveryDoor(forge())).toEqual(Array.from({ length: 7 }, () => REFUSED))
    },
  )

  it('says in GraphQL that it was the token', async () => {
    const answer = await shop.gql('{ shop { name } }', {}, { token: 'A'.repeat(43) })
    expect(answer).toEqual({
      status: 401,
      errors: [
        {
          message: 'Your session has expired. Please sign in again.',
          extensions: { code: 'UNAUTHENTICATED', reason: 'INVALID_TOKEN' },
        },
      ],
    })
  })

  it.each([
    ['in the header `X-Api-Key`', '', { 'x-api-key': 'sk_1' }],
    ['in the address', '?access_token=sk_1', {}],
    ['in the address', '?api_key=sk_1', {}],
  ])('(%s) is told where it belongs', async (place, query, headers) => {
    for (const path of ['/graphql', '/api/products']) {
      const answer = await fetch(`${shop.url}${path}${query}`, { headers: headers as Record<string, string> })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, REFUSED.challenge])
      expect(await answer.text()).toContain(`Send the token or key as \`Authorization: Bearer …\`, not ${place}.`)
    }
  })

  it('is needed in the header alone', async () => {
    for (const path of [
      `/api/users?token=${admin.token}`,
      `/api/users?access_token=${admin.token}`,
      `/api/users?authorization=Bearer%20${admin.token}`,
    ]) {
      expect(
        (
          await fetch(shop.url + path, {
            headers: {
              cookie: `token=${admin.token}; session=${admin.token}`,
              'x-access-token': admin.token,
              'proxy-authorization': `Bearer ${admin.token}`,
            },
          })
        ).status,
      ).toBe(401)
    }
  })
})

describe('a token or key that was good', () => {
  const user = () => makeUser(shop.em())
  test.each<[string, () => Promise<{ token: string }>]>([
    [
      'of a session that is over',
      async () => {
        const account = await user()
        await shop.gql('mutation { logout }', {}, account)
        return account
      },
    ],
    [
      'of a session that was not used for a month',
      async () => {
        const account = await user()
        await shop
          .em()
          .execute(`update sessions set used_at = now() - interval '60 days' where token_hash = ?`, [
            hashOf(account.token),
          ])
        return account
      },
    ],
    [
      'of a closed account',
      async () => {
        const account = await user()
        await shop.em().execute('update users set closed_at = now() where id = ?', [account.id])
        return account
      },
    ],
    [
      'that was revoked',
      async () => {
        const revoked = await makeKey(shop.em(), admin, ['ADMIN'])
        await shop.em().execute('update api_keys set revoked_at = now() where key_hash = ?', [hashOf(revoked.token)])
        return revoked
      },
    ],
  ])('(%s) is refused at every endpoint', async (_what, make) => {
    const { token } = await make()
    expect(await atEveryDoor(`Bearer ${token}`)).toEqual(Array.from({ length: 7 }, () => REFUSED))
  })
})

test.each(['Bearer', 'bearer', 'BEARER'])('%s is how a good one is brought, in any case', async scheme => {
  for (const { token } of [admin, key])
    expect((await fetch(`${shop.url}/api/users`, { headers: { authorization: `${scheme} ${token}` } })).status).toBe(
      200,
    )
})

it('an empty header brings none', async () => {
  expect((await fetch(`${shop.url}/api/products`, { headers: { authorization: '' } })).status).toBe(200)
})

describe('who may is decided before the body is looked at', () => {
  const put = (path: string, authorization: string | null, body: string | null, type = 'application/json') =>
    fetch(shop.url + path, {
      method: 'PUT',
      headers: { ...(authorization && { authorization }), ...(body !== null && { 'content-type': type }) },
      body,
    })

  test.each<[string, string | null, string]>([
    ['no body', null, 'application/json'],
    ['a broken body', '{', 'application/json'],
    ['a wrong body', '{"name":1}', 'application/json'],
    ['a body of another type', '<xml/>', 'application/xml'],
    ['a body that is too large', `{"name":"${'x'.repeat(200_000)}"}`, 'application/json'],
  ])('%s', async (_what, body, type) => {
    const [shopper, reader] = [await makeUser(shop.em()), await makeKey(shop.em(), admin, ['READ_CATALOGUE'])]
    const visitor = await put(`/api/products/${admin.id}`, null, body, type)
    expect([visitor.status, visitor.headers.get('www-authenticate'), await visitor.json()]).toEqual([
      401,
      'Bearer',
      { message: 'Please sign in.', code: 'UNAUTHENTICATED' },
    ])
    expect((await put(`/api/orders/${admin.id}/pay`, null, body, type)).status).toBe(401)
    expect((await put(`/api/products/${admin.id}`, `Bearer ${shopper.token}`, body, type)).status).toBe(403)
    expect((await put(`/api/products/${admin.id}`, `Bearer ${reader.token}`, body, type)).status).toBe(403)
    expect((await put(`/api/products/${admin.id}`, `Bearer ${admin.token}`, body, type)).status).toBeGreaterThanOrEqual(
      400,
    )
  })
})
