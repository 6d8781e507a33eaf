import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Identity, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const SESSION = 'token user { id name email isAdmin } userErrors { code field message }'
const PASSWORD = 'knit one, purl two'

let serial = 0
const freshEmail = () => `knitter${++serial}@example.com`

async function register(input: object) {
  return (
    await shop.gql(`mutation($input: RegisterInput!) { register(input: $input) { ${SESSION} } }`, {
      input: { name: 'Nell', password: PASSWORD, ...input },
    })
  ).data.register
}
const logIn = (email: string, password: string) =>
  shop.gql(
    `mutation($email: String!, $password: String!) { login(email: $email, password: $password) { ${SESSION} } }`,
    { email, password },
  )
async function updateProfile(identity: Identity, input: object) {
  return (
    await shop.gql(
      `mutation($input: ProfileInput!) { updateProfile(input: $input) { ${SESSION} } }`,
      { input },
      identity,
    )
  ).data.updateProfile
}
/** Who the shop takes the caller for, or why it refuses. */
async function viewer(identity: Identity) {
  const { data, errors } = await shop.gql('{ viewer { id name email isAdmin } }', {}, identity)
  return errors ? nth(errors, 0).extensions['reason'] : data.viewer
}

async function account() {
  const email = freshEmail()
  const { token, user } = await register({ email })
  return { email, token, id: user.id }
}

describe('registering', () => {
  it('opens an ordinary account and signs in', async () => {
    const email = freshEmail()
    const { token, user, userErrors } = await register({ name: '  Nell Knitter ', email: ` ${email} ` })
    expect(userErrors).toEqual([])
    expect(user).toMatchObject({ name: 'Nell Knitter', email, isAdmin: false })
    expect(await viewer({ token })).toEqual(user)
  })

  it('keeps neither the password nor the token as they are', async () => {
    const { token, id } = await account()
    const [user] = await shop
      .em()
      .execute<[{ password_hash: string }]>('select password_hash from users where id = ?', [id])
    const sessions = await shop
      .em()
      .execute<{ token_hash: string }[]>('select token_hash from sessions where user_id = ?', [id])
    expect(user.password_hash).toMatch(/^\$argon2id\$/)
    expect(sessions).toHaveLength(1)
    expect(JSON.stringify([user, sessions])).not.toContain(token)
    expect(JSON.stringify([user, sessions])).not.toContain(PASSWORD)
  })

  it.each([
    ['name', ''],
    ['name', '  '],
    ['name', 'n'.repeat(101)],
    ['name', 'a\0b'],
    ['email', ''],
    ['email', 'nell'],
    ['email', 'nell@example'],
    ['email', `${'n'.repeat(250)}@example.com`],
    ['email', 'nell\ud800@example.com'],
    ['password', ''],
    ['password', '1234567'],
    ['password', 'p'.repeat(129)],
    ['password', '🧶🐑🪡🧵🧣🧦👒'],
    ['password', 'purl\0purl\0'],
  ])('refuses the %s %j beside the field', async (field, value) => {
    const { user, token, userErrors } = await register({ email: freshEmail(), [field]: value })
    expect({ user, token }).toEqual({ user: null, token: null })
    expect(userErrors[0]).toMatchObject({ code: 'INVALID', field: [field] })
  })

  const LONG = 'knit one, purl two, '.repeat(7).slice(0, 128)

  it.each(['qv7 9pzk', LONG, '🧶'.repeat(4) + '🐑🪡🧵🧣', '  spaces count  ', 'пароль🧶🧶'])(
    'takes the password %j as it is',
    async password => {
      const email = freshEmail()
      expect((await register({ email, password })).userErrors).toEqual([])
      expect((await logIn(email, password)).data.login.userErrors).toEqual([])
      for (const other of [
        `${password} `,
        password.trim().slice(0, -1),
        `${password.slice(0, 72)}${'x'.repeat(Math.max(0, password.length - 72))}!`.slice(0, 128),
      ]) {
        expect((await logIn(email, other)).data.login.userErrors).toMatchObject([{ code: 'WRONG_CREDENTIALS' }])
      }
    },
  )

  it.each([
    '12345678',
    'password',
    'PassWord',
    'Password1!',
    'P@ssw0rd2026',
    '!!football!!',
    'qwerty123',
    'aaaaaaaa',
    '12121212',
    'abcabcabc',
    'abcdefgh',
    '87654321',
    'zxcvbnm,',
    '11221990',
    'hunter2hunter2',
    'password'.repeat(16),
  ])('refuses the password %j, which everyone knows', async password => {
    const refused = [
      {
        code: 'INVALID',
        field: ['password'],
        message: 'This password is one of the most common ones. Please choose another.',
      },
    ]
    expect(await register({ email: freshEmail(), password })).toEqual({ user: null, token: null, userErrors: refused })
    const { email, token } = await account()
    expect((await updateProfile({ token }, { name: 'Nell', email, password })).userErrors).toEqual(refused)
    expect((await logIn(email, PASSWORD)).data.login.userErrors).toEqual([])
  })

  it.each([
    'Eleanor Picot',
    'eleanorpicot',
    'EleanorPicot!',
    'el3anor.picot1',
    'picot.eleanor@example.com',
    'Picot.Eleanor',
    'picot-eleanor99',
    'skein2026',
    '--Skein--',
  ])('refuses the password %j of Eleanor Picot', async password => {
    const { userErrors } = await register({ name: 'Eleanor Picot', email: 'picot.eleanor@example.com', password })
    expect(userErrors).toEqual([
      {
        code: 'INVALID',
        field: ['password'],
        message: expect.stringMatching(/guessed first\. Please choose another\.$/),
      },
    ])
  })

  it('minds no name that leaves nothing to compare', async () => {
    expect((await register({ name: '🧶', email: freshEmail(), password: '*+#~ ~#+*&' })).userErrors).toEqual([])
  })

  it('cannot make itself an administrator', async () => {
    const input = { name: 'Nell', email: freshEmail(), password: PASSWORD, isAdmin: true }
    const answer = await shop.gql(`mutation($input: RegisterInput!) { register(input: $input) { ${SESSION} } }`, {
      input,
    })
    expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    const { token } = await account()
    const profile = await shop.gql(
      `mutation($input: ProfileInput!) { updateProfile(input: $input) { ${SESSION} } }`,
      { input: { name: 'Nell', email: freshEmail(), isAdmin: true } },
      { token },
    )
    expect(profile).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(await viewer({ token })).toMatchObject({ isAdmin: false })
  })

  it('takes a plus address for another one', async () => {
    const email = freshEmail()
    await register({ email })
    expect((await register({ email: email.replace('@', '+wool@') })).userErrors).toEqual([])
  })
})

describe('signing in', () => {
  it('opens a session beside the others', async () => {
    const { email, token, id } = await account()
    const { data } = await logIn(email.toUpperCase(), PASSWORD)
    expect(data.login).toMatchObject({ user: { id, email }, userErrors: [] })
    expect(data.login.token).not.toBe(token)
    for (const each of [token, data.login.token]) expect(await viewer({ token: each })).toMatchObject({ id })
  })

  it('says the same for a wrong password as for an unknown address', async () => {
    const { email } = await account()
    const wrong = await logIn(email, 'not the password')
    expect(wrong.data.login).toEqual({
      user: null,
      token: null,
      userErrors: [{ code: 'WRONG_CREDENTIALS', field: null, message: 'Invalid email or password.' }],
    })
    for (const unknown of [freshEmail(), '', 'nell', 'a\0b', '\ud800', 'x'.repeat(10_000)])
      expect(await logIn(unknown, PASSWORD)).toEqual(wrong)
    for (const password of ['', 'p'.repeat(10_000), 'a\0b', '\ud800'])
      expect(await logIn(email, password)).toEqual(wrong)
  })

  it('is refused from the eleventh try on, right password or not, and only for that address', async () => {
    const [{ email }, other] = [await account(), await account()]
    for (let tried = 0; tried < 10; tried++) expect((await logIn(email, 'guess')).status).toBe(200)
    const limited = await logIn(email, PASSWORD)
    expect(limited).toMatchObject({
      status: 429,
      errors: [
        {
          message: expect.stringMatching(/^Too many tries\. Please wait 1\d minutes and try again\.$/),
          extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) },
        },
      ],
    })
    expect((await logIn(email.toUpperCase(), PASSWORD)).status).toBe(429)
    expect((await logIn(other.email, PASSWORD)).data.login.userErrors).toEqual([])
  })

  it('refuses to try several passwords in one request, and checks none of them', async () => {
    const { email } = await account()
    const aliases = Array.from(
      { length: 9 },
      (_, index) => `try${index}: login(email: $email, password: "guess ${index}") { userErrors { code } }`,
    )
    const answer = await shop.gql(`mutation($email: String!) { ${aliases.join(' ')} }`, { email })
    expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { limit: 'login', allowed: 1 } }] })
    expect((await logIn(email, PASSWORD)).data.login.userErrors).toEqual([])
  })

  it('forgets failed tries after a success', async () => {
    const { email } = await account()
    for (let round = 0; round < 2; round++) {
      for (let tried = 0; tried < 9; tried++) await logIn(email, 'guess')
      expect((await logIn(email, PASSWORD)).data.login.userErrors).toEqual([])
    }
  })
})

describe('signing out', () => {
  it('ends this session and no other', async () => {
    const { email, token, id } = await account()
    const second = (await logIn(email, PASSWORD)).data.login.token
    expect((await shop.gql('mutation { logout }', {}, { token })).data).toEqual({ logout: true })
    expect(await viewer({ token })).toBe('INVALID_TOKEN')
    expect(await viewer({ token: second })).toMatchObject({ id })
    expect(await shop.gql('{ myOrders { id } }', {}, { token })).toMatchObject({
      status: 401,
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    })
  })

  it('is nothing to a visitor, and over when it was done before', async () => {
    const { token } = await account()
    for (const identity of [{ token }, null])
      expect((await shop.gql('mutation { logout }', {}, identity)).data).toEqual({ logout: true })
    expect(await shop.gql('mutation { logout }', {}, { token })).toMatchObject({
      status: 401,
      errors: [{ extensions: { reason: 'INVALID_TOKEN' } }],
    })
  })
})

describe('one’s own profile', () => {
  it('changes the name', async () => {
    const { email, token, id } = await account()
    const changed = await updateProfile({ token }, { name: 'Eleanor', email })
    expect(changed).toMatchObject({ token: null, user: { id, name: 'Eleanor', email }, userErrors: [] })
    expect(await viewer({ token })).toEqual(changed.user)
  })

  it.each([undefined, null, ''])('keeps the password and the sessions when it is %j', async password => {
    const { email, token, id } = await account()
    expect((await updateProfile({ token }, { name: 'Nell', email, password })).userErrors).toEqual([])
    expect(await viewer({ token })).toMatchObject({ id })
    expect((await logIn(email, PASSWORD)).data.login.userErrors).toEqual([])
  })

  it('with a new password ends every session and opens a new one', async () => {
    const { email, token, id } = await account()
    const second = (await logIn(email, PASSWORD)).data.login.token
    const changed = await updateProfile({ token }, { name: 'Nell', email, password: 'cable and moss' })
    expect(changed.userErrors).toEqual([])
    for (const old of [token, second]) expect(await viewer({ token: old })).toBe('INVALID_TOKEN')
    expect(await viewer({ token: changed.token })).toMatchObject({ id })
    expect((await logIn(email, PASSWORD)).data.login.userErrors).toMatchObject([{ code: 'WRONG_CREDENTIALS' }])
    expect((await logIn(email, 'cable and moss')).data.login.userErrors).toEqual([])
  })

  it.each([
    ['name', ' '],
    ['email', 'nell'],
    ['password', '1234567'],
  ])('refuses the %s %j and changes nothing', async (field, value) => {
    const { email, token } = await account()
    const before = await viewer({ token })
    expect((await updateProfile({ token }, { name: 'Changed', email, [field]: value })).userErrors[0]).toMatchObject({
      code: 'INVALID',
      field: [field],
    })
    expect(await viewer({ token })).toEqual(before)
  })

  it('with a new password asks for the current one when the session is older than a quarter of an hour', async () => {
    const { email, token, id } = await account()
    await shop.em().execute(`update sessions set created_at = now() - interval '16 minutes' where user_id = ?`, [id])
    const asked = (currentPassword?: string) =>
      updateProfile({ token }, { name: 'Nell', email, password: 'cable and moss', currentPassword })
    expect((await asked()).userErrors).toEqual([
      {
        code: 'CURRENT_PASSWORD',
        field: ['currentPassword'],
        message: 'To change your password, please give your current password as well.',
      },
    ])
    expect((await asked('not this one')).userErrors).toMatchObject([
      { code: 'CURRENT_PASSWORD', message: 'This is not your current password.' },
    ])
    expect((await logIn(email, PASSWORD)).data.login.userErrors).toEqual([])
    expect((await asked(PASSWORD)).userErrors).toEqual([])
  })

  it('does not let a stolen session guess the current password', async () => {
    const { email, token } = await account()
    const guess = (currentPassword: string) =>
      shop.gql(
        'mutation($input: ProfileInput!) { updateProfile(input: $input) { userErrors { code } } }',
        { input: { name: 'Nell', email, currentPassword } },
        { token },
      )
    for (let tried = 0; tried < 10; tried++)
      expect((await guess('guess')).data.updateProfile.userErrors).toEqual([{ code: 'CURRENT_PASSWORD' }])
    expect((await guess(PASSWORD)).status).toBe(429)
  })
})

describe('a device that an account was signed in from', () => {
  const from = (email: string, password: string, device: string | null) =>
    shop.gql(
      'mutation($email: String!, $password: String!, $device: String) { login(email: $email, password: $password, device: $device) { token device userErrors { code } } }',
      { email, password, device },
    )

  it('lets the owner in while strangers guess from the same address; its token is kept nowhere as it is', async () => {
    const { email } = await account()
    const { device } = (await from(email, PASSWORD, null)).data.login
    for (let tried = 0; tried < 10; tried++) await from(email, 'guess', null)
    for (const stranger of [null, '', 'x'.repeat(43)]) expect((await from(email, PASSWORD, stranger)).status).toBe(429)
    expect((await from(email, PASSWORD, device)).data.login).toMatchObject({ device, userErrors: [] })
    expect(JSON.stringify(await shop.em().execute('select * from known_devices'))).not.toContain(device)
  })

  it('is known for its own account alone, has ten tries itself, and is forgotten with the old password', async () => {
    const [nell, purl] = [await account(), await account()]
    const { device } = (await from(nell.email, PASSWORD, null)).data.login
    for (let tried = 0; tried < 10; tried++) await from(purl.email, 'guess', null)
    expect((await from(purl.email, PASSWORD, device)).status).toBe(429)
    for (let tried = 0; tried < 10; tried++) expect((await from(nell.email, 'guess', device)).status).toBe(200)
    expect((await from(nell.email, PASSWORD, device)).status).toBe(429)
    await updateProfile({ token: nell.token }, { name: 'Nell', email: nell.email, password: 'cable and moss' })
    expect((await from(nell.email, 'cable and moss', device)).data.login.device).not.toBe(device)
  })
})

describe('a session', () => {
  const usedDaysAgo = (id: string, days: number) =>
    shop
      .em()
      .execute('update sessions set used_at = now() - make_interval(secs => ?) where user_id = ?', [days * 86_400, id])

  it('ends 30 days after its last use', async () => {
    const { token, id } = await account()
    await usedDaysAgo(id, 30.001)
    expect(await viewer({ token })).toBe('INVALID_TOKEN')
  })

  it('lives on with every use', async () => {
    const { token, id } = await account()
    await usedDaysAgo(id, 29.9)
    expect(await viewer({ token })).toMatchObject({ id })
    const [session] = await shop
      .em()
      .execute<[{ seconds: number }]>(
        'select extract(epoch from now() - used_at)::int as seconds from sessions where user_id = ?',
        [id],
      )
    expect(session.seconds).toBeLessThan(60)
  })
})
