import { limits } from '#schema/rules/limits'
import { type Cents, toDecimal } from '#schema/rules/money'
import { DEFAULT_POLICY, priceCart, type PricedLine, type PricingPolicy } from '#schema/rules/pricing'
import { clampQuantity } from '#schema/rules/stock'
import { stored } from '../data/stored.ts'
import type { CartProductFragment } from './CartProduct.gql.ts'

/** A product in the cart, under the names and in the units of SPEC §3: `price` is in dollars. */
export interface CartItem {
  _id: string
  name: string
  image: string
  description: string
  weight: string
  length: string
  gauge: string
  knitting_needle: string
  crochet_hook: string
  recommended_care: string
  content: string
  category: string
  price: number
  countInStock: number
  rating: number
  numReviews: number
  quantity: number
}

export interface CartAddress {
  name: string
  address: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
}

/** What the browser keeps under `cart`. SPEC §3. */
export interface Cart {
  cartItems: CartItem[]
  itemsPrice: string
  shippingPrice: string
  taxPrice: string
  totalPrice: string
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
}

const EMPTY: Cart = {
  cartItems: [],
  itemsPrice: '0.00',
  shippingPrice: '0.00',
  taxPrice: '0.00',
  totalPrice: '0.00',
  shippingAddress: BLANK_ADDRESS,
  paymentMethod: 'PayPal',
}

let policy: PricingPolicy = DEFAULT_POLICY
const store = stored<Cart>('cart', EMPTY, fromStorage)

/** The cart; empty on the server and while hydrating (see `useHydrated`). */
export const useCart = store.use

/** The cart right now, for code outside components. */
export const currentCart = store.get

/** Every change of the cart. Each one prices the cart again and saves it. SPEC §4. */
export const cart = {
  /**
   * Adds a product, or replaces it when it is there already. Ignored without id, name or price. False when the cart
   * holds as many different products as one order can have, and this would be one more.
   */
  add(product: Partial<CartProductFragment>, quantity: number): boolean {
    if (!product.id || !product.name || !Number.isFinite(product.price)) return true
    const item = toItem(product as CartProductFragment, quantity)
    const { cartItems } = store.get()
    const known = cartItems.some(other => other._id === item._id)
    if (!known && cartItems.length >= limits.linesPerOrder) return false
    save({ cartItems: known ? cartItems.map(other => (other._id === item._id ? item : other)) : [...cartItems, item] })
    return true
  },

  setQuantity(id: string, quantity: number) {
    const cartItems = store
      .get()
      .cartItems.map(item =>
        item._id === id ? { ...item, quantity: clampQuantity(quantity, item.countInStock) } : item,
      )
    save({ cartItems })
  },

  remove(id: string) {
    save({ cartItems: store.get().cartItems.filter(item => item._id !== id) })
  },

  /** Puts other items in the place of all there are: the cart after it was checked with the API. */
  replaceItems(cartItems: CartItem[]) {
    save({ cartItems })
  },

  saveShippingAddress(shippingAddress: CartAddress) {
    save({ shippingAddress: { ...BLANK_ADDRESS, ...shippingAddress } })
  },

  savePaymentMethod(paymentMethod: string) {
    save({ paymentMethod })
  },

  /** After an order was placed: no items, a blank address; the payment method stays. */
  clear() {
    save({ cartItems: [], shippingAddress: BLANK_ADDRESS })
  },

  /** Back to the initial state. */
  reset() {
    store.set(EMPTY)
  },
}

/** Prices with the policy the API serves instead of the default one. */
export function priceCartWith(served: PricingPolicy) {
  policy = served
  const { cartItems, totalPrice, shippingPrice } = store.get()
  const prices = pricesOf(cartItems)
  if (prices.totalPrice !== totalPrice || prices.shippingPrice !== shippingPrice) save({})
}

/** Units in the cart, for the badge of the cart link. */
export function unitsOf({ cartItems }: Cart): number {
  return cartItems.reduce((sum, item) => sum + item.quantity, 0)
}

/** An item's unit price in cents. */
export function centsOf(item: Pick<CartItem, 'price'>): Cents {
  return Math.round(item.price * 100)
}

/** A product of the API as a cart item; at least one of it, at most what is in stock. */
export function toItem(product: CartProductFragment, quantity: number): CartItem {
  return {
    _id: product.id,
    name: product.name,
    image: product.image,
    description: product.description,
    weight: product.weight,
    length: product.length,
    gauge: product.gauge,
    knitting_needle: product.knittingNeedle,
    crochet_hook: product.crochetHook,
    recommended_care: product.recommendedCare,
    content: product.content,
    category: product.category,
    price: product.price / 100,
    countInStock: product.countInStock,
    rating: product.rating,
    numReviews: product.numReviews,
    quantity: clampQuantity(quantity, product.countInStock),
  }
}

function save(change: Partial<Cart>) {
  const next = { ...store.get(), ...change }
  store.set({ ...next, ...pricesOf(next.cartItems) })
}

function pricesOf(items: readonly CartItem[]) {
  const lines: PricedLine[] = items.map(item => ({
    price: centsOf(item),
    quantity: item.quantity,
    weight: item.weight,
  }))
  const prices = priceCart(lines, policy)
  return {
    itemsPrice: toDecimal(prices.itemsPrice),
    shippingPrice: toDecimal(prices.shippingPrice),
    taxPrice: toDecimal(prices.taxPrice),
    totalPrice: toDecimal(prices.totalPrice),
  }
}

/** Whatever an older version of the shop, another program or a person left in the storage, as a cart. */
function fromStorage(raw: unknown): Cart {
  if (typeof raw !== 'object' || raw === null) return EMPTY
  const { cartItems, shippingAddress, paymentMethod } = raw as Partial<Cart>
  const items = (Array.isArray(cartItems) ? cartItems : []).flatMap(itemFromStorage)
  return {
    cartItems: items,
    ...pricesOf(items),
    shippingAddress: addressFromStorage(shippingAddress),
    paymentMethod: text(paymentMethod) || EMPTY.paymentMethod,
  }
}

/** Of an item only id, price and quantity are sure to be there. SPEC §3. */
function itemFromStorage(raw: unknown): CartItem[] {
  const item = (raw ?? {}) as Partial<CartItem>
  const price = Number(item.price)
  if (typeof item._id !== 'string' || item._id === '' || !(price >= 0) || price > limits.price / 100) return []
  const countInStock = Number.isFinite(item.countInStock) ? Number(item.countInStock) : limits.stock
  return [
    {
      _id: item._id,
      name: text(item.name),
      image: text(item.image),
      description: text(item.description),
      weight: text(item.weight),
      length: text(item.length),
      gauge: text(item.gauge),
      knitting_needle: text(item.knitting_needle),
      crochet_hook: text(item.crochet_hook),
      recommended_care: text(item.recommended_care),
      content: text(item.content),
      category: text(item.category),
      price,
      countInStock,
      rating: Number(item.rating) || 0,
      numReviews: Number(item.numReviews) || 0,
      quantity: clampQuantity(Number(item.quantity), countInStock),
    },
  ]
}

function addressFromStorage(raw: unknown): CartAddress {
  const address = (raw ?? {}) as Partial<CartAddress>
  return {
    name: text(address.name),
    address: text(address.address),
    address2: text(address.address2),
    city: text(address.city),
    state: text(address.state),
    postalCode: text(address.postalCode),
    country: text(address.country),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
