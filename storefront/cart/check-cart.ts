import { dayWords } from '#schema/rules/day'
import { formatCents } from '#schema/rules/money'
import { type Cart, type CartItem, toItem } from './cart.ts'
import type { QuotedLineFragment } from './QuoteCart.gql.ts'

/** What has changed about one product in the cart, in words. */
export interface CartChange {
  productId: string
  words: string[]
  /** True when the product has left the cart. */
  gone: boolean
}

/** The cart as the API would sell it now, and what that changes for the shopper. */
export interface CheckedCart {
  items: CartItem[]
  changes: CartChange[]
}

/** Compares the cart with the API's answer. An item that is not in the answer stays as it is. */
export function checkCart(items: readonly CartItem[], quoted: readonly QuotedLineFragment[]): CheckedCart {
  const lines = new Map(quoted.map(line => [line.productId, line]))
  const checked = items.map(item => {
    const line = lines.get(item.id)
    return { productId: item.id, ...(line ? checkItem(item, line) : { item, words: [] }) }
  })
  return {
    items: checked.flatMap(({ item }) => item ?? []),
    changes: checked.flatMap(({ productId, item, words }) =>
      words.length > 0 ? [{ productId, words, gone: item === null }] : [],
    ),
  }
}

/** Merges earlier and later changes: the latest for each product, without products that the shopper has since removed or put back. */
export function latestChanges(
  earlier: readonly CartChange[],
  later: readonly CartChange[],
  items: readonly CartItem[],
): CartChange[] {
  const byProduct = new Map([...earlier, ...later].map(change => [change.productId, change]))
  const inCart = new Set(items.map(item => item.id))
  return [...byProduct.values()].filter(({ productId, gone }) => gone !== inCart.has(productId))
}

/** Says when a change of the cart made shipping free, or no longer free. Null when neither. */
export function shippingWords(
  before: Pick<Cart, 'shippingPrice'>,
  now: Pick<Cart, 'cartItems' | 'shippingPrice'>,
): string | null {
  if (now.cartItems.length === 0 || (before.shippingPrice === 0) === (now.shippingPrice === 0)) return null
  return now.shippingPrice === 0
    ? `Shipping was ${formatCents(before.shippingPrice)} and is free now.`
    : `Shipping was free and is ${formatCents(now.shippingPrice)} now.`
}

function checkItem(item: CartItem, { product }: QuotedLineFragment): { item: CartItem | null; words: string[] } {
  const name = `“${item.name}”`
  if (!product) return { item: null, words: [`${name} is no longer for sale, so it left your cart.`] }
  const left = product.countInStock
  if (left < 1) return { item: null, words: [`${name} is sold out, so it left your cart.`] }
  const words: string[] = []
  if (left < item.quantity) {
    words.push(
      `Only ${left} of ${name} ${left === 1 ? 'is' : 'are'} left: we lowered the quantity from ${item.quantity}.`,
    )
  }
  if (product.price !== item.price) {
    words.push(`The price of ${name} changed from ${formatCents(item.price)} to ${formatCents(product.price)}.`)
  }
  if (product.expectedOn !== item.expectedOn) {
    words.push(
      product.expectedOn === null
        ? `${name} is here now.`
        : `${name} is not here yet: we expect it on ${dayWords(product.expectedOn)}.`,
    )
  }
  return { item: toItem(product, item.quantity, item.askedLots), words }
}
