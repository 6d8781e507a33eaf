import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nth } from '#schema/rules/present'
import { ask } from '../testing/admin.ts'
import { makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

const MANY = 2_345

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
  // Two of a moment each, some that never confirmed, and some that left.
  await shop.em().execute(
    `insert into newsletter_subscriptions (email_key, email, created_at, confirmed_at, unsubscribed_at, unsubscribe_token)
     select 'reader' || n || '@example.com', 'Reader' || n || '@example.com', now(),
       case when n % 10 <> 1 then timestamptz '2026-01-01' + (n / 2) * interval '1 second' end,
       case when n % 10 = 2 then now() end, 'token-' || n
     from generate_series(1, ?) as n`,
    [MANY],
  )
})
afterAll(() => shop?.close())

const onList = Array.from({ length: MANY }, (_, index) => index + 1).filter(n => n % 10 !== 1 && n % 10 !== 2)
const emailOf = (n: number) => `Reader${n}@example.com`

const download = (who?: { token: string }) =>
  fetch(`${shop.url}/api/newsletter/subscribers.csv`, {
    headers: who ? { authorization: `Bearer ${who.token}` } : {},
  })

it('the owner downloads all who confirmed and did not leave, with the link that takes each off the list', async () => {
  const answer = await download(admin)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="newsletter-subscribers.csv"')
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const rows: Record<string, string>[] = parse(await answer.text(), { bom: true, columns: true })
  expect(rows.map(({ email }) => email).toSorted()).toEqual(onList.map(emailOf).toSorted())
  expect(rows.map(row => row['confirmed_at'])).toEqual(rows.map(row => row['confirmed_at']).toSorted())
  expect(rows.find(({ email }) => email === emailOf(4))).toEqual({
    email: emailOf(4),
    confirmed_at: '2026-01-01T00:00:02.000Z',
    unsubscribe_url: `http://127.0.0.1/newsletter/unsubscribe#token-4`,
  })
})

it('a download of it is in the audit log', async () => {
  await download(admin)
  const { auditLog } = await ask(
    shop,
    admin,
    '{ auditLog(filter: { entity: EXPORT }) { items { action label actor { name } } } }',
  )
  expect(nth(auditLog.items, 0)).toMatchObject({ action: 'DOWNLOADED', label: 'newsletterSubscribers' })
})

it('an address that a spreadsheet would run is a text to it', async () => {
  await shop.em().execute(
    `insert into newsletter_subscriptions (email_key, email, created_at, confirmed_at, unsubscribe_token)
     values ('=a()@example.com', '=a()@example.com', now(), now(), 'token')`,
  )
  expect((await (await download(admin)).text()).includes("\r\n'=a()@example.com,")).toBe(true)
  await shop.em().execute(`delete from newsletter_subscriptions where email_key like '=%'`)
})

it('programs read the list in parts, whoever confirmed last first', async () => {
  const read = async (after: string | null) => {
    const { newsletterSubscribers } = await ask(
      shop,
      admin,
      `query($after: String) { newsletterSubscribers(first: 100, after: $after) {
        edges { node { id email confirmedAt unsubscribePath } } pageInfo { hasNextPage endCursor } totalCount } }`,
      { after },
    )
    return newsletterSubscribers
  }
  const found: { email: string; confirmedAt: string; unsubscribePath: string }[] = []
  for (let after: string | null = null; ;) {
    const { edges, pageInfo, totalCount } = await read(after)
    expect(totalCount).toBe(onList.length)
    found.push(...edges.map(({ node }) => node))
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  expect(found.map(({ email }) => email).toSorted()).toEqual(onList.map(emailOf).toSorted())
  const moments = found.map(({ confirmedAt }) => confirmedAt)
  expect(moments).toEqual(moments.toSorted().toReversed())
  expect(nth(found, 0).unsubscribePath).toMatch(/^\/newsletter\/unsubscribe#token-\d+$/)
})

it('takes who opens that link off the list', async () => {
  const [token, email] = ['token-9', emailOf(9)]
  await shop.gql('mutation($token: String!) { unsubscribeFromNewsletter(token: $token) { unsubscribed } }', { token })
  expect((await (await download(admin)).text()).includes(email)).toBe(false)
})
