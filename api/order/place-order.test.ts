import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { DEFAULT_POLICY, priceCart } from '#schema/rules/pricing'
import { lockWaits } from '../testing/lock-waits.ts'
import { ADDRESS, line, placed, placeOrder, readOrder, stockOf } from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const buyer = () => makeUser(shop.em())
const product = (fields: Parameters<typeof makeProduct>[1] = {}) => makeProduct(shop.em(), fields)
const missing = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'

/** 0 to count - 1, in an order that differs with the seed but not from run to run. */
function shuffled(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, index) => ({ index, key: Math.sin(seed * 131 + index * 7919) }))
    .sort((a, b) => a.key - b.key)
    .map(({ index }) => index)
}

describe('an order', () => {
  it('is placed, priced by the rules, and holds its stock for a quarter of an hour', async () => {
    const nell = await buyer()
    const [wool, hook] = [await product({ price: 2450, weight: '50 g' }), await product({ price: 899, weight: '' })]
    const { order, userErrors, quote } = await placeOrder(shop, nell, [line(wool, 3), line(hook)])

    expect(userErrors).toEqual([])
    expect(quote).toBeNull()
    const { reduced: _, ...prices } = priceCart(
      [
        { ...wool, price: 2450, quantity: 3 },
        { ...hook, price: 899, quantity: 1 },
      ],
      DEFAULT_POLICY,
    )
    expect(prices).toMatchObject({
      itemsPrice: 8249,
      discount: 0,
      shippingPrice: 375,
      taxPrice: 1237,
      totalPrice: 9861,
    })
    expect(order).toMatchObject({
      ...prices,
      reference: expect.stringMatching(/^#1\d{4}$/),
      status: 'UNPAID',
      isPaid: false,
      paidAt: null,
      isDelivered: false,
      deliveredAt: null,
      attention: null,
      paymentMethod: 'PayPal',
      shippingAddress: ADDRESS,
      user: { userId: nell.id, name: nell.user.name, email: nell.user.email },
      items: [
        { productId: wool.id, name: wool.name, image: wool.image, price: 2450, quantity: 3 },
        { productId: hook.id, name: hook.name, image: hook.image, price: 899, quantity: 1 },
      ],
    })
    const held = (Date.parse(order.heldUntil) - Date.now()) / 60_000
    expect(held).toBeGreaterThan(14)
    // The database's clock and this process's may differ a little.
    expect(held).toBeLessThan(15.1)
    expect(await stockOf(shop, wool.id)).toEqual({ left: 7, ledger: 7, sold: 3 })
    expect(await readOrder(shop, nell, order.id)).toEqual(order)
  })

  it('has a number of its own, one above the last', async () => {
    const [nell, yarn] = [await buyer(), await product()]
    const first = await placed(shop, nell, [line(yarn)])
    const second = await placed(shop, nell, [line(yarn)])
    expect(Number(second.reference.slice(1))).toBe(Number(first.reference.slice(1)) + 1)
  })

  it.each([
    [9999, 150],
    [10_000, 0],
    [10_001, 0],
  ])('over %i cents of yarn ships for %i', async (price, shippingPrice) => {
    expect(await placed(shop, await buyer(), [line(await product({ price }))])).toMatchObject({
      itemsPrice: price,
      shippingPrice,
    })
  })

  it('follows the pricing policy the shop was started with', async () => {
    const flat = await openShop({ policy: { ...DEFAULT_POLICY, shippingRate: 'FLAT', taxBasisPoints: 800 } })
    try {
      const yarn = await makeProduct(flat.em(), { price: 1000 })
      expect(await placed(flat, await makeUser(flat.em()), [line(yarn)])).toMatchObject({
        shippingPrice: 1000,
        taxPrice: 80,
        totalPrice: 2080,
      })
    } finally {
      await flat.close()
    }
  })

  it('adds up lines with the same product, however its id is written', async () => {
    const [nell, yarn] = [await buyer(), await product({ countInStock: 3 })]
    const short = await placeOrder(shop, nell, [line(yarn, 2), line(yarn, 2)])
    expect(short.userErrors).toMatchObject([{ code: 'OUT_OF_STOCK', available: 3 }])
    const { items } = await placed(shop, nell, [line(yarn), { productId: yarn.id.toUpperCase(), quantity: 2 }])
    expect(items).toMatchObject([{ productId: yarn.id, quantity: 3 }])
  })

  it('keeps what was sold when the product is renamed, repriced and archived afterwards', async () => {
    const [nell, admin, yarn] = [
      await buyer(),
      await makeUser(shop.em(), { isAdmin: true }),
      await product({ price: 2400 }),
    ]
    const order = await placed(shop, nell, [line(yarn, 2)])
    const { id: _, ...fields } = yarn
    const {
      name,
      image,
      description,
      weight,
      length,
      gauge,
      knittingNeedle,
      crochetHook,
      recommendedCare,
      content,
      category,
    } = fields
    const input = {
      image,
      description,
      weight,
      length,
      gauge,
      knittingNeedle,
      crochetHook,
      recommendedCare,
      content,
      category,
      name: `${name} renamed`,
      price: 9900,
      countInStock: 1,
    }
    await shop.gql(
      'mutation($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { userErrors { code } } }',
      { id: yarn.id, input },
      admin,
    )
    expect(await readOrder(shop, nell, order.id)).toEqual(order)
    await shop.gql('mutation($id: ID!) { deleteProduct(id: $id) { userErrors { code } } }', { id: yarn.id }, admin)
    expect(await readOrder(shop, nell, order.id)).toEqual(order)
  })
})

describe('the total the shopper saw', () => {
  it('is never charged, only compared', async () => {
    const yarn = await product({ price: 2400 })
    const { order } = await placeOrder(shop, await buyer(), [line(yarn)], { expectedTotal: 2910 })
    expect(order.totalPrice).toBe(2910)
  })

  it.each([0, 1, -2910, 2909, 2911, 9_007_199_254_740_991])(
    'of %i cents instead of 2910 is refused with the fresh figures',
    async expectedTotal => {
      const yarn = await product({ price: 2400 })
      const { order, quote, userErrors } = await placeOrder(shop, await buyer(), [line(yarn)], { expectedTotal })
      expect(order).toBeNull()
      expect(userErrors).toMatchObject([{ code: 'PRICE_CHANGED' }])
      expect(quote).toMatchObject({
        itemsPrice: 2400,
        shippingPrice: 150,
        taxPrice: 360,
        totalPrice: 2910,
        lines: [{ productId: yarn.id, quantity: 1, product: { price: 2400 } }],
      })
      expect(await stockOf(shop, yarn.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
    },
  )
})

describe('a cart that cannot be had', () => {
  it('is told how many are left, and takes nothing', async () => {
    const [plenty, few] = [await product(), await product({ countInStock: 2 })]
    const { order, quote, userErrors } = await placeOrder(shop, await buyer(), [line(plenty, 4), line(few, 3)])
    expect(order).toBeNull()
    expect(userErrors).toEqual([
      { code: 'OUT_OF_STOCK', message: expect.stringContaining('Only 2 left'), field: ['lines', few.id], available: 2 },
    ])
    expect(quote.lines).toMatchObject([
      { productId: plenty.id, quantity: 4 },
      { productId: few.id, quantity: 2 },
    ])
    expect(await stockOf(shop, plenty.id)).toEqual({ left: 10, ledger: 10, sold: 0 })
    expect(await stockOf(shop, few.id)).toEqual({ left: 2, ledger: 2, sold: 0 })
  })

  it('names every product that is sold out', async () => {
    const gone = [await product({ countInStock: 0 }), await product({ countInStock: 0 })]
    const { userErrors } = await placeOrder(
      shop,
      await buyer(),
      gone.map(each => line(each)),
    )
    expect(userErrors).toHaveLength(2)
    expect(userErrors).toEqual(
      expect.arrayContaining(
        gone.map(({ id, name }) => ({
          code: 'OUT_OF_STOCK',
          message: `“${name}” is sold out.`,
          field: ['lines', id],
          available: 0,
        })),
      ),
    )
  })

  it('makes the quote of what is refused only for who asks for it', async () => {
    const [nell, gone] = [await buyer(), await product({ countInStock: 0 })]
    const log = vi.spyOn(shop.orm.config.getLogger(), 'logQuery')
    const reads = async (quote: string) => {
      log.mockClear()
      const { data } = await shop.gql(
        `mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { ${quote} userErrors { code } } }`,
        { input: { lines: [line(gone)], shippingAddress: ADDRESS } },
        nell,
      )
      expect(data).toMatchObject({ placeOrder: { userErrors: [{ code: 'OUT_OF_STOCK' }] } })
      // Not what the search index reads when a product is made.
      return log.mock.calls.filter(
        ([{ query, params }]) => query?.includes('to_json(shown)') && JSON.stringify(params).includes(gone.id),
      ).length
    }
    try {
      expect(await reads('')).toBe(0)
      expect(await reads('quote { totalPrice }')).toBe(1)
    } finally {
      log.mockRestore()
    }
  })

  it.each([
    ['never existed', async () => missing],
    ['is no id at all', async () => 'abc'],
    ['is a draft', async () => (await product({ publishedAt: null })).id],
    ['was archived', async () => (await product({ archivedAt: new Date() })).id],
  ])('is refused when a product %s', async (_why, make) => {
    const [yarn, productId] = [await product(), await make()]
    const { order, userErrors } = await placeOrder(shop, await buyer(), [line(yarn), { productId, quantity: 1 }])
    expect(order).toBeNull()
    expect(userErrors).toMatchObject([{ code: 'NOT_FOUND', field: ['lines', productId] }])
    expect((await stockOf(shop, yarn.id)).left).toBe(10)
  })

  it('is refused when it is empty', async () => {
    expect((await placeOrder(shop, await buyer(), [])).userErrors).toMatchObject([{ code: 'CART_EMPTY' }])
  })

  it('can hold 50 different products and not one more', async () => {
    const em = shop.em()
    const lines = []
    for (let index = 0; index < 51; index++) lines.push(line(await makeProduct(em)))
    const nell = await buyer()
    expect((await placeOrder(shop, nell, lines)).userErrors).toMatchObject([{ code: 'INVALID', field: ['lines'] }])
    expect((await placed(shop, nell, lines.slice(1))).items).toHaveLength(50)
  })

  it.each([0, -1, 1_000_001, 2_147_483_647, -2_147_483_648])('is refused at a quantity of %i', async quantity => {
    const yarn = await product({ countInStock: 5000 })
    expect((await placeOrder(shop, await buyer(), [line(yarn, quantity)])).userErrors).toMatchObject([
      { code: 'INVALID', field: ['lines', '0', 'quantity'] },
    ])
    expect((await stockOf(shop, yarn.id)).left).toBe(5000)
  })

  it('takes all there is of a product, and no more', async () => {
    const [nell, yarn] = [await buyer(), await product({ countInStock: 5000, price: 100 })]
    expect((await placeOrder(shop, nell, [line(yarn, 2500), line(yarn, 2501)])).userErrors).toMatchObject([
      { code: 'OUT_OF_STOCK', available: 5000 },
    ])
    expect((await placed(shop, nell, [line(yarn, 5000)])).items).toMatchObject([{ quantity: 5000 }])
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 0, ledger: 0, sold: 5000 })
  })

  it('is refused when it comes to more money than an order can hold', async () => {
    const gold = await product({ price: 9_999_999, countInStock: 999 })
    const { order, userErrors } = await placeOrder(shop, await buyer(), [line(gold, 999)])
    expect(order).toBeNull()
    expect(userErrors).toMatchObject([{ code: 'INVALID' }])
    expect(await stockOf(shop, gold.id)).toEqual({ left: 999, ledger: 999, sold: 0 })
  })
})

describe('a shipping address', () => {
  const attempt = async (address: object) =>
    placeOrder(shop, await buyer(), [line(await product())], { shippingAddress: address })

  test.each([
    ['without a name', { name: '', country: 'US' }, [['shippingAddress', 'name']]],
    ['with blanks for a country', { name: 'Nell', country: '  \t' }, [['shippingAddress', 'country']]],
    [
      'with neither',
      { name: ' ', country: '' },
      [
        ['shippingAddress', 'name'],
        ['shippingAddress', 'country'],
      ],
    ],
    [
      'with a city of 201 characters',
      { name: 'Nell', country: 'US', city: 'x'.repeat(201) },
      [['shippingAddress', 'city']],
    ],
    ['with NUL in the state', { name: 'Nell', country: 'US', state: 'M\0E' }, [['shippingAddress', 'state']]],
    [
      'with half a character in the street',
      { name: 'Nell', country: 'US', address: 'Purl \ud83d Lane' },
      [['shippingAddress', 'address']],
    ],
  ])('%s is refused beside the field', async (_title, address, fields) => {
    const { order, userErrors } = await attempt(address)
    expect(order).toBeNull()
    expect(userErrors).toEqual(
      fields.map(field => ({ code: 'INVALID', message: expect.stringMatching(/^\w/), field, available: null })),
    )
  })

  it('needs no more than a name and a country', async () => {
    const { order } = await attempt({ name: ' Nell ', country: 'US' })
    expect(order.shippingAddress).toEqual({
      name: 'Nell',
      address: '',
      address2: '',
      city: '',
      state: '',
      postalCode: '',
      country: 'US',
    })
  })

  it('is kept letter by letter', async () => {
    const address = {
      ...ADDRESS,
      name: 'Zoë "Ō" O’Brien 🧶',
      address: `<b>1</b> '; drop table orders; --`,
      city: '東京',
    }
    expect((await attempt(address)).order.shippingAddress).toEqual(address)
  })
})

describe('what the shopper tells the shop with it', () => {
  const attempt = async (customerNote: unknown, more: object = {}) =>
    placeOrder(shop, await buyer(), [line(await product())], { customerNote, ...more })

  it('is kept letter by letter, for them and for administrators', async () => {
    const nell = await buyer()
    const said = `A present for Zoë 🧶:\n<b>no</b> prices, please`
    const { order } = await placeOrder(shop, nell, [line(await product())], { customerNote: `  ${said}\n` })
    const read = async (reader: Account) =>
      (await shop.gql('query($id: ID!) { order(id: $id) { customerNote } }', { id: order.id }, reader)).data.order
    expect(await read(nell)).toEqual({ customerNote: said })
    expect(await read(await makeUser(shop.em(), { isAdmin: true }))).toEqual({ customerNote: said })
    expect(await read(await buyer())).toBeNull()
  })

  it.each([undefined, null, '', ' \n '])('is nothing when it is %j', async said => {
    const { order } = await attempt(said)
    const [row] = await shop.em().execute('select customer_note from orders where id = ?', [order.id])
    expect(row).toEqual({ customer_note: null })
  })

  it('has at most 500 characters', async () => {
    expect((await attempt('x'.repeat(500))).userErrors).toEqual([])
    expect((await attempt('x'.repeat(501))).userErrors).toEqual([
      {
        code: 'INVALID',
        message: 'Your note can have at most 500 characters.',
        field: ['customerNote'],
        available: null,
      },
    ])
  })

  it('belongs to what a key stands for', async () => {
    const [nell, yarn] = [await buyer(), await product()]
    const attempt = (customerNote: string | null) =>
      placeOrder(shop, nell, [line(yarn)], { customerNote, idempotencyKey: 'noted' })
    const { order } = await attempt('Ring twice')
    expect((await attempt('Ring twice')).order.id).toBe(order.id)
    expect((await attempt(null)).userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }])
  })
})

it('is paid by PayPal and nothing else', async () => {
  const { userErrors } = await placeOrder(shop, await buyer(), [line(await product())], { paymentMethod: 'Cheque' })
  expect(userErrors).toMatchObject([{ code: 'INVALID', field: ['paymentMethod'] }])
})

describe('an idempotency key', () => {
  it('answers a repeat with the order placed before', async () => {
    const [nell, yarn] = [await buyer(), await product()]
    const first = await placeOrder(shop, nell, [line(yarn, 2)], { idempotencyKey: 'cart-1' })
    const again = await placeOrder(shop, nell, [line(yarn, 2)], { idempotencyKey: 'cart-1' })
    expect(again).toEqual(first)
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 8, ledger: 8, sold: 2 })
  })

  it('makes 20 submits at once one order', async () => {
    const [nell, yarn] = [await buyer(), await product()]
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => placeOrder(shop, nell, [line(yarn, 2)], { idempotencyKey: 'cart-2' })),
    )
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(new Set(answers.map(({ order }) => order.id)).size).toBe(1)
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 8, ledger: 8, sold: 2 })
  })

  it('makes 20 submits of the last units one order, and none of them a shortage', async () => {
    const [nell, yarn] = [await buyer(), await product({ countInStock: 2 })]
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => placeOrder(shop, nell, [line(yarn, 2)], { idempotencyKey: 'cart-3' })),
    )
    expect(answers.flatMap(({ userErrors }) => userErrors)).toEqual([])
    expect(new Set(answers.map(({ order }) => order.id)).size).toBe(1)
  })

  it.each([
    ['another quantity', (id: string) => [{ productId: id, quantity: 3 }], {}],
    [
      'another address',
      (id: string) => [{ productId: id, quantity: 2 }],
      { shippingAddress: { ...ADDRESS, city: 'Elsewhere' } },
    ],
  ])('is refused for %s', async (_what, lines, more) => {
    const [nell, yarn] = [await buyer(), await product()]
    await placeOrder(shop, nell, [line(yarn, 2)], { idempotencyKey: 'cart-4' })
    const other = await placeOrder(shop, nell, lines(yarn.id), { idempotencyKey: 'cart-4', ...more })
    expect(other).toMatchObject({ order: null, userErrors: [{ code: 'IDEMPOTENCY_MISMATCH' }] })
    expect((await stockOf(shop, yarn.id)).left).toBe(8)
  })

  it('belongs to one shopper: the same key of another one is another order', async () => {
    const [nell, purl, yarn] = [await buyer(), await buyer(), await product()]
    const first = await placeOrder(shop, nell, [line(yarn)], { idempotencyKey: 'cart-5' })
    const second = await placeOrder(shop, purl, [line(yarn)], { idempotencyKey: 'cart-5' })
    expect(second.userErrors).toEqual([])
    expect(second.order.id).not.toBe(first.order.id)
  })

  it('is not used up by a refusal', async () => {
    const [nell, yarn] = [await buyer(), await product({ countInStock: 1 })]
    const cart = [line(yarn, 2)]
    expect((await placeOrder(shop, nell, cart, { idempotencyKey: 'cart-6' })).userErrors).toMatchObject([
      { code: 'OUT_OF_STOCK' },
    ])
    await shop.em().execute('update products set count_in_stock = 2 where id = ?', [yarn.id])
    expect((await placeOrder(shop, nell, cart, { idempotencyKey: 'cart-6' })).userErrors).toEqual([])
  })

  it('has at most 255 characters', async () => {
    const [nell, yarn] = [await buyer(), await product()]
    expect((await placeOrder(shop, nell, [line(yarn)], { idempotencyKey: 'k'.repeat(256) })).userErrors).toMatchObject([
      { code: 'INVALID', field: ['idempotencyKey'] },
    ])
    expect((await placeOrder(shop, nell, [line(yarn)], { idempotencyKey: 'k'.repeat(255) })).userErrors).toEqual([])
  })

  it('left out, every submit is an order', async () => {
    const [nell, yarn] = [await buyer(), await product()]
    const orders = await Promise.all([placed(shop, nell, [line(yarn)]), placed(shop, nell, [line(yarn)])])
    expect(orders[0].id).not.toBe(orders[1].id)
  })
})

it('is not placed for an account that is deleted at the same moment', async () => {
  const [nell, yarn] = [await buyer(), await product()]
  const { placing } = await shop.em().transactional(async tx => {
    await tx.execute('select from users where id = ? for update', [nell.id])
    await tx.execute('update users set closed_at = now() where id = ?', [nell.id])
    const placing = shop.gql(
      'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }',
      { input: { lines: [line(yarn)], shippingAddress: ADDRESS } },
      nell,
    )
    await lockWaits(shop.em())
    return { placing }
  })
  expect((await placing).status).toBe(401)
  expect(await shop.em().execute('select id from orders where user_id = ?', [nell.id])).toEqual([])
})

describe('buyers at once', () => {
  it('buy exactly the last 5 units, 200 of them', async () => {
    const [buyers, yarn] = [await makeUsers(shop.em(), 200), await product({ countInStock: 5 })]
    const answers = await Promise.all(buyers.map(each => placeOrder(shop, each, [line(yarn)])))

    expect(answers.filter(({ order }) => order)).toHaveLength(5)
    expect(answers.flatMap(({ userErrors }) => userErrors).map(({ code, available }) => ({ code, available }))).toEqual(
      Array.from({ length: 195 }, () => ({ code: 'OUT_OF_STOCK', available: 0 })),
    )
    expect(await stockOf(shop, yarn.id)).toEqual({ left: 0, ledger: 0, sold: 5 })
  })

  it('with three products each, in any order, never block one another for good', async () => {
    const shelf = [
      await product({ countInStock: 25 }),
      await product({ countInStock: 40 }),
      await product({ countInStock: 200 }),
    ]
    const buyers = await makeUsers(shop.em(), 60)
    const answers = await Promise.all(
      buyers.map((each, index) =>
        placeOrder(
          shop,
          each,
          shuffled(3, index).map(place => line(nth(shelf, place), 1 + (index % 2))),
        ),
      ),
    )

    const sold = answers.filter(({ order }) => order)
    expect(sold.length).toBeGreaterThan(0)
    expect(answers.flatMap(({ userErrors }) => userErrors).filter(({ code }) => code !== 'OUT_OF_STOCK')).toEqual([])
    for (const [index, initial] of [25, 40, 200].entries()) {
      const stock = await stockOf(shop, nth(shelf, index).id)
      const units = sold
        .flatMap(({ order }) => order.items)
        .filter(({ productId }) => productId === nth(shelf, index).id)
        .reduce((sum, { quantity }) => sum + quantity, 0)
      expect(stock).toEqual({ left: initial - units, ledger: initial - units, sold: units })
    }
    // The sale ended because the scarcest product ran out.
    expect((await stockOf(shop, nth(shelf, 0).id)).left).toBeLessThan(2)
  })

  it('lose no sale when the administrator counts the shelf in between', async () => {
    const [buyers, yarn, admin] = [
      await makeUsers(shop.em(), 40),
      await product({ countInStock: 100 }),
      await makeUser(shop.em(), { isAdmin: true }),
    ]
    const {
      name,
      image,
      description,
      weight,
      length,
      gauge,
      knittingNeedle,
      crochetHook,
      recommendedCare,
      content,
      category,
      price,
    } = yarn
    const input = {
      name,
      image,
      description,
      weight,
      length,
      gauge,
      knittingNeedle,
      crochetHook,
      recommendedCare,
      content,
      category,
      price,
      countInStock: 500,
    }
    const save = () =>
      shop.gql(
        'mutation($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { userErrors { code } } }',
        { id: yarn.id, input },
        admin,
      )
    const [saves, orders] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, save)),
      Promise.all(buyers.map(each => placeOrder(shop, each, [line(yarn)]))),
    ])
    expect(saves.flatMap(({ data }) => data.updateProduct.userErrors)).toEqual([])
    expect(orders.filter(({ order }) => order)).toHaveLength(40)
    const { left, ledger, sold } = await stockOf(shop, yarn.id)
    expect({ sold, ledger }).toEqual({ sold: 40, ledger: left })
  })
})
