import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { recordIncident } from './record-incident.ts'
import { formatCents } from '#schema/rules/money'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { ADDRESS, bought, line, placed, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, portionsOf, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

const SELLER = { name: 'Skein', email: 'hello@skein.example', address: '1 Wool Lane, Fen', taxId: '12-3456789' }

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ pageSize: 3, timeZone: 'Asia/Tokyo', shopUrl: 'https://skein.example', contact: SELLER })
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin' })
})
afterAll(() => shop?.close())

const missing = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'
const orders = async (filter: object, sort?: object, page = 1) =>
  (
    await ask(
      shop,
      admin,
      'query($filter: OrderFilter, $sort: OrderSort, $page: Int) { orders(filter: $filter, sort: $sort, page: $page) { page pages total items { id reference user { name } items { quantity } } } }',
      { filter, sort, page },
    )
  ).orders
const references = async (filter: object, sort?: object) =>
  (await orders(filter, sort)).items.map((order: { reference: string }) => order.reference)
const deliver = async (ids: string[]) =>
  (
    await ask(
      shop,
      admin,
      `mutation($ids: [ID!]!) { deliverOrders(ids: $ids) { changed orders { id isDelivered } ${REFUSED} } }`,
      { ids },
    )
  ).deliverOrders

/** An order with the given dates, as if it had come that far. */
async function make(buyer: Account, fields: Record<string, unknown> = {}, quantity = 1) {
  const order = await placed(shop, buyer, [line(await makeProduct(shop.em(), { price: 1000 }), quantity)])
  for (const [column, value] of Object.entries(fields))
    await shop.em().execute(`update orders set ${column} = ?, held_until = null where id = ?`, [value, order.id])
  return order as {
    id: string
    reference: string
    totalPrice: number
    itemsPrice: number
    shippingPrice: number
    taxPrice: number
  }
}
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute))

describe('the order table', () => {
  let made: Record<'unpaid' | 'lapsed' | 'paid' | 'delivered' | 'flagged', Awaited<ReturnType<typeof make>>>
  beforeAll(async () => {
    const [anna, zoe] = [
      await makeUser(shop.em(), { name: 'anna Argyle', email: 'anna@example.com' }),
      await makeUser(shop.em(), { name: 'Zoë 50% Stitch' }),
    ]
    made = {
      unpaid: await make(anna, { created_at: at(1) }, 5),
      lapsed: await make(zoe, { created_at: at(2), lapsed_at: at(3) }),
      paid: await make(anna, { created_at: at(4), paid_at: at(9) }, 2),
      delivered: await make(zoe, { created_at: at(6), paid_at: at(7), delivered_at: at(8) }, 3),
      flagged: await make(anna, { created_at: at(10), paid_at: at(11) }, 4),
    }
    await recordIncident(shop.em(), made.flagged.id, { code: 'NOTED', data: { text: 'Look at this.' } })
  })
  const names = async (filter: object, sort?: object) => {
    const found = await references(filter, sort)
    return found.map(
      (reference: string) => present(Object.entries(made).find(([, order]) => order.reference === reference))[0],
    )
  }

  test.each([
    ['UNPAID', ['unpaid']],
    ['LAPSED', ['lapsed']],
    ['PAID', ['flagged', 'delivered', 'paid']],
    ['TO_DELIVER', ['flagged', 'paid']],
    ['DELIVERED', ['delivered']],
    ['NEEDS_ATTENTION', ['flagged']],
  ])('shows %s', async (status, expected) => {
    expect(await names({ status })).toEqual(expected)
  })

  test.each([
    ['DATE', 'ASC', ['unpaid', 'lapsed', 'paid']],
    ['TOTAL', 'DESC', ['unpaid', 'flagged', 'delivered']],
    ['TOTAL', 'ASC', ['lapsed', 'paid', 'delivered']],
    ['NAME', 'DESC', ['delivered', 'lapsed', 'flagged']],
    ['PAID', 'ASC', ['delivered', 'paid', 'flagged']],
    ['PAID', 'DESC', ['flagged', 'paid', 'delivered']],
    ['DELIVERED', 'DESC', ['delivered']],
  ])('sorted by %s %s', async (field, direction, expected) => {
    expect((await names({}, { field, direction })).slice(0, expected.length)).toEqual(expected)
  })

  it('finds by number, name and email, and counts what each filter would show', async () => {
    expect(await references({ search: made.paid.reference })).toEqual([made.paid.reference])
    expect(await references({ search: made.paid.reference.slice(1) })).toEqual([made.paid.reference])
    expect(await names({ search: 'ANNA@' })).toEqual(['flagged', 'paid', 'unpaid'])
    expect(await names({ search: '50% zoë' })).toEqual(['delivered', 'lapsed'])
    for (const search of ['_', '\0', '99999999999', 'x'.repeat(10_000)])
      expect((await orders({ search })).total).toBe(0)
    const counts = async (search?: string) =>
      (
        await ask(
          shop,
          admin,
          'query($search: String) { orderCounts(search: $search) { all unpaid paid toDeliver delivered lapsed needsAttention } }',
          { search },
        )
      ).orderCounts
    expect(await counts()).toEqual({
      all: 5,
      unpaid: 1,
      paid: 3,
      toDeliver: 2,
      delivered: 1,
      lapsed: 1,
      needsAttention: 1,
    })
    expect(await counts('anna')).toEqual({
      all: 3,
      unpaid: 1,
      paid: 2,
      toDeliver: 2,
      delivered: 0,
      lapsed: 0,
      needsAttention: 1,
    })
    expect((await counts('\0')).all).toBe(0)
    expect(await orders({}, undefined, 99)).toMatchObject({ page: 2, pages: 2, total: 5 })
  })
})

describe('delivering', () => {
  it('many at once is written down for each, and shows in its history', async () => {
    const buyer = await makeUser(shop.em())
    const [one, two] = [await make(buyer, { paid_at: at(1) }), await make(buyer, { paid_at: at(1) })]
    expect(await deliver([two.id, one.id, one.id])).toEqual({
      changed: 2,
      orders: [
        { id: two.id, isDelivered: true },
        { id: one.id, isDelivered: true },
      ],
      userErrors: [],
    })
    expect(await auditOf(shop, admin, one.id)).toMatchObject([
      {
        action: 'DELIVERED',
        entity: 'ORDER',
        label: one.reference,
        actor: { name: 'Ada Admin' },
        changes: [{ field: 'deliveredAt', before: null }],
      },
    ])
    const history = '{ order(id: $id) { history { total } } }'
    expect((await ask(shop, admin, `query($id: ID!) ${history}`, { id: one.id })).order.history.total).toBe(1)
    const asOwner = await shop.gql(`query($id: ID!) ${history}`, { id: one.id }, buyer)
    expect(asOwner.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })

  it('is all or nothing, and says what is wrong with each', async () => {
    const buyer = await makeUser(shop.em())
    const [paid, unpaid, done] = [
      await make(buyer, { paid_at: at(1) }),
      await make(buyer),
      await make(buyer, { paid_at: at(1), delivered_at: at(2) }),
    ]
    expect(await deliver([paid.id, unpaid.id, done.id, missing, 'abc'])).toMatchObject({
      changed: 0,
      orders: [],
      userErrors: [
        { code: 'NOT_PAID', field: ['ids', unpaid.id], message: expect.stringContaining(unpaid.reference) },
        { code: 'ALREADY_DELIVERED', field: ['ids', done.id] },
        { code: 'NOT_FOUND', field: ['ids', missing] },
        { code: 'NOT_FOUND', field: ['ids', 'abc'] },
      ],
    })
    expect(await auditOf(shop, admin, paid.id)).toEqual([])
    expect((await deliver([])).userErrors).toMatchObject([{ code: 'INVALID' }])
  })

  it('one twice at once is done and written down once', async () => {
    const { id } = await make(await makeUser(shop.em()), { paid_at: at(1) })
    const mutation = 'mutation($id: ID!) { deliverOrder(id: $id) { userErrors { code } } }'
    const answers = await Promise.all([1, 2, 3].map(() => ask(shop, admin, mutation, { id })))
    expect(answers.filter(({ deliverOrder }) => deliverOrder.userErrors.length === 0)).toHaveLength(1)
    expect(await auditOf(shop, admin, id)).toHaveLength(1)
  })
})

describe('what has to be looked at', () => {
  const ORDER = '{ attention incidents { id code message resolvedAt resolvedBy } }'
  const read = async (id: string) =>
    (await ask(shop, admin, `query($id: ID!) { order(id: $id) ${ORDER} }`, { id })).order
  const resolve = async (id: string) =>
    (await ask(shop, admin, `mutation($id: ID!) { resolveIncident(id: $id) { order ${ORDER} ${REFUSED} } }`, { id }))
      .resolveIncident
  const twice = (captureId: string) => ({ code: 'PAID_TWICE' as const, data: { captureId } })

  it('is a list: the next incident leaves the last one standing, and the same one is told once', async () => {
    const { id } = await make(await makeUser(shop.em()), { paid_at: at(1) })
    await recordIncident(shop.em(), id, { code: 'MONEY_TAKEN_BACK', data: { paypalRefundId: 'R1', amount: 900 } })
    await recordIncident(shop.em(), id, twice('C1'))
    await recordIncident(shop.em(), id, twice('C1'))
    const order = await read(id)
    expect(order).toMatchObject({
      attention: expect.stringContaining('Paid a second time'),
      incidents: [
        { code: 'PAID_TWICE', resolvedAt: null, resolvedBy: null },
        { code: 'MONEY_TAKEN_BACK', message: expect.stringContaining('$9.00') },
      ],
    })

    const resolved = await resolve(nth(order.incidents, 0).id)
    expect(resolved).toMatchObject({
      userErrors: [],
      order: {
        attention: expect.stringContaining('took $9.00'),
        incidents: [{ resolvedAt: expect.any(String), resolvedBy: admin.user.name }, { resolvedAt: null }],
      },
    })
    // Reporting it again opens no incident.
    await recordIncident(shop.em(), id, twice('C1'))
    expect(await resolve(nth(order.incidents, 0).id)).toMatchObject({ userErrors: [] })
    expect(await auditOf(shop, admin, id)).toMatchObject([
      {
        action: 'ATTENTION_RESOLVED',
        changes: [{ field: 'attention', before: nth(order.incidents, 0).message, after: null }],
      },
    ])
    expect((await orders({ status: 'NEEDS_ATTENTION' })).items.map((each: { id: string }) => each.id)).toContain(id)
    await resolve(nth(order.incidents, 1).id)
    expect((await orders({ status: 'NEEDS_ATTENTION' })).items.map((each: { id: string }) => each.id)).not.toContain(id)
    expect((await resolve(missing)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })

  it('is dealt with at once by clients that know of one text alone', async () => {
    const { id } = await make(await makeUser(shop.em()), { paid_at: at(1) })
    for (const captureId of ['C1', 'C2']) await recordIncident(shop.em(), id, twice(captureId))
    const all = async (orderId: string) =>
      (
        await ask(
          shop,
          admin,
          `mutation($orderId: ID!) { resolveAttention(orderId: $orderId) { order { attention } ${REFUSED} } }`,
          { orderId },
        )
      ).resolveAttention
    expect(await all(id)).toEqual({ order: { attention: null }, userErrors: [] })
    expect(await all(id)).toMatchObject({ userErrors: [] })
    expect(await auditOf(shop, admin, id)).toHaveLength(2)
    expect((await all(missing)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})

describe('the invoice as PDF', () => {
  const get = (id: string, who: { token: string } | null) =>
    fetch(`${shop.url}/api/orders/${id}/invoice.pdf`, { headers: who ? { authorization: `Bearer ${who.token}` } : {} })

  /** The text of a PDF as a reader would copy it. */
  const textOf = async (pdf: Buffer) => (await extractText(new Uint8Array(pdf), { mergePages: true })).text

  it('holds the shop, the order, its lines and its figures, and is the same every time', async () => {
    const nell = await makeUser(shop.em(), { name: 'Nell' })
    const [wool, hook] = [
      await makeProduct(shop.em(), { name: 'Fern Hollow “Worsted” — Łódź 🧶', price: 2450, weight: '50 g' }),
      await makeProduct(shop.em(), { name: 'Hook', price: 899, weight: '' }),
    ]
    const order = await placed(shop, nell, [line(wool, 3), line(hook)])
    const answer = await get(order.id, nell)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="invoice-${order.reference.slice(1)}.pdf"`,
    )
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const pdf = Buffer.from(await answer.arrayBuffer())
    const text = await textOf(pdf)
    for (const part of [
      'Skein',
      order.reference,
      'Nell Knitter',
      '1 Purl Lane',
      'Woolwich, ME 04579',
      'United States',
      'Hook',
      formatCents(2450),
      formatCents(7350),
      formatCents(899),
    ])
      expect(text).toContain(part)
    for (const amount of [order.itemsPrice, order.shippingPrice, order.taxPrice, order.totalPrice])
      expect(text).toContain(formatCents(amount))
    expect(text).toContain('Unpaid')
    expect(text).toContain('Fern Hollow “Worsted” — Łódź 🧶')
    expect(Buffer.from(await (await get(order.id, admin)).arrayBuffer()).equals(pdf)).toBe(true)
  })

  it.each([
    'Petrović',
    'Đặng Thị',
    'Μαλλί μερινό',
    'Мериносовая пряжа',
    '山田花子',
    '毛线（粗）',
    '털실 양모',
    'ไหมพรม',
    'ऊनी धागा',
    'தமிழ் நூல்',
    'ქართული',
    'հայերեն',
    'ሱፍ',
    '🧶 🐑',
  ])('writes %s as it is', async name => {
    const nell = await makeUser(shop.em())
    const product = await makeProduct(shop.em(), { name })
    const order = (
      await placeOrder(shop, nell, [line(product)], {
        shippingAddress: { ...ADDRESS, name: `${name} B.`, city: `${name} C.`, state: '', postalCode: '04579' },
      })
    ).order
    const pdf = Buffer.from(await (await get(order.id, nell)).arrayBuffer())
    const text = await textOf(pdf)
    for (const written of [name, `${name} B.`, `${name} C. 04579`])
      expect(text.replaceAll(/\s/g, '')).toContain(written.replaceAll(' ', ''))
    expect(text).not.toContain('?')
    expect((await extractText(new Uint8Array(pdf))).totalPages).toBe(1)
  })

  // The words are written here in the order in which they appear, from the left.
  it.each([
    ['צמר מרינו (כחול) 50 g DK', 'g DK 50 (כחול) מרינו צמר'],
    ['Wool ١٢٣', 'Wool ١٢٣'],
    ['شارع التحرير ١٢', '١٢ التحرير شارع'],
  ])('writes %s from the right', async (name, seen) => {
    const nell = await makeUser(shop.em())
    const order = await placed(shop, nell, [line(await makeProduct(shop.em(), { name }))])
    expect(await textOf(Buffer.from(await (await get(order.id, nell)).arrayBuffer()))).toContain(seen)
  })

  it('tells the dye lots of each line', async () => {
    const nell = await makeUser(shop.em())
    const mixed = await makeProduct(shop.em(), { name: 'Mixed', lots: { 4412: 2, 4417: 1 } })
    const one = await makeProduct(shop.em(), { name: 'One', lots: { A: 5 } })
    const lots = portionsOf({ 4412: 2, 4417: 1 })
    const order = await bought(shop, nell, [{ ...line(mixed, 3), lots }, line(one, 2)])
    const text = await textOf(Buffer.from(await (await get(order.id, nell)).arrayBuffer()))
    expect(text).toContain('2 of lot 4412 and 1 of lot 4417')
    expect(text).toContain('Lot A')
  })

  it('names the seller, has SKU, refunds and what is left, and fits on one page, told to screen readers', async () => {
    const nell = await makeUser(shop.em())
    const yarns = []
    for (let index = 0; index < 12; index++)
      yarns.push(
        await makeProduct(shop.em(), {
          name: `Yarn ${index} with a rather long name that does not fit on one line of the table`,
          sku: `BILLED-${index}`,
        }),
      )
    const order = await bought(
      shop,
      nell,
      yarns.map(yarn => line(yarn, 2)),
    )
    await shop.em().execute(`update orders set discount_code = 'KNIT10' where id = ?`, [order.id])
    for (const amount of [500, 700])
      await shop.gql(
        'mutation($id: ID!, $amount: Cents, $key: String!) { refundOrder(orderId: $id, amount: $amount, idempotencyKey: $key) { userErrors { code } } }',
        { id: order.id, amount, key: `refund-${amount}` },
        admin,
      )
    const pdf = Buffer.from(await (await get(order.id, nell)).arrayBuffer())
    const text = await textOf(pdf)
    for (const part of [
      'Seller',
      SELLER.address,
      SELLER.email,
      'https://skein.example',
      `Tax ID ${SELLER.taxId}`,
      'BILLED-0',
      'BILLED-11',
      'Code KNIT10',
      '-$5.00',
      '-$7.00',
      'Paid after refunds',
      formatCents(order.totalPrice - 1200),
    ])
      expect(text).toContain(part)
    const document = await getDocumentProxy(new Uint8Array(pdf))
    expect(document.numPages).toBe(1)
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true })
    const roles = (node: { role?: string; children?: unknown[] }): string[] => [
      node.role ?? '',
      ...(node.children ?? []).flatMap(child => roles(child as { role?: string })),
    ]
    const tags = roles((await (await document.getPage(1)).getStructTree()) as { children: unknown[] })
    const count = (role: string) => tags.filter(each => each === role).length
    expect([count('H1'), count('H2'), count('Table')]).toEqual([1, 2, 2])
    // One row of heads, twelve lines, eight figures: items, code, shipping, tax, total, two refunds and what is left.
    expect([count('TR'), count('TH'), count('TD')]).toEqual([1 + 12 + 8, 5 + 8, 12 * 5 + 8])
  })

  it("says when it was paid and delivered, by the shop's calendar, and goes on over pages", async () => {
    const nell = await makeUser(shop.em())
    const yarns = []
    for (let index = 0; index < 45; index++)
      yarns.push(
        await makeProduct(shop.em(), {
          name: `Yarn number ${index} with a rather long name that does not fit on one line of the table`,
        }),
      )
    const order = await placed(
      shop,
      nell,
      yarns.map(yarn => line(yarn)),
    )
    // Late in the evening in London is the next day in Tokyo.
    await shop
      .em()
      .execute(
        `update orders set paid_at = '2026-05-01T22:00:00Z', delivered_at = '2026-05-04T00:00:00Z' where id = ?`,
        [order.id],
      )
    const text = await textOf(Buffer.from(await (await get(order.id, nell)).arrayBuffer()))
    expect(text).toContain('Paid with PayPal on May 2, 2026')
    expect(text).toContain('May 4, 2026')
    expect(text).toContain('page 1 of 3')
    expect(text).toContain('Yarn number 44')
  })

  it('is not there for anyone else', async () => {
    const { id } = await make(await makeUser(shop.em()))
    const other = await makeUser(shop.em())
    for (const [who, order] of [
      [null, id],
      [other, id],
      [admin, missing],
      [admin, 'abc'],
      [admin, '%00'],
    ] as const) {
      const answer = await get(order, who)
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { message: 'There is no such order.', code: 'NOT_FOUND' },
      ])
    }
  })
})
