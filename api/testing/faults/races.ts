import { randomUUID } from 'node:crypto'
import { lapseOrders } from '../../order/lapse-orders.ts'
import { connectPaypal } from '../../payment/connect-paypal.ts'
import type { Paypal } from '../../payment/paypal.ts'
import { SIMULATED_ACCOUNT } from '../../../tools/paypal-simulator/simulator.ts'
import { sign } from '../../../tools/paypal-simulator/webhooks.ts'
import { line, makeProducts, makeShoppers, type Shopper } from './goods.ts'
import type { Ground } from './ground.ts'
import { buyerApproves, capture, openPayment } from './paying.ts'
import { ask, isFailure, mutate, patiently, placeOrder, type Outcome } from './requests.ts'
import { exactly, none, shuffled, type Scenario } from './scenario.ts'
import { nth, present } from '#schema/rules/present'

/** What a round works on. It is new in each round, so that everything can still happen to it. */
interface World {
  ground: Ground
  paypal: Paypal
  /** The only two administrators there are. */
  admins: [Shopper, Shopper]
  buyer: Shopper
  products: [string, string]
  /** Approved at PayPal and not yet paid. */
  order: { id: string; paypalOrderId: string }
  /** Paid. */
  paid: string
  email: string
}

type Write = (world: World, index: number) => Promise<Outcome>

const CHANGED = '{ userErrors { code } }'

/** Every operation that writes money, stock, orders, reviews or accounts. */
const WRITES: Record<string, Write> = {
  place: ({ ground, buyer, products }) =>
    placeOrder(
      ground.url,
      buyer.token,
      products.map(id => line(id)),
    ),
  pay: ({ ground, buyer, order }) => capture(ground.url, buyer.token, order.id, order.paypalOrderId),
  webhook,
  lapse: async ({ ground, order }) => {
    await ground.sql('update orders set held_until = now() where id = ? and held_until is not null', [order.id])
    await lapseOrders(ground.em(), new Date(Date.now() + 1_000))
    return { code: 'ok', data: null, status: 200 }
  },
  deliver: ({ ground, admins, order, paid }, index) =>
    mutate(ground.url, nth(admins, index % 2).token, `($ids: [ID!]!) { deliverOrders(ids: $ids) ${CHANGED} }`, {
      ids: index % 3 ? [paid] : [order.id],
    }),
  refund: ({ ground, admins, paid }, index) =>
    mutate(
      ground.url,
      nth(admins, index % 2).token,
      `($id: ID!, $key: String!) { refundOrder(orderId: $id, amount: 1500, idempotencyKey: $key) ${CHANGED} }`,
      { id: paid, key: `key ${index % 3}` },
    ),
  save: ({ ground, admins, products }, index) =>
    mutate(
      ground.url,
      nth(admins, index % 2).token,
      `($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) ${CHANGED} }`,
      { id: products[index % 2], input: { countInStock: 3 + index, price: 2_000 + index } },
    ),
  bulk: ({ ground, admins, products }, index) =>
    mutate(
      ground.url,
      nth(admins, index % 2).token,
      `($ids: [ID!]!, $change: BulkProductChange!) { bulkUpdateProducts(ids: $ids, change: $change) ${CHANGED} }`,
      { ids: index % 2 ? products : products.toReversed(), change: index % 3 ? { stockBy: 1 } : { priceByCents: 10 } },
    ),
  archive: ({ ground, admins, products }, index) =>
    mutate(ground.url, nth(admins, index % 2).token, `($id: ID!) { deleteProduct(id: $id) ${CHANGED} }`, {
      id: products[index % 2],
    }),
  review: async ({ ground, admins, buyer, products }, index) => {
    const written = await mutate(
      ground.url,
      buyer.token,
      `($id: ID!, $rating: Int!) { createReview(productId: $id, input: { rating: $rating, comment: "Soft." }) { review { id } userErrors { code } } }`,
      { id: products[0], rating: 1 + (index % 5) },
    )
    const [known] = await ground.sql<{ id: string }>('select id from reviews where product_id = ? and user_id = ?', [
      products[0],
      buyer.id,
    ])
    if (!known) return written
    const field = index % 2 ? 'hideReview(id: $id, reason: "Spam")' : 'restoreReview(id: $id)'
    return mutate(ground.url, nth(admins, index % 2).token, `($id: ID!) { ${field} ${CHANGED} }`, { id: known.id })
  },
  // Each removes the other.
  administrators: ({ ground, admins }, index) => {
    const [actor, other] = index % 2 ? admins : [admins[1], admins[0]]
    return index % 4 < 2
      ? mutate(ground.url, actor.token, `($id: ID!) { deleteUser(id: $id) ${CHANGED} }`, { id: other.id })
      : mutate(
          ground.url,
          actor.token,
          `($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) ${CHANGED} }`,
          { id: other.id, input: { name: 'Nell', email: other.email, isAdmin: false } },
        )
  },
  register: ({ ground, buyer, email }, index) =>
    index % 2
      ? mutate(ground.url, undefined, `($input: RegisterInput!) { register(input: $input) ${CHANGED} }`, {
          input: { name: 'Nell', email: index % 4 < 2 ? email : email.toUpperCase(), password: 'knit one, purl two' },
        })
      : mutate(ground.url, buyer.token, `($input: ProfileInput!) { updateProfile(input: $input) ${CHANGED} }`, {
          input: { name: `Nell ${index}`, email },
        }),
}

const NAMES = Object.keys(WRITES)
const PAIRS = NAMES.flatMap((first, index) => NAMES.slice(index).map(second => [first, second] as const))

/** Runs each write at the same moment as every other one, and as itself. */
export const races: Scenario = {
  name: 'races',
  full: { rounds: 10, crowd: 4 },
  short: { rounds: 1 / 6, crowd: 3 },
  async run(ground, { rounds, crowd, random }) {
    const paypal = connectPaypal({ baseUrl: ground.simulator.url, ...SIMULATED_ACCOUNT })
    const deadlocks = async () =>
      nth(
        await ground.sql<{ deadlocks: number }>(
          'select deadlocks::int from pg_stat_database where datname = current_database()',
        ),
        0,
      ).deadlocks
    const [before, failures, broken] = [await deadlocks(), [] as string[], [] as string[]]
    // A sixth of a round is a sixth of the pairs.
    const pairs = shuffled(PAIRS, random).slice(0, Math.ceil(PAIRS.length * rounds))
    for (const pair of pairs) {
      for (let round = 0; round < rounds; round++) {
        const world = await makeWorld(ground, paypal)
        const racing = Array.from({ length: crowd }, (_, index) => pair.map(name => ({ name, index }))).flat()
        await Promise.all(
          shuffled(racing, random).map(async ({ name, index }) => {
            const outcome = await present(WRITES[name])(world, index)
            if (isFailure(outcome))
              failures.push(`${pair.join(' and ')}: ${name} answered ${outcome.status} ${outcome.code}`)
          }),
        )
        if (round + 1 >= rounds) broken.push(...(await ground.broken()).map(what => `${pair.join(' and ')}: ${what}`))
      }
    }
    return [
      none(`invariants broken after any of ${pairs.length} pairs`, broken),
      none('failures', failures),
      exactly('deadlocks counted by PostgreSQL', 0, (await deadlocks()) - before),
    ]
  },
}

async function makeWorld(ground: Ground, paypal: Paypal): Promise<World> {
  const { sql, url } = ground
  await sql('update users set is_admin = false where is_admin')
  const [admins, [buyer], products] = await Promise.all([
    makeShoppers(sql, 2, { isAdmin: true }),
    makeShoppers(sql, 1),
    makeProducts(sql, [8, 8]),
  ])
  const [order, paid] = await Promise.all(
    [0, 1].map(async () => {
      const { data } = await patiently(() =>
        placeOrder(
          url,
          present(buyer).token,
          products.map(id => line(id)),
        ),
      )
      const { paypalOrderId } = (await patiently(() => openPayment(url, present(buyer).token, data.id))).data
      await buyerApproves(ground.simulator, paypalOrderId)
      return { id: data.id as string, paypalOrderId: paypalOrderId as string }
    }),
  )
  await patiently(() => capture(url, present(buyer).token, present(paid).id, present(paid).paypalOrderId))
  return {
    ground,
    paypal,
    admins: admins as [Shopper, Shopper],
    buyer: present(buyer),
    products: products as [string, string],
    order: present(order),
    paid: present(paid).id,
    email: `${randomUUID()}@example.com`,
  }
}

/** Sends PayPal's event about a capture that the client itself made. */
async function webhook({ ground, paypal, order }: World): Promise<Outcome> {
  const captured = await paypal.captureOrder(order.paypalOrderId, 'by-the-client').catch(() => null)
  const event = {
    id: `WH-${randomUUID()}`,
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: {
      id: captured?.capture?.id ?? '',
      custom_id: order.id,
      supplementary_data: { related_ids: { order_id: order.paypalOrderId } },
    },
  }
  const { body, headers } = sign(ground.simulator.url, event)
  const { status, json } = await ask(`${ground.url}/api/webhooks/paypal`, { body: Buffer.from(body), headers })
  return { status, data: json, code: status === 200 ? 'ok' : (json.code ?? `status ${status}`) }
}
