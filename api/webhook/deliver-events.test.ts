import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { recordEvents } from '../event/record-events.ts'
import { forgetEvents } from '../event/relay-events.ts'
import { ask } from '../testing/admin.ts'
import { startProcess } from '../testing/process.ts'
import { bought, line } from '../testing/purchase.ts'
import { openReceiver, type Received } from '../testing/receiver.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { forgetDeliveries } from './forget-deliveries.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeEach(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { name: 'Ada', isAdmin: true })
})
afterEach(() => shop.close())

const ALL = [
  'ORDER_PLACED',
  'ORDER_PAID',
  'ORDER_DELIVERED',
  'ORDER_LAPSED',
  'ORDER_REFUNDED',
  'PRODUCT_CHANGED',
  'STOCK_LOW',
]

/** Makes a webhook that gets the events from now on. */
async function hook(url: string, events = ALL, narrowed: object = {}): Promise<{ id: string; secret: string }> {
  await soon(async () => expect(await shop.em().execute('select from events where relayed_at is null')).toEqual([]))
  const { createWebhook } = await ask(
    shop,
    admin,
    'mutation($input: WebhookInput!) { createWebhook(input: $input) { webhook { id } secret userErrors { message } } }',
    { input: { url, events, ...narrowed } },
  )
  expect(createWebhook.userErrors).toEqual([])
  return { id: createWebhook.webhook.id, secret: createWebhook.secret }
}

const update = async (id: string, input: object) =>
  expect(
    (
      await ask(
        shop,
        admin,
        'mutation($id: ID!, $input: WebhookPatch!) { updateWebhook(id: $id, input: $input) { userErrors { message } } }',
        { id, input },
      )
    ).updateWebhook.userErrors,
  ).toEqual([])
const resume = async (id: string, skipMissed = false) =>
  expect(
    (
      await ask(
        shop,
        admin,
        'mutation($id: ID!, $skipMissed: Boolean! = false) { resumeWebhook(id: $id, skipMissed: $skipMissed) { webhook { enabled } userErrors { code } } }',
        { id, skipMissed },
      )
    ).resumeWebhook,
  ).toEqual({ webhook: { enabled: true }, userErrors: [] })
const replay = async (id: string) =>
  (
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { replayDelivery(id: $id) { delivery { state } userErrors { code } } }',
      { id },
    )
  ).replayDelivery
const webhookNow = async (id: string) =>
  (
    await ask(
      shop,
      admin,
      'query($id: ID!) { webhook(id: $id) { enabled attention lastSuccessAt lastFailureAt lastFailure } }',
      { id },
    )
  ).webhook

interface Delivery {
  id: string
  type: string
  eventId: string
  state: string
  attempts: {
    at: string
    status: number | null
    durationMs: number
    error: string | null
    responseExcerpt: string | null
  }[]
  nextAttemptAt: string | null
  requestBody: string
}

const DELIVERIES =
  'query($id: ID!, $state: WebhookDeliveryState) { webhookDeliveries(webhookId: $id, state: $state) { items { id type eventId state attempts { at status durationMs error responseExcerpt } nextAttemptAt requestBody } total } }'
const deliveriesOf = async (id: string, state: string | null = null): Promise<Delivery[]> =>
  (await ask(shop, admin, DELIVERIES, { id, state })).webhookDeliveries.items

/** Records one event about a product, in a transaction of its own. Returns the product's id. */
async function happen(fail = false): Promise<string> {
  const subjectId = (await makeProduct(shop.em(), { countInStock: 0 })).id
  await shop
    .em()
    .transactional(async em => {
      await recordEvents(em, [{ type: 'PRODUCT_CHANGED', subjectId, data: { product: { id: subjectId } } }])
      if (fail) throw new Error('no')
    })
    .catch(() => {})
  return subjectId
}

/** Records one more event about a product. */
const changed = (subjectId: string) =>
  shop
    .em()
    .transactional(em =>
      recordEvents(em, [{ type: 'PRODUCT_CHANGED', subjectId, data: { product: { id: subjectId } } }]),
    )

const sequencesOf = ({ received }: { received: Received[] }, subjectId: string) =>
  received.filter(({ body }) => body.includes(subjectId)).map(({ event }) => event.sequence)

const soon = <T>(look: () => T | Promise<T>, timeout = 15_000) => vi.waitFor(look, { timeout, interval: 50 })
/** Makes every waiting delivery due now. */
async function skipTime() {
  await shop.em().execute(`update webhook_deliveries set next_attempt_at = now() where state = 'PENDING'`)
  await shop.em().execute(`update pgboss.job set start_after = now() where state in ('created', 'retry')`)
}

/** Checks a signature as the specification describes it, without the shop's code. */
function verified({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = `v1,${createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

describe('an event', () => {
  it('arrives signed, spelled as Standard Webhooks asks for, and says nothing about the shopper', async () => {
    const receiver = await openReceiver()
    const { id, secret } = await hook(receiver.url, ['ORDER_PLACED', 'ORDER_PAID'])
    const buyer = await makeUser(shop.em(), { name: 'Nell Knitter', email: 'nell@example.org' })
    const order = await bought(shop, buyer, [line(await makeProduct(shop.em()))])
    await soon(() =>
      expect(receiver.received.map(({ event }) => event.type).toSorted()).toEqual(['order.paid', 'order.placed']),
    )
    const paid = present(receiver.received.find(({ event }) => event.type === 'order.paid'))
    expect(paid.event).toEqual({
      id: expect.any(String),
      type: 'order.paid',
      sequence: 2,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { order: expect.objectContaining({ id: order.id, status: 'PAID', totalPrice: order.totalPrice }) },
    })
    expect(paid.body).not.toMatch(/Nell|Purl Lane|nell@/)
    expect(paid.headers).toMatchObject({
      'webhook-id': paid.event.id,
      'content-type': 'application/json',
      'user-agent': 'Skein-Webhooks',
    })
    expect(Math.abs(Number(paid.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(5)
    for (const each of receiver.received) expect(verified(each, secret)).toBe(true)
    expect(verified(paid, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false)

    await soon(async () =>
      expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED']),
    )
    const delivery = present((await deliveriesOf(id)).find(({ type }) => type === 'order.paid'))
    expect(delivery).toMatchObject({
      eventId: paid.event.id,
      requestBody: paid.body,
      nextAttemptAt: null,
      attempts: [{ status: 204, error: null, responseExcerpt: null }],
    })
    expect(await webhookNow(id)).toMatchObject({ lastSuccessAt: expect.any(String), lastFailureAt: null })
  })

  it('of a transaction that was rolled back is told to nobody, and of one that was not, after its commit', async () => {
    const receiver = await openReceiver()
    await hook(receiver.url)
    await happen(true)
    const product = await makeProduct(shop.em(), { countInStock: 0 })
    await shop.em().transactional(async em => {
      await recordEvents(em, [{ type: 'PRODUCT_CHANGED', subjectId: product.id, data: {} }])
      await sleep(4_000)
      expect(receiver.received).toEqual([])
    })
    await soon(() => expect(receiver.received).toHaveLength(1))
  })

  it('goes only to webhooks that subscribe to it and are not paused', async () => {
    const [subscribed, other, paused] = [await openReceiver(), await openReceiver(), await openReceiver()]
    const { id } = await hook(subscribed.url, ['ORDER_LAPSED', 'PRODUCT_CHANGED'])
    await hook(other.url, ['ORDER_PLACED'])
    const { id: pausedId } = await hook(paused.url)
    await update(pausedId, { enabled: false })
    await happen()
    await soon(() => expect(subscribed.received).toHaveLength(1))
    expect([other.received, paused.received]).toEqual([[], []])
    await update(pausedId, { enabled: true })
    await happen()
    await soon(() => expect(paused.received).toHaveLength(2))
    await soon(async () => expect(await deliveriesOf(id)).toHaveLength(2))
  })

  it('waits when it cannot be relayed', async () => {
    const receiver = await openReceiver()
    await hook(receiver.url)
    await shop.em().execute('alter table webhook_deliveries rename to mislaid')
    await happen()
    await sleep(500)
    await shop.em().execute('alter table mislaid rename to webhook_deliveries')
    await soon(() => expect(receiver.received).toHaveLength(1))
  })

  it('is forgotten after 30 days, and so are its deliveries', async () => {
    const receiver = await openReceiver()
    const { id } = await hook(receiver.url)
    await happen()
    await happen()
    await soon(async () => expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(2))
    const age = (table: string) =>
      shop
        .em()
        .execute(
          `update ${table} set created_at = now() - interval '30 days' where id = (select id from ${table} order by id limit 1)`,
        )
    await age('events')
    await age('webhook_deliveries')
    await forgetEvents(shop.em())
    await forgetDeliveries(shop.em())
    expect(await deliveriesOf(id)).toHaveLength(1)
    expect(await shop.em().execute('select id from events')).toHaveLength(1)
  })

  it('arrives once, however many processes relay', async () => {
    const receiver = await openReceiver()
    const { id } = await hook(receiver.url)
    for (let index = 0; index < 2; index++) onTestFinished((await shop.another()).stop)
    const product = await makeProduct(shop.em(), { countInStock: 0 })
    await Promise.all(
      Array.from({ length: 20 }, () =>
        shop.em().transactional(em => recordEvents(em, [{ type: 'PRODUCT_CHANGED', subjectId: product.id, data: {} }])),
      ),
    )
    await soon(() => expect(receiver.received).toHaveLength(20), 10_000)
    await sleep(1_500)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20)
    expect(receiver.received).toHaveLength(20)
    await soon(async () => expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(20))
  })
})

describe('a webhook that is narrowed', () => {
  const types = ['ORDER_PLACED', 'PRODUCT_CHANGED', 'STOCK_CHANGED', 'REVIEW_CHANGED', 'CUSTOMER_CHANGED']

  it('to some products hears of them and of orders that have one, and of accounts all the same', async () => {
    const [all, some] = [await openReceiver(), await openReceiver()]
    const [wanted, other] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    await hook(all.url, types)
    await hook(some.url, types, { skus: [wanted.sku.toLowerCase()] })
    const buyer = await makeUser(shop.em())
    const both = await bought(shop, buyer, [line(wanted), line(other)])
    const one = await bought(shop, buyer, [line(other)])
    await ask(
      shop,
      admin,
      `mutation { updateUser(id: "${buyer.id}", input: { name: "Nell", email: "nell@example.com", isAdmin: false }) { userErrors { message } } }`,
    )
    const about = ({ received }: typeof all) => received.map(({ body }) => body).join(' ')
    const moved = () => some.received.filter(({ event }) => event.type === 'stock.changed')
    // Events about different things arrive in any order.
    await soon(() => {
      for (const { received } of [all, some])
        expect(received.map(({ event }) => event.type)).toContain('customer.changed')
      expect(about(all)).toContain(one.id)
      expect(about(some)).toContain(both.id)
      expect(moved()).not.toEqual([])
    })
    expect(about(some)).not.toContain(one.id)
    expect(moved().map(({ body }) => JSON.parse(body).data.product.sku)).toEqual([wanted.sku])
  })

  it('to some tags hears of what has one of them', async () => {
    const receiver = await openReceiver()
    const [wanted, other] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { annotateProduct(id: $id, input: { tags: ["Wholesale"] }) { userErrors { message } } }',
      { id: wanted.id },
    )
    // A new webhook also gets events that have not been relayed yet, so this waits until none are left.
    await soon(async () => expect(await shop.em().execute('select 1 from events where relayed_at is null')).toEqual([]))
    await hook(receiver.url, types, { tags: ['WHOLESALE', 'sample'] })
    await bought(shop, await makeUser(shop.em()), [line(other), line(wanted)])
    await soon(() => expect(receiver.received).toHaveLength(1))
    expect(nth(receiver.received, 0).event.type).toBe('stock.changed')
    await sleep(500)
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.product.sku)).toEqual([wanted.sku])
  })
})

describe('what fails', () => {
  it('is tried again later under the same id, until it arrives', async () => {
    const receiver = await openReceiver((response, _received, count) =>
      response.writeHead(count < 3 ? 500 : 200).end(count < 3 ? 'moths\0' : ''),
    )
    const { id, secret } = await hook(receiver.url)
    await happen()
    await soon(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { state: 'PENDING', attempts: [{ status: 500, error: 'It answered 500.', responseExcerpt: 'moths\uFFFD' }] },
      ]),
    )
    const { attempts, nextAttemptAt } = nth(await deliveriesOf(id), 0)
    const next = Date.parse(present(nextAttemptAt))
    expect(next - Date.parse(nth(attempts, 0).at)).toBeGreaterThan(9_900)
    expect(next - Date.now()).toBeLessThan(12_500)
    expect(await webhookNow(id)).toMatchObject({ enabled: true, lastFailure: 'It answered 500.', lastSuccessAt: null })
    await sleep(1_500)
    expect(receiver.received).toHaveLength(1)
    for (const attempts of [2, 3]) {
      await skipTime()
      await soon(async () => expect(nth(await deliveriesOf(id), 0).attempts).toHaveLength(attempts))
    }
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'DELIVERED', nextAttemptAt: null, attempts: [{ status: 500 }, { status: 500 }, { status: 200 }] },
    ])
    expect(new Set(receiver.received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1)
    expect(receiver.received.every(each => verified(each, secret))).toBe(true)
  })

  it('is given up after about three days', async () => {
    const receiver = await openReceiver(response => response.writeHead(503).end())
    const { id } = await hook(receiver.url)
    await happen()
    await soon(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(1))
    let days = 0
    for (let attempts = 2; attempts <= 11; attempts++) {
      days += (Date.parse(present(nth(await deliveriesOf(id), 0).nextAttemptAt)) - Date.now()) / 86_400_000
      await skipTime()
      await soon(async () => expect(nth(await deliveriesOf(id), 0).attempts).toHaveLength(attempts))
    }
    expect(days).toBeGreaterThan(2.9)
    expect(days).toBeLessThan(3.7)
    expect(await deliveriesOf(id, 'FAILED')).toMatchObject([{ nextAttemptAt: null }])
    expect(
      await shop.em().execute(`select 1 from pgboss.job where name = 'webhooks' and state in ('created', 'retry')`),
    ).toEqual([])
  })

  test.each<[string, number, Record<string, string>, string]>([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, 'It answered 302; redirects are not followed.'],
    ['a permanent redirect', 308, { location: '/elsewhere' }, 'It answered 308; redirects are not followed.'],
    ['not found', 404, {}, 'It answered 404.'],
  ])('with %s is not followed', async (_what, status, headers, error) => {
    const receiver = await openReceiver(response => response.writeHead(status, headers).end())
    const { id } = await hook(receiver.url)
    await happen()
    await soon(async () =>
      expect(await deliveriesOf(id)).toMatchObject([{ state: 'PENDING', attempts: [{ status, error }] }]),
    )
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it('with nobody there is told in a sentence', async () => {
    const { id } = await hook('http://127.0.0.1:1/')
    await happen()
    await soon(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { attempts: [{ status: null, error: 'The connection failed: ECONNREFUSED.' }] },
      ]),
    )
  })

  it('with 410 pauses the webhook', async () => {
    const receiver = await openReceiver(response => response.writeHead(410).end())
    const { id } = await hook(receiver.url)
    await happen()
    await soon(async () =>
      expect(await webhookNow(id)).toMatchObject({
        enabled: false,
        attention: 'The address answered 410 Gone: it wants nothing more.',
      }),
    )
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'FAILED', nextAttemptAt: null }])
    await happen()
    await sleep(1_500)
    expect(receiver.received).toHaveLength(1)
  })

  it('for three days pauses the webhook, and what was still to come waits until it goes on', async () => {
    let works = false
    const receiver = await openReceiver(response => response.writeHead(works ? 200 : 500).end())
    const { id } = await hook(receiver.url)
    await happen()
    await happen()
    await soon(async () => expect((await deliveriesOf(id)).map(({ attempts }) => attempts.length)).toEqual([1, 1]))
    await shop.em().execute(`update webhooks set failing_since = now() - interval '72 hours' where id = ?`, [id])
    await skipTime()
    await soon(async () =>
      expect(await webhookNow(id)).toMatchObject({
        enabled: false,
        attention: 'Nothing could be delivered for three days.',
      }),
    )
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['PENDING', 'PENDING'])
    expect(receiver.received).toHaveLength(3)
    works = true
    await skipTime()
    await resume(id)
    await soon(async () => expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(2))
  })
})

describe('a webhook that was paused', () => {
  it('goes on where it stopped: everything since, in order and once', async () => {
    const receiver = await openReceiver()
    const { id } = await hook(receiver.url, ['PRODUCT_CHANGED'])
    const subjectId = (await makeProduct(shop.em(), { countInStock: 0 })).id
    await changed(subjectId)
    await soon(() => expect(receiver.received).toHaveLength(1))
    await update(id, { enabled: false })
    for (let index = 0; index < 450; index += 50)
      await Promise.all(Array.from({ length: 50 }, () => changed(subjectId)))
    await sleep(4_000)
    expect(receiver.received).toHaveLength(1)
    await Promise.all([resume(id), resume(id), changed(subjectId)])
    await soon(() => expect(receiver.received).toHaveLength(452), 30_000)
    await sleep(1_000)
    expect(receiver.received.map(({ event }) => event.sequence)).toEqual(
      Array.from({ length: 452 }, (_, index) => index + 1),
    )
    expect(await deliveriesOf(id, 'PENDING')).toEqual([])
  })

  it('goes on from now when it is told to', async () => {
    const receiver = await openReceiver()
    const { id } = await hook(receiver.url, ['PRODUCT_CHANGED'])
    await update(id, { enabled: false })
    await happen()
    await soon(async () => expect(await shop.em().execute('select id from events where place is null')).toEqual([]))
    await resume(id, true)
    const later = await happen()
    await soon(() => expect(receiver.received).toMatchObject([{ event: { data: { product: { id: later } } } }]))
    await sleep(1_000)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('events of one thing', () => {
  it('arrive in their order, however many processes and transactions tell of them', async () => {
    const receiver = await openReceiver()
    await hook(receiver.url, ['PRODUCT_CHANGED'])
    for (let index = 0; index < 2; index++) onTestFinished((await shop.another()).stop)
    const ids = await Promise.all(
      Array.from({ length: 4 }, async () => (await makeProduct(shop.em(), { countInStock: 0 })).id),
    )
    await Promise.all(Array.from({ length: 80 }, (_, index) => changed(nth(ids, index % 4))))
    await soon(() => expect(receiver.received).toHaveLength(80), 20_000)
    for (const id of ids) expect(sequencesOf(receiver, id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('wait for one that fails, and those of others do not', async () => {
    let works = false
    const [first, other] = [(await makeProduct(shop.em(), { countInStock: 0 })).id, (await makeProduct(shop.em())).id]
    const receiver = await openReceiver((response, { event }) =>
      response.writeHead(works || !JSON.stringify(event.data).includes(first) ? 200 : 500).end(),
    )
    const { id } = await hook(receiver.url, ['PRODUCT_CHANGED'])
    await changed(first)
    await soon(() => expect(receiver.received).toHaveLength(1))
    await changed(first)
    await changed(other)
    await changed(first)
    await soon(async () => expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(1))
    await sleep(1_500)
    expect(sequencesOf(receiver, first)).toEqual([1])
    works = true
    await skipTime()
    await soon(async () => expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(4))
    expect(sequencesOf(receiver, first)).toEqual([1, 1, 2, 3])
  })

  it('are sent fast to an address that answers at once', async () => {
    const receiver = await openReceiver()
    const { id } = await hook(receiver.url, ['PRODUCT_CHANGED'])
    await happen()
    await soon(async () => expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(1))
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await makeProduct(shop.em(), { countInStock: 0 })).id),
    )
    await update(id, { enabled: false })
    for (let round = 0; round < 50; round++) await Promise.all(ids.map(changed))
    const begun = Date.now()
    await resume(id)
    await soon(() => expect(receiver.received).toHaveLength(1_001), 60_000)
    const seconds = (Date.now() - begun) / 1_000
    console.log(`1,000 deliveries in ${seconds.toFixed(1)} s: ${Math.round(1_000 / seconds)} a second`)
    for (const each of ids)
      expect(sequencesOf(receiver, each)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })
})

describe('an address that', () => {
  it('does not answer is given up after ten seconds, and keeps nobody else waiting', async () => {
    const slow = await openReceiver(() => {})
    const slowHook = await hook(slow.url)
    for (let index = 0; index < 12; index++) await happen()
    await soon(async () => expect(await deliveriesOf(slowHook.id)).toHaveLength(12))
    await soon(() => expect(slow.received).toHaveLength(1))
    const quick = await openReceiver()
    await hook(quick.url)
    const before = Date.now()
    for (let index = 0; index < 5; index++) await happen()
    await soon(() => expect(quick.received).toHaveLength(5), 8_000)
    // Earlier than the ten seconds that the slow one may take.
    expect(Date.now() - before).toBeLessThan(8_000)
    expect(slow.received).toHaveLength(1)
    await soon(async () => {
      const [failed] = (await deliveriesOf(slowHook.id)).filter(({ attempts }) => attempts.length > 0)
      expect(present(failed).attempts[0]).toMatchObject({ status: null, error: 'No answer within 10 seconds.' })
      expect(nth(present(failed).attempts, 0).durationMs).toBeLessThan(20_000)
    }, 20_000)
  })

  it('answers without end is read no further than it is worth', async () => {
    const endless = await openReceiver(async response => {
      response.writeHead(200)
      for (let index = 0; index < 20_000 && !response.destroyed; index++) {
        response.write('skein '.repeat(1_000))
        await sleep(1)
      }
    })
    const { id } = await hook(endless.url)
    await happen()
    await soon(async () =>
      expect(await deliveriesOf(id)).toMatchObject([{ state: 'DELIVERED', attempts: [{ status: 200 }] }]),
    )
    const [
      {
        attempts: [made],
      },
    ] = (await deliveriesOf(id)) as [Delivery]
    expect(present(made).responseExcerpt).toHaveLength(1_000)
    expect(present(made).durationMs).toBeLessThan(9_000)
  })
})

describe('by hand', () => {
  const test = async (webhookId: string) =>
    (
      await ask(
        shop,
        admin,
        'mutation($id: ID!) { sendTestEvent(webhookId: $id) { delivery { id type state } userErrors { code } } }',
        { id: webhookId },
      )
    ).sendTestEvent

  it('a test event arrives, whatever the webhook subscribes to', async () => {
    const receiver = await openReceiver()
    const { id, secret } = await hook(receiver.url, ['ORDER_REFUNDED'])
    expect(await test(id)).toMatchObject({ delivery: { type: 'webhook.test', state: 'PENDING' }, userErrors: [] })
    await soon(() =>
      expect(receiver.received).toMatchObject([{ event: { type: 'webhook.test', data: { webhook: { id } } } }]),
    )
    expect(verified(nth(receiver.received, 0), secret)).toBe(true)
  })

  it('a delivery is sent again under its id, and the attempt that was to come is dropped', async () => {
    const receiver = await openReceiver((response, _received, count) =>
      response.writeHead(count === 1 ? 500 : 200).end(),
    )
    const { id } = await hook(receiver.url)
    await happen()
    await soon(async () =>
      expect(await deliveriesOf(id)).toMatchObject([{ state: 'PENDING', attempts: [{ status: 500 }] }]),
    )
    const [delivery] = await deliveriesOf(id)
    for (const attempts of [2, 3]) {
      expect(await replay(present(delivery).id)).toMatchObject({ delivery: { state: 'PENDING' }, userErrors: [] })
      await soon(async () =>
        expect(await deliveriesOf(id)).toMatchObject([{ state: 'DELIVERED', attempts: { length: attempts } }]),
      )
    }
    await skipTime()
    await sleep(1_500)
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('nothing is sent to a paused webhook', async () => {
    const receiver = await openReceiver()
    const { id } = await hook(receiver.url)
    await happen()
    await soon(() => expect(receiver.received).toHaveLength(1))
    await update(id, { enabled: false })
    expect(await test(id)).toEqual({ delivery: null, userErrors: [{ code: 'WEBHOOK_PAUSED' }] })
    expect(await replay(nth(await deliveriesOf(id), 0).id)).toEqual({
      delivery: null,
      userErrors: [{ code: 'WEBHOOK_PAUSED' }],
    })
  })
})

it('signs with both secrets after a rotation, and with one when the day is over', async () => {
  const receiver = await openReceiver()
  const { id, secret } = await hook(receiver.url)
  const {
    rotateWebhookSecret: { secret: newer },
  } = await ask(shop, admin, 'mutation($id: ID!) { rotateWebhookSecret(id: $id) { secret } }', { id })
  await happen()
  await soon(() => expect(receiver.received).toHaveLength(1))
  expect([verified(nth(receiver.received, 0), newer), verified(nth(receiver.received, 0), secret)]).toEqual([
    true,
    true,
  ])
  expect(String(nth(receiver.received, 0).headers['webhook-signature']).split(' ')).toHaveLength(2)
  await shop.em().execute(`update webhooks set previous_secret_until = now() - interval '1 second' where id = ?`, [id])
  await happen()
  await soon(() => expect(receiver.received).toHaveLength(2))
  expect([verified(nth(receiver.received, 1), newer), verified(nth(receiver.received, 1), secret)]).toEqual([
    true,
    false,
  ])
})

it('a webhook that is deleted takes its deliveries along', async () => {
  const receiver = await openReceiver(response => response.writeHead(500).end())
  const { id } = await hook(receiver.url)
  await happen()
  await soon(async () => expect((await deliveriesOf(id))[0]?.attempts).toHaveLength(1))
  await ask(shop, admin, 'mutation($id: ID!) { deleteWebhook(id: $id) { userErrors { code } } }', { id })
  expect(await deliveriesOf(id)).toEqual([])
  await skipTime()
  await sleep(1_500)
  expect(receiver.received).toHaveLength(1)
})

describe('a process that dies', () => {
  it('with kill -9 in the middle of a delivery loses nothing: another one delivers it', async () => {
    const held: (() => void)[] = []
    const receiver = await openReceiver(async (response, _received, count) => {
      if (count === 1) await new Promise<void>(done => held.push(done))
      response.writeHead(200).end()
    })
    const { id } = await hook(receiver.url)
    const { child } = await startProcess({ DATABASE_URL: shop.databaseUrl, WEBHOOKS_ALLOW_PRIVATE: 'true' })
    onTestFinished(() => void child.kill('SIGKILL'))
    // Only one process at a time sends to a webhook. The lease keeps this one from doing so.
    await shop.em().execute(`update webhooks set leased_until = now() + interval '1 minute' where id = ?`, [id])
    await happen()
    await soon(async () => expect(await deliveriesOf(id)).toHaveLength(1))
    await sleep(1_000)
    expect(receiver.received).toEqual([])
    await shop.em().execute('update webhooks set leased_until = null where id = ?', [id])
    await soon(() => expect(held).toHaveLength(1), 30_000)
    child.kill('SIGKILL')
    for (const answer of held) answer()
    await shop.em().execute(`update webhooks set leased_until = now() where leased_until is not null`)
    await soon(async () => {
      await shop.em().execute(`update pgboss.job set started_on = now() - interval '2 minutes' where state = 'active'`)
      expect(await deliveriesOf(id, 'DELIVERED')).toHaveLength(1)
    }, 40_000)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})
