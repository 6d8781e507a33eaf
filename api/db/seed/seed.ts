import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { DEFAULT_POLICY, priceCart } from '#schema/rules/pricing'
import { hashPassword } from '../../account/password.ts'
import { emailKey, User } from '../../account/user.entity.ts'
import { Product } from '../../catalog/product.entity.ts'
import { Order, OrderItem } from '../../order/order.entity.ts'
import { Payment } from '../../payment/payment.entity.ts'
import { Review } from '../../review/review.entity.ts'
import { catalogue } from './catalogue.ts'
import { reviewers, reviews } from './reviews.ts'

const DAY = 86_400_000

/** The past orders of the demo accounts: whose, how long ago, what, and how far they got. */
const pastOrders = [
  { buyer: 'shopper', daysAgo: 92, lines: [[0, 2], [9, 1]], state: 'delivered' },
  { buyer: 'shopper', daysAgo: 31, lines: [[3, 4]], state: 'delivered' },
  { buyer: 'shopper', daysAgo: 3, lines: [[5, 1], [14, 2], [20, 1]], state: 'paid' },
  { buyer: 'shopper', daysAgo: 1, lines: [[7, 1]], state: 'lapsed' },
  { buyer: 'admin', daysAgo: 12, lines: [[11, 3]], state: 'paid' },
] as const

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
      admin: await account(tx, 'Ada Admin', 'admin@example.com', 'knit-purl-admin', ago(400), true),
      shopper: await account(tx, 'Sam Shopper', 'shopper@example.com', 'knit-purl-shopper', ago(200)),
    }
    const writers = await Promise.all(reviewers.map(({ name, email }) => account(tx, name, email, v7(), ago(720))))

    // Newest first is the order of the list.
    const products = catalogue.map(({ slug, picture: _, ...sample }, place) => {
      const createdAt = new Date(now - 30 * DAY - place * 3_600_000)
      const ratings = reviews.filter(({ product }) => product === slug).map(({ rating }) => rating)
      return tx.create(Product, {
        ...sample,
        id: v7({ msecs: createdAt.getTime() }),
        sku: slug.toUpperCase(),
        image: `/images/${slug}.webp`,
        numReviews: ratings.length,
        ratingSum: ratings.reduce((sum, rating) => sum + rating, 0),
        createdAt,
        publishedAt: createdAt,
      })
    })
    await tx.flush()

    const bySlug = new Map(catalogue.map(({ slug }, place) => [slug, products[place]!]))
    for (const { product, reviewer, rating, comment, daysAgo } of reviews) {
      const writer = writers[reviewer]!
      tx.create(Review, { productId: bySlug.get(product)!.id, userId: writer.id, name: writer.name, rating, comment, verifiedPurchase: false, createdAt: ago(daysAgo) })
    }

    const sold = new Map<Product, number>()
    for (const { buyer, daysAgo, lines, state } of pastOrders) {
      const items = lines.map(([place, quantity]) => ({ product: products[place]!, quantity }))
      const order = pastOrder(tx, buyers[buyer], ago(daysAgo), items, state)
      await tx.flush()
      if (state === 'lapsed') continue
      for (const { product, quantity } of items) {
        sold.set(product, (sold.get(product) ?? 0) + quantity)
        await tx.execute(`insert into stock_movements (product_id, order_id, delta, reason, created_at) values (?, ?, ?, 'sold', ?)`, [product.id, order.id, -quantity, order.createdAt])
      }
    }
    for (const product of products) {
      const initial = product.countInStock + (sold.get(product) ?? 0)
      if (initial > 0) await tx.execute(`insert into stock_movements (product_id, delta, reason, created_at) values (?, ?, 'initial', ?)`, [product.id, initial, product.createdAt])
    }
  })
}

async function account(em: EntityManager, name: string, email: string, password: string, createdAt: Date, isAdmin = false): Promise<User> {
  return em.create(User, { name, email, emailKey: emailKey(email), passwordHash: await hashPassword(password), isAdmin, createdAt })
}

function pastOrder(em: EntityManager, user: User, createdAt: Date, lines: { product: Product; quantity: number }[], state: 'delivered' | 'paid' | 'lapsed'): Order {
  const prices = priceCart(lines.map(({ product: { price, weight }, quantity }) => ({ price, weight, quantity })), DEFAULT_POLICY)
  const after = (days: number) => new Date(createdAt.getTime() + days * DAY)
  const paidAt = state === 'lapsed' ? null : after(0.01)
  const order = em.create(Order, {
    userId: user.id,
    userName: user.name,
    userEmail: user.email,
    shippingAddress: { ...ADDRESS, name: user.name },
    paymentMethod: 'PayPal',
    ...prices,
    paidAt,
    deliveredAt: state === 'delivered' ? after(4) : null,
    lapsedAt: state === 'lapsed' ? after(0.05) : null,
    createdAt,
  })
  lines.forEach(({ product, quantity }, position) => {
    em.create(OrderItem, { order, productId: product.id, position, name: product.name, image: product.image, price: product.price, quantity })
  })
  if (paidAt) {
    const stamp = createdAt.getTime().toString(36).toUpperCase()
    em.create(Payment, { orderId: order.id, paypalOrderId: `SAMPLE${stamp}`, captureId: `SAMPLECAPTURE${stamp}`, amount: prices.totalPrice, createdAt: paidAt })
  }
  return order
}
