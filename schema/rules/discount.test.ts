import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { discountMisfit, normalCode, reductionOf, spread, type DiscountTerms } from './discount.ts'
import { discountWords } from './discount-words.ts'
import { DEFAULT_POLICY, priceCart } from './pricing.ts'
import { nth } from './present.ts'

const terms = (fields: Partial<DiscountTerms> = {}): DiscountTerms => ({
  kind: 'PERCENT',
  basisPoints: 1500,
  amount: 0,
  minimum: 0,
  productIds: [],
  categories: [],
  startsAt: null,
  endsAt: null,
  ...fields,
})
const amount = (cents: number, fields: Partial<DiscountTerms> = {}) =>
  terms({ kind: 'AMOUNT', amount: cents, ...fields })
const line = (productId: string, price: number, quantity = 1, category = 'DK') => ({
  productId,
  category,
  price,
  quantity,
  weight: '100 g',
})
const NOON = new Date('2026-11-22T12:00:00Z')

describe('what a code takes off', () => {
  test.each([
    ['15% of one line', terms(), [line('a', 2400)], [360]],
    ['15% of several, in cents that add up', terms(), [line('a', 333), line('b', 333), line('c', 334)], [50, 50, 50]],
    ['half a cent rounds up, and goes to the line that lost most', terms(), [line('a', 10), line('b', 20)], [2, 3]],
    ['an amount goes to lines by what they come to', amount(1000), [line('a', 1000), line('b', 1000, 3)], [250, 750]],
    [
      'the odd cent goes to the first of equals',
      amount(100),
      [line('a', 500), line('b', 500), line('c', 500)],
      [34, 33, 33],
    ],
    ['an amount takes no more than there is', amount(5000), [line('a', 1000), line('b', 500)], [1000, 500]],
    ['all of it', terms({ basisPoints: 10_000 }), [line('a', 999), line('b', 1)], [999, 1]],
    ['only the products it is for', terms({ productIds: ['b'] }), [line('a', 1000), line('b', 1000)], [0, 150]],
    [
      'products and categories it is for',
      amount(300, { productIds: ['a'], categories: ['Lace'] }),
      [line('a', 1000), line('b', 1000), line('c', 2000, 1, 'Lace')],
      [100, 0, 200],
    ],
    ['nothing from what costs nothing', amount(300), [line('a', 0)], [0]],
    ['no items with free shipping', terms({ kind: 'FREE_SHIPPING' }), [line('a', 1000)], [0]],
  ])('%s', (_title, code, lines, parts) => {
    expect(reductionOf(code, lines).lines).toEqual(parts)
  })
})

describe('when a code works', () => {
  const cart = [line('a', 2000), line('b', 3000)]
  test.each([
    ['always', terms(), null],
    ['not before its time', terms({ startsAt: new Date('2026-11-22T12:00:01Z') }), 'CODE_NOT_YET'],
    ['from its first instant on', terms({ startsAt: NOON }), null],
    ['not from its last instant on', terms({ endsAt: NOON }), 'CODE_EXPIRED'],
    ['with exactly the minimum', terms({ minimum: 5000 }), null],
    ['not a cent below the minimum', terms({ minimum: 5001 }), 'CODE_MINIMUM'],
    ['for a product in the cart', terms({ productIds: ['b'] }), null],
    ['not for others', terms({ productIds: ['c'], categories: ['Lace'] }), 'CODE_NOT_FOR_THESE'],
  ])('%s', (_title, code, misfit) => {
    expect(discountMisfit(code, cart, NOON)?.code ?? null).toBe(misfit)
  })

  it('not for gift cards alone, which do not count towards its minimum', () => {
    const giftCard = { ...line('c', 10_000), isGiftCard: true }
    expect(discountMisfit(terms(), [giftCard], NOON)).toEqual({ code: 'CODE_NOT_FOR_THESE' })
    expect(discountMisfit(terms({ productIds: ['c'] }), [giftCard], NOON)).toEqual({ code: 'CODE_NOT_FOR_THESE' })
    expect(discountMisfit(terms({ minimum: 6250 }), [...cart, giftCard], NOON)).toMatchObject({ missing: 1250 })
    expect(reductionOf(terms(), [...cart, giftCard]).lines).toEqual([300, 450, 0])
  })

  it('says how much is missing to the minimum', () => {
    expect(discountMisfit(terms({ minimum: 6250 }), cart, NOON)).toEqual({ code: 'CODE_MINIMUM', missing: 1250 })
  })
})

describe('a cart with a code', () => {
  const dearest = [line('a', 6000), line('b', 5000)]

  it('is taxed on what is left of the items', () => {
    expect(priceCart([line('a', 2400)], DEFAULT_POLICY, reductionOf(terms(), [line('a', 2400)]))).toEqual({
      itemsPrice: 2400,
      discount: 360,
      shippingPrice: 150,
      taxPrice: 306,
      totalPrice: 2496,
      includedTax: 0,
    })
  })

  it('keeps free shipping that its items have reached', () => {
    const { discount, shippingPrice } = priceCart(dearest, DEFAULT_POLICY, reductionOf(terms(), dearest))
    expect({ discount, shippingPrice }).toEqual({ discount: 1650, shippingPrice: 0 })
  })

  it('pays no shipping with a code for that', () => {
    const lines = [line('a', 2400)]
    const prices = priceCart(lines, DEFAULT_POLICY, reductionOf(terms({ kind: 'FREE_SHIPPING' }), lines))
    expect(prices).toMatchObject({ itemsPrice: 2400, discount: 0, shippingPrice: 0, taxPrice: 360, totalPrice: 2760 })
  })
})

describe('for every cart and code', () => {
  const lines = fc.array(
    fc.record({
      productId: fc.constantFrom('a', 'b', 'c', 'd'),
      category: fc.constantFrom('DK', 'Lace', 'Worsted'),
      price: fc.integer({ min: 0, max: 9_999_999 }),
      quantity: fc.integer({ min: 1, max: 1_000 }),
      weight: fc.constantFrom('100 g', '50 g', ''),
    }),
    { minLength: 1, maxLength: 50 },
  )
  const code = fc.record({
    kind: fc.constantFrom('PERCENT' as const, 'AMOUNT' as const, 'FREE_SHIPPING' as const),
    basisPoints: fc.integer({ min: 1, max: 10_000 }),
    amount: fc.integer({ min: 1, max: 99_999_999 }),
    minimum: fc.constant(0),
    productIds: fc.subarray(['a', 'b']),
    categories: fc.subarray(['DK', 'Lace']),
    startsAt: fc.constant(null),
    endsAt: fc.constant(null),
  })

  it('no line falls below zero, and the parts add up to the discount', () => {
    fc.assert(
      fc.property(lines, code, (cart, terms) => {
        const { lines: parts } = reductionOf(terms, cart)
        const { discount, itemsPrice } = priceCart(cart, DEFAULT_POLICY, reductionOf(terms, cart))
        expect(parts).toHaveLength(cart.length)
        parts.forEach((part, place) => {
          expect(Number.isSafeInteger(part)).toBe(true)
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(nth(cart, place).price * nth(cart, place).quantity)
        })
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(discount)
        expect(discount).toBeLessThanOrEqual(itemsPrice)
      }),
    )
  })

  it('the total is the sum of its parts, never below zero, and never more than without the code', () => {
    fc.assert(
      fc.property(lines, code, (cart, terms) => {
        const { itemsPrice, discount, shippingPrice, taxPrice, totalPrice } = priceCart(
          cart,
          DEFAULT_POLICY,
          reductionOf(terms, cart),
        )
        expect(totalPrice).toBe(itemsPrice - discount + shippingPrice + taxPrice)
        expect(totalPrice).toBeGreaterThanOrEqual(0)
        expect(totalPrice).toBeLessThanOrEqual(priceCart(cart, DEFAULT_POLICY).totalPrice)
      }),
    )
  })

  it('an amount is spread to the cent, each part within a cent of its share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.array(fc.integer({ min: 0, max: 10_000_000_000 }), { minLength: 1, maxLength: 50 }),
        (whole, weights) => {
          const sum = weights.reduce((total, weight) => total + weight, 0)
          fc.pre(sum > 0)
          const parts = spread(whole, weights)
          expect(parts.reduce((total, part) => total + part, 0)).toBe(whole)
          parts.forEach((part, place) =>
            expect(Math.abs(part - (whole * nth(weights, place)) / sum)).toBeLessThan(1.001),
          )
        },
      ),
    )
  })
})

describe('a code', () => {
  test.each([
    ['caston15', 'CASTON15'],
    [' Cast on15\t', 'CASTON15'],
  ])('%j is %s', (typed, code) => expect(normalCode(typed)).toBe(code))

  test.each([
    [terms(), '15% off'],
    [terms({ basisPoints: 1250 }), '12.5% off'],
    [amount(500), '$5.00 off'],
    [terms({ kind: 'FREE_SHIPPING' }), 'Free shipping'],
  ])('says what it gives', (code, words) => expect(discountWords(code)).toBe(words))
})
