import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataOf } from '../generated/answers.ts'
import { ask } from '../testing/admin.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { ADDRESS, line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type Answer, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

/** Of Migration020Codes. */
const CASTON15 = '019ab000-0000-7000-8000-000000000015'
const WELCOME = '019ab000-0000-7000-8000-000000000016'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' }, trustProxy: '127.0.0.1' })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

let serial = 0
const freshEmail = () => `nell.reads${++serial}@example.com`
const REFUSED = 'userErrors { code message field }'
const SPENT = [{ code: 'NEWSLETTER_LINK_SPENT' }]

/** Sends each request from a new address, unless one is given. */
async function asking(email: string, from = `10.0.${serial >> 8}.${serial++ & 255}`) {
  const query =
    `mutation($email: String!) { subscribeToNewsletter(email: $email) { subscribed mailbox ${REFUSED} } }` as const
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
  return (await (await shop.send(JSON.stringify({ query, variables: { email } }), headers)).json()) as Answer<
    DataOf<typeof query>
  >
}
const subscribe = async (email: string) => (await asking(email)).data.subscribeToNewsletter
const confirm = async (token: string) =>
  (await shop.gql(`mutation($token: String!) { confirmNewsletter(token: $token) { confirmed ${REFUSED} } }`, { token }))
    .data.confirmNewsletter
const leave = async (token: string) =>
  (
    await shop.gql(
      `mutation($token: String!) { unsubscribeFromNewsletter(token: $token) { unsubscribed ${REFUSED} } }`,
      { token },
    )
  ).data.unsubscribeFromNewsletter
const rows = (email: string) =>
  shop
    .em()
    .execute<{ email: string; code: string | null; on_list: boolean }[]>(
      `select email, code, confirmed_at is not null and unsubscribed_at is null as on_list from newsletter_subscriptions where email_key = ?`,
      [email.toLowerCase()],
    )
const codeIn = ({ text }: { text: string }) => nth(present(/\b(WELCOME-[A-Z2-9]{10})\b/.exec(text)), 1)

/** As the owner does in the admin's pages. */
const changeCode = async (id: string, input: object) => {
  const { updateDiscountCode } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: DiscountCodePatch!) { updateDiscountCode(id: $id, input: $input) { ${REFUSED} } }`,
    { id, input },
  )
  expect(updateDiscountCode.userErrors).toEqual([])
}

/** Signs an address up and confirms it. Returns the welcome mail. */
async function reader(email = freshEmail()) {
  await subscribe(email)
  await confirm(tokenIn(nth(await mailsTo(shop, email), 0)))
  return nth(await mailsTo(shop, email, 2), 1)
}
const place = async (who: Account, code: string) => {
  const wool = await makeProduct(shop.em(), { price: 2000, countInStock: 50 })
  return (
    await shop.gql(
      `mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id discount } ${REFUSED} } }`,
      { input: { lines: [line(wool)], shippingAddress: ADDRESS, code } },
      who,
    )
  ).data.placeOrder
}

describe('signing up', () => {
  it('puts nobody on the list before the link in the mail is pressed', async () => {
    const email = freshEmail()
    expect(await subscribe(email)).toEqual({ subscribed: true, mailbox: '/dev/mailbox', userErrors: [] })
    const [mail] = await mailsTo(shop, email)
    expect(mail).toMatchObject({ subject: 'Do you want our newsletter?' })
    expect(await rows(email)).toEqual([])
    expect(await confirm(tokenIn(present(mail)))).toEqual({ confirmed: true, userErrors: [] })
    expect(await rows(email)).toMatchObject([{ email, on_list: true }])
  })

  it('answers alike for an address that is on the list; its reader is told, and gets no second code', async () => {
    const email = freshEmail()
    await reader(email)
    expect(await subscribe(email.toUpperCase())).toEqual(await subscribe(freshEmail()))
    const mail = nth(await mailsTo(shop, email.toUpperCase()), 0)
    expect(mail).toMatchObject({ subject: 'You are on our list already' })
    expect(mail.text).not.toMatch(/WELCOME-|newsletter\/confirm/)
  })

  it('keeps no token that confirms, only its hash', async () => {
    const email = freshEmail()
    await subscribe(email)
    const token = tokenIn(nth(await mailsTo(shop, email), 0))
    const kept = await shop
      .em()
      .execute<{ row: string }[]>(
        `select row_to_json(l)::text as row from newsletter_links l union all select data::text from pgboss.job union all select about::text from mails`,
      )
    expect(kept.filter(({ row }) => row.includes(token))).toEqual([])
  })

  it('is answered with five mails an hour to an address, whoever asks, and as often to one asker', async () => {
    const [email, from] = [freshEmail(), '10.1.1.1']
    for (let asked = 0; asked < 5; asked++) expect((await asking(email, from)).errors).toBeUndefined()
    expect((await asking(email, from)).errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
    // The limit for the address applies to requests from everywhere, but they are not told so.
    expect(await subscribe(email)).toMatchObject({ subscribed: true, userErrors: [] })
    await expect
      .poll(() => shop.em().execute(`select 1 from mails where sent_at is null and about->>'emailKey' = ?`, [email]), {
        timeout: 15_000,
      })
      .toEqual([])
    await mailsTo(shop, email, 5)
  })

  it.each([
    '',
    ' ',
    'nell',
    'nell@',
    '@example.com',
    'nell@example',
    'ne ll@example.com',
    'nell@exa\0mple.com',
    'nell\ud800@example.com',
    `${'n'.repeat(250)}@example.com`,
  ])('refuses %j beside the field', async email => {
    const { subscribed, userErrors } = await subscribe(email)
    expect(subscribed).toBe(false)
    expect(userErrors[0]).toMatchObject({ code: 'INVALID', field: ['email'] })
  })

  it('says so in the words of the shop', async () => {
    expect((await subscribe('nell')).userErrors).toEqual([
      { code: 'INVALID', field: ['email'], message: 'Please enter a valid email address.' },
    ])
  })
})

describe('the link to confirm', () => {
  it('works once, and a made-up one never', async () => {
    const email = freshEmail()
    await subscribe(email)
    const token = tokenIn(nth(await mailsTo(shop, email), 0))
    expect((await confirm(token)).userErrors).toEqual([])
    expect((await confirm(token)).userErrors).toMatchObject(SPENT)
    expect((await confirm('A'.repeat(43))).userErrors).toMatchObject(SPENT)
  })

  it('is too old after 24 hours', async () => {
    const email = freshEmail()
    await subscribe(email)
    const token = tokenIn(nth(await mailsTo(shop, email), 0))
    await shop
      .em()
      .execute(`update newsletter_links set created_at = now() - interval '25 hours' where email = ?`, [email])
    expect((await confirm(token)).userErrors).toMatchObject(SPENT)
    expect(await rows(email)).toEqual([])
  })

  it('brings one letter and one code, however many links are pressed at once', async () => {
    const email = freshEmail()
    for (let asked = 0; asked < 4; asked++) await subscribe(email)
    const tokens = (await mailsTo(shop, email, 4)).map(tokenIn)
    const answers = await Promise.all([...tokens, ...tokens].map(confirm))
    expect(answers.some(({ confirmed }) => confirmed)).toBe(true)
    const [row] = await rows(email)
    expect(present(row).code).toMatch(/^WELCOME-/)
    expect(await shop.em().execute('select code from series_codes where email_key = ?', [email]), 'made once').toEqual([
      { code: present(row).code },
    ])
    expect(nth(await mailsTo(shop, email, 5), 4).text).toContain(present(row).code)
  })
})

describe('the welcome letter', () => {
  it('brings a code for 15% off that is good for one order', async () => {
    const nell = await makeUser(shop.em())
    const letter = await reader(nell.user.email)
    expect(letter.subject).toBe('Welcome: your code for 15% off')
    const code = codeIn(letter)
    expect(letter.html).toContain(code)
    expect(letter.html).toMatch(/<a href="[^"]+\/newsletter\/unsubscribe#/)
    expect(await place(nell, code)).toMatchObject({ order: { discount: 300 }, userErrors: [] })
    expect((await place(nell, code)).userErrors).toMatchObject([{ code: 'CODE_USED_BY_YOU' }])
  })

  it('brings a code that no other account can use', async () => {
    const code = codeIn(await reader())
    expect((await place(await makeUser(shop.em()), code)).userErrors).toMatchObject([
      { code: 'CODE_OF_ANOTHER', field: ['code'] },
    ])
  })

  it('brings a code that goes with the account when its address changes', async () => {
    const nell = await makeUser(shop.em(), { emailVerifiedAt: new Date() })
    const code = codeIn(await reader(nell.user.email))
    const email = freshEmail()
    await shop.em().execute('update users set email = ?, email_key = ? where id = ?', [email, email, nell.user.id])
    expect((await place(nell, code)).userErrors).toEqual([])
  })

  it.each([
    ['paused', { isPaused: true }, { isPaused: false }],
    ['over', { endsAt: '2026-01-01T00:00:00.000Z' }, { endsAt: null }],
    ['yet to begin', { startsAt: '2056-01-01T00:00:00.000Z' }, { startsAt: null }],
  ])('comes without one while those codes are %s', async (_, change, back) => {
    await changeCode(WELCOME, change)
    const letter = await reader()
    await changeCode(WELCOME, back)
    expect(letter.subject).toBe('Welcome')
    expect(letter.text).not.toContain('WELCOME-')
  })
})

describe('the shop promises readers 15% off', () => {
  const promised = async () => (await shop.gql('{ shop { newsletterDiscount } }')).data.shop.newsletterDiscount
  const confirmation = async () => {
    const email = freshEmail()
    await subscribe(email)
    return nth(await mailsTo(shop, email), 0).text
  }

  it('by both codes', async () => {
    expect(await promised()).toBe(1500)
    expect(await confirmation()).toContain('After it, we send a code for 15% off that is yours alone.')
  })

  it.each([
    ['CASTON15 is paused', CASTON15, { isPaused: true }, { isPaused: false }],
    ['CASTON15 is over', CASTON15, { endsAt: '2026-01-01T00:00:00.000Z' }, { endsAt: null }],
    ['codes of one’s own are paused', WELCOME, { isPaused: true }, { isPaused: false }],
    ['codes of one’s own are yet to begin', WELCOME, { startsAt: '2056-01-01T00:00:00.000Z' }, { startsAt: null }],
  ])('and nothing while %s', async (_, code, change, back) => {
    await changeCode(code, change)
    expect(await promised()).toBeNull()
    expect(await confirmation()).not.toContain('%')
    await changeCode(code, back)
    expect(await promised()).toBe(1500)
  })

  it('and nothing once CASTON15 is used up', async () => {
    await place(await makeUser(shop.em()), 'CASTON15')
    await changeCode(CASTON15, { maxUses: 1 })
    expect(await promised()).toBeNull()
    await changeCode(CASTON15, { maxUses: null })
  })
})

describe('leaving', () => {
  it('is a link in every letter of the newsletter, and says nothing of who is on the list', async () => {
    const email = freshEmail()
    const token = tokenIn(await reader(email))
    expect(await leave(token)).toEqual({ unsubscribed: true, userErrors: [] })
    expect(await leave(token)).toEqual({ unsubscribed: true, userErrors: [] })
    expect(await rows(email)).toMatchObject([{ on_list: false }])
    expect((await leave('A'.repeat(43))).userErrors).toMatchObject(SPENT)
  })

  it('ends links that were asked for before', async () => {
    const email = freshEmail()
    const token = tokenIn(await reader(email))
    await shop
      .em()
      .execute(`insert into newsletter_links (token_hash, email_key, email, created_at) values (?, ?, ?, now())`, [
        serial.toString(),
        email,
        email,
      ])
    await leave(token)
    expect(await shop.em().execute('select 1 from newsletter_links where email_key = ?', [email])).toEqual([])
  })

  it('and coming back brings no second code', async () => {
    const email = freshEmail()
    const first = await reader(email)
    await leave(tokenIn(first))
    await subscribe(email)
    await confirm(tokenIn(nth(await mailsTo(shop, email, 3), 2)))
    const [row] = await rows(email)
    expect(row).toMatchObject({ on_list: true, code: codeIn(first) })
    expect(codeIn(nth(await mailsTo(shop, email, 4), 3))).toBe(codeIn(first))
  })
})
