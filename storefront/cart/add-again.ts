import { fillFromLots, isAsAsked, lotsForQuantity, type LotPortion } from '#schema/rules/lots'
import { formatCents } from '#schema/rules/money'
import { cart, currentCart, FULL_CART } from './cart.ts'
import type { CartChange } from './check-cart.ts'
import type { QuotedLineFragment } from './QuoteCart.gql.ts'

interface OrderedLine {
  productId: string
  name: string
  /** The price of one, in cents, when it was ordered. */
  price: number
  quantity: number
  lots: readonly LotPortion[]
}

/** Puts what was ordered before into the cart, as far as it is available now, and returns what is different. */
export function addAgain(ordered: readonly OrderedLine[], quoted: readonly QuotedLineFragment[]): CartChange[] {
  const products = new Map(quoted.map(({ productId, product }) => [productId, product]))
  return ordered.flatMap(({ productId, name: plain, price, quantity, lots }) => {
    const name = `“${plain}”`
    const product = products.get(productId)
    if (!product) return { productId, gone: true, words: [`${name} is no longer for sale, so it is not in your cart.`] }
    const left = product.countInStock
    if (left < 1) return { productId, gone: true, words: [`${name} is sold out, so it is not in your cart.`] }
    const inCart = currentCart().cartItems.find(({ id }) => id === productId)?.quantity ?? 0
    // Pressing twice must not double the quantity ordered.
    const wanted = Math.max(quantity, inCart)
    const asked = lotsForQuantity(lots, wanted)
    const isLeft = isAsAsked(fillFromLots(product.lots, wanted, asked), asked)
    if (!cart.add(product, wanted, isLeft ? asked : [])) return { productId, gone: true, words: [FULL_CART] }
    const words: string[] = []
    if (!isLeft && product.lots.length > 0)
      words.push(
        `${name} was of ${lots.map(({ code }) => `lot ${code}`).join(' and ')}, of which too little is left. Another lot can differ a little in colour.`,
      )
    if (left < quantity)
      words.push(`Only ${left} of ${name} ${left === 1 ? 'is' : 'are'} left; you ordered ${quantity} before.`)
    if (product.price !== price)
      words.push(`The price of ${name} changed from ${formatCents(price)} to ${formatCents(product.price)}.`)
    return words.length > 0 ? { productId, gone: false, words } : []
  })
}
