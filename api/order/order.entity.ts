import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { LotPortion } from '#schema/rules/lots'
import { orderStatus, type OrderStatus } from '#schema/rules/order-status'
import { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { clock } from '../kernel/clock.ts'

export interface ShippingAddress {
  name: string
  address: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
  /** Missing in addresses from before there were phone numbers. */
  phone?: string
  /** Only where the order is picked up at the shop. */
  isPickup?: boolean | undefined
}

/** Whose an order is: an account's, or a guest's, who is known by their email as `emailKey` writes it. One of both is null. */
export interface Owner {
  userId: string | null
  guestKey: string | null
}

const OrderItemSchema = defineEntity({
  name: 'OrderItem',
  tableName: 'order_items',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    order: () => p.manyToOne(Order).ref(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id'),
    /** Place in the cart, from 0. */
    position: p.integer(),
    /** Of the product, when the order was placed. */
    sku: p.text(),
    name: p.text(),
    image: p.text(),
    /** cents per unit, when the order was placed */
    price: p.integer(),
    quantity: p.integer(),
    /** The dye lots it is filled from; empty when the product was not kept by lot. */
    lots: p
      .json<LotPortion[]>()
      .defaultRaw(`'[]'`)
      .onCreate(() => []),
    /** The day its units are expected; null once they are here. A trigger keeps it as its product's. */
    expectedOn: p.date().nullable(),
    /** What the shopper was told of it. */
    expectedTold: p.date().nullable(),
    /** Units in parcels that were not cancelled. Changes only while the order is locked. */
    fulfilledQuantity: p.integer().default(0),
    /** Whether nothing of it is sent. All of its units count as fulfilled then. */
    isDownload: p.boolean().default(false),
    /** Whether each unit is a gift card over its price. */
    isGiftCard: p.boolean().default(false),
    /** Whether it is taxed less where the law says so. */
    reducedTax: p.boolean().default(false),
    /** cents that the order's code took off the line as a whole */
    discount: p.integer().default(0),
  },
})

/** A copy of what was ordered; later changes of the product do not touch it. */
export class OrderItem extends OrderItemSchema.class {}
OrderItemSchema.setClass(OrderItem)

const OrderSchema = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    number: p.integer().autoincrement().returning(),
    /** Null for a guest's. */
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').nullable(),
    /** The guest's email as `emailKey` writes it. Null for an account's. */
    guestKey: p.text().nullable(),
    userName: p.text(),
    userEmail: p.text(),
    /** IANA name of the time zone the shopper's clock showed when they ordered. Null when nobody said. */
    timeZone: p.text().nullable(),
    items: () => p.oneToMany(OrderItem).mappedBy('order').orderBy({ position: 'asc' }),
    shippingAddress: p.json<ShippingAddress>(),
    /** What the shopper told the shop with it. */
    customerNote: p.text().nullable(),
    /** Whether nothing of it is sent: it is delivered once it is paid. */
    isDownload: p.boolean().default(false),
    paymentMethod: p.text(),
    itemsPrice: p.integer(),
    /** As the shop writes it. */
    discountCode: p.text().nullable(),
    /** cents that the code took off the items */
    discount: p.integer().default(0),
    shippingPrice: p.integer(),
    taxPrice: p.integer(),
    totalPrice: p.integer(),
    /** cents of the total that gift cards pay; kept, too, while they have it back because the order lapsed */
    giftCardAmount: p.integer().default(0),
    /** cents of the total that nobody paid: a gift card was to, and had been spent elsewhere when the rest came late */
    unpaidAmount: p.integer().default(0),
    /** cents of the items that are gift cards */
    giftCardsSold: p.integer().default(0),
    /** cents of the total that are tax which prices have in them */
    includedTax: p.integer().default(0),
    /** Of its tax, in basis points; null for orders from before it was kept. */
    taxBasisPoints: p.float().columnType('double precision').nullable(),
    /** Of what is taxed less; null where nothing is. */
    reducedTaxBasisPoints: p.float().columnType('double precision').nullable(),
    /** cents of items, and of shipping where that is taxed, that are taxed less */
    reducedTaxed: p.integer().default(0),
    /** cents of the tax that are owed for those */
    reducedTax: p.integer().default(0),
    paidAt: p.datetime().nullable(),
    /** When the first parcel left, and when the last. */
    firstSentAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    /** When the hold on the stock ran out and the stock went back. */
    lapsedAt: p.datetime().nullable(),
    heldUntil: p.datetime().nullable(),
    /** Its stock has gone back by then, too: `lapsedAt` is set. */
    cancelledAt: p.datetime().nullable(),
    /** When the shopper first wanted to pay, since it holds its stock. */
    paymentStartedAt: p.datetime().nullable(),
    /** SHA-256 of the network it was placed from, while it holds stock. */
    placedFrom: p.text().nullable(),
    /** cents that went back to the shopper or are on their way: the sum of the refunds that did not fail */
    refundedAmount: p.integer().default(0),
    paypalOrderId: p.text().nullable(),
    /** Since when the reconciler watches the PayPal order; null when there is nothing to find out. */
    paypalWatchedFrom: p.datetime().nullable(),
    /** When the reconciler last asked PayPal about it. */
    paypalCheckedAt: p.datetime().nullable(),
    /** Counts PayPal orders made for this order, so that each has a request id of its own. */
    paymentAttempt: p.integer().default(0),
    idempotencyKey: p.text().nullable(),
    idempotencyHash: p.text().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
  },
})

/** Until when the stock is held for a payment that starts now. */
export const paymentHold = (now: Date, holdMinutes: number) => new Date(now.getTime() + holdMinutes * 60_000)

export class Order extends OrderSchema.class {
  declare [OptionalProps]?:
    'reference' | 'isGuests' | 'isPickup' | 'owner' | 'status' | 'charge' | 'isPaid' | 'isDelivered' | 'isRefunded'

  /** From here on the stock is held for as long as a payment may take, or longer if it was. To start again does not prolong it. */
  startPayment(now: Date, holdMinutes: number): void {
    if (this.paymentStartedAt && this.heldUntil) return
    this.paymentStartedAt = now
    const until = paymentHold(now, holdMinutes)
    if (!this.heldUntil || this.heldUntil < until) this.heldUntil = until
  }

  endHold(): void {
    this.heldUntil = null
    this.placedFrom = null
    this.paymentStartedAt = null
  }

  get isGuests(): boolean {
    return this.userId == null
  }

  get owner(): Owner {
    return { userId: this.userId ?? null, guestKey: this.guestKey ?? null }
  }

  /** Whether it is picked up at the shop instead of sent. */
  get isPickup(): boolean {
    return this.shippingAddress.isPickup ?? false
  }

  get reference(): string {
    return `#${this.number}`
  }

  get status(): OrderStatus {
    return orderStatus(this)
  }

  /** cents that are paid by other means than gift cards */
  get charge(): number {
    return this.totalPrice - this.giftCardAmount - this.unpaidAmount
  }

  get isPaid(): boolean {
    return Boolean(this.paidAt)
  }

  get isDelivered(): boolean {
    return Boolean(this.deliveredAt)
  }

  get isRefunded(): boolean {
    return this.isPaid && this.refundedAmount >= this.totalPrice - this.unpaidAmount
  }
}
OrderSchema.setClass(Order)
