import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FieldOf } from '../generated/answers.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'
import { hashPassword } from './password.ts'
import { present } from '#schema/rules/present'

// What ends a session or takes a role away applies from the very next request, over both APIs, in every shop process.

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
})
afterAll(() => shop?.close())

const OLD = 'knit one, purl two'
const NEW = 'cable and moss stitch'

/** What this identity may do right now: the statuses of a shopper's and of an administrator's request. */
async function standing({ token }: NonNullable<Identity>) {
  const rest = async (path: string) => {
    const response = await fetch(shop.url + path, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  }
  const graphql = async (query: string) => (await shop.gql(query, {}, { token })).status
  return {
    shopper: [await graphql('{ myOrders { id } }'), await rest('/api/orders/my-orders')],
    admin: [await graphql('{ users { total } }'), await rest('/api/users')],
  }
}

const ADMIN = { shopper: [200, 200], admin: [200, 200] }
const SHOPPER = { shopper: [200, 200], admin: [403, 403] }
const NOBODY = { shopper: [401, 401], admin: [401, 401] }

async function send(path: string, method: string, { token }: NonNullable<Identity>, body?: object) {
  const response = await fetch(shop.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { token?: string }
  expect(response.status).toBe(200)
  return answer
}

async function gql<const Document extends string>(query: Document, variables: object, identity: Identity) {
  const { data, errors } = await shop.gql(query, variables, identity)
  expect(errors).toBeUndefined()
  const [result] = Object.values(data as Record<string, FieldOf<Document> & { userErrors?: unknown[] }>)
  expect(present(result).userErrors ?? []).toEqual([])
  return present(result)
}

/** An administrator with two sessions, and another one who acts on them. */
async function people() {
  const em = shop.em()
  const [actor, first] = [
    await makeUser(em, { isAdmin: true }),
    await makeUser(em, { isAdmin: true, passwordHash: await hashPassword(OLD) }),
  ]
  const second = await gql(
    'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token userErrors { code } } }',
    { email: first.user.email, password: OLD },
    null,
  )
  for (const session of [first, second]) expect(await standing(session)).toEqual(ADMIN)
  return { actor, first, second: second as NonNullable<Identity> }
}

interface Cut {
  act: (made: { actor: Account; first: Account; second: NonNullable<Identity> }) => Promise<unknown>
  first: object
  second: object
}

const profile = ({ user }: Account, password: string) => ({ name: user.name, email: user.email, password })

const CUTS: Record<string, Cut> = {
  'signing out over GraphQL': {
    act: ({ first }) => gql('mutation { logout }', {}, first),
    first: NOBODY,
    second: ADMIN,
  },
  'signing out over REST': {
    act: ({ first }) => send('/api/users/logout', 'POST', first),
    first: NOBODY,
    second: ADMIN,
  },
  'losing the role over GraphQL': {
    act: ({ actor, first }) =>
      gql(
        'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { code } } }',
        { id: first.id, input: { name: 'Nell', email: first.user.email, isAdmin: false } },
        actor,
      ),
    first: SHOPPER,
    second: SHOPPER,
  },
  'losing the role over REST': {
    act: async ({ actor, first }) => {
      await send(`/api/users/${first.id}`, 'PUT', actor, { name: 'Nell', email: first.user.email, isAdmin: false })
    },
    first: SHOPPER,
    second: SHOPPER,
  },
  'closing the account over GraphQL': {
    act: ({ actor, first }) =>
      gql('mutation($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id: first.id }, actor),
    first: NOBODY,
    second: NOBODY,
  },
  'closing the account over REST': {
    act: async ({ actor, first }) => {
      await send(`/api/users/${first.id}`, 'DELETE', actor)
    },
    first: NOBODY,
    second: NOBODY,
  },
  'a new password over GraphQL': {
    act: ({ first }) =>
      gql(
        'mutation($input: ProfileInput!) { updateProfile(input: $input) { token userErrors { code } } }',
        { input: profile(first, NEW) },
        first,
      ),
    first: NOBODY,
    second: NOBODY,
  },
  'a new password over REST': {
    act: ({ first }) => send('/api/users/profile', 'PUT', first, profile(first, NEW)),
    first: NOBODY,
    second: NOBODY,
  },
  'a forgotten password': {
    async act({ first: { user } }) {
      await gql(
        'mutation($email: String!) { requestPasswordReset(email: $email) { userErrors { code } } }',
        { email: user.email },
        null,
      )
      const token = tokenIn((await mailsTo(shop, user.email))[0])
      await gql(
        'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { userErrors { code } } }',
        { token, password: NEW },
        null,
      )
    },
    first: NOBODY,
    second: NOBODY,
  },
}

describe.each(Object.entries(CUTS))('%s', (_what, { act, first, second }) => {
  it('holds at once', async () => {
    const made = await people()
    const fresh = (await act(made)) as { token?: string } | boolean | undefined
    expect({ first: await standing(made.first), second: await standing(made.second) }).toEqual({ first, second })
    // People who change their own password stay signed in, with a new token.
    if (typeof fresh === 'object' && fresh.token) expect(await standing({ token: fresh.token })).toEqual(ADMIN)
  })
})
