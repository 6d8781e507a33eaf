import { describe, expect, it } from 'vitest'
import { paidFor, valueOfReturn } from './returns.ts'
import { nth } from './present.ts'
import { taxLines } from './tax-lines.ts'

const taxed = (taxPrice: number, taxBasisPoints: number | null = 1500) => ({
  taxPrice,
  taxes: taxLines({ taxPrice, includedTax: 0, taxBasisPoints, reducedTax: 0 }),
})
const order = { itemsPrice: 3 * 999 + 500, giftCardsSold: 0, discount: 350, ...taxed(472) }
const lines = [
  { price: 999, quantity: 3, discount: 300 },
  { price: 500, quantity: 1, discount: 50 },
]

it('is price less discount, with the tax on it, without shipping', () => {
  expect(paidFor(order, [{ ...nth(lines, 0), units: 1 }])).toBe(899 + Math.round((472 * 899) / 3147))
  expect(
    paidFor(
      order,
      lines.map(line => ({ ...line, units: line.quantity })),
    ),
  ).toBe(3147 + 472)
})

it('adds up to the whole, in whatever parts the units come back', () => {
  const parts = [
    [1, 0],
    [0, 1],
    [1, 0],
    [1, 0],
  ]
  const back = [0, 0]
  const values = parts.map(units => {
    const value = valueOfReturn(
      order,
      lines.map((line, index) => ({ ...line, units: nth(units, index), returnedBefore: nth(back, index) })),
    )
    units.forEach((count, index) => (back[index] = nth(back, index) + count))
    return value
  })
  expect(values.reduce((sum, value) => sum + value, 0)).toBe(3147 + 472)
  expect(values.every(value => value > 0)).toBe(true)
})

it('has no tax on shipping in it', () => {
  const all = lines.map(line => ({ ...line, units: line.quantity }))
  // 15% of 3,147 and of 1,000 for shipping.
  expect(paidFor({ ...order, ...taxed(622) }, all)).toBe(3147 + 472)
  expect(paidFor({ ...order, ...taxed(472, null) }, all)).toBe(3147 + 472)
  expect(paidFor({ ...order, ...taxed(0) }, all)).toBe(3147)
})

it('has the tax of what is taxed beside gift cards', () => {
  const all = lines.map(line => ({ ...line, units: line.quantity }))
  expect(paidFor({ ...order, itemsPrice: order.itemsPrice + 5000, giftCardsSold: 5000 }, all)).toBe(3147 + 472)
})

it('is nothing of what was a gift', () => {
  expect(
    paidFor({ itemsPrice: 500, giftCardsSold: 0, discount: 500, ...taxed(0) }, [
      { price: 500, quantity: 1, discount: 500, units: 1 },
    ]),
  ).toBe(0)
})

describe('of an order of which something is taxed less', () => {
  // Yarn for 30.00 at 0% and needles for 10.00 at 6%, 4.00 taken off the yarn.
  const lines = [
    { price: 1000, quantity: 3, discount: 400, reducedTax: true },
    { price: 1000, quantity: 1, discount: 0, reducedTax: false },
  ]
  const back = (...units: number[]) => lines.map((line, place) => ({ ...line, units: nth(units, place) }))
  const sold = (usual: number, less: number, taxPrice: number, reducedTax: number) => ({
    itemsPrice: 4000,
    giftCardsSold: 0,
    discount: 400,
    taxPrice,
    taxes: taxLines({ taxPrice, includedTax: 0, taxBasisPoints: usual, reducedTaxBasisPoints: less, reducedTax }),
  })

  it('has each unit the tax of its own rate', () => {
    const order = sold(600, 0, 60, 0)
    expect(paidFor(order, back(1, 0))).toBe(1000 - 133)
    expect(paidFor(order, back(0, 1))).toBe(1060)
    expect(paidFor(order, back(3, 1))).toBe(3660)
  })

  it('has no tax on shipping in it', () => {
    // 19% and 7% of the items, and of 4.00 for shipping that is shared by what is sent.
    const order = sold(1900, 700, 190 + 21 + 182 + 20, 182 + 20)
    expect(paidFor(order, back(0, 1))).toBe(1190)
    expect(paidFor(order, back(3, 0))).toBe(2600 + 182)
  })

  it('has the usual tax where nothing is taxed less', () => {
    const taxPrice = 216
    const taxes = taxLines({ taxPrice, includedTax: 0, taxBasisPoints: 600, reducedTax: 0 })
    expect(paidFor({ ...sold(600, 0, taxPrice, 0), taxes }, back(3, 1))).toBe(3600 + 216)
  })

  it('has nothing added where prices have the tax in them', () => {
    const taxes = taxLines({
      taxPrice: 0,
      includedTax: 300,
      taxBasisPoints: 1900,
      reducedTaxBasisPoints: 700,
      reducedTax: 140,
    })
    expect(paidFor({ ...sold(1900, 700, 0, 0), taxes }, back(3, 1))).toBe(3600)
  })
})
