import { stored } from '../data/stored.ts'
import { beforeSaving, type Cart, type CartItem, currentCart, EMPTY, onCartChange, putCart } from './cart.ts'
import { toStorage } from './stored-cart.ts'

// Windows of one browser share its storage, and two that write at the same moment do not see each other's changes: a window
// that misses its own change in the stored cart adds it again, line by line.

const CHANGES = 100
const RECENT = 20
const SETTLED_MS = 2_000

/** Ids of the last changes, newest first, and a checksum of the cart they belong to: they say nothing about any other cart. */
const lastChanges = stored<{ of: number; ids: readonly string[] }>('cartChanges', { of: 0, ids: [] }, raw => {
  const { of = 0, ids } = (raw ?? {}) as { of?: number; ids?: string[] }
  return { of, ids: Array.isArray(ids) ? ids : [] }
})

/** What this window has changed lately. */
let recent: { id: string; at: number; before: Cart; after: Cart }[] = []

const recentNow = () => recent.filter(({ at }) => performance.now() - at < SETTLED_MS)

/** Starts watching for lost changes. */
export function shareWindows() {
  beforeSaving((before, after) => {
    const id = Math.random().toString(36).slice(2)
    recent = [...recentNow(), { id, at: performance.now(), before, after }].slice(-RECENT)
    name(after, [id, ...changesIn(before)])
  })
  onCartChange(keepRecent)
}

function keepRecent() {
  const theirs = currentCart()
  // Somebody signed out.
  if (theirs === EMPTY) recent = []
  const known = changesIn(theirs)
  const lost = recentNow().filter(({ id }) => !known.includes(id))
  if (lost.length === 0) return
  const both = lost.reduce((cart, { before, after }) => withChanges(cart, before, after), theirs)
  name(both, [...lost.map(({ id }) => id), ...known])
  putCart(both)
}

/** Called before the cart is written, so that a window notified of the cart already knows the ids. */
function name(cart: Cart, ids: readonly string[]) {
  lastChanges.set({ of: markOf(cart), ids: ids.slice(0, CHANGES) })
}

function changesIn(cart: Cart): readonly string[] {
  const { of, ids } = lastChanges.get()
  return of === markOf(cart) ? ids : []
}

function markOf(cart: Cart): number {
  const { cartItems, shippingAddress, paymentMethod } = toStorage(cart)
  const text = JSON.stringify([cartItems, shippingAddress, paymentMethod])
  let mark = 0
  for (let index = 0; index < text.length; index++) mark = (Math.imul(mark, 31) + text.charCodeAt(index)) | 0
  return mark
}

/** Applies to a cart what changed between two other states of it. */
function withChanges(cart: Cart, before: Cart, after: Cart): Cart {
  const [there, was, is] = [cart, before, after].map(({ cartItems }) => byId(cartItems)) as [Items, Items, Items]
  const kept = cart.cartItems.flatMap(item => {
    const [old, now] = [was.get(item.id), is.get(item.id)]
    if (isSame(old, now)) return item
    return now ?? []
  })
  const added = after.cartItems.filter(({ id }) => !was.has(id) && !there.has(id))
  const { shippingAddress, paymentMethod } = after
  return {
    ...cart,
    cartItems: [...kept, ...added],
    ...(!isSame(before.shippingAddress, shippingAddress) && { shippingAddress }),
    ...(before.paymentMethod !== paymentMethod && { paymentMethod }),
  }
}

type Items = Map<string, CartItem>
const byId = (items: readonly CartItem[]): Items => new Map(items.map(item => [item.id, item]))
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
