import { limits } from '#schema/rules/limits'
import { lotsForQuantity, type LotPortion } from '#schema/rules/lots'
import { type CartAddress, type CartItem, toItem } from './cart.ts'
import type { AccountCartFragment } from './sync-cart.gql.ts'

export type SharedLine = AccountCartFragment['lines'][number]

interface SaidLine {
  quantity: number
  /** The dye lots asked for. */
  lots: LotPortion[]
}

/** A cart's contents as they are compared and exchanged with another cart. */
export interface Said {
  lines: Readonly<Record<string, SaidLine>>
  code: string | null
  address: CartAddress | null
}

export const NOTHING: Said = { lines: {}, code: null, address: null }

/** A change in the form that the API takes. */
export interface Change {
  lines: { productId: string; add: number; lots?: LotPortion[] }[]
  code?: string | null
  shippingAddress?: CartAddress | null
}

export const saidByItems = (items: readonly Pick<CartItem, 'id' | 'quantity' | 'askedLots'>[]): Said['lines'] =>
  Object.fromEntries(items.map(({ id, quantity, askedLots }) => [id, { quantity, lots: portionsOf(askedLots) }]))

export const saidByLines = (lines: readonly SharedLine[]): Said['lines'] =>
  Object.fromEntries(lines.map(({ productId, quantity, lots }) => [productId, { quantity, lots: portionsOf(lots) }]))

const portionsOf = (lots: readonly LotPortion[]) => lots.map(({ code, quantity }) => ({ code, quantity }))

const NONE: SaidLine = { quantity: 0, lots: [] }

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether somebody chose other dye lots since, rather than only the quantity changed. */
const choseLots = (before: SaidLine, { quantity, lots }: SaidLine) =>
  !isSame(lots, lotsForQuantity(before.lots, quantity))

/** What was added, removed or chosen differently since, as much as one change can hold. */
export function changesSince(before: Said, now: Said): Change {
  const lines = [...new Set([...Object.keys(before.lines), ...Object.keys(now.lines)])].flatMap(productId => {
    const [was, is] = [before.lines[productId] ?? NONE, now.lines[productId] ?? NONE]
    const add = is.quantity - was.quantity
    const chose = choseLots(was, is)
    return add === 0 && !chose ? [] : [{ productId, add, ...(chose && { lots: is.lots }) }]
  })
  return {
    lines: lines.slice(0, limits.linesPerOrder),
    ...(now.code !== before.code && { code: now.code }),
    ...(!isSame(now.address, before.address) && { shippingAddress: now.address }),
  }
}

export const isNothing = (change: Change) => namesOf(change).length === 0

/** What a change is about: products, `code`, `shippingAddress`. */
export const namesOf = ({ lines, ...others }: Change) => [
  ...lines.map(({ productId }) => productId),
  ...Object.keys(others),
]

export const without = ({ lines, ...others }: Change, names: ReadonlySet<string>): Change => ({
  lines: lines.filter(({ productId }) => !names.has(productId)),
  ...Object.fromEntries(Object.entries(others).filter(([name]) => !names.has(name))),
})

/** The contents once a change has been applied. */
export function after(said: Said, { lines, code = said.code, shippingAddress = said.address }: Change): Said {
  const changed = lines.map(({ productId, add, lots }): [string, SaidLine] => {
    const was = said.lines[productId] ?? NONE
    const quantity = was.quantity + add
    return [productId, { quantity, lots: lotsForQuantity(lots ?? was.lots, quantity) }]
  })
  return { lines: { ...said.lines, ...Object.fromEntries(changed) }, code, address: shippingAddress }
}

/**
 * This browser's cart merged with the account's. `heard` is what the account's cart knew about this one; what was changed
 * here since then is added. In this browser's order, followed by what comes from elsewhere. Prices stay those that the
 * shopper has seen, here or where the product was added: the cart check reports how they have changed.
 */
export function withShared(items: readonly CartItem[], lines: readonly SharedLine[], heard: Said['lines']): CartItem[] {
  const shared = saidByLines(lines)
  const own = items.map(item => {
    const [known, theirs] = [heard[item.id] ?? NONE, shared[item.id] ?? NONE]
    const quantity = theirs.quantity + item.quantity - known.quantity
    const chose = choseLots(known, { quantity: item.quantity, lots: portionsOf(item.askedLots) })
    return { ...item, quantity, askedLots: lotsForQuantity(chose ? item.askedLots : theirs.lots, quantity) }
  })
  const known = new Set(items.map(({ id }) => id))
  const others = lines.flatMap(({ productId, product, price, quantity, lots }) => {
    // The product may have been removed here since.
    const units = quantity - (heard[productId]?.quantity ?? 0)
    return known.has(productId) || !product || units < 1 ? [] : [{ ...toItem(product, units, lots), price }]
  })
  return [...own.filter(({ quantity }) => quantity > 0), ...others]
}
