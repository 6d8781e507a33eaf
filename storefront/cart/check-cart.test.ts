import { expect, test } from 'vitest'
import { merino } from '../testing/merino.ts'
import { toItem } from './cart.ts'
import type { CartProductFragment } from './CartProduct.gql.ts'
import { checkCart, latestChanges, shippingWords } from './check-cart.ts'

const product: CartProductFragment = { ...merino, weight: '50 g', countInStock: 10 }
const three = [toItem(product, 3)]
const line = (change: Partial<CartProductFragment> | null) => [
  { __typename: 'CartQuoteLine' as const, productId: 'p1', product: change && { ...product, ...change } },
]

test.each([
  ['nothing', line({}), [3], []],
  ['a new name only', line({ name: 'Merino DK' }), [3], []],
  ['a higher price', line({ price: 1250 }), [3], ['The price of “Merino” changed from $10.00 to $12.50.']],
  ['less stock', line({ countInStock: 2 }), [2], ['Only 2 of “Merino” are left: we lowered the quantity from 3.']],
  ['the last one', line({ countInStock: 1 }), [1], ['Only 1 of “Merino” is left: we lowered the quantity from 3.']],
  ['pre-orders', line({ expectedOn: '2031-12-01' }), [3], ['“Merino” is not here yet: we expect it on Mon, Dec 1.']],
  ['no stock', line({ countInStock: 0 }), [], ['“Merino” is sold out, so it left your cart.']],
  ['no product', line(null), [], ['“Merino” is no longer for sale, so it left your cart.']],
  ['no answer', [], [3], []],
])('%s', (_title, quoted, quantities, changes) => {
  const checked = checkCart(three, quoted)
  expect(checked.items.map(item => item.quantity)).toEqual(quantities)
  expect(checked.changes.flatMap(({ words }) => words)).toEqual(changes)
})

test('takes over what the product is now', () => {
  expect(checkCart(three, line({ price: 1250, name: 'Merino DK', countInStock: 4 })).items).toEqual([
    { ...three[0], price: 1250, name: 'Merino DK', countInStock: 4 },
  ])
})

test('of each product the latest word is told, and none of what the shopper took out', () => {
  const first = checkCart(three, line({ countInStock: 1 }))
  const then = checkCart(first.items, line(null))
  expect(latestChanges(first.changes, then.changes, then.items).flatMap(({ words }) => words)).toEqual([
    '“Merino” is no longer for sale, so it left your cart.',
  ])
  expect(latestChanges(first.changes, [], first.items)).toEqual(first.changes)
  expect(latestChanges(first.changes, [], [])).toEqual([])
})

test.each([
  [0, 450, 'Shipping was free and is $4.50 now.'],
  [450, 0, 'Shipping was $4.50 and is free now.'],
  [450, 300, null],
  [0, 0, null],
])('shipping that was %i cents and is %i', (before, now, words) => {
  expect(shippingWords({ shippingPrice: before }, { cartItems: three, shippingPrice: now })).toBe(words)
  expect(shippingWords({ shippingPrice: before }, { cartItems: [], shippingPrice: 0 })).toBeNull()
})
