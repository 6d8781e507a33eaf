import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import type { LotPortion } from '#schema/rules/lots'
import { DEFAULT_POLICY, priceCart } from '#schema/rules/pricing'
import { readHookSizes, readNeedleSizes } from '#schema/rules/facts/tool-sizes'
import { groupNameOf } from '#schema/rules/variant-name'
import { nth, present, valueAt } from '#schema/rules/present'
import { DEMO_ADMIN, DEMO_SHOPPER } from '../../account/demo-accounts.ts'
import { hashPassword } from '../../account/password.ts'
import { emailKey, User } from '../../account/user.entity.ts'
import { SavedAddress } from '../../address/saved-address.entity.ts'
import { groupsNamed, variesBy } from '../../catalog/group-products.ts'
import { Product } from '../../catalog/product.entity.ts'
import { indexProducts } from '../../catalog/search/index-products.ts'
import { setLots } from '../../catalog/stock.ts'
import { Collection } from '../../collection/collection.entity.ts'
import { putIn } from '../../collection/save-collection.ts'
import { Fulfilment, FulfilmentLine } from '../../fulfilment/fulfilment.entity.ts'
import { Order, OrderItem } from '../../order/order.entity.ts'
import { Payment } from '../../payment/payment.entity.ts'
import { Review } from '../../review/review.entity.ts'
import { catalogue, type SampleProduct } from './catalogue.ts'
import { collections } from './collections.ts'
import { reviewers, reviews } from './reviews.ts'
import { picturesOf } from './sample-pictures.ts'

const DAY = 86_400_000

interface PastOrder<Buyer> {
  buyer: Buyer
  daysAgo: number
  /** Place in the catalogue, and how many. */
  lines: readonly (readonly [place: number, quantity: number])[]
  state: 'delivered' | 'paid' | 'lapsed'
}

/** The past orders of the demo accounts. */
const DEMO_ORDERS: readonly PastOrder<'shopper' | 'admin'>[] = [
  {
    buyer: 'shopper',
    daysAgo: 92,
    lines: [
      [0, 2],
      [9, 1],
    ],
    state: 'delivered',
  },
  { buyer: 'shopper', daysAgo: 31, lines: [[3, 4]], state: 'delivered' },
  {
    buyer: 'shopper',
    daysAgo: 3,
    lines: [
      [5, 1],
      [14, 2],
      [20, 1],
    ],
    state: 'paid',
  },
  { buyer: 'shopper', daysAgo: 1, lines: [[7, 1]], state: 'lapsed' },
  { buyer: 'admin', daysAgo: 12, lines: [[11, 3]], state: 'paid' },
]

/** Three of five reviewers bought what they write about, nine days before they did. */
const bought = (review: number) => review % 5 < 3
const BUSY_DAYS = 60

/** What the reviewers bought: what they wrote about, and a little trade of the last weeks. By reviewer's number. */
function customerOrders(): PastOrder<number>[] {
  const places = new Map(catalogue.map(({ slug }, place) => [slug, place]))
  const reviewed = reviews.flatMap(({ product, reviewer, daysAgo }, review): PastOrder<number>[] =>
    bought(review)
      ? [
          {
            buyer: reviewer,
            daysAgo: daysAgo + 9,
            lines: [[valueAt(places, product), 1 + (review % 4)]],
            state: 'delivered',
          },
        ]
      : [],
  )
  const sent = catalogue.filter(({ isDownload }) => !isDownload).length
  const recent = Array.from({ length: BUSY_DAYS }, (_, day) => day + 1).flatMap(day =>
    Array.from({ length: [1, 0, 2, 1, 0, 1, 3][day % 7] ?? 0 }, (_, nth): PastOrder<number> => {
      const [first, second] = [(day * 11 + nth * 17) % sent, (day * 7 + nth * 29 + 1) % sent]
      const also = second !== first && (day + nth) % 2 === 0 ? [[second, 2] as const] : []
      const state = day > 5 ? 'delivered' : 'paid'
      return {
        buyer: (day * 5 + nth * 3) % reviewers.length,
        daysAgo: day + nth / 5,
        lines: [[first, 1 + ((day + nth) % 3)], ...also],
        state,
      }
    }),
  )
  return [...reviewed, ...recent]
}

const ADDRESS = {
  name: 'Sam Shopper',
  address: '14 Millrace Lane',
  address2: '',
  city: 'Asheville',
  state: 'NC',
  postalCode: '28801',
  country: 'United States',
}

export async function isEmpty(em: EntityManager): Promise<boolean> {
  return (await em.count(Product)) === 0 && (await em.count(User)) === 0
}

/** Fills an empty shop with the sample catalogue, its reviews and the demo accounts, all or nothing. */
export async function seed(em: EntityManager, now = Date.now()): Promise<void> {
  const ago = (days: number) => new Date(now - days * DAY)
  await em.transactional(async tx => {
    const buyers = {
      admin: await account(tx, 'Ada Admin', DEMO_ADMIN, ago(400), true),
      shopper: await account(tx, 'Sam Shopper', DEMO_SHOPPER, ago(200)),
    }
    tx.create(SavedAddress, {
      userId: buyers.shopper.id,
      label: 'Home',
      shippingAddress: ADDRESS,
      isDefault: true,
      createdAt: buyers.shopper.createdAt,
    })
    const writers = await Promise.all(
      reviewers.map(({ name, email }) => account(tx, name, { email, password: v7() }, ago(735))),
    )

    // Newest first is the order of the list.
    const groupIds = await groupsNamed(tx, sampleGroups())
    const products = catalogue.map((sampleProduct, place) => {
      const { slug, picture: _, lots: __, expectedInDays, ...sample } = sampleProduct
      const pictures = picturesOf(sampleProduct)
      const groupId = groupIds.get(groupNameOf(sample.name) ?? '') ?? null
      const createdAt = new Date(now - 740 * DAY - place * 3_600_000)
      const ratings = reviews.filter(({ product }) => product === slug).map(({ rating }) => rating)
      return tx.create(Product, {
        ...sample,
        id: v7({ msecs: createdAt.getTime() }),
        sku: slug.toUpperCase(),
        image: nth(pictures, 0).image,
        storedPictures: pictures,
        expectedOn: expectedInDays ? new Date(now + expectedInDays * DAY).toISOString().slice(0, 10) : null,
        groupId,
        groupPosition: groupId ? placeInGroup(sampleProduct, place) : null,
        numReviews: ratings.length,
        ratingSum: ratings.reduce((sum, rating) => sum + rating, 0),
        createdAt,
        publishedAt: createdAt,
      })
    })
    await tx.flush()
    await indexProducts(
      tx,
      products.map(({ id }) => id),
    )

    for (const [place, { lots }] of catalogue.entries()) if (lots) await setLots(tx, nth(products, place).id, lots)

    const bySlug = new Map(catalogue.map(({ slug }, place) => [slug, nth(products, place)]))
    reviews.forEach(({ product, reviewer, daysAgo, ...said }, review) => {
      const writer = nth(writers, reviewer)
      tx.create(Review, {
        productId: valueAt(bySlug, product).id,
        userId: writer.id,
        name: writer.name,
        ...said,
        verifiedPurchase: bought(review),
        createdAt: ago(daysAgo),
      })
    })

    for (const [position, { products: chosen, ...collection }] of collections.entries()) {
      const { id } = tx.create(Collection, { id: v7(), ...collection, isPublished: true, position, createdAt: ago(90) })
      await tx.flush()
      await putIn(
        tx,
        id,
        chosen.map(slug => valueAt(bySlug, slug).id),
      )
    }

    const sold = new Map<Product, number>()
    const pastOrders: PastOrder<User>[] = [
      ...DEMO_ORDERS.map(order => ({ ...order, buyer: buyers[order.buyer] })),
      ...customerOrders().map(order => ({ ...order, buyer: nth(writers, order.buyer) })),
    ]
    // Oldest first, so that order numbers rise with time.
    for (const { buyer, daysAgo, lines, state } of pastOrders.sort((a, b) => b.daysAgo - a.daysAgo)) {
      const items = lines.map(([place, quantity]) => ({
        product: nth(products, place),
        quantity,
        lots: (nth(catalogue, place).lots ?? []).slice(0, 1).map(({ code }) => ({ code, quantity })),
      }))
      const order = pastOrder(tx, buyer, ago(daysAgo), items, state)
      await tx.flush()
      if (state === 'lapsed') continue
      for (const { product, quantity } of items) {
        sold.set(product, (sold.get(product) ?? 0) + quantity)
        await tx.execute(
          `insert into stock_movements (product_id, order_id, delta, reason, created_at) values (?, ?, ?, 'sold', ?)`,
          [product.id, order.id, -quantity, order.createdAt],
        )
      }
    }
    for (const product of products) {
      const initial = product.countInStock + (sold.get(product) ?? 0)
      if (initial > 0)
        await tx.execute(
          `insert into stock_movements (product_id, delta, reason, created_at) values (?, ?, 'initial', ?)`,
          [product.id, initial, product.createdAt],
        )
    }
  })
}

/** Sizes from the thinnest to the thickest, colours as they are listed. */
function placeInGroup(product: SampleProduct, place: number): number {
  if (variesBy(product) === 'COLOUR') return place + 1
  const [size] = [...(readNeedleSizes(product.knittingNeedle) ?? []), ...(readHookSizes(product.crochetHook) ?? [])]
  return Math.round(present(size).from * 100)
}

/** Of the lines that come in two colours or more. */
function sampleGroups(): Parameters<typeof groupsNamed>[1] {
  const lines = Map.groupBy(catalogue, ({ name }) => groupNameOf(name))
  return [...lines]
    .filter(([name, products]) => name !== null && products.length > 1)
    .map(([name, [first]]) => ({ name: present(name), variesBy: variesBy(present(first)) }))
}

async function account(
  em: EntityManager,
  name: string,
  { email, password }: { email: string; password: string },
  createdAt: Date,
  isAdmin = false,
): Promise<User> {
  return em.create(User, {
    name,
    email,
    emailKey: emailKey(email),
    emailVerifiedAt: createdAt,
    passwordHash: await hashPassword(password),
    isAdmin,
    createdAt,
  })
}

function pastOrder(
  em: EntityManager,
  user: User,
  createdAt: Date,
  lines: { product: Product; quantity: number; lots: LotPortion[] }[],
  state: PastOrder<User>['state'],
): Order {
  const { reduced: _, ...prices } = priceCart(
    lines.map(({ product: { price, weight }, quantity }) => ({ price, weight, quantity })),
    DEFAULT_POLICY,
  )
  const after = (days: number) => new Date(createdAt.getTime() + days * DAY)
  const paidAt = state === 'lapsed' ? null : after(0.01)
  const [sentAt, deliveredAt] = state === 'delivered' ? [after(1), after(4)] : [null, null]
  const order = em.create(Order, {
    id: v7({ msecs: createdAt.getTime() }),
    userId: user.id,
    userName: user.name,
    userEmail: user.email,
    shippingAddress: { ...ADDRESS, name: user.name },
    paymentMethod: 'PayPal',
    ...prices,
    taxBasisPoints: DEFAULT_POLICY.taxBasisPoints,
    paidAt,
    firstSentAt: sentAt,
    sentAt,
    deliveredAt,
    lapsedAt: state === 'lapsed' ? after(0.05) : null,
    createdAt,
  })
  const stamp = order.id.replaceAll('-', '').slice(-12).toUpperCase()
  const parcel =
    sentAt &&
    em.create(Fulfilment, {
      orderId: order.id,
      carrier: 'USPS',
      trackingNumber: `SAMPLE${stamp}`,
      createdAt: sentAt,
      sentAt,
      deliveredAt,
    })
  lines.forEach(({ product, quantity, lots }, position) => {
    const item = em.create(OrderItem, {
      order,
      productId: product.id,
      position,
      sku: product.sku,
      name: product.name,
      image: product.image,
      price: product.price,
      quantity,
      lots,
      fulfilledQuantity: parcel ? quantity : 0,
    })
    if (parcel) em.create(FulfilmentLine, { fulfilment: parcel, item, quantity, lots })
  })
  if (paidAt) {
    em.create(Payment, {
      orderId: order.id,
      paypalOrderId: `SAMPLE${stamp}`,
      captureId: `SAMPLECAPTURE${stamp}`,
      amount: prices.totalPrice,
      createdAt: paidAt,
    })
  }
  return order
}
