import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { clock } from '../kernel/clock.ts'
import { Mail } from '../mail/mail.entity.ts'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { makeKey, makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'
import { hashPassword } from './password.ts'
import { RecoveryCode, SecondFactor } from './second-factor.entity.ts'
import { Session } from './session.entity.ts'
import { User } from './user.entity.ts'
import { nth } from '#schema/rules/present'

const PASSWORD = 'two sleeves and a yoke'

let shop: TestShop
let passwordHash: string
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
  shop = await openShop({ mail: { to: 'mailbox' } })
})
afterAll(() => shop?.close())

const owner = (em = shop.em()) => makeUser(em, { isAdmin: true, passwordHash })

const begin = async (who: Identity, password = PASSWORD, at = shop) =>
  (
    await ask(
      at,
      who,
      `mutation($password: String!) { beginSecondFactor(password: $password) { secret uri ${REFUSED} } }`,
      { password },
    )
  ).beginSecondFactor
const confirm = async (who: Identity, code: string, at = shop) =>
  (
    await ask(at, who, `mutation($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes ${REFUSED} } }`, {
      code,
    })
  ).confirmSecondFactor
const disable = async (who: Identity, code: string, password = PASSWORD) =>
  (
    await ask(
      shop,
      who,
      `mutation($password: String!, $code: String!) { disableSecondFactor(password: $password, code: $code) { ${REFUSED} } }`,
      { password, code },
    )
  ).disableSecondFactor
const renew = async (who: Identity, code: string, password = PASSWORD) =>
  (
    await ask(
      shop,
      who,
      `mutation($password: String!, $code: String!) { renewRecoveryCodes(password: $password, code: $code) { recoveryCodes ${REFUSED} } }`,
      { password, code },
    )
  ).renewRecoveryCodes
const reset = async (who: Identity, userId: string) =>
  (
    await ask(
      shop,
      who,
      `mutation($userId: ID!) { resetSecondFactor(userId: $userId) { user { hasSecondFactor } ${REFUSED} } }`,
      { userId },
    )
  ).resetSecondFactor
const login = async (email: string, code?: string, password = PASSWORD) =>
  (
    await ask(
      shop,
      null,
      `mutation($email: String!, $password: String!, $code: String) { login(email: $email, password: $password, code: $code) { token user { hasSecondFactor } ${REFUSED} } }`,
      { email, password, code },
    )
  ).login
const codeOf = ({ userErrors }: { userErrors: { code: string }[] }) => userErrors.map(({ code }) => code).join()

/** The code that an app shows so many half minutes from an instant. */
const app = (secret: string, steps = 0, from = clock.now().getTime()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: from + steps * 30_000 })

async function enrolled(account?: Account) {
  const user = account ?? (await owner())
  const { secret } = await begin(user)
  const { recoveryCodes, userErrors } = await confirm(user, app(secret))
  expect(userErrors).toEqual([])
  // As if that was a while ago: the present code can be used, also if the half minute ends in between.
  await shop.em().execute('update second_factors set last_step = last_step - 10 where user_id = ?', [user.id])
  return { ...user, email: user.user.email, secret: secret as string, recoveryCodes: recoveryCodes as string[] }
}

describe('turning the second factor on', () => {
  it('takes the password and a code of the app; then ten recovery codes are shown, and everyone else is signed out', async () => {
    const user = await owner()
    const em = shop.em()
    const other = (await login(user.user.email)).token
    expect(codeOf(await begin(user, 'wrong'))).toBe('WRONG_CREDENTIALS')
    const { secret, uri } = await begin(user)
    expect(uri).toBe(
      `otpauth://totp/Skein:${encodeURIComponent(user.user.email)}?issuer=Skein&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(codeOf(await login(user.user.email))).toBe('')
    expect(codeOf(await confirm(user, '000000'))).toBe('SECOND_FACTOR_WRONG')
    const { recoveryCodes } = await confirm(user, app(secret))
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await ask(shop, user, '{ viewer { hasSecondFactor } }')).viewer.hasSecondFactor).toBe(true)
    expect((await shop.gql('{ viewer { id } }', {}, { token: other })).status).toBe(401)
    expect(await em.count(Session, { user: user.id })).toBe(1)
    expect((await mailsTo(shop, user.user.email))[0]).toMatchObject({ subject: 'Your second factor is on' })
    expect(await auditOf(shop, user, user.id)).toMatchObject([
      { action: 'UPDATED', changes: [{ field: 'hasSecondFactor', before: 'false', after: 'true' }] },
    ])
    expect(codeOf(await begin(user))).toBe('SECOND_FACTOR_STATE')
    expect(codeOf(await confirm(user, app(secret, 1)))).toBe('SECOND_FACTOR_STATE')
  })

  it('shows the codes even if the tries that came before cannot be forgotten', async () => {
    const em = shop.em()
    const user = await owner()
    const { secret } = await begin(user)
    await em.execute(`
      create function keep_tries() returns trigger language plpgsql as $$ begin raise 'kept'; end $$;
      create trigger keep_tries before delete on rate_limits for each row execute function keep_tries()`)
    const { recoveryCodes } = await confirm(user, app(secret))
    const { token } = await login(user.user.email, app(secret, 1))
    await em.execute('drop trigger keep_tries on rate_limits; drop function keep_tries')
    expect(recoveryCodes).toHaveLength(10)
    expect(token).toEqual(expect.any(String))
  })

  it('keeps recovery codes as hashes alone', async () => {
    const { id, recoveryCodes } = await enrolled()
    const kept = JSON.stringify([await shop.em().find(RecoveryCode, { userId: id }), await shop.em().find(Mail, {})])
    expect(JSON.parse(kept)[0]).toHaveLength(10)
    for (const code of recoveryCodes) {
      expect(kept).not.toContain(code)
      expect(kept).not.toContain(code.replaceAll('-', ''))
    }
  })
})

describe('signing in with a second factor', () => {
  it('asks for a code only who knows the password, and then takes one', async () => {
    const { email, secret } = await enrolled()
    expect(await login(email)).toMatchObject({
      token: null,
      user: null,
      userErrors: [{ code: 'SECOND_FACTOR_REQUIRED', field: ['code'] }],
    })
    expect(codeOf(await login(email, '  '))).toBe('SECOND_FACTOR_REQUIRED')
    expect(codeOf(await login(email, undefined, 'wrong'))).toBe('WRONG_CREDENTIALS')
    expect(codeOf(await login(email, app(secret), 'wrong'))).toBe('WRONG_CREDENTIALS')
    expect(await login(email, '000 000')).toMatchObject({
      token: null,
      userErrors: [{ code: 'SECOND_FACTOR_WRONG', field: ['code'] }],
    })
    const code = app(secret)
    expect(await login(email, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({
      token: expect.any(String),
      user: { hasSecondFactor: true },
      userErrors: [],
    })
  })

  it('takes no code twice, nor one from before the last, also of many who come at once', async () => {
    const { email, secret, id } = await enrolled()
    const code = app(secret)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => login(email, code)))
    expect(outcomes.filter(({ token }) => token)).toHaveLength(1)
    expect(codeOf(await login(email, code))).toBe('SECOND_FACTOR_WRONG')
    expect(codeOf(await login(email, app(secret, -1)))).toBe('SECOND_FACTOR_WRONG')
    const timestamp = clock.now().getTime()
    expect((await login(email, app(secret, 1, timestamp))).token).not.toBeNull()
    expect((await shop.em().findOneOrFail(SecondFactor, { userId: id })).lastStep).toBe(
      new TOTP().counter({ timestamp }) + 1,
    )
  })

  it('takes no code that is more than half a minute off', async () => {
    const { email, secret } = await enrolled()
    // Three half minutes away, so that the code is still wrong if the half minute ends in between.
    expect(codeOf(await login(email, app(secret, -3)))).toBe('SECOND_FACTOR_WRONG')
    expect(codeOf(await login(email, app(secret, 3)))).toBe('SECOND_FACTOR_WRONG')
  })

  it('takes each recovery code once, however it is typed, and tells the owner', async () => {
    const { email, recoveryCodes } = await enrolled()
    const [first, second] = recoveryCodes as [string, string]
    const outcomes = await Promise.all([login(email, first.toLowerCase().replaceAll('-', ' ')), login(email, first)])
    expect(outcomes.filter(({ token }) => token)).toHaveLength(1)
    expect(codeOf(await login(email, first))).toBe('SECOND_FACTOR_WRONG')
    expect((await login(email, second)).token).not.toBeNull()
    expect((await mailsTo(shop, email, 3)).map(({ subject }) => subject)).toEqual([
      'Your second factor is on',
      'A recovery code was used',
      'A recovery code was used',
    ])
  })

  it('takes no recovery code of somebody else', async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    expect(codeOf(await login(one.email, other.recoveryCodes[0]))).toBe('SECOND_FACTOR_WRONG')
  })

  it('lets nobody guess on and on, wherever they come from, but goes on after a new password', async () => {
    const { email, id, secret } = await enrolled()
    const guess = () =>
      shop.gql(
        `mutation($email: String!, $password: String!) { login(email: $email, password: $password, code: "000000") { token ${REFUSED} } }`,
        { email, password: PASSWORD },
      )
    const codes = []
    for (let round = 0; round < 12; round++) {
      const { errors, data } = await guess()
      codes.push(errors?.[0]?.extensions.code ?? codeOf(data.login))
    }
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'SECOND_FACTOR_WRONG'), 'RATE_LIMITED', 'RATE_LIMITED'])
    const right = await shop.gql(
      `mutation($email: String!, $password: String!, $code: String!) { login(email: $email, password: $password, code: $code) { token ${REFUSED} } }`,
      { email, password: PASSWORD, code: app(secret) },
    )
    expect(right.errors?.[0]?.extensions.code).toBe('RATE_LIMITED')
    await shop.em().nativeUpdate(User, { id }, { passwordHash: await hashPassword(PASSWORD) })
    expect((await login(email, app(secret))).token).not.toBeNull()
  })

  it('is the same over REST', async () => {
    const { email, secret } = await enrolled()
    const post = async (body: object) => {
      const response = await fetch(`${shop.url}/api/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, ...((await response.json()) as object) }
    }
    expect(await post({ email, password: PASSWORD })).toMatchObject({ status: 401, code: 'SECOND_FACTOR_REQUIRED' })
    expect(await post({ email, password: PASSWORD, code: '000000' })).toMatchObject({
      status: 401,
      code: 'SECOND_FACTOR_WRONG',
    })
    expect(await post({ email, password: PASSWORD, code: app(secret) })).toMatchObject({
      status: 200,
      email,
      token: expect.any(String),
    })
  })

  it('takes no notice of a code for an account without one', async () => {
    const user = await owner()
    expect((await login(user.user.email, '123456')).token).not.toBeNull()
  })
})

describe('the owner', () => {
  it('turns it off with password and code', async () => {
    const user = await enrolled()
    expect(codeOf(await disable(user, app(user.secret), 'wrong'))).toBe('WRONG_CREDENTIALS')
    expect(codeOf(await disable(user, '000000'))).toBe('SECOND_FACTOR_WRONG')
    expect((await disable(user, app(user.secret))).userErrors).toEqual([])
    expect((await login(user.email)).token).not.toBeNull()
    expect(
      (await shop.em().count(SecondFactor, { userId: user.id })) +
        (await shop.em().count(RecoveryCode, { userId: user.id })),
    ).toBe(0)
    expect((await mailsTo(shop, user.email, 2))[1]).toMatchObject({ subject: 'Your second factor is off' })
    expect(codeOf(await disable(user, '000000'))).toBe('SECOND_FACTOR_STATE')
  })

  it('gets new recovery codes, and the old ones end', async () => {
    const user = await enrolled()
    const { recoveryCodes } = await renew(user, nth(user.recoveryCodes, 0))
    expect(recoveryCodes).toHaveLength(10)
    expect(codeOf(await login(user.email, user.recoveryCodes[1]))).toBe('SECOND_FACTOR_WRONG')
    expect((await login(user.email, recoveryCodes[0])).token).not.toBeNull()
  })

  it('guesses neither password nor code on and on', async () => {
    const user = await enrolled()
    for (let round = 0; round < 10; round++) await disable(user, '000000', round % 2 ? 'wrong' : PASSWORD)
    const { errors } = await shop.gql(
      `mutation { disableSecondFactor(password: "wrong", code: "000000") { ${REFUSED} } }`,
      {},
      user,
    )
    expect(errors?.[0]?.extensions.code).toBe('RATE_LIMITED')
  })
})

describe('an administrator', () => {
  it('takes it off somebody who lost it; that is written down and told, and their sessions end', async () => {
    const [admin, user] = [await owner(), await enrolled()]
    expect(await reset(admin, user.id)).toEqual({ user: { hasSecondFactor: false }, userErrors: [] })
    expect((await login(user.email)).token).not.toBeNull()
    expect((await shop.gql('{ viewer { id } }', {}, user)).status).toBe(401)
    expect((await mailsTo(shop, user.email, 2))[1]).toMatchObject({ subject: 'Your second factor was taken off' })
    expect((await auditOf(shop, admin, user.id))[0]).toMatchObject({
      action: 'UPDATED',
      actor: { userId: admin.id },
      changes: [{ field: 'hasSecondFactor', before: 'true', after: 'false' }],
    })
    expect(codeOf(await reset(admin, user.id))).toBe('SECOND_FACTOR_STATE')
  })

  it('does not take off the own one without a code', async () => {
    const user = await enrolled()
    expect(codeOf(await reset(user, user.id))).toBe('SECOND_FACTOR_STATE')
    expect(codeOf(await login(user.email))).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('sees who has one', async () => {
    const [admin, user] = [await owner(), await enrolled()]
    const { users } = await ask(
      shop,
      admin,
      'query($search: String) { users(filter: { search: $search }) { items { id hasSecondFactor } } }',
      { search: user.email },
    )
    expect(users.items).toEqual([{ id: user.id, hasSecondFactor: true }])
  })
})

describe('a shop that asks all its administrators for a second factor', () => {
  it('lets them do nothing more than shoppers until they have one', async () => {
    const strict = await openShop({ adminSecondFactor: 'required' })
    onTestFinished(() => strict.close())
    const em = strict.em()
    const [admin, key] = [await owner(em), await makeKey(em, await owner(em), ['ADMIN'])]
    const users = async (who: Identity) =>
      (await strict.gql('{ users { total } }', {}, who)).errors?.[0]?.extensions.code
    const stranger = await makeUser(em)
    const seen = async () =>
      (await ask(strict, admin, 'query($id: ID!) { node(id: $id) { id } }', { id: stranger.id })).node
    expect(await users(admin)).toBe('SECOND_FACTOR_MISSING')
    expect(await seen()).toBeNull()
    const rest = await fetch(`${strict.url}/api/users`, { headers: { authorization: `Bearer ${admin.token}` } })
    expect([rest.status, await rest.json()]).toMatchObject([403, { code: 'SECOND_FACTOR_MISSING' }])
    const file = await fetch(`${strict.url}/api/newsletter/subscribers.csv`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect([file.status, await file.json()]).toMatchObject([403, { code: 'SECOND_FACTOR_MISSING' }])
    expect(await users(key)).toBeUndefined()
    expect(await users(stranger)).toBe('FORBIDDEN')
    const { secret } = await begin(admin, PASSWORD, strict)
    expect((await confirm(admin, app(secret), strict)).userErrors).toEqual([])
    expect(await users(admin)).toBeUndefined()
    expect(await seen()).toEqual({ id: stranger.id })
  })
})
