import { expect, it } from 'vitest'
import { paidFor, valueOfReturn } from './returns.ts'
import { nth } from './present.ts'

const order = { itemsPrice: 3 * 999 + 500, giftCardsSold: 0, discount: 350, taxPrice: 472, taxBasisPoints: 1500 }
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
  const taxed = { ...order, taxPrice: 622 }
  expect(paidFor(taxed, all)).toBe(3147 + 472)
  expect(paidFor({ ...order, taxBasisPoints: null }, all)).toBe(3147 + 472)
  expect(paidFor({ ...order, taxPrice: 0 }, all)).toBe(3147)
})

it('has the tax of what is taxed beside gift cards', () => {
  const all = lines.map(line => ({ ...line, units: line.quantity }))
  expect(paidFor({ ...order, itemsPrice: order.itemsPrice + 5000, giftCardsSold: 5000 }, all)).toBe(3147 + 472)
})

it('is nothing of what was a gift', () => {
  expect(
    paidFor({ itemsPrice: 500, giftCardsSold: 0, discount: 500, taxPrice: 0, taxBasisPoints: 1500 }, [
      { price: 500, quantity: 1, discount: 500, units: 1 },
    ]),
  ).toBe(0)
})
