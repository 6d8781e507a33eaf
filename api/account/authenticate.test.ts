import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashOf } from './authenticate.ts'
import { makeKey, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

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

/** A JSON Web Token that says it is the administrator's. The shop has none; programs that look for holes send them all the same. */
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

/** By what each tries, the value of the header. */
const FORGED: Record<string, () => string> = {
  'no algorithm': () => `Bearer ${jwt({ alg: 'none' }, null)}`,
  'no algorithm, in another spelling': () => `Bearer ${jwt({ alg: 'NoNe' }, null)}`,
  'a guessed secret': () => `Bearer ${jwt({ alg: 'HS256' }, 'secret')}`,
  'an empty secret': () => `Bearer ${jwt({ alg: 'HS256' }, 'x').replace(/[^.]*$/, '')}`,
  'a public key for a secret': () => `Bearer ${jwt({ alg: 'HS256' }, publicPem)}`,
  'a key of its own': () => `Bearer ${signed()}`,
  'a key it brings along': () => `Bearer ${jwt({ alg: 'HS256', jwk: { kty: 'oct', k: 'c2VjcmV0' } }, 'secret')}`,
  'a key from elsewhere': () => `Bearer ${jwt({ alg: 'HS256', jku: 'https://elsewhere.example/keys', x5u: 'https://elsewhere.example/x' }, 'secret')}`,
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
  'a token in capitals': () => `Bearer ${admin.token.toUpperCase() === admin.token ? 'A'.repeat(43) : admin.token.toUpperCase()}`,
  'a token as a key': () => `Bearer sk_${admin.token}`,
  'a key as a token': () => `Bearer ${key.token.slice(3)}`,
  'two tokens': () => `Bearer ${admin.token}, Bearer ${admin.token}`,
  'another scheme': () => `Basic ${Buffer.from(`${admin.user.email}:${admin.token}`).toString('base64')}`,
  'no scheme': () => admin.token,
  'nothing': () => 'Bearer ',
  'an account’s id': () => `Bearer ${admin.id}`,
  'an injection': () => `Bearer ' or '1'='1' --`.padEnd(50, ' '),
  'a pattern': () => `Bearer ${'%'.repeat(43)}`,
  'underscores, which match any letter': () => `Bearer ${'_'.repeat(43)}`,
  'an object': () => 'Bearer {"$ne":null}',
  'letters of Latin 1': () => `Bearer ${'\xe9'.repeat(43)}`,
}

describe('a forged token', () => {
  test.each(Object.entries(FORGED))('(%s) is nobody’s', async (_what, forge) => {
    const authorization = forge()
    const json = { 'content-type': 'application/json' }
    const asked = await shop.send(JSON.stringify({ query: '{ viewer { id } users { total } }' }), { ...json, authorization })
    expect(await asked.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    const rest = await fetch(`${shop.url}/api/users`, { headers: { authorization } })
    expect([rest.status, await rest.json()]).toEqual([401, { message: 'Please sign in.', code: 'UNAUTHENTICATED' }])
    expect((await fetch(`${shop.url}/api/products`, { headers: { authorization } })).status).toBe(200)
    const stream = await fetch(`${shop.url}/graphql/stream`, { method: 'POST', headers: { ...json, authorization, accept: 'text/event-stream' }, body: JSON.stringify({ query: 'subscription { ordersChanged { __typename } }' }) })
    expect(await stream.text()).toContain('UNAUTHENTICATED')
  })

  it('is needed in the header alone', async () => {
    for (const path of [`/api/users?token=${admin.token}`, `/api/users?access_token=${admin.token}`, `/api/users?authorization=Bearer%20${admin.token}`]) {
      expect((await fetch(shop.url + path, { headers: { cookie: `token=${admin.token}; session=${admin.token}`, 'x-access-token': admin.token, 'proxy-authorization': `Bearer ${admin.token}` } })).status).toBe(401)
    }
  })
})

it('a token that is none of these is the administrator’s', async () => {
  for (const { token } of [admin, key]) expect((await fetch(`${shop.url}/api/users`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
})
