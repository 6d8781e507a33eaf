import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../testing/admin.ts'
import { bought, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, portionsOf, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { name: 'Ada', isAdmin: true })
  nell = await makeUser(shop.em(), { name: 'Nell' })
})
afterAll(() => shop?.close())

const ORDER = `id status isDelivered deliveredAt sentAt
  items { productId sku quantity fulfilledQuantity }
  fulfilments { id status carrier trackingNumber trackingUrl sentAt deliveredAt cancelledAt lines { item { productId } quantity lots { code quantity } } }`
const ANSWER = `{ fulfilment { id status trackingUrl carrier lines { quantity } } order { ${ORDER} } userErrors { code message field available } }`
const FULFIL = `mutation($id: ID!, $lines: [FulfilmentLineInput!], $carrier: String, $trackingNumber: String, $trackingUrl: String, $isSent: Boolean! = true, $idempotencyKey: String) {
  fulfilOrder(id: $id, lines: $lines, carrier: $carrier, trackingNumber: $trackingNumber, trackingUrl: $trackingUrl, isSent: $isSent, idempotencyKey: $idempotencyKey) ${ANSWER}
}`

const fulfil = async (id: string, more: object = {}, as = admin) =>
  (await ask(shop, as, FULFIL, { id, ...more })).fulfilOrder
const change = (field: 'sendFulfilment' | 'cancelFulfilment' | 'deliverFulfilment') => async (id: string) =>
  (await ask(shop, admin, `mutation($id: ID!) { done: ${field}(id: $id) ${ANSWER} }`, { id })).done
const [send, cancel, deliver] = [change('sendFulfilment'), change('cancelFulfilment'), change('deliverFulfilment')]
const track = async (id: string, more: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $carrier: String, $trackingNumber: String, $trackingUrl: String) {
        trackFulfilment(id: $id, carrier: $carrier, trackingNumber: $trackingNumber, trackingUrl: $trackingUrl) ${ANSWER} }`,
      { id, ...more },
    )
  ).trackFulfilment
const deliverOrder = async (id: string) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!) { deliverOrder(id: $id) { order { ${ORDER} } userErrors { code message } } }`,
      { id },
    )
  ).deliverOrder
const read = async (id: string, as = nell) =>
  (await ask(shop, as, `query($id: ID!) { order(id: $id) { ${ORDER} } }`, { id })).order

/** A paid order: three of one yarn and two of another. */
async function paidOrder() {
  const yarns = [await makeProduct(shop.em()), await makeProduct(shop.em())] as const
  const order = await bought(shop, nell, [line(yarns[0], 3), line(yarns[1], 2)])
  return { id: order.id as string, yarns }
}

const eventsOf = (id: string) =>
  shop
    .em()
    .execute<{ type: string; data: { order: { status: string }; fulfilment: { lines: object[] } } }[]>(
      'select type, data from events where subject_id = ? order by id',
      [id],
    )
const mailsOf = async (id: string) =>
  (
    await shop
      .em()
      .execute<{ kind: string }[]>(`select kind from mails where about ->> 'orderId' = ? order by created_at, id`, [id])
  ).map(({ kind }) => kind)

/** Checks that no unit is in two parcels, and that the lines know how many units are in parcels. */
async function expectExact(id: string) {
  const lines = await shop.em().execute<{ quantity: number; known: number; parcelled: number }[]>(
    `select i.quantity, i.fulfilled_quantity as known, coalesce(sum(l.quantity) filter (where f.cancelled_at is null), 0)::int as parcelled
     from order_items i left join fulfilment_lines l on l.item_id = i.id left join fulfilments f on f.id = l.fulfilment_id
     where i.order_id = ? group by i.id`,
    [id],
  )
  for (const { quantity, known, parcelled } of lines) {
    expect(parcelled).toBeLessThanOrEqual(quantity)
    expect(known).toBe(parcelled)
  }
}

describe('an order', () => {
  it('goes in parts, each with its carrier, and is delivered with the last', async () => {
    const { id, yarns } = await paidOrder()
    const first = await fulfil(id, {
      lines: [{ productId: yarns[0].id, quantity: 2 }],
      carrier: 'usps',
      trackingNumber: '9400 1000',
    })
    expect(first).toMatchObject({
      userErrors: [],
      fulfilment: {
        status: 'SENT',
        carrier: 'USPS',
        trackingUrl: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=94001000',
      },
      order: { status: 'PARTLY_SENT', sentAt: null, isDelivered: false },
    })
    const rest = await fulfil(id, { carrier: 'Ann’s bicycle' })
    expect(rest).toMatchObject({ userErrors: [], order: { status: 'SENT', sentAt: expect.any(String) } })

    const seen = await read(id)
    expect(seen.fulfilments).toMatchObject([
      { status: 'SENT', lines: [{ item: { productId: yarns[0].id }, quantity: 2 }] },
      {
        carrier: 'Ann’s bicycle',
        trackingUrl: null,
        lines: [
          { item: { productId: yarns[0].id }, quantity: 1 },
          { item: { productId: yarns[1].id }, quantity: 2 },
        ],
      },
    ])
    expect(seen.items).toMatchObject([{ fulfilledQuantity: 3 }, { fulfilledQuantity: 2 }])

    expect((await deliver(first.fulfilment.id)).order).toMatchObject({ status: 'SENT', isDelivered: false })
    expect((await deliver(rest.fulfilment.id)).order).toMatchObject({ status: 'DELIVERED', isDelivered: true })
    expect((await deliver(rest.fulfilment.id)).userErrors).toEqual([])
    await expectExact(id)
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.order.status])).toEqual([
      ['ORDER_PLACED', 'UNPAID'],
      ['ORDER_PAID', 'PAID'],
      ['ORDER_SENT', 'PARTLY_SENT'],
      ['ORDER_SENT', 'SENT'],
      ['ORDER_PARTLY_DELIVERED', 'SENT'],
      ['ORDER_DELIVERED', 'DELIVERED'],
    ])
    expect(nth(await eventsOf(id), 2).data.fulfilment).toMatchObject({
      id: first.fulfilment.id,
      carrier: 'USPS',
      lines: [{ productId: yarns[0].id, sku: yarns[0].sku, quantity: 2 }],
    })
    expect(await mailsOf(id)).toEqual([
      'ORDER_PLACED',
      'ORDER_PAID',
      'ORDER_RECEIVED',
      'ORDER_SENT',
      'ORDER_SENT',
      'ORDER_DELIVERED',
    ])
  })

  it('keeps the SKU it was ordered by', async () => {
    const { id, yarns } = await paidOrder()
    await shop.em().execute(`update products set sku = sku || '-OLD' where id = ?`, [yarns[0].id])
    expect(nth((await read(id)).items, 0).sku).toBe(yarns[0].sku)
  })

  it('is not sent when all of its money went back, except for what has left', async () => {
    const REFUND = `mutation($id: ID!, $key: String!) { refundOrder(orderId: $id, idempotencyKey: $key) { order { isRefunded } userErrors { code } } }`
    const refund = async (id: string) =>
      expect((await ask(shop, admin, REFUND, { id, key: id })).refundOrder).toEqual({
        order: { isRefunded: true },
        userErrors: [],
      })
    const toDo = async () => {
      const listed = await ask(
        shop,
        admin,
        `{ send: orders(filter: { status: TO_SEND }) { items { id } } deliver: orders(filter: { status: TO_DELIVER }) { items { id } }
             dashboard(period: DAY, count: 1) { ordersToDeliver { id } } }`,
        {},
      )
      const idsOf = (orders: { id: string }[]) =>
        orders.map(order => order.id).filter(each => [id, sent.id].includes(each))
      return {
        send: idsOf(listed.send.items),
        deliver: idsOf(listed.deliver.items),
        dashboard: idsOf(listed.dashboard.ordersToDeliver),
      }
    }
    const refused = [
      { code: 'ORDER_REFUNDED', message: 'All that was paid for this order went back, so nothing more of it is sent.' },
    ]
    const [{ id, yarns }, sent] = [await paidOrder(), await paidOrder()]
    const parcel = (await fulfil(id, { isSent: false, lines: [{ productId: yarns[0].id, quantity: 1 }] })).fulfilment
    await fulfil(sent.id)
    await refund(id)
    await refund(sent.id)

    expect((await fulfil(id)).userErrors).toMatchObject(refused)
    expect((await send(parcel.id)).userErrors).toMatchObject(refused)
    expect((await deliver(parcel.id)).userErrors).toMatchObject(refused)
    expect((await deliverOrder(id)).userErrors).toEqual(refused)
    expect(await read(id)).toMatchObject({ status: 'PAID', fulfilments: [{ status: 'PACKED' }] })
    expect(await toDo()).toEqual({ send: [], deliver: [sent.id], dashboard: [sent.id] })

    expect((await deliverOrder(sent.id)).order).toMatchObject({ status: 'DELIVERED' })
    expect((await cancel(parcel.id)).fulfilment).toMatchObject({ status: 'CANCELLED' })
  })

  it('is not sent before it is paid', async () => {
    const { id } = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    expect(await fulfil(id)).toMatchObject({ fulfilment: null, userErrors: [{ code: 'NOT_PAID' }] })
  })

  it('sends no more than was ordered', async () => {
    const { id, yarns } = await paidOrder()
    const [yarn, other] = yarns
    expect((await fulfil(id, { lines: [{ productId: yarn.id, quantity: 4 }] })).userErrors).toEqual([
      {
        code: 'ALREADY_FULFILLED',
        message: `Only 3 of “${yarn.name}” left to send.`,
        field: ['lines', yarn.id],
        available: 3,
      },
    ])
    const twice = [
      { productId: yarn.id, quantity: 2 },
      { productId: yarn.id.toUpperCase(), quantity: 2 },
    ]
    expect((await fulfil(id, { lines: twice })).userErrors).toMatchObject([{ code: 'ALREADY_FULFILLED' }])
    const strange = await makeProduct(shop.em())
    const wrong = [
      { productId: strange.id, quantity: 1 },
      { productId: other.id, quantity: 1 },
    ]
    expect((await fulfil(id, { lines: wrong })).userErrors).toMatchObject([
      { code: 'NOT_FOUND', field: ['lines', strange.id] },
    ])
    for (const quantity of [0, -1])
      expect((await fulfil(id, { lines: [{ productId: yarn.id, quantity }] })).userErrors).toMatchObject([
        { code: 'INVALID' },
      ])
    expect((await fulfil(id, { lines: [] })).userErrors).toMatchObject([{ code: 'INVALID', field: ['lines'] }])
    expect((await read(id)).fulfilments).toEqual([])
    expect((await fulfil(id)).userErrors).toEqual([])
    expect((await fulfil(id)).userErrors).toMatchObject([{ code: 'ALREADY_FULFILLED' }])
  })

  it('is not sent twice by ten who send the same at once', async () => {
    const { id, yarns } = await paidOrder()
    const lines = [{ productId: yarns[0].id, quantity: 2 }]
    const answers = await Promise.all(Array.from({ length: 10 }, () => fulfil(id, { lines })))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual(
      Array.from({ length: 9 }, () => expect.objectContaining({ code: 'ALREADY_FULFILLED', available: 1 })),
    )
    await expectExact(id)
  })

  it('is delivered once by those who send, cancel and deliver it at once', async () => {
    const { id, yarns } = await paidOrder()
    const packed = await fulfil(id, { lines: [{ productId: yarns[1].id, quantity: 1 }], isSent: false })
    await Promise.all([
      ...Array.from({ length: 4 }, () => fulfil(id, { lines: [{ productId: yarns[0].id, quantity: 1 }] })),
      cancel(packed.fulfilment.id),
      deliverOrder(id),
      deliverOrder(id),
      fulfil(id),
    ])
    await deliverOrder(id)
    await expectExact(id)
    const order = await read(id)
    expect(order).toMatchObject({ status: 'DELIVERED', items: [{ fulfilledQuantity: 3 }, { fulfilledQuantity: 2 }] })
    expect((await eventsOf(id)).filter(({ type }) => type === 'ORDER_DELIVERED')).toHaveLength(1)
  })

  it('goes in one parcel for one key, however often it is asked for', async () => {
    const { id, yarns } = await paidOrder()
    const asked = { lines: [{ productId: yarns[0].id, quantity: 1 }], idempotencyKey: 'monday' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => fulfil(id, asked)))
    expect(new Set(answers.map(({ fulfilment }) => fulfilment.id)).size).toBe(1)
    expect((await fulfil(id, { ...asked, carrier: 'UPS' })).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_MISMATCH' },
    ])
    expect((await read(id)).fulfilments).toHaveLength(1)
  })

  it('is fulfilled by the call that delivers it', async () => {
    const { id, yarns } = await paidOrder()
    const packed = await fulfil(id, { lines: [{ productId: yarns[0].id, quantity: 1 }], isSent: false })
    const { order, userErrors } = await deliverOrder(id)
    expect(userErrors).toEqual([])
    expect(order).toMatchObject({ status: 'DELIVERED', isDelivered: true, sentAt: order.deliveredAt })
    expect(order.fulfilments).toMatchObject([
      { id: packed.fulfilment.id, status: 'DELIVERED', deliveredAt: order.deliveredAt },
      { status: 'DELIVERED', lines: [{ quantity: 2 }, { quantity: 2 }] },
    ])
    await expectExact(id)
    expect((await deliverOrder(id)).userErrors).toEqual([
      { code: 'ALREADY_DELIVERED', message: 'This order has already been delivered.' },
    ])
    expect((await fulfil(id)).userErrors).toMatchObject([{ code: 'ALREADY_FULFILLED' }])
  })

  it('is the administrator’s to send', async () => {
    const { id } = await paidOrder()
    const { errors } = await shop.gql(FULFIL, { id }, nell)
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } })
  })
})

describe('a line from several dye lots', () => {
  const of = (lots: Record<string, number>) => portionsOf(lots)

  /** A paid order: eight of lot A and four of lot B. */
  async function mixedOrder() {
    const yarn = await makeProduct(shop.em(), { lots: { A: 8, B: 4 } })
    const { id } = await bought(shop, nell, [{ ...line(yarn, 12), lots: of({ A: 8, B: 4 }) }])
    return {
      id,
      pack: (quantity: number, lots?: object, more: object = {}) =>
        fulfil(id, { lines: [{ productId: yarn.id, quantity, ...(lots && { lots }) }], ...more }),
      refusal: (message: string, available: number) => [
        {
          code: 'ALREADY_FULFILLED',
          message: message.replace('it', `“${yarn.name}”`),
          field: ['lines', yarn.id],
          available,
        },
      ],
    }
  }
  const lotsIn = async (id: string) =>
    (await read(id)).fulfilments
      .filter(({ status }: { status: string }) => status !== 'CANCELLED')
      .map(({ lines }: { lines: { lots: object }[] }) => nth(lines, 0).lots)

  it('goes lot after lot, unless somebody chooses', async () => {
    const { id, pack } = await mixedOrder()
    expect((await pack(3)).userErrors).toEqual([])
    expect((await pack(4, of({ A: 2, B: 2 }))).userErrors).toEqual([])
    expect((await fulfil(id)).userErrors).toEqual([])
    expect(await lotsIn(id)).toEqual([of({ A: 3 }), of({ A: 2, B: 2 }), of({ A: 3, B: 2 })])
  })

  it('sends no more of a lot than the line has', async () => {
    const { id, pack, refusal } = await mixedOrder()
    expect((await pack(5, of({ B: 5 }))).userErrors).toEqual(refusal('Only 4 of lot B of it left to send.', 4))
    await pack(3, of({ B: 3 }))
    expect((await pack(2, of({ B: 2 }))).userErrors).toEqual(refusal('Only 1 of lot B of it left to send.', 1))
    expect((await pack(2, of({ C: 2 }))).userErrors).toEqual(refusal('Only 0 of lot C of it left to send.', 0))
    expect((await pack(2, of({ A: 1 }))).userErrors).toMatchObject([{ code: 'INVALID' }])
    expect(await lotsIn(id)).toEqual([of({ B: 3 })])
  })

  it('has what was in a cancelled parcel to send again', async () => {
    const { id, pack } = await mixedOrder()
    const { fulfilment } = await pack(4, of({ B: 4 }), { isSent: false })
    await cancel(fulfilment.id)
    expect((await pack(4, of({ B: 4 }))).userErrors).toEqual([])
    expect((await deliverOrder(id)).userErrors).toEqual([])
    expect(await lotsIn(id)).toEqual([of({ B: 4 }), of({ A: 8 })])
  })

  it('sends no skein twice when ten pack the same lot at once', async () => {
    const { id, pack } = await mixedOrder()
    const answers = await Promise.all(Array.from({ length: 10 }, () => pack(1, of({ B: 1 }))))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(4)
    expect(answers.flatMap(({ userErrors }) => userErrors).map(({ code }) => code)).toEqual(
      Array.from({ length: 6 }, () => 'ALREADY_FULFILLED'),
    )
    expect(await lotsIn(id)).toEqual(Array.from({ length: 4 }, () => of({ B: 1 })))
    expect((await fulfil(id)).userErrors).toEqual([])
    expect((await lotsIn(id)).at(-1)).toEqual(of({ A: 8 }))
  })

  it('is held to that by the database itself, whoever writes at once', async () => {
    const { id } = await mixedOrder()
    const write = () =>
      shop.em().transactional(async tx => {
        await tx.execute(
          `with f as (insert into fulfilments (id, order_id, created_at) values (gen_random_uuid(), ?, now()) returning id, order_id)
           insert into fulfilment_lines (id, fulfilment_id, item_id, quantity, lots)
           select gen_random_uuid(), f.id, i.id, 3, '[{"code":"B","quantity":3}]' from f join order_items i using (order_id)`,
          [id],
        )
        // Long enough for the others to write before this is committed.
        await tx.execute('select pg_sleep(0.1)')
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, write))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.message).toContain('more of a lot in parcels')
  })

  it('is told of lot by lot in the event and the history', async () => {
    const { id, pack } = await mixedOrder()
    await pack(5, of({ A: 3, B: 2 }))
    const sent = present((await eventsOf(id)).find(({ type }) => type === 'ORDER_SENT'))
    expect(sent.data.fulfilment.lines).toMatchObject([{ quantity: 5, lots: of({ A: 3, B: 2 }) }])
    const { order } = await ask(
      shop,
      admin,
      'query($id: ID!) { order(id: $id) { history { items { changes { after } } } } }',
      { id },
    )
    expect(nth(nth(order.history.items, 0).changes, 0).after).toMatch(/^5 × .* \(3 of lot A and 2 of lot B\)$/)
  })
})

describe('a packed parcel', () => {
  it('tells nobody until it leaves', async () => {
    const { id } = await paidOrder()
    const { fulfilment, order } = await fulfil(id, { isSent: false })
    expect(fulfilment.status).toBe('PACKED')
    expect(order).toMatchObject({ status: 'PAID', items: [{ fulfilledQuantity: 3 }, { fulfilledQuantity: 2 }] })
    expect(await mailsOf(id)).toEqual(['ORDER_PLACED', 'ORDER_PAID', 'ORDER_RECEIVED'])
    for (let round = 0; round < 2; round++)
      expect(await send(fulfilment.id)).toMatchObject({ userErrors: [], order: { status: 'SENT' } })
    expect(await mailsOf(id)).toEqual(['ORDER_PLACED', 'ORDER_PAID', 'ORDER_RECEIVED', 'ORDER_SENT'])
  })

  it('can be cancelled, and its units go in another', async () => {
    const { id } = await paidOrder()
    const { fulfilment } = await fulfil(id, { isSent: false })
    for (let round = 0; round < 2; round++)
      expect(await cancel(fulfilment.id)).toMatchObject({
        userErrors: [],
        fulfilment: { status: 'CANCELLED' },
        order: { items: [{ fulfilledQuantity: 0 }, { fulfilledQuantity: 0 }] },
      })
    for (const act of [send, deliver])
      expect((await act(fulfilment.id)).userErrors).toMatchObject([{ code: 'FULFILMENT_STATE' }])
    expect((await fulfil(id)).order.status).toBe('SENT')
    await expectExact(id)
  })

  it('is sent or cancelled, never both, when both are asked for at once', async () => {
    const { id } = await paidOrder()
    const { fulfilment } = await fulfil(id, { isSent: false })
    const answers = await Promise.all([send(fulfilment.id), cancel(fulfilment.id)])
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    await expectExact(id)
  })
})

describe('a parcel on its way', () => {
  it('cannot be cancelled', async () => {
    const { id } = await paidOrder()
    const { fulfilment } = await fulfil(id)
    expect((await cancel(fulfilment.id)).userErrors).toEqual([
      { code: 'FULFILMENT_STATE', message: 'This parcel has left already.', field: null, available: null },
    ])
  })

  it('can be followed at another address from then on', async () => {
    const { id } = await paidOrder()
    const { fulfilment } = await fulfil(id, { carrier: 'UPS', trackingNumber: '1Z1' })
    const tracked = await track(fulfilment.id, { carrier: 'Moor Post', trackingUrl: 'https://moor.example.com/7' })
    expect(tracked).toMatchObject({
      userErrors: [],
      fulfilment: { carrier: 'Moor Post', trackingUrl: 'https://moor.example.com/7' },
    })
    expect((await track(fulfilment.id, { carrier: 'FedEx' })).fulfilment).toMatchObject({ trackingUrl: null })
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>',
    'ftp://example.com/1',
    'moor.example.com/7',
    '//moor.example.com',
  ])('has no link such as %s', async trackingUrl => {
    const { id } = await paidOrder()
    expect((await fulfil(id, { trackingUrl })).userErrors).toMatchObject([{ code: 'INVALID', field: ['trackingUrl'] }])
  })

  it.each(['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc'])('of id %j is not found', async id => {
    for (const act of [send, cancel, deliver])
      expect(await act(id)).toMatchObject({ fulfilment: null, userErrors: [{ code: 'NOT_FOUND' }] })
  })
})

it('the history of an order tells what became of its parcels', async () => {
  const { id, yarns } = await paidOrder()
  const first = await fulfil(id, { lines: [{ productId: yarns[0].id, quantity: 2 }], isSent: false })
  await cancel(first.fulfilment.id)
  await fulfil(id, { carrier: 'UPS', trackingNumber: '1Z1' })
  const { order } = await ask(
    shop,
    admin,
    'query($id: ID!) { order(id: $id) { history { items { action actor { name } changes { field before after } } } } }',
    { id },
  )
  const contents = `2 × ${yarns[0].name}`
  expect(order.history.items).toEqual([
    {
      action: 'SENT',
      actor: { name: 'Ada' },
      changes: [
        { field: 'fulfilments', before: null, after: `3 × ${yarns[0].name}, 2 × ${yarns[1].name}` },
        { field: 'carrier', before: null, after: 'UPS' },
        { field: 'trackingNumber', before: null, after: '1Z1' },
        { field: 'trackingUrl', before: null, after: 'https://www.ups.com/track?tracknum=1Z1' },
      ],
    },
    { action: 'UNPACKED', actor: { name: 'Ada' }, changes: [{ field: 'fulfilments', before: contents, after: null }] },
    { action: 'PACKED', actor: { name: 'Ada' }, changes: [{ field: 'fulfilments', before: null, after: contents }] },
  ])
})

it('a change of a parcel is a change of its order', async () => {
  const { id } = await paidOrder()
  const updatedAt = async () =>
    (await ask(shop, admin, 'query($id: ID!) { order(id: $id) { updatedAt } }', { id })).order.updatedAt
  const { fulfilment } = await fulfil(id, { isSent: false })
  const before = await updatedAt()
  await track(fulfilment.id, { carrier: 'UPS' })
  expect(Date.parse(await updatedAt())).toBeGreaterThan(Date.parse(before))
})
