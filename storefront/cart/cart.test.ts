import { beforeEach, describe, expect, it, test, vi } from 'vitest'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { BLANK_ADDRESS } from './cart.ts'
import type { CartProductFragment } from './CartProduct.gql.ts'
import { nth, present } from '#schema/rules/present'

const merino: CartProductFragment = {
  __typename: 'Product',
  id: 'p1',
  name: 'Merino',
  image: '/images/p1.jpg',
  description: '',
  weight: '50 g',
  length: '100 m',
  gauge: '',
  knittingNeedle: '4 mm',
  crochetHook: '',
  recommendedCare: '',
  content: 'Wool',
  category: 'DK',
  price: 1999,
  compareAtPrice: null,
  countInStock: 5,
  expectedOn: null,
  reducedTax: false,
  isDownload: false,
  isGiftCard: false,
  lots: [],
  rating: 4.5,
  numReviews: 2,
}
const mohair = { ...merino, id: 'p2', name: 'Mohair', price: 3000 }

// Each test loads the module again, as a new page would.
async function open() {
  vi.resetModules()
  return import('./cart.ts')
}
const saved = () => JSON.parse(present(localStorage.getItem('cart')))

beforeEach(() => {
  localStorage.clear()
  // Tells the modules of earlier tests.
  window.dispatchEvent(new StorageEvent('storage'))
})

it('starts empty and leaves the storage alone', async () => {
  const { currentCart } = await open()
  expect(currentCart()).toEqual({
    cartItems: [],
    itemsPrice: 0,
    shippingPrice: 0,
    taxPrice: 0,
    totalPrice: 0,
    shippingAddress: BLANK_ADDRESS,
    paymentMethod: 'PayPal',
  })
  expect(localStorage.getItem('cart')).toBeNull()
})

it('is saved under the names and in the units of the spec', async () => {
  const { cart } = await open()
  cart.add(merino, 2)
  expect(saved()).toMatchObject({
    itemsPrice: '39.98',
    shippingPrice: '1.50',
    taxPrice: '6.00',
    totalPrice: '47.48',
    paymentMethod: 'PayPal',
  })
  expect(saved().cartItems).toEqual([
    expect.objectContaining({
      _id: 'p1',
      name: 'Merino',
      price: 19.99,
      quantity: 2,
      knitting_needle: '4 mm',
      countInStock: 5,
    }),
  ])
})

it('survives a reload', async () => {
  const before = await open()
  before.cart.add(merino, 2)
  const { currentCart } = await open()
  expect(currentCart()).toEqual(before.currentCart())
  expect(currentCart()).toMatchObject({
    itemsPrice: 3998,
    cartItems: [{ id: 'p1', price: 1999, knittingNeedle: '4 mm' }],
  })
})

it('replaces an item that is there already, in its place', async () => {
  const { cart, currentCart } = await open()
  cart.add(merino, 2)
  cart.add(mohair, 1)
  cart.add(merino, 3)
  expect(currentCart().cartItems.map(item => [item.id, item.quantity])).toEqual([
    ['p1', 3],
    ['p2', 1],
  ])
})

it('holds as many different products as one order can have, and says so', async () => {
  const { cart, currentCart } = await open()
  for (let number = 0; number < 50; number++) expect(cart.add({ ...merino, id: `p${number}` }, 1)).toBe(true)
  expect(cart.add({ ...merino, id: 'one more' }, 1)).toBe(false)
  expect(currentCart().cartItems).toHaveLength(50)
  expect(cart.add({ ...merino, id: 'p0' }, 3)).toBe(true)
})

test.each([{ id: '' }, { name: '' }, { price: undefined }, { price: NaN }])(
  'a product with %j is ignored',
  async missing => {
    const { cart, currentCart } = await open()
    cart.add({ ...merino, ...missing } as never, 1)
    expect(currentCart().cartItems).toEqual([])
  },
)

it('keeps quantities between 1 and the stock', async () => {
  const { cart, currentCart, unitsOf } = await open()
  cart.add(merino, 99)
  expect(unitsOf(currentCart())).toBe(5)
  cart.setQuantity('p1', 0)
  expect(unitsOf(currentCart())).toBe(1)
  cart.setQuantity('p1', 6)
  expect(unitsOf(currentCart())).toBe(5)
})

it('forgets items and address when an order was placed, everything when reset', async () => {
  const { cart, currentCart } = await open()
  cart.add(merino, 1)
  cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'US' })
  cart.savePaymentMethod('Card')
  cart.clear()
  expect(currentCart()).toMatchObject({
    cartItems: [],
    totalPrice: 0,
    shippingAddress: BLANK_ADDRESS,
    paymentMethod: 'Card',
  })
  cart.reset()
  expect(currentCart().paymentMethod).toBe('PayPal')
  expect(localStorage.getItem('cart')).toBeNull()
})

it('follows the policy the API serves', async () => {
  const { cart, currentCart, priceCartWith } = await open()
  cart.add(merino, 1)
  priceCartWith({ ...DEFAULT_POLICY, shippingRate: 'FLAT' })
  expect(currentCart()).toMatchObject({ shippingPrice: 1000, totalPrice: 3299 })
  expect(saved().shippingPrice).toBe('10.00')
})

it('follows it where only what is missing for free shipping changes', async () => {
  const { cart, onCartChange, priceCartWith } = await open()
  cart.add(merino, 1)
  const listener = vi.fn()
  onCartChange(listener)
  priceCartWith({ ...DEFAULT_POLICY, freeShippingFrom: 200_00 })
  expect(listener).toHaveBeenCalled()
})

describe('where it goes', () => {
  const byState = {
    ...DEFAULT_POLICY,
    taxBasisPoints: 0,
    taxRates: [
      {
        country: 'United States',
        state: 'NJ',
        stateName: 'New Jersey',
        postalCodes: [],
        basisPoints: 662.5,
        onShipping: false,
      },
    ],
    abroad: { ...DEFAULT_POLICY.abroad, shippingRate: 'FLAT' as const, flatShipping: 25_00 },
  }

  it('decides tax and shipping from the moment it is known', async () => {
    const { cart, currentCart, priceCartWith } = await open()
    priceCartWith(byState)
    cart.add(merino, 1)
    expect(currentCart()).toMatchObject({ taxPrice: 0, shippingPrice: 75 })
    cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'United States', state: 'new jersey' })
    expect(currentCart()).toMatchObject({ taxPrice: 132, shippingPrice: 75 })
    expect(saved().taxPrice).toBe('1.32')
    cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'Norway' })
    expect(currentCart()).toMatchObject({ taxPrice: 0, shippingPrice: 2500 })
  })

  it('decides whether what some places tax less is taxed less, from the moment it is known', async () => {
    const { cart, currentCart, priceCartWith } = await open()
    priceCartWith({ ...byState, taxRates: byState.taxRates.map(rate => ({ ...rate, reducedBasisPoints: 0 })) })
    cart.add({ ...merino, reducedTax: true }, 1)
    cart.add({ ...merino, id: 'p2' }, 1)
    cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'United States', state: 'NJ' })
    expect(currentCart()).toMatchObject({ taxPrice: 132 })
    cart.add({ ...merino, id: 'p3', reducedTax: true }, 1)
    expect(currentCart()).toMatchObject({ taxPrice: 132 })
    vi.resetModules()
    const again = await open()
    again.priceCartWith(byState)
    expect(again.currentCart()).toMatchObject({ taxPrice: 397 })
    again.priceCartWith({ ...byState, taxRates: byState.taxRates.map(rate => ({ ...rate, reducedBasisPoints: 0 })) })
    expect(again.currentCart()).toMatchObject({ taxPrice: 132 })
  })

  it('is remembered when the page is loaded again', async () => {
    const { cart } = await open()
    cart.add(merino, 1)
    cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'United States', state: 'NJ' })
    vi.resetModules()
    const again = await open()
    again.priceCartWith(byState)
    expect(again.currentCart()).toMatchObject({ taxPrice: 132 })
  })
})

it('follows what another tab does', async () => {
  const { currentCart } = await open()
  expect(currentCart().cartItems).toHaveLength(0)
  localStorage.setItem('cart', JSON.stringify({ cartItems: [{ _id: 'p1', price: 1, quantity: 1 }] }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'cart' }))
  expect(currentCart().cartItems).toHaveLength(1)
})

describe('two windows that change the cart in the same moment', () => {
  /** Notifies both windows, after both have written. */
  const hear = () => ['cartChanges', 'cart'].forEach(key => window.dispatchEvent(new StorageEvent('storage', { key })))
  const quantities = () =>
    Object.fromEntries(saved().cartItems.map((item: { _id: string; quantity: number }) => [item._id, item.quantity]))

  async function openWindow() {
    const module = await open()
    const { shareWindows } = await import('./share-windows.ts')
    shareWindows()
    return module
  }

  it('lose nothing of either', async () => {
    const first = await openWindow()
    first.cart.add(merino, 1)
    first.cart.add({ ...merino, id: 'p3' }, 1)
    const second = await openWindow()
    expect(second.currentCart()).toEqual(first.currentCart())
    first.cart.setQuantity('p1', 4)
    first.cart.remove('p3')
    first.cart.saveShippingAddress({ ...BLANK_ADDRESS, name: 'Ada', country: 'US' })
    second.cart.add(mohair, 2)
    hear()
    for (const { currentCart } of [first, second]) {
      const { cartItems, itemsPrice, shippingAddress } = currentCart()
      expect(cartItems.map(({ id, quantity }) => [id, quantity])).toEqual([
        ['p1', 4],
        ['p2', 2],
      ])
      expect(itemsPrice).toBe(4 * 1999 + 2 * 3000)
      expect(shippingAddress.name).toBe('Ada')
    }
    expect(quantities()).toEqual({ p1: 4, p2: 2 })
  })

  it('do not bring back what either took out knowing of it, nor a cart that was wiped', async () => {
    const first = await openWindow()
    first.cart.add(merino, 3)
    hear()
    const second = await openWindow()
    expect(second.currentCart()).toEqual(first.currentCart())
    second.cart.remove('p1')
    hear()
    for (const { currentCart } of [first, second]) expect(currentCart().cartItems).toEqual([])
    expect(quantities()).toEqual({})
    first.cart.add(mohair, 1)
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage'))
    expect(localStorage.getItem('cart')).toBeNull()
    expect(first.currentCart().cartItems).toEqual([])
  })
})

describe('a storage somebody else wrote', () => {
  test.each([
    '{',
    'null',
    '1',
    '[]',
    '{"cartItems":7}',
    '{"cartItems":[null,1,"x",{},{"_id":"p1"},{"_id":"p1","price":"x"}]}',
  ])('%s is an empty cart', async raw => {
    localStorage.setItem('cart', raw)
    expect((await open()).currentCart()).toMatchObject({
      cartItems: [],
      totalPrice: 0,
      shippingAddress: BLANK_ADDRESS,
    })
  })

  it('is priced anew, whatever totals it claims', async () => {
    localStorage.setItem(
      'cart',
      JSON.stringify({
        cartItems: [{ _id: 'p1', price: 10, quantity: 2 }],
        totalPrice: '0.01',
        shippingAddress: { name: 7, city: 'Oslo' },
      }),
    )
    const { currentCart } = await open()
    expect(currentCart()).toMatchObject({
      itemsPrice: 2000,
      shippingPrice: 300,
      totalPrice: 2600,
      shippingAddress: { name: '', city: 'Oslo' },
    })
  })
})

describe('dye lots', () => {
  const inLots = {
    ...merino,
    countInStock: 11,
    lots: [
      { __typename: 'LotPortion' as const, code: '4412', quantity: 8 },
      { __typename: 'LotPortion' as const, code: '4417', quantity: 3 },
    ],
  }
  const asked = async (askedLots: { code: string; quantity: number }[], quantity: number) => {
    const { cart, currentCart } = await open()
    cart.add(inLots, quantity, askedLots)
    return { cart, asked: () => nth(currentCart().cartItems, 0).askedLots }
  }

  it('asked for stay with the quantity, and are kept across visits', async () => {
    const { cart, asked: now } = await asked([{ code: '4417', quantity: 2 }], 2)
    cart.setQuantity('p1', 3)
    expect(now()).toEqual([{ code: '4417', quantity: 3 }])
    expect((await open()).currentCart().cartItems).toMatchObject([
      {
        quantity: 3,
        lots: [
          { code: '4412', quantity: 8 },
          { code: '4417', quantity: 3 },
        ],
        askedLots: [{ code: '4417', quantity: 3 }],
      },
    ])
  })

  it('agreed to are forgotten with another quantity, and put back with the old one', async () => {
    const both = [
      { code: '4412', quantity: 8 },
      { code: '4417', quantity: 2 },
    ]
    const { cart, asked: now } = await asked([], 10)
    cart.setLots('p1', both, 10)
    expect(now()).toEqual(both)
    cart.setQuantity('p1', 9)
    expect(now()).toEqual([])
    cart.setLots('p1', both, 10)
    expect(now()).toEqual(both)
  })

  it('stay when a product is added once more without asking for one, and go when any will do', async () => {
    const { cart, asked: now } = await asked([{ code: '4417', quantity: 1 }], 1)
    cart.add(inLots, 2)
    expect(now()).toEqual([{ code: '4417', quantity: 2 }])
    cart.add(inLots, 2, [])
    expect(now()).toEqual([])
  })

  test.each([
    [null],
    ['x'],
    [[{ code: 7, quantity: 2 }]],
    [[{ code: '4417', quantity: -2 }]],
    [[{ code: '4417' }]],
    [[null]],
  ])('of somebody’s own making are none: %j', async askedLots => {
    localStorage.setItem('cart', JSON.stringify({ cartItems: [{ _id: 'p1', price: 1, quantity: 2, askedLots }] }))
    expect((await open()).currentCart().cartItems).toMatchObject([{ quantity: 2, lots: [], askedLots: [] }])
  })
})
