import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  approvedPayment,
  buyerDoes,
  capturePaypalOrder,
  captures,
  line,
  placed,
  plan,
  readOrder,
  reconcile,
} from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { sign } from '../../tools/paypal-simulator/webhooks.ts'
import { ForgedWebhook, UnverifiableWebhook, webhookVerifier } from './verify-webhook.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  shop.simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.simulator.webhooks.arrived()
  shop.simulator.reset()
})

async function approvedOrder() {
  const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const order = await placed(shop, nell, [line(yarn, 2)])
  return { nell, yarn, order, paypalOrderId: await approvedPayment(shop, nell, order.id) }
}

const count = async (table: string, column: string, value: string) =>
  (await shop.em().execute(`select 1 from ${table} where ${column} = ?`, [value])).length
const states = async (orderId: string) =>
  (
    await shop
      .em()
      .execute<{ state: string }[]>('select state from payment_attempts where order_id = ? order by number', [orderId])
  ).map(({ state }) => state)

/** Sends an event as it was signed, or as it was changed afterwards. */
function send({ headers, body }: { headers: Record<string, string>; body: string }) {
  return fetch(`${shop.url}/api/webhooks/paypal`, { method: 'POST', headers, body })
}

let serial = 0
const event = (type: string, resource: object) => ({ id: `WH-${++serial}`, event_type: type, resource })

/** PayPal's event for a completed capture of an order. */
const completed = (orderId: string, paypalOrderId: string) =>
  event('PAYMENT.CAPTURE.COMPLETED', {
    id: 'CAPTURE1',
    custom_id: orderId,
    supplementary_data: { related_ids: { order_id: paypalOrderId } },
  })

async function expectPaidOnce(orderId: string) {
  expect(await readOrder(shop, admin, orderId)).toMatchObject({ status: 'PAID', attention: null })
  expect(await count('payments', 'order_id', orderId)).toBe(1)
}

describe('PayPal’s word', () => {
  it('pays an order whose shopper never came back', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    // The approval, then the capture.
    expect(await shop.simulator.webhooks.arrived()).toEqual([200, 200])
    await expectPaidOnce(order.id)
  })

  it('may come before the shopper’s own answer, many times, and the wrong way round', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    shop.simulator.webhooks.hold()
    await plan(shop, { capture: 'PENDING' })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    shop.simulator.decide(paypalOrderId, 'COMPLETED')
    const released = await shop.simulator.webhooks.release({ copies: 5, reversed: true })
    expect(released).toHaveLength(2)
    expect(await shop.simulator.webhooks.arrived()).toEqual(Array(10).fill(200))
    await expectPaidOnce(order.id)
    expect(await states(order.id)).toEqual(['CAPTURED'])
    expect(await count('webhook_events', 'order_id', order.id)).toBe(3)

    // Replaying old events changes nothing either.
    for (const old of released) expect((await send(old)).status).toBe(200)
    await expectPaidOnce(order.id)
  })

  it('on an order that is being paid at the same moment pays it once', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await Promise.all(Array.from({ length: 5 }, () => capturePaypalOrder(shop, nell, order.id, paypalOrderId)))
    await shop.simulator.webhooks.arrived()
    await expectPaidOnce(order.id)
    expect(captures(shop)).toBe(1)
  })

  it('in ten different events at the same moment pays it once', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    shop.simulator.webhooks.hold()
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    const statuses = await Promise.all(
      Array.from(
        { length: 10 },
        async () => (await send(sign(shop.simulator.url, completed(order.id, paypalOrderId)))).status,
      ),
    )
    expect(statuses).toEqual(Array(10).fill(200))
    await expectPaidOnce(order.id)
  })

  it('is only a reason to look: what was not captured is not paid', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    const forgedByPaypal = completed(order.id, paypalOrderId)
    expect((await send(sign(shop.simulator.url, forgedByPaypal))).status).toBe(503)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID', attention: null })
    // The event was not accepted, so PayPal's next attempt counts.
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    expect((await send(sign(shop.simulator.url, forgedByPaypal))).status).toBe(200)
    await expectPaidOnce(order.id)
  })

  it('is heard again after PayPal could not be asked', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    shop.simulator.webhooks.hold()
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    await plan(shop, { get: Array(3).fill('500') })
    await shop.simulator.webhooks.release()
    expect(await shop.simulator.webhooks.arrived()).toEqual([503, 200])
    await expectPaidOnce(order.id)
  })

  it('that a pending payment was denied clears it and tells the administrator', async () => {
    const { nell, order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: 'PENDING' })
    await capturePaypalOrder(shop, nell, order.id, paypalOrderId)
    await shop.simulator.webhooks.arrived()
    expect(await states(order.id)).toEqual(['PENDING'])
    shop.simulator.decide(paypalOrderId, 'DECLINED')
    await shop.simulator.webhooks.arrived()
    expect(await states(order.id)).toEqual(['DECLINED'])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('declined'),
    })
  })

  it('that money came which does not fit is told to the administrator', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await plan(shop, { capture: 'wrong-amount' })
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    expect(await shop.simulator.webhooks.arrived()).toEqual([200, 200])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('is over $'),
    })
  })

  it('of a payment the shop did not open pays nothing, whatever order it names', async () => {
    const { order } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    const foreign = await shop.paypal.createOrder({
      orderId: order.id,
      reference: order.reference,
      amount: order.totalPrice,
      requestId: 'somebody-else',
    })
    await buyerDoes(shop, 'approve', foreign.id)
    await shop.paypal.captureOrder(foreign.id, 'somebody-else')
    expect(await shop.simulator.webhooks.arrived()).toEqual([200, 200])
    expect(await readOrder(shop, admin, order.id)).toMatchObject({
      status: 'UNPAID',
      attention: expect.stringContaining('did not open'),
    })
    expect(await count('payments', 'order_id', order.id)).toBe(0)
  })

  it('of an approval wakes the reconciler, which finishes what the browser left', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    await shop.em().execute('update orders set paypal_watched_from = null where id = ?', [order.id])
    await buyerDoes(shop, 'approve', paypalOrderId)
    await shop.simulator.webhooks.arrived()
    await reconcile(shop, 90)
    await shop.simulator.webhooks.arrived()
    await expectPaidOnce(order.id)
  })

  it.each([
    ['no order of ours', { custom_id: '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c' }],
    ['something that is no id', { custom_id: `'; drop table orders; --` }],
    ['nothing', {}],
  ])('about %s is heard and forgotten', async (_what, resource) => {
    const heard = event('PAYMENT.CAPTURE.COMPLETED', { id: 'CAPTURE1', ...resource })
    expect((await send(sign(shop.simulator.url, heard))).status).toBe(200)
    expect(await count('webhook_events', 'id', heard.id)).toBe(1)
  })

  it('of another kind is heard and forgotten', async () => {
    const { order, paypalOrderId } = await approvedOrder()
    expect(
      (
        await send(
          sign(shop.simulator.url, { ...completed(order.id, paypalOrderId), event_type: 'BILLING.PLAN.CREATED' }),
        )
      ).status,
    ).toBe(200)
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID' })
  })
})

describe('what is not PayPal’s word', () => {
  const forged: [string, (genuine: ReturnType<typeof sign>) => ReturnType<typeof sign>][] = [
    ['a changed body', ({ headers, body }) => ({ headers, body: body.replace('COMPLETED', 'REVERSED') })],
    ['a body written anew', ({ headers, body }) => ({ headers, body: JSON.stringify(JSON.parse(body), null, 1) })],
    ['no signature', ({ headers: { 'paypal-transmission-sig': _, ...headers }, body }) => ({ headers, body })],
    [
      'a made-up signature',
      ({ headers, body }) => ({ headers: { ...headers, 'paypal-transmission-sig': 'AAAA' }, body }),
    ],
    [
      'another time',
      ({ headers, body }) => ({ headers: { ...headers, 'paypal-transmission-time': '2020-01-01T00:00:00Z' }, body }),
    ],
    ['another way to sign', ({ headers, body }) => ({ headers: { ...headers, 'paypal-auth-algo': 'none' }, body })],
    [
      'a certificate from elsewhere',
      ({ headers, body }) => ({
        headers: { ...headers, 'paypal-cert-url': 'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1' },
        body,
      }),
    ],
    [
      'a certificate that is none',
      ({ headers, body }) => ({
        headers: {
          ...headers,
          'paypal-cert-url': present(headers['paypal-cert-url']).replace('certs/CERT-SIMULATED', 'other'),
        },
        body,
      }),
    ],
    ['an empty body', ({ headers }) => ({ headers, body: '' })],
  ]

  it.each(forged)('is refused: %s', async (_what, forge) => {
    const { order, paypalOrderId } = await approvedOrder()
    await shop.simulator.webhooks.arrived()
    shop.simulator.webhooks.sendTo(null)
    await shop.paypal.captureOrder(paypalOrderId, 'by-the-client')
    shop.simulator.webhooks.sendTo(`${shop.url}/api/webhooks/paypal`)
    const genuine = sign(shop.simulator.url, completed(order.id, paypalOrderId))
    const refused = await send(forge(genuine))
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 400,
      body: { message: expect.any(String) },
    })
    expect(await readOrder(shop, admin, order.id)).toMatchObject({ status: 'UNPAID' })
    expect((await send(genuine)).status).toBe(200)
    await expectPaidOnce(order.id)
  })

  it('is refused: an event for another webhook', async () => {
    expect(
      (await send(sign(shop.simulator.url, event('PAYMENT.CAPTURE.COMPLETED', {}), 'ANOTHERWEBHOOK'))).status,
    ).toBe(400)
  })

  it('is refused: something signed that is no event', async () => {
    expect((await send(sign(shop.simulator.url, []))).status).toBe(400)
  })
})

describe('the check of a signature', () => {
  const check = (trust: Partial<Parameters<typeof webhookVerifier>[0]>, now?: Date, base = shop.simulator.url) => {
    const { headers, body } = sign(base, event('PAYMENT.CAPTURE.COMPLETED', {}))
    return webhookVerifier({ id: '5SIMULATEDWEBHOOK', certificateOrigin: shop.simulator.url, ...trust })(
      headers,
      Buffer.from(body),
      now,
    )
  }

  it('believes what is genuine', () => expect(check({})).resolves.toBeUndefined())
  it('believes nothing without a webhook id', () => expect(check({ id: null })).rejects.toThrow(UnverifiableWebhook))
  it('believes no simulator when the shop talks to PayPal', () =>
    expect(check({ certificateOrigin: 'https://api.paypal.com' })).rejects.toThrow(ForgedWebhook))
  it('believes no certificate before its time', () =>
    expect(check({}, new Date('2019-12-31'))).rejects.toThrow('out of date'))
  it('believes no certificate after its time', () =>
    expect(check({}, new Date('2100-01-01'))).rejects.toThrow('out of date'))
  it('waits for a certificate that cannot be fetched now', () =>
    expect(check({ certificateOrigin: 'http://127.0.0.1:1' }, undefined, 'http://127.0.0.1:1')).rejects.toThrow(
      UnverifiableWebhook,
    ))
})

describe('the simulator', () => {
  it('confirms its own events by postback, as PayPal does, and no others', async () => {
    const { headers, body } = sign(shop.simulator.url, event('PAYMENT.CAPTURE.COMPLETED', {}))
    const basic = Buffer.from('test-client:test-secret').toString('base64')
    const token = (await (
      await fetch(`${shop.simulator.url}/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      })
    ).json()) as { access_token: string }
    const ask = async (webhook_event: unknown) =>
      (
        await fetch(`${shop.simulator.url}/v1/notifications/verify-webhook-signature`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            auth_algo: headers['paypal-auth-algo'],
            cert_url: headers['paypal-cert-url'],
            transmission_id: headers['paypal-transmission-id'],
            transmission_sig: headers['paypal-transmission-sig'],
            transmission_time: headers['paypal-transmission-time'],
            webhook_id: '5SIMULATEDWEBHOOK',
            webhook_event,
          }),
        })
      ).json()
    expect(await ask(JSON.parse(body))).toEqual({ verification_status: 'SUCCESS' })
    expect(await ask({ ...JSON.parse(body), id: 'WH-OTHER' })).toEqual({ verification_status: 'FAILURE' })
  })
})
