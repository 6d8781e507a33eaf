import { lotsInWords } from '#schema/rules/lots'
import { formatCents } from '#schema/rules/money'
import { valueAt } from '#schema/rules/present'
import type { UserError } from '../generated/types.ts'
import type { Quote } from '../order/quote-cart.ts'
import type { CartLine } from './cart.entity.ts'

/** What of a cart cannot be ordered as it is, or is not what it was when it was put in. */
export function noticesOf(lines: readonly CartLine[], quote: Quote): UserError[] {
  const quoted = new Map(quote.lines.map(line => [line.productId, line]))
  const ofLines = lines.flatMap((line): UserError[] => {
    const { productId, name, price, quantity, lots } = line
    const now = valueAt(quoted, productId)
    const field = ['lines', productId]
    if (!now.product) return [{ code: 'NOT_FOUND', message: `“${name}” is no longer for sale.`, field }]
    const notices: UserError[] = []
    if (now.quantity < quantity) notices.push(shortage(productId, name, now.quantity))
    else if (now.mustAgreeToLots)
      notices.push({
        code: lots.length > 0 ? 'LOTS_GONE' : 'MIXED_LOTS',
        message: `“${name}” would be ${lotsInWords(now.lots)}.`,
        field,
      })
    if (now.product.price !== price)
      notices.push({
        code: 'PRICE_CHANGED',
        message: `The price of “${name}” changed from ${formatCents(price)} to ${formatCents(now.product.price)}.`,
        field,
      })
    return notices
  })
  return [...ofLines, ...quote.userErrors]
}

/** Says that there are fewer than a line asks for. */
export const shortage = (productId: string, name: string, available: number): UserError => ({
  code: 'OUT_OF_STOCK',
  message: available === 0 ? `“${name}” is sold out.` : `Only ${available} left of “${name}”.`,
  field: ['lines', productId],
  available,
})
