import { fromDecimal } from '#schema/rules/money'
import { Problem } from '../http/problem.ts'

/** Dollars as a number or text, such as 12.5 or "12.50", to whole cents. */
export function dollarsToCents(dollars: number | string): number {
  const cents = fromDecimal(String(dollars).trim())
  if (cents === null) throw new Problem(400, 'BAD_USER_INPUT', 'price must be dollars with at most two decimals.')
  return cents
}

const ERRORS = 'userErrors { code message field available }'
const USER = '{ id name email isAdmin }'
const PRODUCT = `id name image pictures { image alt width height } description weight length gauge knittingNeedle crochetHook recommendedCare content category price compareAtPrice onSaleUntil
  countInStock rating numReviews createdAt`
const FULFILMENT = `{ id status carrier trackingNumber trackingUrl lines { item { productId sku name } quantity lots { code quantity } } createdAt sentAt deliveredAt cancelledAt }`
const ORDER = `{ id reference user { userId name email isGuest } items { productId sku name image price quantity lots { code quantity } fulfilledQuantity discount }
  shippingAddress { name address address2 city state postalCode country } paymentMethod
  itemsPrice discountCode discount shippingPrice taxPrice totalPrice isPaid paidAt isDelivered deliveredAt sentAt
  fulfilments ${FULFILMENT} createdAt }`
const LINES = `{ lines { index productId sku price countInStock version ${ERRORS} } changed ${ERRORS} }`
const CODE = `{ id code isSeries description terms { kind basisPoints amount minimum productIds categories startsAt endsAt }
  isForFirstOrder maxUses maxUsesPerPerson status pausedAt createdAt figures { uses paidOrders revenue discountGiven } }`
const PAGE = `{ page pages items { ${PRODUCT} } }`

/** The GraphQL operation behind each REST call. */
export const OPERATIONS = {
  login: `mutation ($email: String!, $password: String!, $code: String) { login(email: $email, password: $password, code: $code) { user ${USER} token ${ERRORS} } }`,
  register: `mutation ($input: RegisterInput!) { register(input: $input) { user ${USER} token ${ERRORS} } }`,
  logout: 'mutation { logout }',
  updateProfile: `mutation ($input: ProfileInput!) { updateProfile(input: $input) { user ${USER} token ${ERRORS} } }`,
  users: `{ users { items ${USER} } }`,
  user: `query ($id: ID!) { user(id: $id) ${USER} }`,
  updateUser: `mutation ($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { user ${USER} ${ERRORS} } }`,
  deleteUser: `mutation ($id: ID!) { deleteUser(id: $id) { ${ERRORS} } }`,
  products: `query ($keyword: String, $page: Int!, $filter: ProductFilter, $sort: ProductSort) { products(keyword: $keyword, page: $page, filter: $filter, sort: $sort) ${PAGE} }`,
  topRated: `query ($keyword: String, $page: Int!, $filter: ProductFilter) { topRatedProducts(keyword: $keyword, page: $page, filter: $filter) ${PAGE} }`,
  product: `query ($id: ID!) { product(id: $id) { ${PRODUCT} reviews { items { id userId name rating comment needleMm gauge project pictures { image alt width height } helpful answer { text answeredAt } createdAt } } } }`,
  productStats: '{ productStats { totalProducts lowStockCount outOfStockCount } }',
  createProduct: `mutation { createProduct { product { ${PRODUCT} } ${ERRORS} } }`,
  adjustStock: `mutation ($lines: [StockLineInput!]!, $idempotencyKey: String) { adjustStock(lines: $lines, idempotencyKey: $idempotencyKey) ${LINES} }`,
  setProducts: `mutation ($lines: [ProductLineInput!]!, $idempotencyKey: String) { setProducts(lines: $lines, idempotencyKey: $idempotencyKey) ${LINES} }`,
  updateProduct: `mutation ($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { product { ${PRODUCT} } ${ERRORS} } }`,
  deleteProduct: `mutation ($id: ID!) { deleteProduct(id: $id) { ${ERRORS} } }`,
  createReview: `mutation ($id: ID!, $input: ReviewInput!) { createReview(productId: $id, input: $input) { ${ERRORS} } }`,
  uploadReviewPicture: `mutation ($file: Upload!) { uploadReviewPicture(file: $file) { image ${ERRORS} } }`,
  uploadPicture: `mutation ($file: Upload!) { uploadPicture(file: $file) { image ${ERRORS} } }`,
  placeOrder: `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order ${ORDER} orderToken ${ERRORS} } }`,
  order: `query ($id: ID!) { order(id: $id) ${ORDER} }`,
  myOrders: `{ myOrders ${ORDER} }`,
  orders: `{ orders { items ${ORDER} } }`,
  deliverOrder: `mutation ($id: ID!) { deliverOrder(id: $id) { order ${ORDER} ${ERRORS} } }`,
  fulfilOrder: `mutation ($id: ID!, $lines: [FulfilmentLineInput!], $carrier: String, $trackingNumber: String, $trackingUrl: String, $isSent: Boolean!, $idempotencyKey: String) {
    fulfilOrder(id: $id, lines: $lines, carrier: $carrier, trackingNumber: $trackingNumber, trackingUrl: $trackingUrl, isSent: $isSent, idempotencyKey: $idempotencyKey) { fulfilment ${FULFILMENT} ${ERRORS} } }`,
  createPaypalOrder: `mutation ($id: ID!) { createPaypalOrder(orderId: $id) { paypalOrderId ${ERRORS} } }`,
  capturePaypalOrder: `mutation ($id: ID!, $paypalOrderId: ID!) { capturePaypalOrder(orderId: $id, paypalOrderId: $paypalOrderId) { captureId order ${ORDER} ${ERRORS} } }`,
  cancelOrder: `mutation ($id: ID!) { cancelOrder(id: $id) { order ${ORDER} ${ERRORS} } }`,
  payOrder: `mutation ($id: ID!, $paypalOrderId: ID!) { payOrder(orderId: $id, paypalOrderId: $paypalOrderId) { order ${ORDER} ${ERRORS} } }`,
  discountCodes: `query ($page: Int!) { discountCodes(page: $page) { page pages items ${CODE} } }`,
  createDiscountCode: `mutation ($input: DiscountCodeInput!) { createDiscountCode(input: $input) { discountCode ${CODE} ${ERRORS} } }`,
  updateDiscountCode: `mutation ($id: ID!, $input: DiscountCodePatch!) { updateDiscountCode(id: $id, input: $input) { discountCode ${CODE} ${ERRORS} } }`,
  paypalConfig: '{ paypalConfig { clientId } }',
} as const
