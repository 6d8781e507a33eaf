import { formatCents } from '#schema/rules/money'
import { type CartItem, centsOf, toItem } from './cart.ts'
import type { QuotedLineFragment } from './QuoteCart.gql.ts'

/** The cart as the API would sell it now, and in words what that changes for the shopper. */
export interface CheckedCart {
  items: CartItem[]
  changes: string[]
}

/** Holds the cart against what the API answered. An item it said nothing about stays as it is. */
export function checkCart(items: readonly CartItem[], quoted: readonly QuotedLineFragment[]): CheckedCart {
  const lines = new Map(quoted.map(line => [line.productId, line]))
  const checked = items.map(item => {
    const line = lines.get(item._id)
    return line ? checkItem(item, line) : { items: [item], changes: [] }
  })
  return { items: checked.flatMap(item => item.items), changes: checked.flatMap(item => item.changes) }
}

function checkItem(item: CartItem, { product }: QuotedLineFragment): CheckedCart {
  const name = `“${item.name}”`
  if (!product) return { items: [], changes: [`${name} is no longer for sale, so it left your cart.`] }
  const left = product.countInStock
  if (left < 1) return { items: [], changes: [`${name} is sold out, so it left your cart.`] }
  const changes: string[] = []
  if (left < item.quantity) {
    changes.push(`Only ${left} of ${name} ${left === 1 ? 'is' : 'are'} left: we lowered the quantity from ${item.quantity}.`)
  }
  if (product.price !== centsOf(item)) {
    changes.push(`The price of ${name} changed from ${formatCents(centsOf(item))} to ${formatCents(product.price)}.`)
  }
  return { items: [toItem(product, item.quantity)], changes }
}
