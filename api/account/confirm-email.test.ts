import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { makeUser, openShop, type Identity, type TestShop } from '../testing/shop.ts'
import { hashPassword } from './password.ts'
import { lastOf, nth, present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
})
afterAll(() => shop?.close())
// Keeps earlier tests from slowing this one down.
beforeEach(() => shop.em().execute('delete from rate_limits'))

const PASSWORD = 'knit one, purl two'
const ME = 'id email emailVerified newEmail'
const SPENT = [
  { code: 'EMAIL_LINK_SPENT', message: 'This link has been used, is too old, or belongs to another account.' },
]

let serial = 0
const freshEmail = () => `nell.confirms${++serial}@example.com`

async function register(email: string, password = PASSWORD) {
  return (
    await shop.gql(
      `mutation($input: RegisterInput!) { register(input: $input) { token device user { ${ME} } userErrors { code field message } } }`,
      { input: { name: 'Nell', email, password } },
    )
  ).data.register
}
async function knitter(email = freshEmail()) {
  return makeUser(shop.em(), { email, passwordHash: await hashPassword(PASSWORD) })
}
const update = async (identity: Identity, input: object) =>
  (
    await shop.gql(
      `mutation($input: ProfileInput!) { updateProfile(input: $input) { token user { ${ME} } userErrors { code field message } } }`,
      { input: { name: 'Nell', ...input } },
      identity,
    )
  ).data.updateProfile
const confirm = async (identity: Identity, token: string) =>
  (
    await shop.gql(
      `mutation($token: String!) { confirmEmail(token: $token) { user { ${ME} } userErrors { code message } } }`,
      { token },
      identity,
    )
  ).data.confirmEmail
const me = async (identity: Identity) => (await shop.gql(`{ viewer { ${ME} } }`, {}, identity)).data?.viewer ?? null
const logIn = async (email: string, password = PASSWORD) =>
  (
    await shop.gql(
      `mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token user { ${ME} } userErrors { code } } }`,
      { email, password },
    )
  ).data.login
const linkTo = async (email: string, count = 1) => tokenIn(lastOf(await mailsTo(shop, email, count)))

describe('registering', () => {
  it('signs in with an address that is claimed, until the link in the mail confirms it', async () => {
    const email = freshEmail()
    const { token, user } = await register(email)
    expect(user).toMatchObject({ email, emailVerified: false, newEmail: null })
    const link = await linkTo(email)
    expect(await confirm({ token }, link)).toMatchObject({ user: { emailVerified: true }, userErrors: [] })
    expect((await confirm({ token }, link)).userErrors).toEqual(SPENT)
  })

  it('answers alike for an address that has an account, in words, shape and time; its owner is written to', async () => {
    const times: Record<'taken' | 'free', number[]> = { taken: [], free: [] }
    const answers = []
    const passwordHash = await hashPassword('the owner’s own')
    for (let round = 0; round < 40; round++) {
      const taken = (round & 1) === 0
      const email = taken ? (await makeUser(shop.em(), { passwordHash })).user.email : freshEmail()
      const start = performance.now()
      const { token, device, user, userErrors } = await register(email)
      times[taken ? 'taken' : 'free'].push(performance.now() - start)
      answers.push({
        ...user,
        id: typeof user.id,
        email: user.email === email,
        token: token.length,
        device: device.length,
        userErrors,
        reached: (await me({ token }))?.id === user.id,
        again: (await logIn(email)).user?.id === user.id,
      })
    }
    for (const answer of answers)
      expect(answer).toEqual({
        id: 'string',
        email: true,
        emailVerified: false,
        newEmail: null,
        token: 43,
        device: 43,
        userErrors: [],
        reached: true,
        again: true,
      })
    const median = (of: number[]) => present(of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)])
    expect(median(times.taken) / median(times.free)).toBeGreaterThan(0.5)
    expect(median(times.taken) / median(times.free)).toBeLessThan(2)

    const nell = await knitter()
    await register(nell.user.email, 'another password')
    const [mail] = await mailsTo(shop, nell.user.email)
    expect(mail).toMatchObject({
      subject: 'You have an account already',
      text: expect.not.stringContaining('/verify-email'),
    })
    expect((await logIn(nell.user.email)).user).toMatchObject({ id: nell.id })
  })

  it('leads nobody into the account of whoever confirms the address, and theirs is closed then', async () => {
    const email = freshEmail()
    const squatter = await register(email, 'the squatter’s own')
    const squattersLink = await linkTo(email)
    const nell = await register(email.toUpperCase())
    const [, mail] = await Promise.all([null, mailsTo(shop, email.toUpperCase())])
    // A link that the reader of the mailbox opens confirms no account but their own.
    expect((await confirm(nell, squattersLink)).userErrors).toEqual(SPENT)
    expect(await confirm(nell, tokenIn(nth(mail, 0)))).toMatchObject({
      user: { id: nell.user.id, emailVerified: true },
      userErrors: [],
    })
    expect(await me(squatter)).toBeNull()
    expect((await logIn(email, 'the squatter’s own')).userErrors).toEqual([{ code: 'WRONG_CREDENTIALS' }])
    expect((await logIn(email)).user).toMatchObject({ id: nell.user.id })
  })

  it('is confirmed by choosing a new password by mail, which shuts the squatter out', async () => {
    const email = freshEmail()
    const squatter = await register(email, 'the squatter’s own')
    await linkTo(email)
    await shop.gql('mutation($email: String!) { requestPasswordReset(email: $email) { mailbox } }', { email })
    const token = tokenIn(nth(await mailsTo(shop, email, 2), 1))
    expect(
      (
        await shop.gql(
          'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { userErrors { code } } }',
          { token, password: PASSWORD },
        )
      ).data.resetPassword.userErrors,
    ).toEqual([])
    expect(await me(squatter)).toBeNull()
    expect((await logIn(email, 'the squatter’s own')).userErrors).toEqual([{ code: 'WRONG_CREDENTIALS' }])
    expect((await logIn(email)).user).toMatchObject({ emailVerified: true })
  })

  it('gives an address to one account, however it is written, when ten confirm it at once', async () => {
    const spellings = [
      'kelvin.fisher@example.com',
      'KELVIN.FISHER@EXAMPLE.COM',
      '\u212aelvin.fisher@example.com',
      'ｋelvin.fisher@example.com',
      'kelvin.ﬁsher@example.com',
      'kelvin.fi\u200bsher@example.com',
      'Kelvin.Fisher@Example.com',
      'kelvin.fisher@EXAMPLE.com',
      'kelvin.Fisher@example.com',
      'kelvin.fisher@example.COM',
    ]
    const claims = []
    for (const [index, email] of spellings.entries()) {
      const nell = await register(email)
      // Writes a link for each of them directly: the shop mails an address only a few links an hour.
      const link = String(index).padEnd(43, 'x')
      await shop
        .em()
        .execute(
          `insert into email_confirmations (token_hash, user_id, email, mail_id, created_at) values (encode(sha256(?::bytea), 'hex'), ?, ?, ?, now())`,
          [link, nell.user.id, email, nell.user.id],
        )
      claims.push({ nell, link })
    }
    const answers = await Promise.all(
      claims.map(({ nell, link }) =>
        shop.gql(
          'mutation($token: String!) { confirmEmail(token: $token) { user { id } userErrors { code } } }',
          { token: link },
          nell,
        ),
      ),
    )
    expect(answers.filter(({ data }) => data?.confirmEmail?.user)).toHaveLength(1)
    expect(
      await shop
        .em()
        .execute(
          `select count(*)::int from users where email_key = 'kelvin.fisher@example.com' and closed_at is null and email_verified_at is not null`,
        ),
    ).toEqual([{ count: 1 }])
  })
})

describe('another email', () => {
  it('needs the current password, counts once it is confirmed there, and is told to the old one', async () => {
    const nell = await knitter()
    const [old, next] = [nell.user.email, freshEmail()]
    expect((await update(nell, { email: next })).userErrors).toEqual([
      {
        code: 'CURRENT_PASSWORD',
        field: ['currentPassword'],
        message: 'To change your email, please give your current password as well.',
      },
    ])
    expect((await update(nell, { email: next, currentPassword: 'guess' })).userErrors).toMatchObject([
      { code: 'CURRENT_PASSWORD' },
    ])
    expect(await me(nell)).toMatchObject({ email: old, newEmail: null })

    expect(await update(nell, { email: next, currentPassword: PASSWORD })).toMatchObject({
      user: { email: old, newEmail: next },
      userErrors: [],
    })
    expect((await logIn(next)).userErrors).toEqual([{ code: 'WRONG_CREDENTIALS' }])
    expect((await logIn(old)).userErrors).toEqual([])
    const [mail] = await mailsTo(shop, old)
    expect(mail).toMatchObject({ subject: 'A new email for your account', text: expect.stringContaining(next) })

    expect(await confirm(nell, await linkTo(next))).toMatchObject({
      user: { email: next, emailVerified: true, newEmail: null },
      userErrors: [],
    })
    expect((await mailsTo(shop, old, 2))[1]).toMatchObject({ subject: 'Your email was changed' })
    expect((await logIn(next)).userErrors).toEqual([])
    expect((await logIn(old)).userErrors).toEqual([{ code: 'WRONG_CREDENTIALS' }])
  })

  it('ends links to choose a password that were sent to the old one', async () => {
    const nell = await knitter()
    await shop.gql('mutation($email: String!) { requestPasswordReset(email: $email) { mailbox } }', {
      email: nell.user.email,
    })
    const reset = tokenIn(nth(await mailsTo(shop, nell.user.email), 0))
    const next = freshEmail()
    await update(nell, { email: next, currentPassword: PASSWORD })
    await confirm(nell, await linkTo(next))
    expect(
      (
        await shop.gql(
          'mutation($token: String!) { resetPassword(token: $token, password: "cable and moss") { userErrors { code } } }',
          { token: reset },
        )
      ).data.resetPassword.userErrors,
    ).toEqual([{ code: 'RESET_LINK_SPENT' }])
  })

  it('that is somebody else’s is answered like any other; the owner is written to, and nothing moves', async () => {
    const [nell, purl] = [await knitter(), await knitter()]
    const { user, userErrors } = await update(nell, { email: purl.user.email, currentPassword: PASSWORD })
    expect({ user, userErrors }).toEqual({
      user: { id: nell.id, email: nell.user.email, emailVerified: true, newEmail: purl.user.email },
      userErrors: [],
    })
    expect((await mailsTo(shop, purl.user.email))[0]).toMatchObject({ subject: 'You have an account already' })
    expect((await logIn(purl.user.email)).user).toMatchObject({ id: purl.id })
  })

  it('can be called off, sent again, and lapses with a new password', async () => {
    const nell = await knitter()
    const first = freshEmail()
    await update(nell, { email: first, currentPassword: PASSWORD })
    const link = await linkTo(first)
    const again = () => shop.gql('mutation { requestEmailConfirmation { mailbox userErrors { code } } }', {}, nell)
    expect((await again()).data.requestEmailConfirmation).toEqual({ mailbox: '/dev/mailbox', userErrors: [] })
    expect(await linkTo(first, 2)).not.toBe(link)
    expect((await shop.gql('mutation { cancelEmailChange }', {}, nell)).data).toEqual({ cancelEmailChange: true })
    expect((await confirm(nell, link)).userErrors).toEqual(SPENT)
    expect((await again()).data.requestEmailConfirmation.userErrors).toEqual([{ code: 'NOT_FOUND' }])

    const second = freshEmail()
    await update(nell, { email: second, currentPassword: PASSWORD })
    const late = await linkTo(second)
    const { token } = await update(nell, {
      email: nell.user.email,
      password: 'cable and moss',
      currentPassword: PASSWORD,
    })
    expect((await confirm({ token }, late)).userErrors).toEqual(SPENT)
    expect(await me({ token })).toMatchObject({ email: nell.user.email, newEmail: null })
  })

  it('is confirmed within 24 hours, by whoever is signed in to the account', async () => {
    const [nell, purl] = [await knitter(), await knitter()]
    const next = freshEmail()
    await update(nell, { email: next, currentPassword: PASSWORD })
    const link = await linkTo(next)
    expect((await confirm(purl, link)).userErrors).toEqual(SPENT)
    const made = (hours: number) =>
      shop
        .em()
        .execute('update email_confirmations set created_at = now() - make_interval(secs => ?) where user_id = ?', [
          hours * 3_600,
          nell.id,
        ])
    await made(24.01)
    expect((await confirm(nell, link)).userErrors).toEqual(SPENT)
    await made(23.9)
    expect((await confirm(nell, link)).userErrors).toEqual([])
  })

  it('that an administrator gives counts at once, and is told to the old one', async () => {
    const [admin, nell] = [await makeUser(shop.em(), { isAdmin: true }), await knitter()]
    const next = freshEmail()
    await shop.gql(
      'mutation($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { userErrors { code } } }',
      { id: nell.id, input: { name: 'Nell', email: next, isAdmin: false } },
      admin,
    )
    expect(await me(nell)).toMatchObject({ email: next, emailVerified: true })
    expect((await mailsTo(shop, nell.user.email))[0]).toMatchObject({
      subject: 'Your email was changed',
      text: expect.stringContaining(next),
    })
  })

  it('over REST answers what to do, and then the account as it still is', async () => {
    const nell = await knitter()
    const put = async (body: object) => {
      const answer = await fetch(`${shop.url}/api/users/profile`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${nell.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ _id: nell.id, name: 'Nell', password: '', ...body }),
      })
      return { status: answer.status, body: await answer.json() }
    }
    const email = freshEmail()
    expect(await put({ email })).toEqual({
      status: 403,
      body: { code: 'CURRENT_PASSWORD', message: 'To change your email, please give your current password as well.' },
    })
    expect(await put({ email, currentPassword: PASSWORD })).toMatchObject({
      status: 200,
      body: { _id: nell.id, email: nell.user.email },
    })
    await linkTo(email)
  })
})
