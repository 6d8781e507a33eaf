import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { ask } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, approvedPayment, capturePaypalOrder, line, placed, placeOrder } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

// A shop in Portland, Maine, where tax is 5.5%; elsewhere there is none.
const pickup = {
  street: '12 Mill Lane',
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  hours: 'Tuesday to Saturday, 10 to 6',
}
const AT_THE_SHOP = {
  ...ADDRESS,
  address: '12 Mill Lane',
  address2: '',
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  phone: '+1 207 555 0199',
  isPickup: true,
}
/** What a browser may send in its place: only name and phone are read. */
const SAID = {
  name: ADDRESS.name,
  phone: '+1 207 555 0199',
  address: '1 Elsewhere',
  state: 'OR',
  country: 'Canada',
  isPickup: true,
}

let shop: TestShop
let admin: Account
let nell: Account
let yarn: Awaited<ReturnType<typeof makeProduct>>
beforeAll(async () => {
  shop = await openShop({
    mail: { to: 'mailbox' },
    policy: {
      ...DEFAULT_POLICY,
      taxBasisPoints: 0,
      taxRates: [
        {
          country: 'United States',
          state: 'ME',
          stateName: 'Maine',
          postalCodes: [],
          basisPoints: 550,
          onShipping: true,
        },
      ],
    },
    delivery: { ...DEFAULT_DELIVERY, shipsTo: ['Canada'], pickup },
  })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
  yarn = await makeProduct(shop.em(), { price: 2400, weight: '100 g', countInStock: 1_000 })
})
afterAll(() => shop?.close())

const ADDRESS_LINES = 'name address address2 city state postalCode country phone isPickup'
const readOrder = async (id: string) =>
  (
    await ask(
      shop,
      nell,
      `query($id: ID!) { order(id: $id) {
        status deliveryEstimate { from } shippingAddress { ${ADDRESS_LINES} } fulfilments { id status }
      } }`,
      { id },
    )
  ).order
const pdfOf = async (path: string, who: Account) => {
  const answer = await fetch(`${shop.url}${path}`, { headers: { authorization: `Bearer ${who.token}` } })
  return (await extractText(new Uint8Array(await answer.arrayBuffer()), { mergePages: true })).text
}

describe('an order that is picked up', () => {
  it('costs no shipping, is taxed where the shop is, and has the shop’s address whatever the client says', async () => {
    const { quoteCart } = await ask(
      shop,
      nell,
      `query($lines: [CartLineInput!]!, $to: DestinationInput) {
        quoteCart(lines: $lines, to: $to) { shippingPrice taxPrice totalPrice } }`,
      { lines: [line(yarn)], to: { country: 'Canada', isPickup: true } },
    )
    expect(quoteCart).toEqual({ shippingPrice: 0, taxPrice: 132, totalPrice: 2532 })
    const order = await placed(shop, nell, [line(yarn)], { shippingAddress: SAID, expectedTotal: 2532 })
    expect(order).toMatchObject({ shippingPrice: 0, taxPrice: 132, totalPrice: 2532, taxBasisPoints: 550 })
    expect((await readOrder(order.id)).shippingAddress).toEqual(AT_THE_SHOP)
  })

  it('is none of downloads alone, whose tax is that of where their buyer lives', async () => {
    const pattern = await makeProduct(shop.em(), { isDownload: true })
    const { userErrors } = await placeOrder(shop, nell, [line(pattern)], { shippingAddress: SAID })
    expect(userErrors).toMatchObject([
      {
        code: 'INVALID',
        field: ['shippingAddress', 'isPickup'],
        message: expect.stringContaining('nothing to pick up'),
      },
    ])
    expect((await placeOrder(shop, nell, [line(pattern), line(yarn)], { shippingAddress: SAID })).userErrors).toEqual(
      [],
    )
  })

  it('is ready when it is sent, and picked up when it is delivered; letters and slips say so', async () => {
    const opal = await makeUser(shop.em())
    const { id, reference } = await placed(shop, opal, [line(yarn)], { shippingAddress: SAID })
    // Each letter says how things stand when it is sent: it is waited for before they change.
    const [made] = await mailsTo(shop, opal.user.email)
    await capturePaypalOrder(shop, opal, id, await approvedPayment(shop, opal, id))
    const [, paid] = await mailsTo(shop, opal.user.email, 2)

    const slip = await pdfOf(`/api/orders/packing-slips.pdf?ids=${id}`, admin)
    expect(slip).toMatch(/To be picked up by\s+Nell Knitter\s+\+1 207 555 0199/)
    expect(slip).not.toContain('Mill Lane')

    const { fulfilOrder } = await ask(
      shop,
      admin,
      'mutation($id: ID!) { fulfilOrder(id: $id) { fulfilment { id } order { status deliveryEstimate { from } } userErrors { message } } }',
      { id },
    )
    // It is there: nothing is left to estimate.
    expect(fulfilOrder).toMatchObject({ order: { status: 'SENT', deliveryEstimate: null }, userErrors: [] })
    const ready = async () =>
      ask(
        shop,
        admin,
        `{ orders(filter: { status: TO_PICK_UP }) { total items { id } } orderCounts { toPickUp }
           found: orderCounts(search: "${opal.user.email}") { toPickUp toDeliver } }`,
      )
    expect(await ready()).toEqual({
      orders: { total: 1, items: [{ id }] },
      orderCounts: { toPickUp: 1 },
      found: { toPickUp: 1, toDeliver: 1 },
    })
    const [, , packed] = await mailsTo(shop, opal.user.email, 3)
    await ask(shop, admin, 'mutation($id: ID!) { deliverFulfilment(id: $id) { userErrors { message } } }', {
      id: fulfilOrder.fulfilment.id,
    })
    expect(await ready()).toEqual({
      orders: { total: 0, items: [] },
      orderCounts: { toPickUp: 0 },
      found: { toPickUp: 0, toDeliver: 0 },
    })

    const [, , , collected] = await mailsTo(shop, opal.user.email, 4)
    expect(made.text).toContain('Likely ready for pickup: ')
    expect(made.text).toContain('Pickup: Free\n')
    expect(made.text).toMatch(/Pickup:\s+Nell Knitter\s+12 Mill Lane\s+Portland, ME 04101/)
    expect(paid.text).toContain('We write to you again when you can come for it.')
    expect(packed.subject).toBe(`Ready for you: your order ${reference}`)
    expect(packed.text).toContain('We are open Tuesday to Saturday, 10 to 6.')
    expect(packed.text).toContain('12 Mill Lane')
    expect(collected.subject).toBe(`Picked up: your order ${reference}`)
    for (const { text } of [made, paid, packed, collected]) expect(text).not.toMatch(/Shipping|parcel|Goes to/)

    const invoice = await pdfOf(`/api/orders/${id}/invoice.pdf`, opal)
    expect(invoice).toMatch(/Picked up by\s+Nell Knitter/)
    expect(invoice).toMatch(/Pickup\s+Free/)
    expect(invoice).not.toMatch(/Ship|Delivered/)
  })

  it('is expected once the shop has had its days to pack it', async () => {
    const [picked, sent] = [
      await placed(shop, nell, [line(yarn)], { shippingAddress: SAID }),
      await placed(shop, nell, [line(yarn)], { shippingAddress: { ...ADDRESS, country: 'Canada' } }),
    ]
    const from = async ({ id }: { id: string }) => (await readOrder(id)).deliveryEstimate.from
    expect(Date.parse(await from(sent)) - Date.parse(await from(picked))).toBeGreaterThan(5 * 86_400_000)
  })

  it('comes out of a cart on the server, over REST, and is told to programs', async () => {
    const call = async (path: string, method: string, body: object) => {
      const answer = await fetch(`${shop.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${nell.token}` },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: (await answer.json()) as { _id: string } }
    }
    const { phone: _, ...lines } = AT_THE_SHOP
    const cart = await call('/api/carts/mine', 'PUT', {
      cartItems: [{ product: yarn.id, quantity: 1 }],
      shippingAddress: { name: SAID.name, country: 'Canada', isPickup: true },
    })
    expect(cart).toMatchObject({ status: 200, body: { shippingAddress: lines, shippingPrice: 0, totalPrice: 25.32 } })
    const order = await call('/api/orders', 'POST', { cart: cart.body._id })
    expect(order).toMatchObject({ status: 201, body: { shippingAddress: lines, shippingPrice: 0, totalPrice: 25.32 } })
    const [event] = await shop
      .em()
      .execute<[{ data: object }]>(`select data from events where subject_id = ? and type = 'ORDER_PLACED'`, [
        order.body._id,
      ])
    expect(event.data).toMatchObject({ order: { isPickup: true } })
  })

  it('tells every client where that is', async () => {
    const { data } = await shop.gql('{ shop { delivery { pickup { street city state postalCode hours } } } }')
    expect(data.shop.delivery.pickup).toEqual(pickup)
  })

  it('leaves the address book to addresses that parcels go to', async () => {
    const { addAddress } = await ask(
      shop,
      nell,
      'mutation($input: AddressInput!) { addAddress(input: $input) { address { id } userErrors { code field } } }',
      { input: { shippingAddress: SAID } },
    )
    expect(addAddress).toEqual({
      address: null,
      userErrors: [{ code: 'INVALID', field: ['shippingAddress', 'isPickup'] }],
    })
  })
})

describe('a shop where nothing can be picked up', () => {
  it('takes no such order, no such cart, and prices none', async () => {
    const other = await openShop()
    try {
      const purl = await makeUser(other.em())
      const wool = await makeProduct(other.em())
      const refused = {
        code: 'INVALID',
        message: 'Orders cannot be picked up at this shop. Please give an address.',
        field: ['shippingAddress', 'isPickup'],
      }
      expect(await placeOrder(other, purl, [line(wool)], { shippingAddress: SAID })).toMatchObject({
        order: null,
        userErrors: [refused],
      })
      const { changeCart } = await ask(
        other,
        purl,
        'mutation($input: CartInput!) { changeCart(input: $input) { cart { id } userErrors { code message field } } }',
        { input: { shippingAddress: SAID } },
      )
      expect(changeCart).toEqual({ cart: null, userErrors: [refused] })
      const { errors } = await other.gql(
        'query($lines: [CartLineInput!]!) { quoteCart(lines: $lines, to: { country: "US", isPickup: true }) { totalPrice } }',
        { lines: [line(wool)] },
        purl,
      )
      expect(errors).toMatchObject([{ message: refused.message, extensions: { code: 'BAD_USER_INPUT' } }])
    } finally {
      await other.close()
    }
  })
})
