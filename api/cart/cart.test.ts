import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { closeUser } from '../account/manage-users.ts'
import { limits } from '#schema/rules/limits'
import { nth, present } from '#schema/rules/present'
import type { CartInput } from '../generated/types.ts'
import { ADDRESS, placeOrder, stockOf } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, portionsOf, type Identity, type TestShop } from '../testing/shop.ts'
import { forgetCarts } from './forget-carts.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const product = (fields: Parameters<typeof makeProduct>[1] = {}) => makeProduct(shop.em(), fields)
const shopper = () => makeUser(shop.em())
const NOWHERE = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'
const WRONG = 'A'.repeat(43)

const CART = `id code shippingAddress { name city } lines { productId name price quantity lots { code quantity } }
  quote { totalPrice discount lines { quantity } userErrors { code } } notices { code message field available }`
const ANSWER = `cart { ${CART} } notices { code message field } userErrors { code message field }`

async function create(input: CartInput = {}, who: Identity = null) {
  const answer = await shop.gql(
    `mutation ($input: CartInput) { createCart(input: $input) { ${ANSWER} } }`,
    { input },
    who,
  )
  return answer.data.createCart
}
async function change(id: string | null, input: CartInput, who: Identity = null) {
  const answer = await shop.gql(
    `mutation ($id: ID, $input: CartInput!) { changeCart(id: $id, input: $input) { ${ANSWER} } }`,
    { id, input },
    who,
  )
  return answer.data.changeCart
}
async function merge(id: string, who: Identity) {
  const answer = await shop.gql(`mutation ($id: ID!) { mergeCart(id: $id) { ${ANSWER} } }`, { id }, who)
  return answer.data.mergeCart
}
const read = async (id: string | null, who: Identity = null) =>
  (await shop.gql(`query ($id: ID) { cart(id: $id) { ${CART} } }`, { id }, who)).data.cart

const codes = ({ userErrors }: { userErrors: { code: string }[] }) => userErrors.map(({ code }) => code)
const quantities = (cart: { lines: { productId: string; quantity: number }[] } | null) =>
  Object.fromEntries(present(cart).lines.map(({ productId, quantity }) => [productId, quantity]))
const order = (cartId: string, who: Identity, more: object = {}) =>
  placeOrder(shop, who as never, undefined as never, { cartId, ...more })

describe('a cart of no account', () => {
  it('is made, read and changed by whoever has its id, of which only the hash is stored', async () => {
    const [moss, slate] = [await product({ price: 2400 }), await product({ price: 900 })]
    const { cart, userErrors } = await create({ lines: [{ productId: moss.id, quantity: 2 }] })
    expect(userErrors).toEqual([])
    expect(present(cart).lines).toEqual([{ productId: moss.id, name: moss.name, price: 2400, quantity: 2, lots: [] }])
    const { id } = present(cart)
    expect(await read(id)).toEqual(cart)

    await change(id, {
      lines: [
        { productId: moss.id, add: 1 },
        { productId: slate.id, add: 4 },
      ],
    })
    expect(quantities(await read(id))).toEqual({ [moss.id]: 3, [slate.id]: 4 })
    await change(id, { lines: [{ productId: slate.id, quantity: 1 }], shippingAddress: ADDRESS })
    await change(id, { lines: [{ productId: moss.id, quantity: 0 }] })
    const now = await read(id)
    expect(quantities(now)).toEqual({ [slate.id]: 1 })
    expect(present(now).shippingAddress).toEqual({ name: ADDRESS.name, city: ADDRESS.city })
    await change(id, { lines: [{ productId: moss.id, add: 1 }], replacesLines: true, shippingAddress: null })
    expect(await read(id)).toMatchObject({ lines: [{ productId: moss.id, quantity: 1 }], shippingAddress: null })

    const stored = await shop.em().execute<object[]>('select * from carts')
    expect(JSON.stringify(stored)).not.toContain(id)
  })

  it('is not there for a wrong id, nor for the name of an account’s cart', async () => {
    const [nell, rowan, moss] = [await shopper(), await shopper(), await product()]
    const own = await change(null, { lines: [{ productId: moss.id, add: 1 }] }, nell)
    for (const id of [WRONG, NOWHERE, present(own.cart).id, 'abc', '\0', ''])
      for (const who of [null, rowan]) {
        expect(await read(id, who)).toBeNull()
        expect(codes(await change(id, { code: 'X' }, who))).toEqual(['NOT_FOUND'])
        if (who) expect(codes(await order(id, who, { shippingAddress: ADDRESS }))).toEqual(['NOT_FOUND'])
      }
    expect(await read(null)).toBeNull()
    expect(codes(await change(null, { code: 'X' }))).toEqual(['NOT_FOUND'])
    expect(await read(present(own.cart).id, nell)).toEqual(await read(null, nell))
  })

  it('is made so often from one address, and then more and more slowly', async () => {
    const own = await openShop()
    const make = () => own.gql('mutation { createCart { cart { id } } }')
    for (let made = 0; made < 120; made += 10) await Promise.all(Array.from({ length: 10 }, make))
    await make()
    expect((await make()).errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
    await own.close()
  })

  it('is forgotten 30 days after its last change, an account’s after 180', async () => {
    const [nell, moss] = [await shopper(), await product()]
    const lines = [{ productId: moss.id, add: 1 }]
    const { cart: guests } = await create({ lines })
    const { cart: own } = await change(null, { lines }, nell)
    const age = (days: number) =>
      shop.em().execute(`update carts set changed_at = now() - ? * interval '1 day' - interval '1 minute'`, [days])
    const count = async () =>
      (
        await shop
          .em()
          .execute<[{ n: number }]>('select count(*)::int as n from carts where lines @> ?::jsonb', [
            JSON.stringify([{ productId: moss.id }]),
          ])
      )[0].n
    await age(29)
    await forgetCarts(shop.em())
    expect(await count()).toBe(2)
    await age(30)
    expect(await read(present(guests).id)).toBeNull()
    expect(codes(await change(present(guests).id, { lines }))).toEqual(['NOT_FOUND'])
    await forgetCarts(shop.em())
    expect(await count()).toBe(1)
    await age(180)
    expect(await read(null, nell)).toBeNull()
    // A shopper who comes back after that starts with an empty cart.
    expect(quantities((await change(null, { lines }, nell)).cart)).toEqual({ [moss.id]: 1 })
    expect(await read(present(own).id, nell)).not.toBeNull()
    await age(180)
    await forgetCarts(shop.em())
    expect(await count()).toBe(0)
  })
})

describe('a change', () => {
  it('is refused as a whole for what is wrong with any part of it', async () => {
    const [moss, draft] = [await product(), await product({ publishedAt: null })]
    const { id } = present((await create()).cart)
    const good = { productId: moss.id, add: 1 }
    const wrong: [CartInput, string, string[]][] = [
      [{ lines: [good, { productId: draft.id, add: 1 }] }, 'NOT_FOUND', ['lines', draft.id]],
      [{ lines: [good, { productId: 'abc', add: 1 }] }, 'NOT_FOUND', ['lines', 'abc']],
      [{ lines: [good, good] }, 'INVALID', ['lines']],
      [{ lines: [{ productId: moss.id }] }, 'INVALID', ['lines', '0']],
      [{ lines: [{ ...good, quantity: 1 }] }, 'INVALID', ['lines', '0']],
      [{ lines: [{ productId: moss.id, quantity: -1 }] }, 'INVALID', ['lines', '0', 'quantity']],
      [{ lines: [{ productId: moss.id, quantity: 1_000_001 }] }, 'INVALID', ['lines', '0', 'quantity']],
      [{ lines: [{ productId: moss.id, quantity: 2, lots: portionsOf({ 4412: 3 }) }] }, 'INVALID', ['lines', '0']],
      [{ lines: [good], shippingAddress: { ...ADDRESS, country: '' } }, 'INVALID', ['shippingAddress', 'country']],
      [{ lines: [good], code: 'x'.repeat(101) }, 'INVALID', ['code']],
    ]
    for (const [input, code, field] of wrong) {
      const { cart, userErrors } = await change(id, input)
      expect({ cart, errors: userErrors.map(({ code, field }) => ({ code, field })) }).toEqual({
        cart: null,
        errors: [{ code, field }],
      })
    }
    expect(present(await read(id)).lines).toEqual([])
  })

  it('leaves no more than 50 different products', async () => {
    const yarns = await Promise.all(Array.from({ length: limits.linesPerOrder + 1 }, () => product()))
    const lines = yarns.map(({ id: productId }) => ({ productId, add: 1 }))
    const { id } = present((await create({ lines: lines.slice(1) })).cart)
    expect(codes(await change(id, { lines: lines.slice(0, 1) }))).toEqual(['CART_FULL'])
    expect(codes(await change(id, { lines: [nth(lines, 1)] }))).toEqual([])
    expect(present(await read(id)).lines).toHaveLength(limits.linesPerOrder)
  })

  it('sent again with its key is made once', async () => {
    const [nell, moss] = [await shopper(), await product()]
    const input = { lines: [{ productId: moss.id, add: 2 }], idempotencyKey: 'one' }
    const answers = await Promise.all(Array.from({ length: 4 }, () => change(null, input, nell)))
    expect(answers.map(({ cart }) => quantities(cart))).toEqual(Array.from({ length: 4 }, () => ({ [moss.id]: 2 })))
    await change(null, { ...input, idempotencyKey: 'two' }, nell)
    expect(quantities(await read(null, nell))).toEqual({ [moss.id]: 4 })
  })

  it('says which dye lots, of as many units as there are then', async () => {
    const [nell, { id: productId }] = [await shopper(), await product({ lots: { 4412: 5, 4417: 3 } })]
    const lotsAfter = async (line: Omit<NonNullable<CartInput['lines']>[number], 'productId'>) => {
      const { cart } = await change(null, { lines: [{ productId, ...line }] }, nell)
      const [{ quantity, lots } = { quantity: 0, lots: [] }] = present(cart).lines
      return [quantity, ...lots.map(({ code, quantity }) => `${quantity} of ${code}`)]
    }
    expect(await lotsAfter({ add: 2, lots: portionsOf({ 4412: 1 }) })).toEqual([2, '2 of 4412'])
    expect(await lotsAfter({ add: 4, lots: portionsOf({ 4412: 5, 4417: 1 }) })).toEqual([6, '5 of 4412', '1 of 4417'])
    expect(await lotsAfter({ add: 0, lots: portionsOf({ 4417: 3 }) })).toEqual([6, '6 of 4417'])
    expect(await lotsAfter({ add: 1 })).toEqual([7, '7 of 4417'])
    // When several lots do not add up to the line's quantity, it has no lots.
    expect(await lotsAfter({ add: 1, lots: portionsOf({ 4412: 5, 4417: 2 }) })).toEqual([8])
    expect(await lotsAfter({ quantity: 3, lots: portionsOf({ 4417: 3 }) })).toEqual([3, '3 of 4417'])
    expect(await lotsAfter({ quantity: 3, lots: [] })).toEqual([3])
  })

  it('never undoes that of another who changes the cart at once', async () => {
    const nell = await shopper()
    const yarns = await Promise.all(Array.from({ length: 10 }, () => product()))
    // The account has no cart yet, either.
    await Promise.all(
      yarns.flatMap(({ id: productId }) => [1, 2].map(add => change(null, { lines: [{ productId, add }] }, nell))),
    )
    expect(quantities(await read(null, nell))).toEqual(Object.fromEntries(yarns.map(({ id }) => [id, 3])))
  })
})

describe('what has become of a cart is told in words', () => {
  it('fewer left, sold out, off sale, dearer, and a code that does not work', async () => {
    const [few, none, gone, dearer] = [
      await product({ countInStock: 3 }),
      await product({ countInStock: 0 }),
      await product(),
      await product({ price: 1000 }),
    ]
    const lines = [few, none, gone, dearer].map(({ id: productId }) => ({ productId, quantity: 5 }))
    const { id } = present((await create({ lines, code: 'nonsense' })).cart)
    const em = shop.em()
    await em.execute('update products set archived_at = now() where id = ?', [gone.id])
    await em.execute('update products set price = 1250 where id = ?', [dearer.id])
    const { notices, quote } = present(await read(id))
    expect(notices).toEqual([
      { code: 'OUT_OF_STOCK', message: `Only 3 left of “${few.name}”.`, field: ['lines', few.id], available: 3 },
      { code: 'OUT_OF_STOCK', message: `“${none.name}” is sold out.`, field: ['lines', none.id], available: 0 },
      {
        code: 'NOT_FOUND',
        message: `“${gone.name}” is no longer for sale.`,
        field: ['lines', gone.id],
        available: null,
      },
      {
        code: 'PRICE_CHANGED',
        message: `The price of “${dearer.name}” changed from $10.00 to $12.50.`,
        field: ['lines', dearer.id],
        available: null,
      },
      expect.objectContaining({ code: 'CODE_UNKNOWN', field: ['code'] }),
    ])
    expect(quote.lines.map(({ quantity }) => quantity)).toEqual([3, 0, 0, 5])
    // A product that is off sale can be taken out, and changing a line accepts its new price.
    const { cart } = await change(id, {
      lines: [
        ...[none, gone].map(({ id: productId }) => ({ productId, quantity: 0 })),
        { productId: few.id, add: -2 },
        { productId: dearer.id, add: 1 },
      ],
      code: null,
    })
    expect(present(cart).notices).toEqual([])
  })

  it('dye lots that have to be agreed to', async () => {
    const moss = await product({ lots: { 4412: 5, 4417: 3 } })
    const { id } = present((await create({ lines: [{ productId: moss.id, quantity: 7 }] })).cart)
    expect(present(await read(id)).notices).toMatchObject([
      { code: 'MIXED_LOTS', message: `“${moss.name}” would be 5 of lot 4412 and 2 of lot 4417.` },
    ])
    const lots = portionsOf({ 4412: 5, 4417: 2 })
    const { cart } = await change(id, { lines: [{ productId: moss.id, quantity: 7, lots }] })
    expect(cart).toMatchObject({ lines: [{ lots }], notices: [] })
  })
})

describe('an order from a cart', () => {
  it('is what the cart quoted, code and address and all, and leaves it empty', async () => {
    const [nell, moss] = [await shopper(), await product({ price: 4000, countInStock: 10 })]
    const lines = [{ productId: moss.id, quantity: 2 }]
    const { cart } = await change(null, { lines, code: 'CASTON15', shippingAddress: ADDRESS }, nell)
    expect(present(cart).quote.discount).toBe(1200)
    const { order: placed, userErrors } = await order(present(cart).id, nell, {
      expectedTotal: present(cart).quote.totalPrice,
    })
    expect(userErrors).toEqual([])
    expect(placed).toMatchObject({
      totalPrice: present(cart).quote.totalPrice,
      discount: 1200,
      shippingAddress: ADDRESS,
      items: [{ productId: moss.id, quantity: 2 }],
    })
    expect(await read(null, nell)).toMatchObject({ id: present(cart).id, lines: [], code: null, shippingAddress: null })
    expect(await stockOf(shop, moss.id)).toMatchObject({ left: 8 })
  })

  it('is a guest’s, too, who has its id', async () => {
    const moss = await product()
    const { id } = present(
      (await create({ lines: [{ productId: moss.id, quantity: 1 }], shippingAddress: ADDRESS })).cart,
    )
    const input = { cartId: id, guestEmail: 'guest@example.org', idempotencyKey: 'a guest’s key of a cart' }
    const place = async () =>
      (
        await shop.gql(
          'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } orderToken userErrors { code } } }',
          { input },
        )
      ).data.placeOrder
    const first = await place()
    expect(first).toMatchObject({ order: {}, orderToken: expect.any(String), userErrors: [] })
    expect((await place()).order).toEqual(first.order)
    expect(present(await read(id)).lines).toEqual([])
  })

  it('that was refused leaves the cart as it was, and tells how it stands', async () => {
    const [nell, moss] = [await shopper(), await product({ countInStock: 1 })]
    const { cart } = await change(null, { lines: [{ productId: moss.id, quantity: 2 }] }, nell)
    const nowhere = await order(present(cart).id, nell, { shippingAddress: undefined })
    expect(nowhere.userErrors).toMatchObject([{ code: 'INVALID', field: ['shippingAddress'] }])
    const refused = await order(present(cart).id, nell)
    expect(refused).toMatchObject({ order: null, quote: { lines: [{ quantity: 1 }] } })
    expect(codes(refused)).toEqual(['OUT_OF_STOCK'])
    expect(await read(null, nell)).toEqual(cart)
    await change(null, { lines: [{ productId: moss.id, quantity: 0 }] }, nell)
    expect(codes(await order(present(cart).id, nell))).toEqual(['CART_EMPTY'])
    const both = await placeOrder(shop, nell, [{ productId: moss.id, quantity: 1 }], { cartId: present(cart).id })
    expect(both.userErrors).toMatchObject([{ code: 'INVALID', field: ['cartId'] }])
  })

  test.each([
    ['without a key', () => ({}), ['CART_EMPTY', 'CART_EMPTY', 'CART_EMPTY']],
    ['with a key', () => ({ idempotencyKey: 'once' }), []],
  ])('placed four times at once makes one order, %s', async (_how, more, refusals) => {
    const [nell, moss] = [await shopper(), await product({ countInStock: 10 })]
    const { cart } = await change(null, { lines: [{ productId: moss.id, quantity: 2 }] }, nell)
    const answers = await Promise.all(Array.from({ length: 4 }, () => order(present(cart).id, nell, more())))
    expect(new Set(answers.flatMap(({ order }) => order?.id ?? [])).size).toBe(1)
    expect(answers.flatMap(codes)).toEqual(refusals)
    expect(await stockOf(shop, moss.id)).toMatchObject({ left: 8 })
  })

  it('loses nothing that is put in meanwhile: it is in the order, or still in the cart', async () => {
    const [nell, moss, slate] = [await shopper(), await product(), await product()]
    const { cart } = await change(null, { lines: [{ productId: moss.id, quantity: 1 }] }, nell)
    const [{ order: placed }] = await Promise.all([
      order(present(cart).id, nell),
      change(null, { lines: [{ productId: slate.id, add: 1 }] }, nell),
    ])
    const ordered = present(placed).items.map(({ productId }) => productId)
    const left = Object.keys(quantities(await read(null, nell)))
    expect([...ordered, ...left].toSorted()).toEqual([moss.id, slate.id].toSorted())
  })
})

describe('at sign-in', () => {
  it('the cart of before is put into the account’s, quantities adding up to the stock, and ends', async () => {
    const [nell, both, mine, theirs] = [
      await shopper(),
      await product({ countInStock: 8 }),
      await product(),
      await product({ countInStock: 0 }),
    ]
    await change(null, { lines: [both, mine].map(({ id: productId }) => ({ productId, quantity: 5 })) }, nell)
    const { id } = present(
      (
        await create({
          lines: [both, theirs].map(({ id: productId }) => ({ productId, quantity: 4 })),
          code: 'caston15',
          shippingAddress: ADDRESS,
        })
      ).cart,
    )
    const { cart, notices, userErrors } = await merge(id, nell)
    expect(userErrors).toEqual([])
    expect(quantities(cart)).toEqual({ [both.id]: 8, [mine.id]: 5, [theirs.id]: 4 })
    expect(cart).toMatchObject({ code: 'CASTON15', shippingAddress: { name: ADDRESS.name } })
    expect(notices).toEqual([
      { code: 'OUT_OF_STOCK', message: `Only 8 left of “${both.name}”.`, field: ['lines', both.id] },
    ])
    expect(await read(id)).toBeNull()
    expect(codes(await merge(id, nell))).toEqual(['NOT_FOUND'])
    // An account's cart cannot be merged into another one, either.
    expect(codes(await merge(present(cart).id, await shopper()))).toEqual(['NOT_FOUND'])
    expect(codes(await merge(present(cart).id, nell))).toEqual(['NOT_FOUND'])
  })

  it('what is beyond 50 different products is left out, and named', async () => {
    const nell = await shopper()
    const yarns = await Promise.all(Array.from({ length: limits.linesPerOrder + 1 }, () => product()))
    const lines = yarns.map(({ id: productId }) => ({ productId, add: 1 }))
    await change(null, { lines: lines.slice(2) }, nell)
    const { id } = present((await create({ lines: lines.slice(0, 2) })).cart)
    const { cart, notices } = await merge(id, nell)
    expect(present(cart).lines).toHaveLength(limits.linesPerOrder)
    expect(notices).toMatchObject([{ code: 'CART_FULL', field: ['lines', nth(yarns, 1).id] }])
  })

  it('two who merge one cart at once put it in once', async () => {
    const [nell, moss] = [await shopper(), await product()]
    const { id } = present((await create({ lines: [{ productId: moss.id, quantity: 2 }] })).cart)
    const answers = await Promise.all(Array.from({ length: 4 }, () => merge(id, nell)))
    expect(answers.flatMap(codes)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    expect(quantities(await read(null, nell))).toEqual({ [moss.id]: 2 })
  })
})

it('an account that is closed leaves no cart', async () => {
  const em = shop.em()
  const [nell, admin, moss] = [await shopper(), await makeUser(em, { isAdmin: true }), await product()]
  await change(null, { lines: [{ productId: moss.id, add: 1 }] }, nell)
  await closeUser({ em, user: admin.user, scopes: null }, nell.id)
  expect(await em.execute('select 1 from carts where user_id = ?', [nell.id])).toEqual([])
})
