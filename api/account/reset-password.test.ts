import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Mail } from '../mail/mail.entity.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { makeKey, makeUser, openShop, type Identity, type TestShop } from '../testing/shop.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { isTooMany } from '../mail/too-many.ts'
import { isKnown } from './known-devices.ts'
import { hashPassword } from './password.ts'
import { lastOf, nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
})
afterAll(() => shop?.close())

const OLD = 'knit one, purl two'
const NEW = 'cable and moss stitch'
const SPENT = [
  { code: 'RESET_LINK_SPENT', message: 'This link has been used or is too old. Please ask for a new one.' },
]

const request = (email: string, at = shop) =>
  at.gql(
    'mutation($email: String!) { requestPasswordReset(email: $email) { mailbox userErrors { code field message } } }',
    { email },
  )
const reset = (token: string, password = NEW) =>
  shop.gql(
    'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { userErrors { code message } } }',
    { token, password },
  )
const refusals = async (token: string, password?: string) =>
  (await reset(token, password)).data.resetPassword.userErrors
const logIn = async (email: string, password: string) =>
  (
    await shop.gql(
      'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token userErrors { code } } }',
      { email, password },
    )
  ).data.login
const refusalOf = async (identity: Identity) =>
  present((await shop.gql('{ viewer { id } }', {}, identity)).errors?.[0]).extensions['reason']

let serial = 0
/** Clears the limits, so that no test has to wait for what others did. */
async function knitter() {
  await shop.em().execute('delete from rate_limits')
  return makeUser(shop.em(), { email: `nell${++serial}@example.com`, passwordHash: await hashPassword(OLD) })
}

async function link(email: string, count = 1): Promise<string> {
  expect((await request(email)).data.requestPasswordReset.userErrors).toEqual([])
  return tokenIn(lastOf(await mailsTo(shop, email, count)))
}

describe('asking for a link', () => {
  it('sends one to the account’s own address, whatever spelling was asked for, and keeps only its hash', async () => {
    const { user } = await knitter()
    await request(` ${user.email.toUpperCase().replace('N', 'Ｎ')} `)
    const token = tokenIn(nth(await mailsTo(shop, user.email), 0))
    const stored = await shop
      .em()
      .execute(
        `select row_to_json(r)::text as row from password_resets r union all select data::text from pgboss.job union all select about::text from mails`,
      )
    expect(stored.length).toBeGreaterThan(1)
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('answers the same without an account, or with a closed one, and sends nothing', async () => {
    const [open, closed] = [await knitter(), await knitter()]
    await shop.em().execute('update users set closed_at = now() where id = ?', [closed.id])
    const answer = await request(open.user.email)
    expect(answer).toEqual({ status: 200, data: { requestPasswordReset: { mailbox: '/dev/mailbox', userErrors: [] } } })
    for (const email of [closed.user.email, 'nobody@example.com']) expect(await request(email)).toEqual(answer)
    await mailsTo(shop, open.user.email)
    await expect.poll(() => shop.em().count(Mail, { sentAt: null }), { timeout: 10_000 }).toBe(0)
    expect(await shop.em().count(Mail, { kind: 'PASSWORD_RESET', recipient: closed.user.email })).toBe(0)
  })

  it('takes as long without an account as with one', async () => {
    const own = await openShop({ mail: { to: 'mailbox' } })
    try {
      const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
      for (let round = 0; round < 240; round++) {
        await own.em().execute('delete from rate_limits')
        const known = (round & 1) === 0
        const email = known ? (await makeUser(own.em())).user.email : `nobody${round}@example.com`
        const start = performance.now()
        await request(email, own)
        times[known ? 'known' : 'unknown'].push(performance.now() - start)
      }
      expect(likelihood(times.known, times.unknown)).toBeGreaterThan(0.3)
      expect(likelihood(times.known, times.unknown)).toBeLessThan(0.7)
    } finally {
      await own.close()
    }
  })

  it.each(['', 'nell', 'nell@example', 'a\0@example.com', '\ud800@example.com', `${'n'.repeat(250)}@example.com`])(
    'refuses the email %j',
    async email => {
      await knitter()
      expect((await request(email)).data.requestPasswordReset.userErrors[0]).toMatchObject({
        code: 'INVALID',
        field: ['email'],
      })
    },
  )

  it('is refused from the sixth time on, account or not', async () => {
    for (const email of [(await knitter()).user.email, 'somebody@example.com']) {
      for (let asked = 0; asked < 5; asked++) expect((await request(email)).status).toBe(200)
      expect(await request(email.toUpperCase())).toMatchObject({
        status: 429,
        errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }],
      })
    }
  })

  it('is slowed down from the thirty-first time on from one address', async () => {
    const own = await openShop({ mail: { to: 'mailbox' } })
    try {
      for (let asked = 0; asked < 31; asked++)
        expect((await request(`somebody${asked}@example.com`, own)).status).toBe(200)
      expect((await request('one.more@example.com', own)).status).toBe(429)
    } finally {
      await own.close()
    }
  })
})

describe('choosing a new password', () => {
  it('works once, ends every session, and tells the owner', async () => {
    const { user, token: session } = await knitter()
    const other = (await logIn(user.email, OLD)).token
    const token = await link(user.email)
    expect(await refusals(token)).toEqual([])
    for (const old of [session, other]) expect(await refusalOf({ token: old })).toBe('INVALID_TOKEN')
    expect((await logIn(user.email, OLD)).userErrors).toMatchObject([{ code: 'WRONG_CREDENTIALS' }])
    expect((await logIn(user.email, NEW)).userErrors).toEqual([])
    expect(await refusals(token, 'another one, please')).toEqual(SPENT)
    const [, changed] = await mailsTo(shop, user.email, 2)
    expect(changed).toMatchObject({
      subject: 'Your password was changed',
      text: expect.stringContaining('/forgot-password'),
    })
  })

  it('works once when it is tried 100 times at the same moment', async () => {
    const { user } = await knitter()
    const token = await link(user.email)
    const passwords = Array.from({ length: 100 }, (_, index) => `cable and moss ${index}`)
    const answers = await Promise.all(passwords.map(password => reset(token, password)))
    const chosen = passwords.filter((_, index) => nth(answers, index).data?.resetPassword.userErrors.length === 0)
    expect(chosen).toHaveLength(1)
    // Those that find no place for hashing are told to come back.
    const others = answers.flatMap(
      ({ data, errors }) => errors?.[0]?.extensions.code ?? data.resetPassword.userErrors[0]?.code ?? [],
    )
    expect(others.filter(code => code !== 'UNAVAILABLE' && code !== 'RESET_LINK_SPENT')).toEqual([])
    expect(others).toHaveLength(99)
    expect((await logIn(user.email, nth(chosen, 0))).userErrors).toEqual([])
    expect(await mailsTo(shop, user.email, 2)).toHaveLength(2)
  })

  it('works by one of two links that are both good, also at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { user } = await knitter()
      const tokens = [await link(user.email), await link(user.email, 2)]
      const answers = await Promise.all(tokens.map(token => refusals(token)))
      expect(answers.toSorted((a, b) => a.length - b.length)).toEqual([[], SPENT])
    }
  })

  it('works by an older link though a stranger asked for others since; then none of them does', async () => {
    const { user } = await knitter()
    const first = await link(user.email)
    const others = [await link(user.email, 2), await link(user.email, 3)]
    expect(await refusals(first)).toEqual([])
    for (const other of others) expect(await refusals(other)).toEqual(SPENT)
  })

  it('is offered by five mails an hour, whoever asks; the owner’s own device has as many beside', async () => {
    const { user } = await knitter()
    const { device } = (
      await shop.gql(
        'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { device } }',
        { email: user.email, password: OLD },
      )
    ).data.login
    const ask = async (from: string | null) => {
      await shop.em().execute('delete from rate_limits')
      const { requestPasswordReset } = (
        await shop.gql(
          'mutation($email: String!, $device: String) { requestPasswordReset(email: $email, device: $device) { mailbox userErrors { code } } }',
          { email: user.email, device: from },
        )
      ).data
      expect(requestPasswordReset).toEqual({ mailbox: '/dev/mailbox', userErrors: [] })
    }
    for (let asked = 0; asked < 5; asked++) await ask(null)
    await mailsTo(shop, user.email, 5)
    // One more mail, which no job sends in the meantime.
    await shop
      .em()
      .execute(
        `insert into mails (id, kind, about, created_at) select gen_random_uuid(), kind, about, now() from mails where recipient = ? limit 1`,
        [user.email],
      )
    const over = await shop
      .em()
      .findOneOrFail(Mail, { kind: 'PASSWORD_RESET', sentAt: null, about: { emailKey: user.email } })
    expect(await isTooMany(shop.em(), over)).toBe(true)
    await shop.em().nativeDelete(Mail, { id: over.id })
    expect(await shop.em().execute('select * from password_resets where user_id = ?', [user.id])).toHaveLength(5)
    const another = await shop
      .em()
      .execute<{ count: number }[]>(`select count(*)::int from mails where about->>'fromKnownDevice' = 'true'`)
    expect(another).toEqual([{ count: 0 }])
    const own = shop.em()
    queueMail(own, 'PASSWORD_RESET', { emailKey: user.email, fromKnownDevice: await isKnown(own, device, user.email) })
    await own.flush()
    await mailsTo(shop, user.email, 6)
  })

  it('asks an owner of API keys whether they go on, and ends them when told to', async () => {
    for (const revokeApiKeys of [true, false]) {
      const nell = await knitter()
      const key = await makeKey(shop.em(), nell, ['READ_ORDERS'])
      const token = await link(nell.user.email)
      const choose = async (revoke?: boolean) =>
        (
          await shop.gql(
            'mutation($token: String!, $password: String!, $revoke: Boolean) { resetPassword(token: $token, password: $password, revokeApiKeys: $revoke) { apiKeys device userErrors { code } } }',
            { token, password: NEW, revoke },
          )
        ).data.resetPassword
      expect(await choose()).toEqual({
        apiKeys: ['Warehouse'],
        device: null,
        userErrors: [{ code: 'API_KEYS_IN_FORCE' }],
      })
      expect(await choose(revokeApiKeys)).toEqual({ apiKeys: null, device: expect.any(String), userErrors: [] })
      expect((await shop.gql('{ myOrders { id } }', {}, key)).status).toBe(revokeApiKeys ? 401 : 200)
    }
  })

  it('lets the owner in at once by the device it was chosen on, while strangers guess', async () => {
    const { user } = await knitter()
    const token = await link(user.email)
    for (let tried = 0; tried < 10; tried++) await logIn(user.email, 'guess')
    const { device } = (
      await shop.gql(
        'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { device } }',
        { token, password: NEW },
      )
    ).data.resetPassword
    const answer = await shop.gql(
      'mutation($email: String!, $password: String!, $device: String) { login(email: $email, password: $password, device: $device) { token } }',
      { email: user.email, password: NEW, device },
    )
    expect(answer.data.login.token).toEqual(expect.any(String))
  })

  it('works for 60 minutes', async () => {
    const { id, user } = await knitter()
    const token = await link(user.email)
    const made = (seconds: number) =>
      shop
        .em()
        .execute('update password_resets set created_at = now() - make_interval(secs => ?) where user_id = ?', [
          seconds,
          id,
        ])
    await made(3_601)
    expect(await refusals(token)).toEqual(SPENT)
    await made(3_590)
    expect(await refusals(token)).toEqual([])
  })

  it.each(['', 'A'.repeat(43), 'a\0b', '\ud800', 'x'.repeat(10_000), '%'])('knows no token %j', async token => {
    expect(await refusals(token)).toEqual(SPENT)
  })

  it('refuses a password that will not do, and the link is still good', async () => {
    const { user } = await knitter()
    const token = await link(user.email)
    for (const password of ['1234567', 'p'.repeat(129), 'Password1!', 'Nell Knitter', user.email])
      expect(await refusals(token, password)).toMatchObject([{ code: 'INVALID' }])
    expect(await refusals(token)).toEqual([])
  })

  it('does nothing for an account that was closed, or moved to another address, or has a new password since', async () => {
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const profile = (identity: Identity, input: object) =>
      shop.gql(
        'mutation($input: ProfileInput!) { updateProfile(input: $input) { userErrors { code } } }',
        { input: { name: 'Nell', ...input } },
        identity,
      )
    const since = {
      closed: ({ id }: { id: string }) =>
        shop.gql('mutation($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id }, admin),
      movedByAdmin: ({ id }: { id: string }) =>
        shop.gql(
          'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { code } } }',
          { id, input: { name: 'Nell', email: `moved${++serial}@example.com`, isAdmin: false } },
          admin,
        ),
      changed: ({ token, user }: { token: string; user: { email: string } }) =>
        profile({ token }, { email: user.email, password: 'yet another password' }),
    }
    for (const act of Object.values(since)) {
      const nell = await knitter()
      const token = await link(nell.user.email)
      const { data } = await act(nell)
      expect(Object.values(data)).toMatchObject([{ userErrors: [] }])
      expect(await refusals(token)).toEqual(SPENT)
    }
  })

  it('leaves no session to those who signed in with the old password at that moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { user } = await knitter()
      const token = await link(user.email)
      const [, ...logins] = await Promise.all([
        reset(token),
        ...Array.from({ length: 6 }, () => logIn(user.email, OLD)),
      ])
      for (const login of logins) if (login.token) expect(await refusalOf({ token: login.token })).toBe('INVALID_TOKEN')
    }
  })
})

/** How likely a time of the first list is longer than one of the second: 0.5 when they cannot be told apart. */
function likelihood(one: number[], two: number[]): number {
  return (
    one.flatMap(a => two.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0))).reduce((sum, each) => sum + each, 0) /
    (one.length * two.length)
  )
}
