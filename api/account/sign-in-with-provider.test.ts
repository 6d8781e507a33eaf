import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { TOTP, Secret } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lastOf, nth, present } from '#schema/rules/present'
import { startOpenidProvider, type OpenidProvider, type Vouched } from '../../tools/openid-provider/provider.ts'
import { lockWaits } from '../testing/lock-waits.ts'
import { makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { takeTurn } from './addresses.ts'
import { LinkedIdentity } from './linked-identity.entity.ts'
import { hashPassword } from './password.ts'
import { connectProviders } from './providers.ts'
import { SecondFactor } from './second-factor.entity.ts'
import { User } from './user.entity.ts'

const appleKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const CLIENT = 'skein.example'
const APP = 'com.example.skein.app'
const ANN: Vouched = { sub: '1234567890', email: 'ann@gmail.com', email_verified: true, name: 'Ann Lee' }

let shop: TestShop
let google: OpenidProvider
let apple: OpenidProvider
const shopUrl = 'http://127.0.0.1'
let serial = 0
/** A person new at the provider. */
const somebody = (more: Partial<Vouched> = {}): Vouched => {
  serial++
  return { ...ANN, sub: `person-${serial}`, email: `person.${serial}@gmail.com`, ...more }
}

beforeAll(async () => {
  google = await startOpenidProvider()
  const env = { issuer: google.issuer, clientId: CLIENT, secret: 'shh', apps: [APP] }
  apple = await startOpenidProvider()
  const secret = appleKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const appleEnv = { issuer: apple.issuer, clientId: 'web.skein', secret, teamId: 'TEAM', keyId: 'KEY', apps: [APP] }
  shop = await openShop({ shopUrl, providers: connectProviders({ google: env, apple: appleEnv }, shopUrl) })
})
afterAll(async () => {
  await shop.close()
  await google.close()
  await apple.close()
})
beforeEach(() => {
  google.wrong = {}
  google.isDown = false
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(shop.url + path, { redirect: 'manual', headers })
const cookieIn = (response: Response, name: string) =>
  new RegExp(`${name}=([^;]*)`).exec(response.headers.getSetCookie().find(set => set.startsWith(`${name}=`)) ?? '')?.[1]

/** Sends a browser to the provider. Returns its cookie and the address it is sent back to. */
async function goThere(person: Vouched, query = '') {
  google.person = person
  const begun = await get(`/api/sign-in/google${query}`)
  const attempt = present(cookieIn(begun, 'attempt'))
  const there = await fetch(present(begun.headers.get('location')), { redirect: 'manual' })
  return { attempt, back: present(there.headers.get('location')).replace(shopUrl, '') }
}

const comeBack = (back: string, attempt: string) =>
  get(back, { cookie: `attempt=${attempt}`, 'sec-fetch-site': 'cross-site' })

async function ticketFor(person: Vouched) {
  const { attempt, back } = await goThere(person)
  return present(cookieIn(await comeBack(back, attempt), 'ticket'))
}

const SIGN_IN = `mutation ($input: ProviderSignInInput!) {
  signInWithProvider(input: $input) {
    user { id name email emailVerified hasPassword identities { provider email } }
    token device userErrors { code message field }
  }
}` as const

async function signIn(credential: object, more: object = {}) {
  const { data, errors } = await shop.gql(SIGN_IN, { input: { credential, ...more } })
  expect(errors).toBeUndefined()
  return data.signInWithProvider
}

const codeOf = async (outcome: ReturnType<typeof signIn>) => (await outcome).userErrors[0]?.code

describe('in a browser', () => {
  test('somebody new comes back to where they were with an account of their own', async () => {
    const person = somebody()
    const { attempt, back } = await goThere(person, '?redirect=/cart')
    const returned = await comeBack(back, attempt)
    expect(returned.status).toBe(303)
    expect(returned.headers.get('location')).toBe('/signing-in?redirect=%2Fcart')
    expect(cookieIn(returned, 'attempt')).toBe('')
    const { user, token, userErrors } = await signIn({ ticket: cookieIn(returned, 'ticket') })
    expect(userErrors).toEqual([])
    expect(user).toMatchObject({
      name: 'Ann Lee',
      email: person.email,
      emailVerified: true,
      hasPassword: false,
      identities: [{ provider: 'GOOGLE', email: person.email }],
    })
    const { data } = await shop.gql('{ viewer { id } }', {}, { token: present(token) })
    expect(present(data.viewer).id).toBe(present(user).id)
  })

  test('a second time it is the same account, whatever the email is by then', async () => {
    const person = somebody()
    const first = await signIn({ ticket: await ticketFor(person) })
    const second = await signIn({ ticket: await ticketFor({ ...person, email: 'married@gmail.com' }) })
    expect(present(second.user).id).toBe(present(first.user).id)
  })

  test('a ticket is good once', async () => {
    const ticket = await ticketFor(somebody())
    expect(await codeOf(signIn({ ticket }))).toBeUndefined()
    expect(await codeOf(signIn({ ticket }))).toBe('IDENTITY_UNPROVEN')
  })

  test('nobody is signed in with what another browser began', async () => {
    const theirs = await goThere(somebody())
    const mine = await goThere(somebody())
    for (const attempt of [theirs.attempt, '', 'x'.repeat(43) + '.e30']) {
      const returned = await comeBack(mine.back, attempt)
      expect(returned.headers.get('location')).toMatch(/^\/login\?.*trouble=failed-google/)
      expect(cookieIn(returned, 'ticket')).toBeUndefined()
    }
  })

  test('a state that was changed on the way back is refused', async () => {
    const { attempt, back } = await goThere(somebody())
    const changed = back.replace(/state=[^&]*/, `state=${'x'.repeat(43)}`)
    expect((await comeBack(changed, attempt)).headers.get('location')).toContain('trouble=failed-google')
  })

  test('a code is good once', async () => {
    const { attempt, back } = await goThere(somebody())
    expect(cookieIn(await comeBack(back, attempt), 'ticket')).toBeDefined()
    expect((await comeBack(back, attempt)).headers.get('location')).toContain('trouble=failed-google')
  })

  test.each([
    ['another nonce', { nonce: 'another' }],
    ['another audience', { aud: 'another.shop' }],
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['an end that is past', { exp: Math.floor(Date.now() / 1_000) - 600 }],
  ])('a token with %s is refused', async (_, wrong) => {
    google.wrong = wrong
    const { attempt, back } = await goThere(somebody())
    const returned = await comeBack(back, attempt)
    expect(returned.headers.get('location')).toContain('trouble=failed-google')
    expect(cookieIn(returned, 'ticket')).toBeUndefined()
  })

  test('whoever thinks better of it is back at the entrance, without a word', async () => {
    const { attempt, back } = await goThere(somebody(), '?redirect=/cart')
    const state = present(new URLSearchParams(back.split('?')[1]).get('state'))
    const returned = await comeBack(`/api/sign-in/google/callback?error=access_denied&state=${state}`, attempt)
    expect(returned.headers.get('location')).toBe('/login?redirect=%2Fcart')
  })

  test('a page elsewhere leads nobody in', async () => {
    const response = await get('/api/sign-in/google', { 'sec-fetch-site': 'cross-site' })
    expect(response.headers.get('location')).toBe('/login')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('a provider that is down is named', async () => {
    const { attempt, back } = await goThere(somebody())
    google.isDown = true
    expect((await comeBack(back, attempt)).headers.get('location')).toContain('trouble=no-answer-google')
  })

  test('a shop without providers shows none', async () => {
    const plain = await openShop()
    const { data } = await plain.gql('{ shop { signInProviders } }')
    expect(data.shop.signInProviders).toEqual([])
    expect((await fetch(`${plain.url}/api/sign-in/google`, { redirect: 'manual' })).status).toBe(404)
    const { data: refused } = await plain.gql(SIGN_IN, {
      input: { credential: { idToken: { provider: 'APPLE', token: 'x', nonce: 'long enough for one' } } },
    })
    expect(refused.signInWithProvider.userErrors).toMatchObject([{ code: 'PROVIDER_OFF' }])
    await plain.close()
  })
})

describe('where the email has an account', () => {
  const password = 'knit one, purl two'
  const account = async (email: string, fields: Parameters<typeof makeUser>[1] = {}) =>
    makeUser(shop.em(), { email, passwordHash: await hashPassword(password), ...fields })

  test('the provider’s sure word opens one whose email is confirmed', async () => {
    const person = somebody()
    const { id } = await account(present(person.email))
    const { user } = await signIn({ ticket: await ticketFor(person) })
    expect(present(user).id).toBe(id)
    expect(present(user).hasPassword).toBe(true)
  })

  test('of a mailbox elsewhere, Google’s word is not enough: the password is asked for, once', async () => {
    const person = somebody({ email: `elsewhere.${serial}@example.com` })
    const { id } = await account(present(person.email))
    const ticket = await ticketFor(person)
    expect(await codeOf(signIn({ ticket }))).toBe('PASSWORD_REQUIRED')
    expect(await codeOf(signIn({ ticket }, { password: 'a guess' }))).toBe('WRONG_CREDENTIALS')
    expect(present((await signIn({ ticket }, { password })).user).id).toBe(id)
    expect(present((await signIn({ ticket: await ticketFor(person) })).user).id).toBe(id)
  })

  test('one that only claims the email is not taken over, nor lies in wait', async () => {
    const person = somebody()
    const { id } = await account(present(person.email), { emailVerifiedAt: null })
    const ticket = await ticketFor(person)
    expect(await codeOf(signIn({ ticket }))).toBe('PASSWORD_REQUIRED')
    const { user } = await signIn({ ticket }, { newAccount: true })
    expect(present(user).id).not.toBe(id)
    expect(present(user).emailVerified).toBe(true)
    expect((await shop.em().findOneOrFail(User, { id })).closedAt).not.toBeNull()
  })

  test('one that claims the email, and whose password is known, is kept and confirmed', async () => {
    const person = somebody()
    const { id } = await account(present(person.email), { emailVerifiedAt: null })
    const { user } = await signIn({ ticket: await ticketFor(person) }, { password })
    expect(user).toMatchObject({ id, emailVerified: true })
  })

  test('an unconfirmed email opens nothing and tells nothing', async () => {
    const person = somebody({ email_verified: false })
    const { id } = await account(present(person.email))
    const { user } = await signIn({ ticket: await ticketFor(person) })
    expect(present(user).id).not.toBe(id)
    expect(user).toMatchObject({ email: person.email, emailVerified: false })
  })

  test('two who come at once with the same identity are one', async () => {
    const person = somebody()
    const tickets = await Promise.all([ticketFor(person), ticketFor(person), ticketFor(person)])
    const answers = await Promise.all(tickets.map(ticket => signIn({ ticket })))
    expect(new Set(answers.map(({ user }) => user?.id)).size).toBe(1)
    expect(await shop.em().count(LinkedIdentity, { subject: person.sub })).toBe(1)
  })

  test.each(['opens an account', 'finds one that claims the email'])(
    'one that %s waits for whoever is confirming the same email, and locks no account meanwhile',
    async found => {
      const person = somebody()
      const email = present(person.email)
      const claimant = found === 'opens an account' ? null : await account(email, { emailVerifiedAt: null })
      const ticket = await ticketFor(person)
      const confirming = shop.em()
      await confirming.begin()
      await takeTurn(confirming, email)
      let isIn = false
      const signedIn = signIn({ ticket }, claimant ? { password } : {}).finally(() => (isIn = true))
      await lockWaits(shop.em())
      await confirming.execute('select from users where email_key = ? for update nowait', [email])
      expect(isIn).toBe(false)
      await confirming.commit()
      expect((await signedIn).user).toMatchObject({ email, emailVerified: true, ...(claimant && { id: claimant.id }) })
    },
  )
})

describe('in an app', () => {
  const nonce = () => `a nonce of the app ${++serial}`
  const withToken = async (person: Vouched, wrong: Record<string, unknown> = {}, audience = APP) => {
    const given = nonce()
    return {
      idToken: { provider: 'GOOGLE', nonce: given, token: await google.idToken(audience, given, person, wrong) },
    }
  }

  test('an ID token for one of the shop’s apps signs in, once', async () => {
    const person = somebody()
    const credential = await withToken(person)
    expect(present((await signIn(credential)).user).email).toBe(person.email)
    expect(await codeOf(signIn(credential))).toBe('IDENTITY_UNPROVEN')
  })

  test.each([
    ['for somebody else’s app', {}, 'another.app'],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 600 }, APP],
    ['of another nonce', { nonce: 'an older nonce, that was seen' }, APP],
    ['of another issuer', { iss: 'https://elsewhere.example' }, APP],
  ])('one %s does not', async (_, wrong, audience) => {
    expect(await codeOf(signIn(await withToken(somebody(), wrong, audience)))).toBe('IDENTITY_UNPROVEN')
  })

  test('one that somebody signed themselves does not', async () => {
    const forger = await startOpenidProvider()
    const given = nonce()
    const token = await forger.idToken(APP, given, ANN, { iss: google.issuer })
    await forger.close()
    expect(await codeOf(signIn({ idToken: { provider: 'GOOGLE', nonce: given, token } }))).toBe('IDENTITY_UNPROVEN')
  })
})

/** Apple's way: its site posts a form, which comes without cookies and with the name beside it. */
async function comeBackFromApple(person: Vouched, query = '') {
  apple.person = person
  const begun = await get(`/api/sign-in/apple${query}`)
  const page = await (await fetch(present(begun.headers.get('location')))).text()
  const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name, value]) =>
      [present(name), present(value).replaceAll('&quot;', '"').replaceAll('&amp;', '&')] as [string, string],
  )
  const sent = await fetch(`${shop.url}/api/sign-in/apple/callback`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: apple.issuer, 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams(fields),
  })
  expect(sent.status).toBe(303)
  return comeBack(present(sent.headers.get('location')), present(cookieIn(begun, 'attempt')))
}

describe('with Apple', () => {
  test('the form leads on to where the cookie comes, and the name it tells once is taken', async () => {
    const { name: _, ...person } = somebody({ email: 'x7k2@privaterelay.appleid.com', email_verified: 'true' })
    const ticket = cookieIn(await comeBackFromApple(person), 'ticket')
    const { user } = await signIn({ ticket })
    expect(user).toMatchObject({ name: 'Ann Lee', email: person.email, emailVerified: true })
  })

  test('the shop signs for itself with the key from Apple', async () => {
    await comeBackFromApple(somebody())
    const { payload, protectedHeader } = await jwtVerify(
      present(lastOf(apple.asked).get('client_secret')),
      appleKey.publicKey,
    )
    expect(payload).toMatchObject({ iss: 'TEAM', sub: 'web.skein', aud: apple.issuer })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'KEY' })
  })

  test('a form that nobody here began opens nothing', async () => {
    const sent = await fetch(`${shop.url}/api/sign-in/apple/callback`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ code: 'stolen', state: 'made up', user: '{broken' }),
    })
    const returned = await get(present(sent.headers.get('location')))
    expect(returned.headers.get('location')).toBe('/login?trouble=failed-apple')
    expect(cookieIn(returned, 'ticket')).toBeUndefined()
  })

  test('who tells no email cannot be sent an order', async () => {
    const { email: _, ...person } = somebody()
    expect(await codeOf(signIn({ ticket: cookieIn(await comeBackFromApple(person), 'ticket') }))).toBe('INVALID')
  })
})

describe('a second factor', () => {
  test('is asked for whoever vouches', async () => {
    const person = somebody()
    const { id } = await makeUser(shop.em(), { email: present(person.email), isAdmin: true })
    const secret = new Secret({ size: 20 })
    const em = shop.em()
    em.create(SecondFactor, { userId: id, secret: secret.base32, createdAt: new Date() })
    await em.flush()
    await em.nativeUpdate(User, { id }, { secondFactorAt: new Date() })
    const ticket = await ticketFor(person)
    expect(await codeOf(signIn({ ticket }))).toBe('SECOND_FACTOR_REQUIRED')
    expect(await codeOf(signIn({ ticket }, { code: '000000' }))).toBe('SECOND_FACTOR_WRONG')
    const { user } = await signIn({ ticket }, { code: new TOTP({ secret }).generate() })
    expect(present(user).id).toBe(id)
  })
})

const LINK = `mutation ($credential: ProviderCredentialInput!, $proof: AccountProofInput!) {
  linkIdentity(credential: $credential, proof: $proof) { user { identities { id provider } } userErrors { code message } }
}` as const
const UNLINK = `mutation ($id: ID!, $proof: AccountProofInput!) {
  unlinkIdentity(id: $id, proof: $proof) { user { identities { id } } userErrors { code message } }
}` as const

describe('in the profile', () => {
  const currentPassword = 'two sleeves and a yoke'
  const linked = async (who: { token: string }, person: Vouched, proof: object = { currentPassword }) => {
    const { data } = await shop.gql(LINK, { credential: { ticket: await ticketFor(person) }, proof }, who)
    return data.linkIdentity
  }
  const unlinked = async (who: { token: string }, id: string, proof: object = {}) => {
    const { data } = await shop.gql(UNLINK, { id, proof }, who)
    return data.unlinkIdentity
  }

  test('the way back leads there', async () => {
    const { attempt, back } = await goThere(somebody(), '?link=')
    expect((await comeBack(back, attempt)).headers.get('location')).toBe('/profile?link=google')
  })

  test('an identity is linked with the password, opens the account, and is taken back', async () => {
    const who = await makeUser(shop.em(), { passwordHash: await hashPassword(currentPassword) })
    const person = somebody()
    expect(nth((await linked(who, person, {})).userErrors, 0).code).toBe('CURRENT_PASSWORD')
    const { user } = await linked(who, person)
    expect(present(user).identities).toMatchObject([{ provider: 'GOOGLE' }])
    expect(present((await signIn({ ticket: await ticketFor(person) })).user).id).toBe(who.id)
    expect(
      present((await unlinked(who, nth(present(user).identities, 0).id, { currentPassword })).user).identities,
    ).toEqual([])
    expect(present((await signIn({ ticket: await ticketFor(person) })).user).id).not.toBe(who.id)
    const changes = await shop
      .em()
      .execute(`select changes from audit_entries where entity_id = ? order by at`, [who.id])
    expect(changes).toEqual([
      { changes: [{ field: 'identities', before: null, after: 'Google' }] },
      { changes: [{ field: 'identities', before: 'Google', after: null }] },
    ])
    const letters = await shop
      .em()
      .execute(`select 1 from mails where kind = 'IDENTITY_CHANGED' and about->>'email' = ?`, [who.user.email])
    expect(letters).toHaveLength(2)
  })

  test('an identity of somebody else’s account is not linked to this one', async () => {
    const person = somebody()
    await signIn({ ticket: await ticketFor(person) })
    const who = await makeUser(shop.em(), { passwordHash: await hashPassword(currentPassword) })
    expect(nth((await linked(who, person)).userErrors, 0).code).toBe('IDENTITY_TAKEN')
  })

  test('the last way in stays, until there is a password', async () => {
    const person = somebody()
    const { user, token } = await signIn({ ticket: await ticketFor(person) })
    const who = { token: present(token) }
    const seen = async (asker: { token: string }) =>
      present((await shop.gql('{ viewer { hasPassword updatedAt identities { id } } }', {}, asker)).data.viewer)
    const before = await seen(who)
    const [{ id }] = before.identities as [{ id: string }]
    expect(nth((await unlinked(who, id)).userErrors, 0).code).toBe('LAST_WAY_IN')
    const { data: saved } = await shop.gql(
      'mutation ($input: ProfileInput!) { updateProfile(input: $input) { token userErrors { code } } }',
      { input: { name: present(user).name, email: present(user).email, password: currentPassword } },
      who,
    )
    const again = { token: present(saved.updateProfile.token) }
    const after = await seen(again)
    expect([before.hasPassword, after.hasPassword]).toEqual([false, true])
    expect(new Date(after.updatedAt).getTime()).toBeGreaterThan(new Date(before.updatedAt).getTime())
    expect(present((await unlinked(again, id, { currentPassword })).user).identities).toEqual([])
  })

  test('nobody removes what is another’s', async () => {
    const theirs = await signIn({ ticket: await ticketFor(somebody()) })
    const { data } = await shop.gql('{ viewer { identities { id } } }', {}, { token: present(theirs.token) })
    const who = await makeUser(shop.em(), { passwordHash: await hashPassword(currentPassword) })
    const { userErrors } = await unlinked(who, nth(present(data.viewer).identities, 0).id, { currentPassword })
    expect(nth(userErrors, 0).code).toBe('NOT_FOUND')
  })
})

describe('an account that ends', () => {
  test('takes its identities along, when it is deleted', async () => {
    const person = somebody()
    const { user, token } = await signIn({ ticket: await ticketFor(person) })
    const { data } = await shop.gql(
      'mutation { deleteAccount(proof: {}) { userErrors { code } } }',
      {},
      { token: present(token) },
    )
    expect(data.deleteAccount.userErrors).toEqual([])
    expect(await shop.em().count(LinkedIdentity, { account: present(user).id })).toBe(0)
    expect(present((await signIn({ ticket: await ticketFor(person) })).user).id).not.toBe(present(user).id)
  })

  test('and when an administrator closes it', async () => {
    const { user } = await signIn({ ticket: await ticketFor(somebody()) })
    const admin = await makeUser(shop.em(), { isAdmin: true })
    await shop.gql(
      'mutation ($id: ID!) { deleteUser(id: $id) { userErrors { code } } }',
      { id: present(user).id },
      admin,
    )
    expect(await shop.em().count(LinkedIdentity, { account: present(user).id })).toBe(0)
  })

  test('its copy of the data lists them', async () => {
    const person = somebody()
    const { token } = await signIn({ ticket: await ticketFor(person) })
    const { data } = await shop.gql('mutation { exportAccount(proof: {}) { path } }', {}, { token: present(token) })
    const copy = (await (await fetch(shop.url + present(data.exportAccount.path))).json()) as { identities: object[] }
    expect(copy.identities).toMatchObject([{ provider: 'GOOGLE', subject: person.sub, email: person.email }])
  })
})
