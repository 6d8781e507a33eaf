// What `npm run bench -- --orders 1000 1000000` measures: the tables, figures and charts of administrators with so many
// orders, and as many products.
import { performance } from 'node:perf_hooks'
import { styleText } from 'node:util'
import { request } from 'undici'
import { openSession } from '../account/authenticate.ts'
import { User } from '../account/user.entity.ts'
import { connect } from '../db/config.ts'
import { stockUp } from './bench-finding.ts'
import { fillOrders } from './fill-orders.ts'
import { lastOf, present } from '#schema/rules/present'

const TURNS = 15
const WARMING_UP = 3
const BUDGET_MS = 40
/** The most that an operation over the most orders may take, as a multiple of what it takes over the fewest. */
const BUDGET_RATIO = 1.25

const FEW = 'items { id } page pages total totalIsExact'
const ORDERS = `query ($filter: OrderFilter, $sort: OrderSort, $page: Int) { orders(filter: $filter, sort: $sort, page: $page) { page pages total totalIsExact items {
  id reference status user { userId isGuest name email } tags totalPrice createdAt isPaid paidAt isDelivered deliveredAt isRefunded incidents { id message resolvedAt } heldUntil } } }`
const COUNTS = `query ($search: String) { orderCounts(search: $search) { all unpaid paid toSend toDeliver delivered lapsed cancelled needsAttention } }`
const PRODUCTS = `query ($filter: AdminProductFilter, $sort: AdminProductSort, $page: Int) { adminProducts(filter: $filter, sort: $sort, page: $page) { page pages total totalIsExact items {
  id sku name image price compareAtPrice countInStock bellsWaiting category content isDraft version } } }`
const USERS = `query ($filter: UserFilter, $sort: UserSort, $page: Int) { users(filter: $filter, sort: $sort, page: $page) { ${FEW} } }`
const REVIEWS = `query ($filter: ReviewFilter, $sort: ReviewSort, $page: Int) { reviews(filter: $filter, sort: $sort, page: $page) { ${FEW} } }`
const AUDIT = `query ($filter: AuditFilter, $page: Int) { auditLog(filter: $filter, page: $page) { ${FEW} } }`
const DASHBOARD = `query ($period: DashboardPeriod!, $count: Int!) { dashboard(period: $period, count: $count) {
  buckets { date revenue orders averageOrder units } totals { revenue orders } previous { revenue orders }
  bestSellers { productId name units revenue } lowStock { id name countInStock } ordersToDeliver { id reference totalPrice } ordersToDeliverCount ordersNeedingAttentionCount
  newestReviews { id rating comment product { id name } } newsletterSignUps newsletterSignUpsBefore newsletterTotal } }`

const FAR = 50
const descending = (field: string) => ({ sort: { field, direction: 'DESC' } })

const WORK: [title: string, query: string, variables?: object][] = [
  ['nothing: { __typename }', '{ __typename }'],
  ['orders', ORDERS],
  ['orders, a far page', ORDERS, { page: FAR }],
  ['orders, by name', ORDERS, descending('NAME')],
  ['orders, by total', ORDERS, descending('TOTAL')],
  ['orders, by payment, a far page', ORDERS, { ...descending('PAID'), page: FAR }],
  ['orders, delivered', ORDERS, { filter: { status: 'DELIVERED' } }],
  ['orders, to send', ORDERS, { filter: { status: 'TO_SEND' } }],
  ['orders, cancelled', ORDERS, { filter: { status: 'CANCELLED' } }],
  ['orders, of one customer', ORDERS, { filter: { search: 'knitter400@' } }],
  ['orders, of everybody', ORDERS, { filter: { search: 'example.com' } }],
  ['orders, in figures', '{ orderStats { totalOrders productsOrdered fulfilledOrders } }'],
  ['orders, counted by status', COUNTS],
  ['orders, counted in a search', COUNTS, { search: 'knitter400@' }],
  ['products', PRODUCTS],
  ['products, a far page', PRODUCTS, { page: FAR }],
  ['products, by name', PRODUCTS, descending('NAME')],
  ['products, by stock', PRODUCTS, { sort: { field: 'STOCK', direction: 'ASC' } }],
  ['products, by rating', PRODUCTS, descending('RATING')],
  ['products, of a category', PRODUCTS, { filter: { category: 'DK' } }],
  ['products, low in stock', PRODUCTS, { filter: { stock: 'LOW' } }],
  ['products, drafts', PRODUCTS, { filter: { draft: true } }],
  ['products, of a common word', PRODUCTS, { filter: { search: 'merino' } }],
  ['products, of one SKU', PRODUCTS, { filter: { search: 'lot512' } }],
  ['products, in figures', '{ productStats { totalProducts lowStockCount outOfStockCount } }'],
  ['products, on offer', '{ categories }'],
  ['accounts', USERS],
  ['accounts, a far page', USERS, { page: FAR / 5 }],
  ['accounts, by name', USERS, descending('NAME')],
  ['accounts, administrators', USERS, { filter: { role: 'ADMIN' } }],
  ['accounts, of a name', USERS, { filter: { search: 'knitter400@' } }],
  ['accounts, in figures', '{ userStats { totalUsers adminUsers nonAdminUsers } }'],
  ['reviews', REVIEWS],
  ['reviews, of five stars', REVIEWS, { filter: { rating: 5 } }],
  ['reviews, hidden', REVIEWS, { filter: { hidden: true } }],
  ['reviews, of a word', REVIEWS, { filter: { search: 'number 400' } }],
  ['changes', AUDIT],
  ['changes, of orders', AUDIT, { filter: { entity: 'ORDER' } }],
  ['changes, by somebody', AUDIT, { filter: { actor: 'Knitter K 400' } }],
  ['part of a connection of orders', '{ ordersConnection(first: 20) { totalCount edges { cursor node { id } } } }'],
  ['dashboard, 30 days', DASHBOARD, { period: 'DAY', count: 30 }],
  ['dashboard, a year of days', DASHBOARD, { period: 'DAY', count: 365 }],
  ['dashboard, 52 weeks', DASHBOARD, { period: 'WEEK', count: 52 }],
  ['dashboard, 12 months', DASHBOARD, { period: 'MONTH', count: 12 }],
]

export interface MeasuredAdmin {
  p50: number
  slowest: number
  /** Milliseconds of processor time of this process for each answer. Both the shop and its client run in it. */
  cpu: number
  /** Milliseconds of processor time of the database's processes for each answer. */
  databaseCpu: number
  failed: boolean
}

const middleOf = (sorted: readonly number[]) => present(sorted[Math.floor(sorted.length / 2)])

/** Measures each kind of question in milliseconds, asked by one administrator, one request after the other. */
export async function measureAdmin(
  url: string,
  token: string,
  databaseCpu: () => number,
  tell: (title: string, measured: MeasuredAdmin) => void,
): Promise<void> {
  for (const [title, query, variables] of WORK) {
    let failed = false
    const send = async () => {
      const began = performance.now()
      const { body } = await request(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query, variables }),
      })
      failed ||= ((await body.json()) as { errors?: unknown }).errors !== undefined
      return performance.now() - began
    }
    for (let turn = 0; turn < WARMING_UP; turn++) await send()
    const [before, databaseBefore] = [process.cpuUsage(), databaseCpu()]
    const times: number[] = []
    for (let turn = 0; turn < TURNS; turn++) times.push(await send())
    const { user, system } = process.cpuUsage(before)
    times.sort((a, b) => a - b)
    tell(title, {
      p50: middleOf(times),
      slowest: lastOf(times),
      cpu: (user + system) / 1_000 / TURNS,
      databaseCpu: (databaseCpu() - databaseBefore) / TURNS,
      failed,
    })
  }
}

/** Returns a token of the sample's administrator. */
export async function signInAsAdmin(databaseUrl: string): Promise<string> {
  const own = await connect(databaseUrl)
  const em = own.em.fork()
  const token = openSession(em, await em.findOneOrFail(User, { isAdmin: true }))
  await em.flush()
  await own.close()
  return token
}

/** Prints and returns how long administrators wait with so many orders; `open` starts a shop on the database as it is then. */
export async function benchAdmin(
  databaseUrl: string,
  counts: readonly number[],
  databaseCpu: () => number,
  open: () => Promise<{ url: string; close(): Promise<void> }>,
): Promise<({ orders: number; title: string } & MeasuredAdmin)[]> {
  const all: ({ orders: number; title: string } & MeasuredAdmin)[] = []
  const fewest = new Map<string, MeasuredAdmin>()
  for (const count of counts) {
    const filling = performance.now()
    await stockUp(databaseUrl, count)
    await fillOrders(databaseUrl, count)
    const filled = ((performance.now() - filling) / 1_000).toFixed(0)
    const shop = await open()
    console.log(`\n${count.toLocaleString('en-US')} orders and as many products: filled in ${filled} s`)
    await measureAdmin(shop.url, await signInAsAdmin(databaseUrl), databaseCpu, (title, measured) => {
      all.push({ orders: count, title, ...measured })
      console.log(lineOf(title, measured, fewest.get(title)))
      if (!fewest.has(title)) fewest.set(title, measured)
    })
    await shop.close()
  }
  return all
}

function lineOf(title: string, measured: MeasuredAdmin, before: MeasuredAdmin | undefined): string {
  const { p50, slowest, cpu, databaseCpu, failed } = measured
  const held = (isHeld: boolean, text: string) => styleText(isHeld ? 'green' : 'red', text)
  const ratio = before && p50 / before.p50
  return [
    `${title.padEnd(34)} p50 ${p50.toFixed(1).padStart(7)} ms  at most ${slowest.toFixed(1).padStart(7)}`,
    held(p50 <= BUDGET_MS, `budget ${BUDGET_MS}`),
    `${cpu.toFixed(1)} ms CPU and ${databaseCpu.toFixed(1)} of the database`,
    ratio && held(ratio <= BUDGET_RATIO, `${ratio.toFixed(2)}× (budget ${BUDGET_RATIO})`),
    failed && styleText('red', 'failed'),
  ]
    .filter(Boolean)
    .join('   ')
}
