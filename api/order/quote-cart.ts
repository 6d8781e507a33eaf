import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import type { Cents } from '#schema/rules/money'
import { fillFromLots, isAsAsked, unitsOf, type LotPortion } from '#schema/rules/lots'
import { type TaxLine, taxLines } from '#schema/rules/tax-lines'
import { priceCart, savedBy, type Destination, type Prices, type PricingPolicy } from '#schema/rules/pricing'
import { productsById } from '../catalog/list-products.ts'
import { readLots } from '../catalog/lots.ts'
import type { Product } from '../catalog/product.entity.ts'
import type { StockLine } from '../catalog/stock.ts'
import { turnDueSales } from '../catalog/turn-sales.ts'
import { applyCode, type Buyer } from '../discount/apply-code.ts'
import { applyGiftCards, type GiftCardPart } from '../gift-card/use-gift-cards.ts'
import type { CartLineInput, QuotedCode, UserError } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { reducedColumns } from './price-order.ts'
import { enteredGiftCards } from '#schema/rules/shapes/gift-card'
import { lotCode } from '#schema/rules/shapes/product'
import { check, isId } from '../kernel/validation.ts'
import { termsAt } from './destination.ts'

export interface Quote extends Prices {
  lines: QuotedLine[]
  taxes: TaxLine[]
  code: QuotedCode | null
  giftCards: GiftCardPart[]
  amountDue: Cents
  /** Why the code does not work, and why a gift card cannot be used. */
  userErrors: UserError[]
}

interface QuotedLine {
  productId: string
  product: Product | null
  quantity: number
  lots: LotPortion[]
  mustAgreeToLots: boolean
}

/** A cart to be priced: its code as it was typed, where it goes and who asks, if those are known. */
export interface Quotable {
  lines: readonly StockLine[]
  code?: string | null | undefined
  to?: Destination | null | undefined
  buyer?: Buyer
  /** Codes of gift cards, as they were typed. */
  giftCards?: string[] | null | undefined
}

const quantity = z
  .number()
  .int()
  .min(1, 'Quantity must be at least 1.')
  .max(limits.stock, `Quantity can be at most ${limits.stock.toLocaleString('en-US')}.`)
/** The dye lots of a line, as a form or a client names them. */
export const lots = z
  .array(z.object({ code: lotCode, quantity }))
  .max(ownerLimits.lot.perProduct, `A line has at most ${ownerLimits.lot.perProduct} dye lots.`)
const namedLots = lots.min(1, 'Name a dye lot, or leave the lots out.')
const cartLines = z
  .array(z.object({ productId: z.string(), quantity, lots: namedLots.nullish() }))
  .max(limits.linesPerOrder, `An order can hold at most ${limits.linesPerOrder} different products.`)
const cart = z.object({ lines: cartLines })

/** The lines of a cart as rules need them: checked, and lines with the same product added up. */
export function mergeLines(input: readonly CartLineInput[]): StockLine[] {
  const merged = new Map<string, StockLine>()
  for (const { productId, quantity, lots } of check(cart, { lines: [...input] }).lines) {
    const id = productId.toLowerCase()
    const line = merged.get(id) ?? { productId: id, quantity: 0 }
    merged.set(id, {
      ...line,
      quantity: line.quantity + quantity,
      ...(lots && { lots: addLots([...(line.lots ?? []), ...lots]) }),
    })
  }
  const lines = [...merged.values()]
  check(cart, { lines })
  for (const { productId, quantity, lots } of lines)
    if (lots && unitsOf(lots) !== quantity)
      throw refuse('INVALID', 'The dye lots of a line must add up to its quantity.', { field: ['lines', productId] })
  return lines
}

/** Portions of the same lot as one. */
export function addLots(portions: readonly LotPortion[]): LotPortion[] {
  const byCode = Map.groupBy(portions, ({ code }) => code)
  return [...byCode].map(([code, portions]) => ({ code, quantity: unitsOf(portions) }))
}

/** Prices a cart from the database as it is now, and says from which dye lots it would be filled. Lines beyond the stock are priced at what is left. */
export async function quoteCart(
  em: EntityManager,
  policy: PricingPolicy,
  { lines: input, code, to = null, buyer = null, giftCards }: Quotable,
): Promise<Quote> {
  const ids = input.map(line => line.productId).filter(isId)
  const find = async () => (ids.length > 0 ? await productsById(em, ids) : []).filter(product => product !== null)
  let found = await find()
  if (found.some(product => product.isSaleDue(clock.now()))) {
    await em.transactional(tx => turnDueSales(tx, ids))
    found = await find()
  }
  const products = new Map(found.filter(product => product.isForSale).map(product => [product.id, product]))
  const left = await readLots(
    em,
    [...products.values()].filter(({ keptByLot }) => keptByLot).map(({ id }) => id),
  )
  const lines = input.map(({ productId, quantity: asked, lots }) => {
    const product = products.get(productId) ?? null
    const quantity = product ? Math.min(asked, product.countInStock) : 0
    const portions = fillFromLots(left.get(productId) ?? [], quantity, quantity === asked ? lots : [])
    return { productId, product, quantity, lots: portions, mustAgreeToLots: quantity > 0 && !isAsAsked(portions, lots) }
  })
  const priced = lines.flatMap(({ product, quantity }) =>
    product && quantity > 0
      ? [
          {
            productId: product.id,
            category: product.category,
            price: product.price,
            weight: product.weight,
            isDownload: product.isDownload,
            isGiftCard: product.isGiftCard,
            reducedTax: product.reducedTax,
            quantity,
          },
        ]
      : [],
  )
  const terms = termsAt(policy, to)
  const without = priceCart(priced, terms)
  const tried = code && priced.length > 0 ? await asData(applyCode(em, code, priced, buyer)) : null
  const [applied, ofCode] = tried instanceof Refusal ? [null, tried.userErrors] : [tried, []]
  const prices = applied ? priceCart(priced, terms, applied.reduction) : without
  const cards = await asData(applyGiftCards(em, check(enteredGiftCards, giftCards ?? []), prices.totalPrice))
  const [paying, ofCards] = cards instanceof Refusal ? [[], cards.userErrors] : [cards, []]
  return {
    lines,
    ...prices,
    taxes: taxLines({ ...prices, ...terms, ...reducedColumns(prices) }),
    code: applied && {
      code: applied.code,
      description: applied.discount.description,
      terms: applied.discount.terms,
      saved: savedBy(prices, without),
    },
    giftCards: paying,
    amountDue: paying.reduce((due, { amount }) => due - amount, prices.totalPrice),
    userErrors: [...ofCode, ...ofCards],
  }
}

const asData = <Value>(asked: Promise<Value>): Promise<Value | Refusal> =>
  asked.catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
