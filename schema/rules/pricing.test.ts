import { describe, expect, it, test } from 'vitest'
import { basisPoints, formatCents, fromDecimal, percent, taxWithin, toDecimal } from './money.ts'
import { canShipFree, DEFAULT_POLICY, priceCart, termsFor, type PricingPolicy } from './pricing.ts'
import { gramsOf } from './yarn.ts'

const skein = (price: number, quantity = 1, weight = '100 g') => ({ price, quantity, weight })
const pattern = (price: number) => ({ ...skein(price), isDownload: true })
const giftCard = (price: number, quantity = 1) => ({ ...pattern(price), quantity, isGiftCard: true })
const flat = { ...DEFAULT_POLICY, shippingRate: 'FLAT' as const }

describe('a cart is priced in whole cents', () => {
  test.each([
    // title                                   lines                                    items  shipping  tax   total
    ['nothing costs nothing', [], 0, 0, 0, 0],
    ['a gift card is neither taxed nor sent', [giftCard(5000, 2)], 10000, 0, 0, 10000],
    ['a gift card brings yarn no nearer to free shipping', [skein(2400), giftCard(20000)], 22400, 150, 360, 22910],
    ['one skein', [skein(2400)], 2400, 150, 360, 2910],
    ['a cent below the threshold pays', [skein(9999)], 9999, 150, 1500, 11649],
    ['exactly $100.00 ships free', [skein(10000)], 10000, 0, 1500, 11500],
    ['a cent above the threshold ships free', [skein(10001)], 10001, 0, 1500, 11501],
    ['lines add up to the threshold', [skein(5000), skein(2500, 2)], 10000, 0, 1500, 11500],
    ['weight counts per unit', [skein(1000, 3, '50 g (1.76 oz)')], 3000, 225, 450, 3675],
    ['no grams in the text counts as 100', [skein(1000, 1, 'one hank')], 1000, 150, 150, 1300],
    ['an empty weight text counts as 100', [skein(1000, 1, '')], 1000, 150, 150, 1300],
    ['shipping is capped at $18.00', [skein(100, 20, '100 g')], 2000, 1800, 300, 4100],
    ['just below the cap', [skein(100, 1, '1199 g')], 100, 1799, 15, 1914],
    ['an odd gram rounds half up', [skein(1000, 1, '33 g')], 1000, 50, 150, 1200],
    ['what is downloaded is taxed, and not sent', [pattern(700)], 700, 0, 105, 805],
    ['beside yarn it weighs nothing', [pattern(700), skein(2400)], 3100, 150, 465, 3715],
    ['and counts towards free shipping', [pattern(700), skein(9300)], 10000, 0, 1500, 11500],
    ['half a cent of tax rounds up', [skein(1030)], 1030, 150, 155, 1335],
    ['less than half a cent rounds down', [skein(1029)], 1029, 150, 154, 1333],
  ])('%s', (_title, lines, itemsPrice, shippingPrice, taxPrice, totalPrice) => {
    expect(priceCart(lines, DEFAULT_POLICY)).toEqual({
      itemsPrice,
      discount: 0,
      shippingPrice,
      taxPrice,
      totalPrice,
      includedTax: 0,
    })
  })

  it('charges the flat rate below the threshold, none from it on, and none for an empty cart', () => {
    expect(priceCart([skein(9999)], flat).shippingPrice).toBe(1000)
    expect(priceCart([skein(10000)], flat).shippingPrice).toBe(0)
    expect(priceCart([], flat).shippingPrice).toBe(0)
    expect(priceCart([pattern(700)], flat).shippingPrice).toBe(0)
    expect(priceCart([pattern(700), skein(100)], flat).shippingPrice).toBe(1000)
  })
})

describe('where it goes decides', () => {
  const policy: PricingPolicy = {
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
      { country: 'Canada', state: 'ON', stateName: 'Ontario', postalCodes: [], basisPoints: 1300, onShipping: false },
      { country: 'Canada', state: null, stateName: null, postalCodes: [], basisPoints: 500, onShipping: false },
    ],
    abroad: { ...DEFAULT_POLICY.abroad, shippingRate: 'FLAT', flatShipping: 25_00, freeShippingFrom: 1_000_000_00 },
  }
  test.each([
    // country         state          tax    shipping
    ['United States', 'NJ', 662.5, 150],
    ['United States', ' new jersey ', 662.5, 150],
    ['united states', 'nj', 662.5, 150],
    ['United States', 'NY', 0, 150],
    ['United States', '', 0, 150],
    ['Canada', 'Ontario', 1300, 2500],
    ['Canada', 'QC', 500, 2500],
    ['Canada', '', 500, 2500],
    // The state of another country that has the same code.
    ['Germany', 'NJ', 0, 2500],
  ])('%s, %j: %d basis points and %i cents', (country, state, tax, shippingPrice) => {
    const terms = termsFor(policy, { country, state, postalCode: '' })
    expect(terms.taxBasisPoints).toBe(tax)
    expect(priceCart([skein(9999)], terms).shippingPrice).toBe(shippingPrice)
  })

  test.each([
    // country         state  postal code    tax
    ['United States', 'NY', '12207', 800],
    ['United States', 'NY', '', 800],
    ['United States', 'New York', ' 10003-1234 ', 887.5],
    ['United States', 'NY', '10499', 887.5],
    ['United States', 'NY', '10500', 800],
    ['United States', 'NY', '11201', 887.5],
    // A longer beginning says it better.
    ['United States', 'NY', '10110', 850],
    // That of another state.
    ['United States', 'NJ', '10003', 662.5],
    ['Spain', '', '28 001', 2100],
    ['Spain', 'Las Palmas', '35 001', 0],
    // Too short to begin with it.
    ['Spain', '', '3', 2100],
    ['Spain', '', '4', 2100],
    ['Spain', '', '3A', 2100],
  ])('%s, %j, %j: %d basis points', (country, state, postalCode, tax) => {
    const part = { stateName: null, onShipping: false }
    const newYork = { ...part, country: 'United States', state: 'NY', stateName: 'New York' }
    const taxRates = [
      ...policy.taxRates,
      { ...newYork, postalCodes: ['100-104', '112'], basisPoints: 887.5 },
      { ...newYork, postalCodes: ['10110'], basisPoints: 850 },
      { ...newYork, postalCodes: [], basisPoints: 800 },
      { ...part, country: 'Spain', state: null, postalCodes: ['35', '38-52'], basisPoints: 0 },
      { ...part, country: 'Spain', state: null, postalCodes: [], basisPoints: 2100 },
    ]
    expect(termsFor({ ...policy, taxRates }, { country, state, postalCode }).taxBasisPoints).toBe(tax)
  })

  it('and a place without a rate has none for what lies around its parts', () => {
    const taxRates = [
      {
        country: 'United States',
        state: 'NY',
        stateName: 'New York',
        postalCodes: ['112'],
        basisPoints: 887.5,
        onShipping: false,
      },
    ]
    const at = (postalCode: string) =>
      termsFor({ ...policy, taxRates }, { country: 'United States', state: 'NY', postalCode })
    expect(at('11201').taxBasisPoints).toBe(887.5)
    expect(at('12207').taxBasisPoints).toBe(0)
  })

  test.each([
    // of the items     of shipping, too
    [false, 159, 2709],
    [true, 169, 2719],
  ])('and whether shipping is taxed, too: %s', (onShipping, taxPrice, totalPrice) => {
    const taxRates = policy.taxRates.map(rate => ({ ...rate, onShipping }))
    const terms = termsFor({ ...policy, taxRates }, { country: 'United States', state: 'NJ', postalCode: '' })
    expect(priceCart([skein(2400)], terms)).toMatchObject({ shippingPrice: 150, taxPrice, totalPrice })
  })

  it('and of what a code takes off nothing is taxed, of shipping or items', () => {
    const taxRates = policy.taxRates.map(rate => ({ ...rate, onShipping: true }))
    const terms = termsFor({ ...policy, taxRates }, { country: 'Canada', state: 'Ontario', postalCode: '' })
    // 13% of 20.00 and of 25.00.
    expect(priceCart([skein(2400)], terms, { lines: [400], freeShipping: false })).toMatchObject({ taxPrice: 585 })
    expect(priceCart([skein(2400)], terms, { lines: [400], freeShipping: true })).toMatchObject({ taxPrice: 260 })
  })

  it('and shipping is taxed within prices that have tax in them, whatever the rate says', () => {
    const taxRates = [
      { country: 'Austria', state: null, stateName: null, postalCodes: [], basisPoints: 2000, onShipping: false },
    ]
    const terms = termsFor(
      { ...policy, taxIncluded: true, taxRates },
      { country: 'Austria', state: '', postalCode: '' },
    )
    expect(priceCart([skein(2400)], terms)).toMatchObject({ taxPrice: 0, totalPrice: 4900, includedTax: 817 })
  })

  it('and is taken to be the shop’s own country while nobody knows', () => {
    expect(termsFor({ ...policy, country: 'Canada' }, null)).toMatchObject({
      taxBasisPoints: 500,
      shippingRate: 'WEIGHT',
    })
    expect(termsFor(policy, null)).toMatchObject({ taxBasisPoints: 0, shippingRate: 'WEIGHT' })
  })

  it('nothing where one rate and one charge count everywhere', () => {
    for (const country of ['United States', 'Iceland'])
      expect(priceCart([skein(2400)], termsFor(DEFAULT_POLICY, { country, state: '', postalCode: '' }))).toEqual(
        priceCart([skein(2400)], DEFAULT_POLICY),
      )
  })

  it('and shipping may never be free', () => {
    expect(canShipFree(policy)).toBe(true)
    expect(canShipFree(policy.abroad)).toBe(false)
    expect(
      priceCart([skein(900_000_00)], termsFor(policy, { country: 'Canada', state: '', postalCode: '' })).shippingPrice,
    ).toBe(2500)
  })

  it('and weight may cost anything', () => {
    const dear = { ...DEFAULT_POLICY, shippingPer100Grams: 2_25, shippingCap: 30_00 }
    expect(priceCart([skein(1000, 3, '50 g')], dear).shippingPrice).toBe(338)
    expect(priceCart([skein(10, 40)], dear).shippingPrice).toBe(3000)
  })
})

describe('where prices have tax in them', () => {
  const german = { ...DEFAULT_POLICY, taxIncluded: true, taxBasisPoints: 1900 }

  it('none is added, and how much of the total it is is told, of shipping, too', () => {
    expect(priceCart([skein(2400)], german)).toEqual({
      itemsPrice: 2400,
      discount: 0,
      shippingPrice: 150,
      taxPrice: 0,
      totalPrice: 2550,
      includedTax: 407,
    })
  })

  it('a gift card has none in it', () => {
    expect(priceCart([skein(2400), giftCard(5000)], german)).toMatchObject({ totalPrice: 7550, includedTax: 407 })
  })

  it('a country’s rate changes the tax, and not what is paid', () => {
    const taxRates = [
      { country: 'Austria', state: null, stateName: null, postalCodes: [], basisPoints: 2000, onShipping: false },
    ]
    const terms = termsFor({ ...german, taxRates }, { country: 'Austria', state: '', postalCode: '' })
    expect(priceCart([skein(2400)], terms)).toMatchObject({ totalPrice: 2550, includedTax: 425 })
  })

  test.each([
    [1500, '15%'],
    [662.5, '6.625%'],
    [110.3, '1.103%'],
    [0, '0%'],
  ])('%d basis points are %s', (rate, words) => {
    expect(percent(rate)).toBe(words)
  })

  test.each([
    [119, 1900, 19],
    [0, 1900, 0],
    [100, 0, 0],
    [1, 1900, 0],
    // A cent and a half, rounded up.
    [3, 10000, 2],
    [99_999_999, 2550, 20_318_725],
    [10_663, 662.5, 663],
  ])('of %i cents at %d basis points %i are tax', (amount, rate, tax) => {
    expect(taxWithin(amount, rate)).toBe(tax)
    // What is left, taxed, is the amount again, give or take the cent that rounding takes.
    expect(Math.abs(amount - tax + basisPoints(amount - tax, rate) - amount)).toBeLessThanOrEqual(1)
  })
})

describe('what is taxed less', () => {
  const less = (price: number, quantity = 1) => ({ ...skein(price, quantity), reducedTax: true })
  const at = (more: object) => ({ ...flat, taxBasisPoints: 1900, reducedBasisPoints: 700, ...more })

  it('is so where the place it goes to has a rate for it', () => {
    const policy: PricingPolicy = {
      ...DEFAULT_POLICY,
      taxBasisPoints: 0,
      taxRates: [
        {
          country: 'United States',
          state: 'PA',
          stateName: 'Pennsylvania',
          postalCodes: [],
          basisPoints: 600,
          reducedBasisPoints: 0,
          onShipping: false,
        },
        {
          country: 'United States',
          state: 'ME',
          stateName: 'Maine',
          postalCodes: [],
          basisPoints: 550,
          onShipping: false,
        },
      ],
    }
    const to = (state: string) =>
      priceCart([less(2000), skein(1000)], termsFor(policy, { country: 'United States', state, postalCode: '' }))
    expect(to('PA')).toMatchObject({ taxPrice: 60, reduced: { basisPoints: 0, taxed: 2000, tax: 0 } })
    expect(to('ME')).toMatchObject({ taxPrice: 165, reduced: undefined })
    expect(to('OR')).toMatchObject({ taxPrice: 0, reduced: undefined })
  })

  it('is rounded by itself, and what a code takes off it is not taxed', () => {
    const prices = priceCart([less(1030), skein(1030)], at({}), { lines: [25, 5], freeShipping: false })
    // 7% of 10.05 and 19% of 10.25.
    expect(prices).toMatchObject({ discount: 30, taxPrice: 70 + 195, reduced: { taxed: 1005, tax: 70 } })
  })

  it('has its share of shipping, where that is taxed', () => {
    // 10.00 for shipping: two thirds are of what is taxed less.
    const prices = priceCart([less(2000), skein(1000)], at({ taxOnShipping: true }))
    expect(prices).toMatchObject({ taxPrice: 187 + 253, reduced: { taxed: 2667, tax: 187 } })
    expect(priceCart([less(3000)], at({ taxOnShipping: true }))).toMatchObject({
      taxPrice: 280,
      reduced: { taxed: 4000, tax: 280 },
    })
  })

  it('has its own tax in its price, where prices have it in them', () => {
    // A book for 10.70 and needles for 11.90, sent for 10.00 of which the book has 4.73.
    const prices = priceCart([less(1070), skein(1190)], at({ taxIncluded: true }))
    expect(prices).toMatchObject({
      taxPrice: 0,
      totalPrice: 3260,
      reduced: { taxed: 1543, tax: 101 },
      includedTax: 101 + 274,
    })
  })

  it('are never gift cards', () => {
    expect(priceCart([{ ...giftCard(5000), reducedTax: true }, skein(1000)], at({}))).toMatchObject({
      taxPrice: 190,
      reduced: undefined,
    })
  })

  it('is nothing that was a gift', () => {
    expect(priceCart([less(1000)], at({ taxOnShipping: true }), { lines: [1000], freeShipping: false })).toMatchObject({
      taxPrice: 190,
      reduced: undefined,
    })
  })

  it('never makes more or less of the whole than its parts', () => {
    for (let n = 0; n < 2_000; n++) {
      const lines = [less(1 + ((n * 7919) % 9000), 1 + (n % 3)), skein(1 + ((n * 104729) % 9000))]
      const reduction = {
        lines: [(n * 31) % 100, (n * 17) % 100].map((off, place) => Math.min(off, lines[place]?.price ?? 0)),
        freeShipping: false,
      }
      for (const terms of [at({}), at({ taxOnShipping: true }), at({ taxIncluded: true })]) {
        const { itemsPrice, discount, shippingPrice, taxPrice, totalPrice, includedTax, reduced } = priceCart(
          lines,
          terms,
          reduction,
        )
        expect(totalPrice).toBe(itemsPrice - discount + shippingPrice + taxPrice)
        const least = terms.taxIncluded ? includedTax : taxPrice
        expect(reduced === undefined || (reduced.tax <= least && reduced.taxed <= totalPrice)).toBe(true)
      }
    }
  })
})

describe('money', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [50, '0.50'],
    [1250, '12.50'],
    [123456, '1234.56'],
    [-5, '-0.05'],
  ])('%i cents is %s', (cents, text) => {
    expect(toDecimal(cents)).toBe(text)
    expect(fromDecimal(text)).toBe(cents)
  })
  test.each(['', 'abc', '1.234', '1e3', 'NaN', 'Infinity', '1,000.00', ' 1'])('%j is no amount', text => {
    expect(fromDecimal(text)).toBeNull()
  })
  it('is shown with separators', () => expect(formatCents(123456)).toBe('$1,234.56'))
  it('takes a share rounded half up', () => {
    expect(basisPoints(10, 1500)).toBe(2)
    expect(basisPoints(40, 662.5)).toBe(3)
    expect(basisPoints(100_00, 662.5)).toBe(663)
    expect(basisPoints(99_999_999, 942.5)).toBe(9_425_000)
    // 294.5 exactly, though a computer cannot keep 471.2.
    expect(basisPoints(6_250, 471.2)).toBe(295)
    expect(basisPoints(9, 1500)).toBe(1)
  })
})

describe('yarn facts', () => {
  test.each([
    ['100 g', 100],
    ['50g', 50],
    ['  25 g / 0.88 oz', 25],
    ['113.5 g', 113.5],
    ['200 Grams', 200],
    ['3.5 oz (100 g)', 100],
    ['', 100],
    ['about 50 g', 100],
  ])('%j weighs %d g', (text, grams) => {
    expect(gramsOf(text)).toBe(grams)
  })
})
