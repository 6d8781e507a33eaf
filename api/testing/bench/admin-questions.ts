import type { Asked } from './bare-load.ts'
import { hoursAgo, type Question } from './questions.ts'

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
  ['orders', ORDERS],
  ['orders, a far page', ORDERS, { page: FAR }],
  ['orders, by name', ORDERS, descending('NAME')],
  ['orders, by total', ORDERS, descending('TOTAL')],
  ['orders, by payment, a far page', ORDERS, { ...descending('PAID'), page: FAR }],
  ['orders, delivered', ORDERS, { filter: { status: 'DELIVERED' } }],
  ['orders, lapsed, by delivery', ORDERS, { filter: { status: 'LAPSED' }, ...descending('DELIVERED') }],
  ['orders, to send, by name', ORDERS, { filter: { status: 'TO_SEND' }, ...descending('NAME') }],
  ['orders, to send', ORDERS, { filter: { status: 'TO_SEND' } }],
  ['orders, cancelled', ORDERS, { filter: { status: 'CANCELLED' } }],
  ['orders, of one customer', ORDERS, { filter: { search: 'knitter400@' } }],
  ['orders, of everybody', ORDERS, { filter: { search: 'example.com' } }],
  ['orders, of everybody, by name', ORDERS, { filter: { search: 'example.com' }, ...descending('NAME') }],
  ['orders, changed today', ORDERS, { filter: { updatedFrom: hoursAgo(24) } }],
  ['orders, in figures', '{ orderStats { totalOrders productsOrdered fulfilledOrders } }'],
  ['orders, counted by status', COUNTS],
  ['orders, counted in a search', COUNTS, { search: 'knitter400@' }],
  ['orders, counted in a search for everybody', COUNTS, { search: 'example.com' }],
  ['products', PRODUCTS],
  ['products, a far page', PRODUCTS, { page: FAR }],
  ['products, by name', PRODUCTS, descending('NAME')],
  ['products, by stock', PRODUCTS, { sort: { field: 'STOCK', direction: 'ASC' } }],
  ['products, by rating', PRODUCTS, descending('RATING')],
  ['products, of a category', PRODUCTS, { filter: { category: 'DK' } }],
  ['products, of a category, by name', PRODUCTS, { filter: { category: 'DK' }, ...descending('NAME') }],
  ['products, of a category, by price', PRODUCTS, { filter: { category: 'DK' }, ...descending('PRICE') }],
  ['products, low in stock', PRODUCTS, { filter: { stock: 'LOW' } }],
  ['products, low in stock, by name', PRODUCTS, { filter: { stock: 'LOW' }, ...descending('NAME') }],
  ['products, drafts', PRODUCTS, { filter: { draft: true } }],
  ['products, of a common word', PRODUCTS, { filter: { search: 'merino' } }],
  ['products, of a common word, by name', PRODUCTS, { filter: { search: 'merino' }, ...descending('NAME') }],
  ['products, of a common word, sold out', PRODUCTS, { filter: { search: 'merino', stock: 'OUT' } }],
  ['products, of part of a SKU that many have', PRODUCTS, { filter: { search: 'lot5' } }],
  ['products, of one SKU', PRODUCTS, { filter: { search: 'lot512' } }],
  ['products, in figures', '{ productStats { totalProducts lowStockCount outOfStockCount } }'],
  ['products, on offer', '{ categories }'],
  ['accounts', USERS],
  ['accounts, a far page', USERS, { page: FAR / 5 }],
  ['accounts, by name', USERS, descending('NAME')],
  ['accounts, administrators', USERS, { filter: { role: 'ADMIN' } }],
  ['accounts, of a name', USERS, { filter: { search: 'knitter400@' } }],
  ['accounts, of a common word', USERS, { filter: { search: 'knitter' } }],
  ['accounts, of part of an address, by name', USERS, { filter: { search: 'example.com' }, ...descending('NAME') }],
  ['accounts, changed today', USERS, { filter: { updatedFrom: hoursAgo(24) } }],
  ['accounts, in figures', '{ userStats { totalUsers adminUsers nonAdminUsers } }'],
  ['reviews', REVIEWS],
  ['reviews, of five stars', REVIEWS, { filter: { rating: 5 } }],
  ['reviews, hidden', REVIEWS, { filter: { hidden: true } }],
  ['reviews, of a word', REVIEWS, { filter: { search: 'number 400' } }],
  ['reviews, of a common word', REVIEWS, { filter: { search: 'soft round' } }],
  ['reviews, changed today', REVIEWS, { filter: { updatedFrom: hoursAgo(24) } }],
  ['changes', AUDIT],
  ['changes, of orders', AUDIT, { filter: { entity: 'ORDER' } }],
  ['changes, by somebody', AUDIT, { filter: { actor: 'Knitter K 400' } }],
  ['part of a connection of orders', '{ ordersConnection(first: 20) { totalCount edges { cursor node { id } } } }'],
  ['dashboard, 30 days', DASHBOARD, { period: 'DAY', count: 30 }],
  ['dashboard, a year of days', DASHBOARD, { period: 'DAY', count: 365 }],
  ['dashboard, 52 weeks', DASHBOARD, { period: 'WEEK', count: 52 }],
  ['dashboard, 12 months', DASHBOARD, { period: 'MONTH', count: 12 }],
]

/** What one administrator asks for: tables, figures and charts, one after the other. */
export const adminQuestions = (token: string): Question[] =>
  WORK.map(([title, query, variables]) => ({
    title,
    ask: (): Asked => ({ path: '/graphql', body: { query, variables }, token }),
    withinMs: 40,
  }))
