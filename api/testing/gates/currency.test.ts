import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CURRENCIES, currencyName } from '#schema/rules/currency'
import { formatCents, tradeIn } from '#schema/rules/money'
import { present } from '#schema/rules/present'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { keepCurrency } from '../../db/keep-currency.ts'
import { bought, buyerDoes, capturePaypalOrder, createPaypalOrder, line, placed, readOrder } from '../purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../shop.ts'

let shop: TestShop
let nell: Account
beforeAll(async () => {
  shop = await openShop({ currency: 'EUR' })
  nell = await makeUser(shop.em())
})
afterAll(async () => {
  tradeIn('USD')
  await shop?.close()
})

describe('a shop that trades in euros', () => {
  it.each(['/', '/yarn', '/product/:id/moss', '/cart', '/about', '/terms'])(
    'names no other currency at %s',
    async path => {
      const { id } = await makeProduct(shop.em(), { name: 'Moss', price: 12_50 })
      const { body } = await shop.app.inject({ url: path.replace(':id', id) })
      const has = (text: string) => body.includes(text)
      if (path === '/') expect(has('Free shipping on orders of €100 and over')).toBe(true)
      if (path === '/terms') expect(has('Prices are in euros.')).toBe(true)
      if (path.startsWith('/product')) expect([has('€12.50'), has('"priceCurrency":"EUR"')]).toEqual([true, true])
      const seen = body.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
      expect(seen.match(/.{40}(?:\$\d|USD|dollar).{10}/g)).toBeNull()
    },
  )

  it('is paid in them, and in nothing else', async () => {
    const order = await bought(shop, nell, [line(await makeProduct(shop.em(), { price: 20_00 }))])
    expect((await readOrder(shop, nell, order.id)).paidAt).not.toBeNull()
    const other = await placed(shop, nell, [line(await makeProduct(shop.em(), { price: 20_00 }))])
    // As it is for money that a buyer sends in another currency: what PayPal reports is not what this shop trades in.
    tradeIn('GBP')
    const { paypalOrderId } = await createPaypalOrder(shop, nell, other.id)
    tradeIn('EUR')
    await buyerDoes(shop, 'approve', present(paypalOrderId))
    const { captureId, userErrors } = await capturePaypalOrder(shop, nell, other.id, present(paypalOrderId))
    expect([captureId, userErrors.map(({ code }) => code)]).toEqual([null, ['PAYMENT_FAILED']])
    expect((await readOrder(shop, nell, other.id)).paidAt).toBeNull()
  })

  it('tells programs, feeds and whoever gets an invoice', async () => {
    const order = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    expect((await shop.gql('{ shop { currency } }')).data.shop.currency).toBe('EUR')
    expect((await shop.app.inject({ url: '/feeds/products.tsv' })).body).toMatch(/\t\d+\.\d\d EUR\t/)
    const [event] = await shop
      .em()
      .execute<{ data: { order: { currency: string } } }[]>(
        `select data from events where type = 'ORDER_PLACED' and subject_id = ?`,
        [order.id],
      )
    expect(event?.data.order.currency).toBe('EUR')
    const headers = { authorization: `Bearer ${nell.token}` }
    const pdf = await shop.app.inject({ url: `/api/orders/${order.id}/invoice.pdf`, headers })
    const { text } = await extractText(new Uint8Array(pdf.rawPayload), { mergePages: true })
    expect(text).toContain('All amounts are in euros.')
    expect(text).not.toContain('$')
  })
})

it.each([
  [75_50, 'Free shipping on orders of $75.50 and over'],
  [0, 'Free shipping on every order'],
])('the home page names the threshold for free shipping, here %i cents', async (freeShippingFrom, words) => {
  const other = await openShop({ policy: { ...DEFAULT_POLICY, freeShippingFrom } })
  onTestFinished(async () => {
    await other.close()
    tradeIn('EUR')
  })
  expect((await other.app.inject({ url: '/' })).body.includes(words)).toBe(true)
})

it('a shop stays in the currency of its first start', async () => {
  await keepCurrency(shop.em(), 'EUR')
  await keepCurrency(shop.em(), 'EUR')
  await expect(keepCurrency(shop.em(), 'USD')).rejects.toThrow(
    'SHOP_CURRENCY is USD, but the prices and orders of this shop are in EUR, which they stay in: start it with SHOP_CURRENCY=EUR.',
  )
})

it.each(CURRENCIES)('amounts in %s have a sign or a code, and two decimals', currency => {
  tradeIn(currency)
  expect(formatCents(123_456)).toMatch(/^[^\d\s]+\s?1,234\.56$/u)
  expect(currencyName()).toMatch(/^\p{L}[\p{L} ]+$/u)
  tradeIn('EUR')
})
