import { isDay } from '#schema/rules/day'
import { limits } from '#schema/rules/limits'
import { lotsForQuantity, type LotPortion } from '#schema/rules/lots'
import { toDecimal } from '#schema/rules/money'
import { clampQuantity } from '#schema/rules/stock'
import type { Cart, CartAddress, CartItem } from './cart.ts'

// The shape of the cart in localStorage, by SPEC §3: its field names, and dollars. Only this file knows it.

interface StoredItem {
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
  /** In dollars. */
  price: number
  /** In dollars: the regular price, while the product is on sale. */
  compareAtPrice?: number
  countInStock: number
  /** While the product is sold by pre-order. */
  expectedOn?: string
  /** Only of products of which nothing is sent. */
  isDownload?: boolean
  isGiftCard?: boolean
  reducedTax?: boolean
  rating: number
  numReviews: number
  quantity: number
  /** The stock of each dye lot, and which lots were asked for; only for products kept by lot. */
  lots?: readonly LotPortion[]
  askedLots?: readonly LotPortion[]
}

export interface StoredCart {
  cartItems: StoredItem[]
  itemsPrice: string
  shippingPrice: string
  taxPrice: string
  totalPrice: string
  shippingAddress: Omit<CartAddress, 'phone' | 'isPickup'> & { phone?: string; isPickup?: boolean }
  paymentMethod: string
}

export function toStorage({
  cartItems,
  shippingAddress: { phone, isPickup, ...address },
  paymentMethod,
  ...prices
}: Cart): StoredCart {
  return {
    cartItems: cartItems.map(itemToStorage),
    itemsPrice: toDecimal(prices.itemsPrice),
    shippingPrice: toDecimal(prices.shippingPrice),
    taxPrice: toDecimal(prices.taxPrice),
    totalPrice: toDecimal(prices.totalPrice),
    // SPEC §3 has neither a phone number nor orders that are picked up.
    shippingAddress: { ...address, ...(phone && { phone }), ...(isPickup && { isPickup }) },
    paymentMethod,
  }
}

/** Reads anything that an older version of the shop, another program or a person left in the storage. Ignores its totals. */
export function fromStorage(raw: object): Pick<Cart, 'cartItems' | 'shippingAddress' | 'paymentMethod'> {
  const { cartItems, shippingAddress, paymentMethod } = raw as Partial<StoredCart>
  return {
    cartItems: (Array.isArray(cartItems) ? cartItems : []).flatMap(itemFromStorage),
    shippingAddress: addressFromStorage(shippingAddress),
    paymentMethod: text(paymentMethod) || 'PayPal',
  }
}

function itemToStorage({
  id,
  knittingNeedle,
  crochetHook,
  recommendedCare,
  price,
  compareAtPrice,
  ...item
}: CartItem): StoredItem {
  return {
    _id: id,
    name: item.name,
    image: item.image,
    description: item.description,
    weight: item.weight,
    length: item.length,
    gauge: item.gauge,
    knitting_needle: knittingNeedle,
    crochet_hook: crochetHook,
    recommended_care: recommendedCare,
    content: item.content,
    category: item.category,
    price: price / 100,
    countInStock: item.countInStock,
    rating: item.rating,
    numReviews: item.numReviews,
    quantity: item.quantity,
    ...(item.expectedOn !== null && { expectedOn: item.expectedOn }),
    ...(item.isDownload && { isDownload: true }),
    ...(item.isGiftCard && { isGiftCard: true }),
    ...(item.reducedTax && { reducedTax: true }),
    ...(compareAtPrice !== null && { compareAtPrice: compareAtPrice / 100 }),
    ...(item.lots.length > 0 && { lots: item.lots }),
    ...(item.askedLots.length > 0 && { askedLots: item.askedLots }),
  }
}

/** Only id, price and quantity are sure to be there in an item. SPEC §3. */
function itemFromStorage(raw: unknown): CartItem[] {
  const item = (raw ?? {}) as Partial<StoredItem>
  const dollars = Number(item.price)
  if (typeof item._id !== 'string' || item._id === '' || !(dollars >= 0) || dollars > limits.price / 100) return []
  const countInStock = Number.isFinite(item.countInStock) ? Number(item.countInStock) : limits.stock
  const quantity = clampQuantity(Number(item.quantity), countInStock)
  return [
    {
      id: item._id,
      name: text(item.name),
      image: text(item.image),
      description: text(item.description),
      weight: text(item.weight),
      length: text(item.length),
      gauge: text(item.gauge),
      knittingNeedle: text(item.knitting_needle),
      crochetHook: text(item.crochet_hook),
      recommendedCare: text(item.recommended_care),
      content: text(item.content),
      category: text(item.category),
      price: Math.round(dollars * 100),
      compareAtPrice: Number(item.compareAtPrice) > dollars ? Math.round(Number(item.compareAtPrice) * 100) : null,
      countInStock,
      expectedOn: isDay(text(item.expectedOn)) ? text(item.expectedOn) : null,
      isDownload: item.isDownload === true,
      isGiftCard: item.isGiftCard === true,
      reducedTax: item.reducedTax === true,
      rating: Number(item.rating) || 0,
      numReviews: Number(item.numReviews) || 0,
      quantity,
      lots: lotsFromStorage(item.lots),
      askedLots: lotsForQuantity(lotsFromStorage(item.askedLots), quantity),
    },
  ]
}

function lotsFromStorage(raw: unknown): LotPortion[] {
  if (!Array.isArray(raw)) return []
  return raw.flatMap((lot: Partial<LotPortion> | null) => {
    const { code, quantity = 0 } = lot ?? {}
    return typeof code === 'string' && Number.isInteger(quantity) && quantity > 0 ? [{ code, quantity }] : []
  })
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
    phone: text(address.phone),
    isPickup: address.isPickup === true,
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
