import { limits } from '#schema/rules/limits'
import { lotsForQuantity, type LotPortion } from '#schema/rules/lots'
import type { DiscountableLine } from '#schema/rules/discount'
import type { Cents } from '#schema/rules/money'
import {
  canShipFree,
  DEFAULT_POLICY,
  type Destination,
  giftCardsIn,
  isDownloadsAlone,
  missingForFreeShipping,
  priceCart,
  type PricedLine,
  type Prices,
  type PricingPolicy,
  savedBy,
  termsFor,
} from '#schema/rules/pricing'
import { clampQuantity } from '#schema/rules/stock'
import { stored } from '../data/stored.ts'
import { type CartCode, currentCode, forgetCode, onCodeChange, reductionBy, useCartCode } from './cart-code.ts'
import type { CartProductFragment } from './CartProduct.gql.ts'
import { fromStorage, type StoredCart, toStorage } from './stored-cart.ts'

/** What the cart keeps about a product. */
export type CartProduct = Omit<CartProductFragment, '__typename' | 'lots'> & {
  /** The stock of each dye lot. */
  lots: readonly LotPortion[]
}

/** A product in the cart, as it was when it was put there or last checked. */
export type CartItem = CartProduct & {
  quantity: number
  /** The dye lots the shopper asked for or agreed to; their units add up to `quantity`. Empty for any one lot. */
  askedLots: readonly LotPortion[]
}

export interface CartAddress {
  name: string
  address: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
  phone: string
  /** Whether it is the shop's own, where the order is picked up. */
  isPickup: boolean
}

/** The cart's prices, what its code saves, and how much is missing for free shipping; all in cents. */
export interface CartPrices extends Prices {
  saved: Cents
  /** Null where shipping is never free, and for what is picked up or downloaded. */
  toFreeShipping: Cents | null
  isPickup: boolean
  /** Whether there is nothing to send. */
  isDownload: boolean
  /** Whether tax depends on an address that nobody has given yet. */
  taxIsOpen: boolean
}

/** The cart with its prices, in cents. The browser keeps it under `cart`, in the shape of stored-cart.ts. */
export interface Cart {
  cartItems: CartItem[]
  itemsPrice: Cents
  shippingPrice: Cents
  taxPrice: Cents
  totalPrice: Cents
  shippingAddress: CartAddress
  paymentMethod: string
}

export const BLANK_ADDRESS: CartAddress = {
  name: '',
  address: '',
  address2: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
  phone: '',
  isPickup: false,
}

export const EMPTY: Cart = {
  cartItems: [],
  itemsPrice: 0,
  shippingPrice: 0,
  taxPrice: 0,
  totalPrice: 0,
  shippingAddress: BLANK_ADDRESS,
  paymentMethod: 'PayPal',
}

let policy: PricingPolicy = DEFAULT_POLICY
const store = stored<Cart, StoredCart>(
  'cart',
  EMPTY,
  raw => {
    if (typeof raw !== 'object' || raw === null) return EMPTY
    const kept = fromStorage(raw)
    return { ...kept, ...pricesOf(kept) }
  },
  toStorage,
)

/** The cart; empty on the server and while hydrating (see `useHydrated`). */
export const useCart = store.use

/** The cart's prices with its code, if it goes to its own address, or to the one that is being typed. */
export function useCartPrices(typed?: Destination): CartPrices {
  const { cartItems, shippingAddress } = useCart()
  return pricesWith(cartItems, useCartCode(), typed ?? shippingAddress)
}

/** The cart right now, for code outside components. */
export const currentCart = store.get

/** Calls back after every change, here or in another tab. */
export const onCartChange = store.subscribe

/** Every change of the cart. Each one prices the cart again and saves it. SPEC §4. */
export const cart = {
  /**
   * Adds a product, or replaces it when it is there already. Ignored without id, name or price. False when the cart
   * holds as many different products as one order can have, and this would be one more. `askedLots` are the dye lots asked
   * for: none for any one lot; left out, the line keeps the lots it had.
   */
  add(product: Partial<CartProduct>, quantity: number, askedLots?: readonly LotPortion[]): boolean {
    if (!product.id || !product.name || !Number.isFinite(product.price)) return true
    const { cartItems } = store.get()
    const known = cartItems.find(other => other.id === product.id)
    const item = toItem(product as CartProduct, quantity, askedLots ?? known?.askedLots)
    if (!known && cartItems.length >= limits.linesPerOrder) return false
    save({ cartItems: known ? cartItems.map(other => (other.id === item.id ? item : other)) : [...cartItems, item] })
    return true
  },

  setQuantity(id: string, quantity: number) {
    const cartItems = store
      .get()
      .cartItems.map(item =>
        item.id === id ? withQuantity(item, clampQuantity(quantity, item.countInStock), item.askedLots) : item,
      )
    save({ cartItems })
  },

  /** Takes the item from these dye lots; `quantity` is how many units they are in all. */
  setLots(id: string, askedLots: readonly LotPortion[], quantity: number) {
    const cartItems = store
      .get()
      .cartItems.map(item => (item.id === id ? withQuantity(item, quantity, askedLots) : item))
    save({ cartItems })
  },

  remove(id: string) {
    save({ cartItems: store.get().cartItems.filter(item => item.id !== id) })
  },

  /** Puts an item back as it was, and where it was. */
  putBack(item: CartItem, place: number) {
    const others = store.get().cartItems.filter(other => other.id !== item.id)
    save({ cartItems: [...others.slice(0, place), item, ...others.slice(place)] })
  },
  /** Replaces all items, such as after the cart was checked with the API. */
  replaceItems(cartItems: CartItem[]) {
    save({ cartItems })
  },

  saveShippingAddress(shippingAddress: CartAddress) {
    save({ shippingAddress: { ...BLANK_ADDRESS, ...shippingAddress } })
  },

  savePaymentMethod(paymentMethod: string) {
    save({ paymentMethod })
  },

  /** After an order was placed: no items, no code, a blank address; the payment method stays. */
  clear() {
    forgetCode()
    save({ cartItems: [], shippingAddress: BLANK_ADDRESS })
  },

  /** Back to the initial state. */
  reset() {
    forgetCode()
    store.set(EMPTY)
  },
}

/** Prices with the policy the API serves instead of the default one. */
export function priceCartWith(served: PricingPolicy) {
  policy = served
  // Even where the totals stay as they are: what is missing for free shipping and what an address that is typed costs may not.
  if (store.get().cartItems.length > 0) putCart(store.get())
}

/** The message when there is no room for another product. */
export const FULL_CART = `Your cart holds ${limits.linesPerOrder} different products, as many as one order can have. Order those first, or remove one.`

/** Whether an order could be sent there: name and country are required. SPEC §5. */
export function hasAddress({ name, country }: CartAddress): boolean {
  return name.trim() !== '' && country.trim() !== ''
}

/** Units in the cart, for the badge of the cart link. */
export function unitsOf({ cartItems }: Cart): number {
  return cartItems.reduce((sum, item) => sum + item.quantity, 0)
}

/** A product of the API as a cart item; at least one of it, at most what is in stock. */
export function toItem(product: CartProduct, quantity: number, askedLots: readonly LotPortion[] = []): CartItem {
  // Picks the fields one by one: a product page may have queried more than the cart keeps.
  const { id, name, image, description, weight, length, gauge, knittingNeedle, crochetHook } = product
  const {
    recommendedCare,
    content,
    category,
    price,
    compareAtPrice = null,
    countInStock,
    expectedOn = null,
    isDownload = false,
    isGiftCard = false,
    reducedTax = false,
    lots = [],
    rating,
    numReviews,
  } = product
  const units = clampQuantity(quantity, countInStock)
  return {
    id,
    name,
    image,
    description,
    weight,
    length,
    gauge,
    knittingNeedle,
    crochetHook,
    recommendedCare,
    content,
    category,
    price,
    compareAtPrice,
    countInStock,
    expectedOn,
    isDownload,
    isGiftCard,
    reducedTax,
    rating,
    numReviews,
    quantity: units,
    lots: lots.map(({ code, quantity }) => ({ code, quantity })),
    askedLots: lotsForQuantity(askedLots, units),
  }
}

const withQuantity = (item: CartItem, quantity: number, asked: readonly LotPortion[]): CartItem => ({
  ...item,
  quantity,
  askedLots: lotsForQuantity(asked, quantity),
})

let saving: (before: Cart, next: Cart) => void = () => {}

/** Called before this window changes the cart. */
export const beforeSaving = (listener: typeof saving) => {
  saving = listener
}

function save(change: Partial<Cart>) {
  const before = store.get()
  const next = { ...before, ...change }
  saving(before, next)
  putCart(next)
}

/** Prices the cart again and stores it. */
export function putCart(next: Cart) {
  store.set({ ...next, ...pricesOf(next) })
}

/** Items as the rules price them. */
export const linesOf = (items: readonly CartItem[]): (PricedLine & DiscountableLine)[] =>
  items.map(({ id, category, price, quantity, weight, isDownload, isGiftCard, reducedTax }) => ({
    productId: id,
    category,
    price,
    quantity,
    weight,
    isDownload,
    isGiftCard,
    reducedTax,
  }))

function pricesWith(items: readonly CartItem[], code: CartCode | null, to: Destination): CartPrices {
  const lines = linesOf(items)
  const { isPickup = false } = to
  const isDownload = isDownloadsAlone(lines)
  const isKnown = to.country.trim() !== ''
  const terms = termsFor(policy, isKnown ? to : null)
  const prices = priceCart(lines, terms, reductionBy(code, lines))
  return {
    ...prices,
    saved: savedBy(prices, priceCart(lines, terms)),
    // A code can make it free, too.
    toFreeShipping:
      isPickup || isDownload
        ? null
        : prices.shippingPrice === 0
          ? 0
          : canShipFree(terms)
            ? missingForFreeShipping(prices.itemsPrice - giftCardsIn(lines), terms)
            : null,
    isPickup,
    isDownload,
    taxIsOpen: !isKnown && policy.taxRates.length > 0,
  }
}

function pricesOf({ cartItems, shippingAddress }: Pick<Cart, 'cartItems' | 'shippingAddress'>) {
  const { itemsPrice, shippingPrice, taxPrice, totalPrice } = pricesWith(cartItems, currentCode(), shippingAddress)
  return { itemsPrice, shippingPrice, taxPrice, totalPrice }
}

// The stored totals count the code in.
if (typeof window !== 'undefined') onCodeChange(() => store.get().cartItems.length > 0 && save({}))
