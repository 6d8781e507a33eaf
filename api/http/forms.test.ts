import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { mailsTo } from '../testing/mail.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { LEAST_POINTS, PAGE_POINTS } from './rate-limit.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let product: { id: string; name: string }
beforeAll(async () => {
  shop = await openShop({ keepAnswersMs: 60_000, rateLimit: 100_000, trustProxy: '127.0.0.1', mail: { to: 'mailbox' } })
  product = await makeProduct(shop.em(), { name: 'Ninepin Sock', price: 1850, countInStock: 7 })
})
afterAll(() => shop?.close())

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(shop.url + path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })
const cart = (cookie?: string) => fetch(`${shop.url}/cart`, { headers: cookie ? { cookie } : {} })
const spent = async (answer: Promise<Response>) =>
  100_000 - Number(present(/r=(\d+)/.exec(present((await answer).headers.get('ratelimit'))))[1])

test('a form puts a product into a cart that only its visitor sees', async () => {
  const added = await post('/cart', { product: product.id, quantity: '2' })
  expect([added.status, added.headers.get('location')]).toEqual([303, '/cart'])
  const cookie = nth(present(added.headers.get('set-cookie')).split(';'), 0)
  const before = await (await cart()).text()
  const own = await cart(cookie)
  expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(own.headers.get('vary')).toMatch(/\bCookie\b/)
  expect(await own.text()).toContain('$37.00')
  expect(before).toContain('Your cart is empty')
  expect(before).not.toContain('$37.00')
  expect(await (await cart()).text()).toBe(before)
})

test('prices and stock are the shop’s, whatever the form and the cookie say', async () => {
  const cookie = `cart=${product.id}*500`
  const html = await (await cart(cookie)).text()
  expect(html).toContain('$129.50')
  expect(html).toContain('There is less left of something than you wanted')
  const unknown = await (await cart('cart=0199aa00-0000-7000-8000-000000000001*1')).text()
  expect(unknown).toContain('One product is no longer for sale')
  const soldOut = await makeProduct(shop.em(), { name: 'Fell Pony', countInStock: 0 })
  const without = await (await cart(`cart=${soldOut.id}*1`)).text()
  expect(without).toContain('“Fell Pony” is sold out and is not in your cart any more.')
  expect(without).not.toContain('no longer for sale')
})

describe('a form from elsewhere', () => {
  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ])('%j is refused, and sets nothing', async headers => {
    for (const path of ['/cart', '/contact', '/newsletter', '/login']) {
      const answer = await post(path, { product: product.id, more: '1', email: 'nell@example.com' }, headers)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    }
    const [mails] = await shop.em().execute<{ count: string }[]>('select count(*) from mails')
    expect(present(mails).count).toBe('0')
  })

  it('is told from the shop’s own', async () => {
    const own: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: shop.url }]
    for (const headers of own)
      expect((await post('/cart', { product: product.id, more: '1' }, headers)).status).toBe(303)
  })
})

test.each<[string, string, RequestInit, number]>([
  ['fields of no product', '/cart', { body: new URLSearchParams({ product: '1', quantity: '1' }) }, 400],
  ['nothing', '/cart', {}, 400],
  ['JSON', '/cart', { body: '{}', headers: { 'content-type': 'application/json' } }, 415],
  ['more than a form holds', '/login', { body: new URLSearchParams({ email: 'x'.repeat(60_000) }) }, 413],
  ['an email that is none', '/newsletter', { body: new URLSearchParams({ email: 'nell' }) }, 422],
  ['an email that is none', '/login', { body: new URLSearchParams({ email: 'nell' }) }, 422],
])('%s at %s is answered in words', async (_what, path, init, status) => {
  const answer = await fetch(shop.url + path, { method: 'POST', ...init })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
})

test('a form, and a page for one visitor, cost what a page costs', async () => {
  await cart()
  const from = (address: string) => ({ 'x-forwarded-for': address })
  expect(await spent(fetch(`${shop.url}/cart`, { headers: from('10.0.0.1') }))).toBe(LEAST_POINTS)
  const cookie = `cart=${product.id}*1`
  expect(await spent(fetch(`${shop.url}/cart`, { headers: { cookie, ...from('10.0.0.2') } }))).toBe(PAGE_POINTS)
  expect(await spent(post('/login', { email: 'nell@example.com' }, from('10.0.0.3')))).toBe(PAGE_POINTS)
})

test('a message reaches the owner, or comes back with what is wrong with it', async () => {
  await makeUser(shop.em(), { isAdmin: true, email: 'owner@example.com' })
  const said = { name: 'Nell', email: 'nell@example.com', message: 'Есть ли ещё мох?'.repeat(300) }
  const refused = await post('/contact', { ...said, email: 'nell' }, { 'x-forwarded-for': '10.1.3.1' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toMatch(/Please enter a valid email address.*Есть ли ещё мох/s)
  const sent = await post('/contact', said, { 'x-forwarded-for': '10.1.3.1' })
  expect([sent.status, sent.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await sent.text()).toContain('Your message is on its way')
  expect((await mailsTo(shop, 'owner@example.com'))[0].text).toContain(said.message)
})

test('the newsletter’s form counts for whoever sends it', async () => {
  const statuses = []
  for (let index = 0; index < 40; index++) {
    const answer = await post('/newsletter', { email: `reader${index}@example.com` }, { 'x-forwarded-for': '10.1.1.1' })
    statuses.push(answer.status)
  }
  expect(statuses[0]).toBe(200)
  expect(statuses.at(-1)).not.toBe(200)
  expect((await post('/newsletter', { email: 'other@example.com' }, { 'x-forwarded-for': '10.1.2.1' })).status).toBe(
    200,
  )
})
