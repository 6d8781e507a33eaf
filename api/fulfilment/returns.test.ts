import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { ask, ledgerDifferences } from '../testing/admin.ts'
import { bought, line } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, portionsOf, type Account, type TestShop } from '../testing/shop.ts'
import { fulfilmentMails } from './fulfilment-mails.ts'
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

const RETURNED = `id reason value createdAt lines { item { productId } quantity isRestocked lots { code quantity } }`
const RETURN = `mutation($id: ID!, $lines: [ReturnLineInput!], $reason: String, $idempotencyKey: String) {
  returnFulfilment(id: $id, lines: $lines, reason: $reason, idempotencyKey: $idempotencyKey) {
    returned { ${RETURNED} }
    fulfilment { status lines { quantity returnedQuantity } returns { ${RETURNED} } }
    order { status itemsPrice taxPrice }
    userErrors { code message field available }
  }
}`
const back = async (id: string, more: object = {}) => (await ask(shop, admin, RETURN, { id, ...more })).returnFulfilment

async function parcelOf(orderId: string, more: object = {}): Promise<string> {
  const { fulfilOrder } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $lines: [FulfilmentLineInput!], $isSent: Boolean! = true) {
       fulfilOrder(id: $id, lines: $lines, isSent: $isSent) { fulfilment { id } userErrors { message } } }`,
    { id: orderId, ...more },
  )
  expect(fulfilOrder.userErrors).toEqual([])
  return fulfilOrder.fulfilment.id
}

const left = async (id: string) =>
  (await shop.em().execute<[{ n: number }]>('select count_in_stock as n from products where id = ?', [id]))[0].n
const lotsLeft = async (id: string) =>
  shop.em().execute('select code, quantity from product_lots where product_id = ? and quantity > 0 order by code', [id])

/** A sent parcel: three of one yarn and two of another. */
async function sentParcel() {
  const yarns = [await makeProduct(shop.em()), await makeProduct(shop.em())] as const
  const order = await bought(shop, nell, [line(yarns[0], 3), line(yarns[1], 2)])
  const stock = [await left(yarns[0].id), await left(yarns[1].id)]
  return { id: await parcelOf(order.id), orderId: order.id as string, yarns, stock }
}

describe('what comes back of a parcel', () => {
  it('is on the shelf again, or written off', async () => {
    const { id, yarns, stock } = await sentParcel()
    const answer = await back(id, {
      lines: [
        { productId: yarns[0].id, quantity: 1 },
        { productId: yarns[0].id, quantity: 1, isRestocked: false },
        { productId: yarns[1].id, quantity: 2, isRestocked: false },
      ],
      reason: 'Moths',
    })
    expect(answer).toMatchObject({
      userErrors: [],
      returned: { reason: 'Moths' },
      fulfilment: {
        status: 'SENT',
        lines: [
          { quantity: 3, returnedQuantity: 2 },
          { quantity: 2, returnedQuantity: 2 },
        ],
      },
      order: { status: 'SENT' },
    })
    expect(await left(yarns[0].id)).toBe(nth(stock, 0) + 1)
    expect(await left(yarns[1].id)).toBe(stock[1])
    expect(await ledgerDifferences(shop)).toEqual([])
    expect(
      await shop
        .em()
        .execute(`select delta from stock_movements where product_id = ? and reason = 'returned'`, [yarns[0].id]),
    ).toEqual([{ delta: 1 }])
  })

  it('is all that is outside when nobody says what, and then nothing is left', async () => {
    const { id, orderId, yarns, stock } = await sentParcel()
    await back(id, { lines: [{ productId: yarns[0].id, quantity: 1 }] })
    const { returned, order } = await back(id)
    expect(returned.lines).toMatchObject([
      { item: { productId: yarns[0].id }, quantity: 2, isRestocked: true },
      { item: { productId: yarns[1].id }, quantity: 2, isRestocked: true },
    ])
    expect([await left(yarns[0].id), await left(yarns[1].id)]).toEqual([nth(stock, 0) + 3, nth(stock, 1) + 2])
    const { order: seen } = await ask(
      shop,
      nell,
      `query($id: ID!) { order(id: $id) { fulfilments { returns { ${RETURNED} } } } }`,
      { id: orderId },
    )
    expect(nth(seen.fulfilments, 0).returns).toHaveLength(2)
    // Together, the returns are worth what the items cost.
    expect(nth(seen.fulfilments, 0).returns.reduce((sum: number, { value }: { value: number }) => sum + value, 0)).toBe(
      order.itemsPrice + order.taxPrice,
    )
    expect((await back(id)).userErrors).toMatchObject([{ code: 'ALREADY_RETURNED' }])
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('is no more than was in the parcel', async () => {
    const { id, yarns, stock } = await sentParcel()
    const lines = [
      { productId: yarns[0].id, quantity: 2 },
      { productId: yarns[0].id, quantity: 2, isRestocked: false },
    ]
    expect((await back(id, { lines })).userErrors).toEqual([
      {
        code: 'ALREADY_RETURNED',
        message: `Only 1 of “${yarns[0].name}” can still come back.`,
        field: ['lines', yarns[0].id],
        available: 1,
      },
    ])
    const strange = await makeProduct(shop.em())
    expect((await back(id, { lines: [{ productId: strange.id, quantity: 1 }] })).userErrors).toMatchObject([
      { code: 'NOT_FOUND', field: ['lines', strange.id] },
    ])
    for (const lines of [[], [{ productId: yarns[0].id, quantity: 0 }]])
      expect((await back(id, { lines })).userErrors).toMatchObject([{ code: 'INVALID' }])
    expect(await left(yarns[0].id)).toBe(stock[0])
  })

  it('comes back once, when ten say so at the same time', async () => {
    const { id, yarns, stock } = await sentParcel()
    const lines = [{ productId: yarns[0].id, quantity: 2 }]
    const answers = await Promise.all(Array.from({ length: 10 }, () => back(id, { lines })))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual(
      Array.from({ length: 9 }, () => expect.objectContaining({ code: 'ALREADY_RETURNED', available: 1 })),
    )
    expect(await left(yarns[0].id)).toBe(nth(stock, 0) + 2)
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('comes back once for one key', async () => {
    const { id, yarns, stock } = await sentParcel()
    const said = { lines: [{ productId: yarns[0].id, quantity: 1 }], idempotencyKey: 'tuesday' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => back(id, said)))
    expect(new Set(answers.map(({ returned }) => returned.id)).size).toBe(1)
    expect((await back(id, { ...said, reason: 'Moths' })).userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }])
    expect(await left(yarns[0].id)).toBe(nth(stock, 0) + 1)
  })

  it('has left before', async () => {
    const { id: orderId } = await bought(shop, nell, [line(await makeProduct(shop.em()))])
    const packed = await parcelOf(orderId, { isSent: false })
    expect((await back(packed)).userErrors).toMatchObject([
      { code: 'FULFILMENT_STATE', message: 'This parcel has not left yet.' },
    ])
    expect((await back('abc')).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })

  it('moves no money, and money moves without it', async () => {
    const { id, orderId } = await sentParcel()
    const { returned } = await back(id)
    const { refundOrder } = await ask(
      shop,
      admin,
      `mutation($id: ID!, $amount: Cents!) { refundOrder(orderId: $id, amount: $amount, idempotencyKey: "back") { order { refundedAmount status } userErrors { message } } }`,
      { id: orderId, amount: returned.value },
    )
    expect(refundOrder).toEqual({ order: { refundedAmount: returned.value, status: 'SENT' }, userErrors: [] })
  })
})

it('the letter names a thing once, however the shop parts it into what it sells again and what not', async () => {
  const yarn = await makeProduct(shop.em(), { lots: { A: 8, B: 4 } })
  const { id: orderId } = await bought(shop, nell, [{ ...line(yarn, 10), lots: portionsOf({ A: 6, B: 4 }) }])
  const { returned } = await back(await parcelOf(orderId), {
    lines: [
      { productId: yarn.id, quantity: 3, lots: portionsOf({ A: 1, B: 2 }) },
      { productId: yarn.id, quantity: 1, lots: portionsOf({ B: 1 }), isRestocked: false },
    ],
  })
  const counter = {
    em: shop.em(),
    reader: shop.em(),
    shopUrl: 'https://skein.example',
    timeZone: 'UTC',
    contact: { name: 'Skein', email: null, address: null, taxId: null },
    delivery: DEFAULT_DELIVERY,
  }
  const letter = await fulfilmentMails.ORDER_RETURNED(counter, { orderId, returnId: returned.id })
  expect(letter?.text).toContain(`4 × ${yarn.name}\n    1 of lot A and 3 of lot B`)
  expect(letter?.text.split(yarn.name)).toHaveLength(2)
})

describe('skeins of several dye lots', () => {
  const of = (lots: Record<string, number>) => portionsOf(lots)

  /** A sent parcel: six of lot A and four of lot B. */
  async function mixedParcel() {
    const yarn = await makeProduct(shop.em(), { lots: { A: 8, B: 4 } })
    const { id: orderId } = await bought(shop, nell, [{ ...line(yarn, 10), lots: of({ A: 6, B: 4 }) }])
    return { yarn, id: await parcelOf(orderId) }
  }

  it('come back to the lots they left from', async () => {
    const { yarn, id } = await mixedParcel()
    expect(await lotsLeft(yarn.id)).toEqual(of({ A: 2 }))
    const { returned } = await back(id, {
      lines: [
        { productId: yarn.id, quantity: 3, lots: of({ B: 3 }) },
        { productId: yarn.id, quantity: 1, isRestocked: false },
      ],
    })
    expect(returned.lines).toMatchObject([{ lots: of({ B: 3 }) }, { isRestocked: false, lots: of({ A: 1 }) }])
    expect(await lotsLeft(yarn.id)).toEqual(of({ A: 2, B: 3 }))
    await back(id)
    expect(await lotsLeft(yarn.id)).toEqual(of({ A: 7, B: 4 }))
    expect(await ledgerDifferences(shop)).toEqual([])
  })

  it('are no more of a lot than left', async () => {
    const { yarn, id } = await mixedParcel()
    const said = (lots: object[], quantity: number) => back(id, { lines: [{ productId: yarn.id, quantity, lots }] })
    expect((await said(of({ B: 5 }), 5)).userErrors).toMatchObject([
      { code: 'ALREADY_RETURNED', message: `Only 4 of lot B of “${yarn.name}” can still come back.`, available: 4 },
    ])
    await said(of({ B: 4 }), 4)
    expect((await said(of({ B: 1 }), 1)).userErrors).toMatchObject([{ code: 'ALREADY_RETURNED', available: 0 }])
    expect((await said(of({ A: 1 }), 2)).userErrors).toMatchObject([{ code: 'INVALID' }])
    const answers = await Promise.all(Array.from({ length: 6 }, () => said(of({ A: 4 }), 4)))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    expect(await lotsLeft(yarn.id)).toEqual(of({ A: 6, B: 4 }))
  })

  it('are held to that by the database itself, whoever writes at once', async () => {
    const { id } = await mixedParcel()
    const write = () =>
      shop.em().transactional(async tx => {
        await tx.execute(
          `with r as (insert into fulfilment_returns (id, fulfilment_id, value, created_at) values (gen_random_uuid(), ?, 0, now()) returning id)
           insert into fulfilment_return_lines (id, return_id, line_id, quantity, is_restocked, lots)
           select gen_random_uuid(), r.id, l.id, 3, true, '[{"code":"B","quantity":3}]' from r, fulfilment_lines l where l.fulfilment_id = ?`,
          [id, id],
        )
        // Long enough for the others to write before this is committed.
        await tx.execute('select pg_sleep(0.1)')
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, write))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.message).toContain('more of a lot came back')
  })
})

it('the world, the shopper and the history are told, and the order has changed', async () => {
  const { id, orderId, yarns } = await sentParcel()
  const updatedAt = async () =>
    (await ask(shop, nell, 'query($id: ID!) { order(id: $id) { updatedAt } }', { id: orderId })).order.updatedAt
  const before = await updatedAt()
  const { returned } = await back(id, { lines: [{ productId: yarns[0].id, quantity: 2 }], reason: 'Too blue' })
  expect(Date.parse(await updatedAt())).toBeGreaterThan(Date.parse(before))
  const [event] = await shop
    .em()
    .execute(`select data from events where subject_id = ? and type = 'ORDER_RETURNED'`, [orderId])
  expect(present(event).data).toMatchObject({
    order: { id: orderId },
    fulfilment: { id },
    return: {
      id: returned.id,
      value: returned.value,
      reason: 'Too blue',
      lines: [{ sku: yarns[0].sku, quantity: 2, isRestocked: true }],
    },
  })
  expect(
    await shop
      .em()
      .execute(`select about from mails where kind = 'ORDER_RETURNED' and about ->> 'orderId' = ?`, [orderId]),
  ).toEqual([{ about: { orderId, returnId: returned.id } }])
  const { order } = await ask(
    shop,
    admin,
    'query($id: ID!) { order(id: $id) { history { items { action actor { name } changes { field before after } } } } }',
    { id: orderId },
  )
  expect(order.history.items[0]).toEqual({
    action: 'RETURNED',
    actor: { name: 'Ada' },
    changes: [
      { field: 'restocked', before: null, after: `2 × ${yarns[0].name}` },
      { field: 'reason', before: null, after: 'Too blue' },
    ],
  })
})

it('comes back over REST too', async () => {
  const { id, yarns } = await sentParcel()
  const post = (body: object) =>
    fetch(`${shop.url}/api/fulfilments/${id}/returns`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'back-again',
      },
      body: JSON.stringify(body),
    })
  const body = { lines: [{ product: yarns[1].id, quantity: 1, isRestocked: false }] }
  const first = await post(body)
  expect(first.status).toBe(201)
  const answer = await first.json()
  expect(answer).toMatchObject({ lines: [{ product: yarns[1].id, quantity: 1, isRestocked: false }], reason: null })
  expect(await (await post(body)).json()).toEqual(answer)
})
