import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordIncident } from '../order/record-incident.ts'
import { tellExpected } from '../order/tell-expected.ts'
import { lapseOrders } from '../order/lapse-orders.ts'
import { ask } from '../testing/admin.ts'
import { bought, cancelOrder, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { eventTypes, payloadOf } from './payloads.ts'
import { eventBody, wireType } from './start-deliveries.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const admins = async (fields: string) => {
  const answer = (await ask(shop, admin, `mutation { ${fields} }`)) as Record<string, { fulfilment: { id: string } }>
  for (const each of Object.values(answer)) expect(each).toMatchObject({ userErrors: [] })
  return answer
}
const DONE = '{ userErrors { message } }'

/** Does everything that there are events for, once. */
async function liveThroughAll() {
  const em = shop.em()
  const [buyer, yarn] = [await makeUser(em), await makeProduct(em, { countInStock: 30, lots: { 4471: 20, 4472: 10 } })]
  const plain = await makeProduct(em, { countInStock: 21 })
  const { id } = await bought(shop, buyer, [line(yarn, 3), line(plain, 2)])
  const pack = async (units: number) => {
    const lines = `[{ productId: "${yarn.id}", quantity: ${units} }]`
    const { done } = await admins(
      `done: fulfilOrder(id: "${id}", lines: ${lines}, isSent: false) { fulfilment { id } userErrors { message } }`,
    )
    return present(done).fulfilment.id
  }
  await admins(`cancelFulfilment(id: "${await pack(2)}") ${DONE}`)
  const parcel = await pack(1)
  await admins(`sendFulfilment(id: "${parcel}") ${DONE}`)
  await admins(`trackFulfilment(id: "${parcel}", carrier: "UPS", trackingNumber: "1Z999AA10123456784") ${DONE}`)
  await admins(`deliverFulfilment(id: "${parcel}") ${DONE}`)
  await admins(`returnFulfilment(id: "${parcel}", reason: "Too blue") ${DONE}`)
  await admins(`deliverOrder(id: "${id}") ${DONE}`)
  await admins(`refundOrder(orderId: "${id}", amount: 100, idempotencyKey: "one") ${DONE}`)
  await em.transactional(async tx => {
    await tx.execute('select 1 from orders where id = ? for update', [id])
    await recordIncident(tx, id, { code: 'PAID_TWICE', data: { captureId: 'x' } })
  })
  await admins(`resolveAttention(orderId: "${id}") ${DONE}`)
  await admins(`annotateOrder(id: "${id}", input: { tags: ["gift"] }) ${DONE}`)
  await cancelOrder(shop, buyer, (await placed(shop, buyer, [line(plain)])).id)
  const isExpected = (day: string) => admins(`patchProduct(id: "${plain.id}", input: { expectedOn: "${day}" }) ${DONE}`)
  await isExpected('2031-12-01')
  const lapsing = await placed(shop, buyer, [line(plain)])
  await em.execute(`update orders set held_until = now() - interval '1 minute' where id = ?`, [lapsing.id])
  await lapseOrders(shop.em())
  await isExpected('2031-12-15')
  await tellExpected(shop.em())
  await admins(`patchProduct(id: "${plain.id}", input: { price: 2500 }) ${DONE}`)
  await admins(
    `updateUser(id: "${buyer.id}", input: { name: "Nell", email: "nell@example.com", isAdmin: false }) ${DONE}`,
  )
  await ask(
    shop,
    buyer,
    `mutation { createReview(productId: "${yarn.id}", input: { rating: 5, comment: "Soft" }) ${DONE} }`,
  )
}

interface Row {
  id: string
  type: (typeof eventTypes)[number]
  sequence: number
  data: object
  createdAt: string
}

it('are as the API document says, of every type of event, and say no more', async () => {
  await liveThroughAll()
  const rows = await shop
    .em()
    .execute<Row[]>('select id, type, sequence, data, created_at as "createdAt" from events order by type, sequence')
  expect([...new Set(rows.map(({ type }) => type))].toSorted()).toEqual(eventTypes.toSorted())
  for (const { type, createdAt, ...event } of rows) {
    const body = JSON.parse(eventBody({ ...event, type: wireType(type), createdAt: new Date(createdAt) }))
    expect(payloadOf(type).parse(body)).toEqual(body)
  }
})

it('are in the API document, with what each event means', async () => {
  const { webhooks } = (await (await fetch(`${shop.url}/api/openapi.json`)).json()) as {
    webhooks: Record<string, { post: { description: string; requestBody: { content: object } } }>
  }
  expect(Object.keys(webhooks)).toEqual(eventTypes.map(wireType))
  expect(present(webhooks['stock.changed']).post).toMatchObject({
    description: expect.stringContaining('The stock of a product moved'),
    requestBody: {
      content: {
        'application/json': { schema: { properties: { data: { required: ['product', 'stock'] } } } },
      },
    },
  })
})
