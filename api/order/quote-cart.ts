import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { priceCart, type Prices, type PricingPolicy } from '#schema/rules/pricing'
import { Product } from '../catalog/product.entity.ts'
import type { StockLine } from '../catalog/stock.ts'
import type { CartLineInput } from '../generated/types.ts'
import { check, isId } from '../kernel/validation.ts'

export interface Quote extends Prices {
  lines: { productId: string; product: Product | null; quantity: number }[]
}

const quantity = z
  .number()
  .int()
  .min(1, 'Quantity must be at least 1.')
  .max(limits.stock, `Quantity can be at most ${limits.stock.toLocaleString('en-US')}.`)
const cartLines = z
  .array(z.object({ productId: z.string(), quantity }))
  .max(limits.linesPerOrder, `An order can hold at most ${limits.linesPerOrder} different products.`)
const cart = z.object({ lines: cartLines })

/** The lines of a cart as rules need them: checked, and lines with the same product added up. */
export function mergeLines(input: readonly CartLineInput[]): StockLine[] {
  const merged = new Map<string, StockLine>()
  for (const { productId, quantity } of check(cart, { lines: [...input] }).lines) {
    const id = productId.toLowerCase()
    const line = merged.get(id) ?? { productId: id, quantity: 0 }
    merged.set(id, { ...line, quantity: line.quantity + quantity })
  }
  const lines = [...merged.values()]
  check(cart, { lines })
  return lines
}

/** Prices a cart from the database as it is now. Lines beyond the stock are priced at what is left. */
export async function quoteCart(em: EntityManager, policy: PricingPolicy, input: readonly StockLine[]): Promise<Quote> {
  const ids = input.map(line => line.productId).filter(isId)
  const found = ids.length > 0 ? await em.find(Product, { id: { $in: ids } }, { refresh: true }) : []
  const products = new Map(found.filter(product => product.isForSale).map(product => [product.id, product]))
  const lines = input.map(({ productId, quantity }) => {
    const product = products.get(productId) ?? null
    return { productId, product, quantity: product ? Math.min(quantity, product.countInStock) : 0 }
  })
  const priced = lines.flatMap(({ product, quantity }) =>
    product && quantity > 0 ? [{ price: product.price, weight: product.weight, quantity }] : [],
  )
  return { lines, ...priceCart(priced, policy) }
}
