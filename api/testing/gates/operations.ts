import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql'
import { schema } from '../../schema.ts'
import { upload } from '../admin.ts'
import { firstResult } from '../live.ts'
import { ADDRESS } from '../purchase.ts'
import type { Answer, Identity, TestShop } from '../shop.ts'
import { present } from '#schema/rules/present'

export type Root = 'Query' | 'Mutation' | 'Subscription'

export function rootFields(root: Root): GraphQLField<unknown, unknown>[] {
  const type = schema.getType(root)
  return isObjectType(type) ? Object.values(type.getFields()) : []
}

/** The things that the operations below refer to. */
export interface World {
  productId: string
  discontinuedId: string
  orderId: string
  userId: string
}

/** An id that nothing has. */
const collectionOf = (productId: string) => ({
  name: 'Gifts for knitters',
  description: 'Small and soft.',
  isPublished: false,
  productIds: [productId],
})
const NOWHERE = '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'

const FILTER = { kind: ['YARN', 'KIT'], category: 'Worsted', priceFrom: 100, priceTo: 100_000, inStock: true }

let serial = 0
const freshEmail = () => `someone${++serial}@example.org`

const PRODUCT = {
  name: 'Fen Merino',
  image: '/images/fen-merino.webp',
  description: 'Soft.',
  weight: '100 g',
  length: '210 m',
  gauge: '20 sts',
  knittingNeedle: '4.5 mm',
  crochetHook: '5 mm',
  recommendedCare: 'Hand wash',
  content: 'merino',
  category: 'Worsted',
  price: 2400,
  countInStock: 12,
  version: null,
}

const annotation = () => ({
  note: 'Wrap it.',
  tags: ['gift'],
  externalIds: [{ namespace: 'erp', value: `A-${++serial}` }],
})

/** Valid arguments of every operation, by root field. */
export const ARGUMENTS: Record<string, (world: World) => Record<string, unknown>> = {
  shop: () => ({}),
  pages: () => ({}),
  page: () => ({ slug: 'about' }),
  sendMessage: () => ({ input: { name: 'Nell', email: freshEmail(), message: 'Hello' } }),
  adminAnnouncement: () => ({}),
  updateAnnouncement: () => ({ input: { text: 'Closed until Monday', version: 1 } }),
  updatePage: () => ({ slug: 'about', input: { title: 'About us', markdown: 'We knit.', version: 1 } }),
  node: ({ productId }) => ({ id: productId }),
  nodes: ({ productId }) => ({ ids: [productId] }),
  productsConnection: () => ({
    first: 10,
    keyword: 'yarn',
    filter: FILTER,
    sort: { field: 'NAME', direction: 'ASC' },
  }),
  products: () => ({ keyword: 'yarn', page: 1, filter: FILTER, sort: { field: 'PRICE_PER_100_M', direction: 'ASC' } }),
  topRatedProducts: () => ({ keyword: 'yarn', page: 1, filter: FILTER }),
  searchSuggestions: () => ({ typed: 'meri' }),
  noteSearchClick: () => ({ keyword: 'merino' }),
  searchTerms: () => ({ days: 30, outcome: 'NOT_FOUND', page: 1 }),
  synonyms: () => ({}),
  saveSynonym: () => ({ input: { words: ['hap', 'shawl'] } }),
  deleteSynonym: () => ({ id: '1000000' }),
  customersAlsoViewed: () => ({}),
  wallOfColour: () => ({}),
  product: ({ productId }) => ({ id: productId }),
  discontinuedProduct: ({ discontinuedId }) => ({ id: discontinuedId }),
  productGroup: () => ({ id: NOWHERE }),
  productGroups: () => ({ search: 'sock' }),
  collections: () => ({}),
  collection: () => ({ slug: 'gifts-for-knitters' }),
  adminCollections: () => ({}),
  adminCollection: () => ({ id: NOWHERE }),
  createCollection: ({ productId }) => ({ input: collectionOf(productId) }),
  updateCollection: ({ productId }) => ({ id: NOWHERE, input: { ...collectionOf(productId), version: 1 } }),
  addToCollection: ({ productId }) => ({ id: NOWHERE, productIds: [productId] }),
  deleteCollection: () => ({ id: NOWHERE }),
  orderCollections: () => ({ ids: [] }),
  productStats: () => ({}),
  adminProducts: () => ({ page: 1 }),
  viewer: () => ({}),
  users: () => ({}),
  user: ({ userId }) => ({ id: userId }),
  quoteOrderFor: ({ productId }) => ({ customerEmail: 'nell@example.com', lines: [{ productId, quantity: 1 }] }),
  quoteCart: ({ productId }) => ({ lines: [{ productId, quantity: 1 }], code: 'CASTON15' }),
  cart: () => ({}),
  createCart: ({ productId }) => ({
    input: { lines: [{ productId, quantity: 1 }], code: 'CASTON15', shippingAddress: ADDRESS },
  }),
  changeCart: ({ productId }) => ({ input: { lines: [{ productId, add: 1 }], idempotencyKey: `key-${++serial}` } }),
  mergeCart: () => ({ id: 'A'.repeat(43) }),
  order: ({ orderId }) => ({ id: orderId }),
  myOrders: () => ({}),
  myDownloads: () => ({}),
  orders: () => ({}),
  ordersConnection: () => ({
    last: 10,
    filter: { search: 'Nell', from: '2026-11-01T00:00:00.000Z', to: null },
    sort: { field: 'TOTAL', direction: 'ASC' },
  }),
  usersConnection: () => ({ first: 10, filter: { role: 'USER' }, sort: { field: 'CREATED', direction: 'ASC' } }),
  newsletterSubscribers: () => ({ last: 10 }),
  reviewsConnection: () => ({ first: 10, filter: { hidden: false }, sort: { field: 'CREATED', direction: 'ASC' } }),
  export: () => ({ id: NOWHERE }),
  exports: () => ({ page: 1 }),
  orderStats: () => ({}),
  paypalConfig: () => ({}),
  stash: () => ({}),
  addToStash: ({ productId }) => ({ productId }),
  removeFromStash: ({ productId }) => ({ productId }),
  addresses: () => ({}),
  addAddress: () => ({ input: { label: 'Home', shippingAddress: ADDRESS, isDefault: true } }),
  updateAddress: () => ({ id: NOWHERE, input: { shippingAddress: ADDRESS } }),
  removeAddress: () => ({ id: NOWHERE }),
  bells: () => ({}),
  addBell: ({ productId }) => ({ productId, email: freshEmail() }),
  removeBell: ({ productId }) => ({ productId }),
  confirmBell: () => ({ token: 'A'.repeat(43) }),
  stopBells: () => ({ token: 'A'.repeat(43) }),
  createProduct: () => ({ input: PRODUCT }),
  copyProduct: ({ productId }) => ({ id: productId }),
  updateProductGroup: () => ({
    id: NOWHERE,
    input: { name: 'Ninepin Sock', maker: 'Ninepin', variesBy: 'COLOUR', productIds: [NOWHERE] },
  }),
  updateProduct: ({ productId }) => ({ id: productId, input: PRODUCT }),
  deleteProduct: ({ productId }) => ({ id: productId }),
  createReview: ({ productId }) => ({
    productId,
    input: { rating: 5, comment: 'Lovely to stitch.', needle: '4.5 mm', gauge: 21, project: 'A hat' },
  }),
  uploadReviewPicture: () => ({ file: new File(['no picture'], 'picture.jpg') }),
  removeReviewPicture: () => ({ id: NOWHERE, image: '/uploads/review-none.webp' }),
  markReviewHelpful: () => ({ id: NOWHERE, helpful: true }),
  register: () => ({ input: { name: 'Nell', email: freshEmail(), password: 'knit one, purl two' } }),
  login: () => ({ email: freshEmail(), password: 'knit one, purl two' }),
  signInWithProvider: () => ({ input: { credential: { ticket: 'of nobody' } } }),
  linkIdentity: () => ({ credential: { ticket: 'of nobody' }, proof: { currentPassword: 'knit one, purl two' } }),
  unlinkIdentity: ({ userId }) => ({ id: userId, proof: { currentPassword: 'knit one, purl two' } }),
  logout: () => ({}),
  requestPasswordReset: () => ({ email: freshEmail() }),
  resetPassword: () => ({ token: 'A'.repeat(43), password: 'knit one, purl two' }),
  requestEmailConfirmation: () => ({}),
  confirmEmail: () => ({ token: 'A'.repeat(43) }),
  cancelEmailChange: () => ({}),
  deleteAccount: () => ({ proof: { currentPassword: 'knit one, purl two', code: null } }),
  exportAccount: () => ({ proof: { currentPassword: 'knit one, purl two', code: null } }),
  updateProfile: () => ({ input: { name: 'Nell', email: freshEmail(), password: null } }),
  beginSecondFactor: () => ({ password: 'knit one, purl two' }),
  confirmSecondFactor: () => ({ code: '000000' }),
  disableSecondFactor: () => ({ password: 'knit one, purl two', code: '000000' }),
  renewRecoveryCodes: () => ({ password: 'knit one, purl two', code: '000000' }),
  resetSecondFactor: ({ userId }) => ({ userId }),
  inviteUser: () => ({ input: { name: 'Pat', email: freshEmail(), permissions: ['READ_ORDERS'] } }),
  updateUser: ({ userId }) => ({ id: userId, input: { name: 'Purl', email: freshEmail(), isAdmin: false } }),
  deleteUser: ({ userId }) => ({ id: userId }),
  placeOrder: ({ productId }) => ({
    input: {
      lines: [{ productId, quantity: 1 }],
      shippingAddress: ADDRESS,
      paymentMethod: 'PayPal',
      expectedTotal: null,
      code: null,
      idempotencyKey: `key-${++serial}`,
    },
  }),
  placeOrderFor: ({ productId }) => ({
    input: { customerEmail: freshEmail(), lines: [{ productId, quantity: 1 }], shippingAddress: ADDRESS },
  }),
  cancelOrder: ({ orderId }) => ({ id: orderId }),
  sendGiftCard: () => ({ id: NOWHERE, input: { email: 'wren@example.com', message: 'For socks.' } }),
  releaseHold: ({ orderId }) => ({ orderId }),
  resendOrderLetter: ({ orderId }) => ({ orderId }),
  deliverOrder: ({ orderId }) => ({ id: orderId }),
  createPaypalOrder: ({ orderId }) => ({ orderId }),
  capturePaypalOrder: ({ orderId }) => ({ orderId, paypalOrderId: 'NOTOURPAYPALORDER' }),
  payOrder: ({ orderId }) => ({ orderId, paypalOrderId: 'NOTOURPAYPALORDER' }),
  recordPayment: ({ orderId }) => ({ orderId, method: 'CASH', note: null }),
  refundOrder: ({ orderId }) => ({ orderId, amount: 100, reason: 'Moths', idempotencyKey: `key-${++serial}` }),
  subscribeToNewsletter: () => ({ email: freshEmail() }),
  confirmNewsletter: () => ({ token: 'A'.repeat(43) }),
  unsubscribeFromNewsletter: () => ({ token: 'A'.repeat(43) }),
  // Operations for administrators.
  auditLog: () => ({ page: 1 }),
  discountCodes: () => ({ status: 'ACTIVE', page: 1 }),
  createDiscountCode: ({ productId }) => ({
    input: {
      code: `SPRING${++serial}`,
      isSeries: false,
      kind: 'PERCENT',
      basisPoints: 2000,
      amount: null,
      minimum: 5000,
      productIds: [productId],
      categories: ['Worsted'],
      startsAt: '2026-11-01T00:00:00.000Z',
      endsAt: '2036-11-01T00:00:00.000Z',
      maxUses: 100,
      maxUsesPerPerson: 1,
      isForFirstOrder: false,
    },
  }),
  updateDiscountCode: () => ({ id: NOWHERE, input: { isPaused: true, endsAt: null } }),
  createSeriesCodes: () => ({ id: NOWHERE, count: 3 }),
  giftCards: () => ({ search: 'ABCD', page: 1 }),
  issueGiftCard: () => ({
    input: {
      amount: 5000,
      email: 'reader@example.com',
      message: 'Happy knitting!',
      note: 'Paid in cash',
      idempotencyKey: `a-key-of-twenty-letters-${++serial}`,
    },
  }),
  updateGiftCard: () => ({ id: NOWHERE, input: { isDisabled: true, note: null } }),
  apiKeys: () => ({ page: 1 }),
  createApiKey: ({ userId }) => ({
    input: {
      name: 'Warehouse',
      scopes: ['READ_ORDERS'],
      accountId: userId,
      expiresAt: '2036-11-01T00:00:00.000Z',
      allowedAddresses: ['203.0.113.0/24'],
    },
  }),
  rotateApiKey: () => ({ id: NOWHERE, overlapHours: 24 }),
  revokeApiKey: () => ({ id: NOWHERE }),
  webhooks: () => ({ page: 1 }),
  webhook: () => ({ id: NOWHERE }),
  events: () => ({ first: 1 }),
  webhookDeliveries: () => ({ webhookId: NOWHERE, state: 'FAILED', page: 1 }),
  createWebhook: () => ({
    input: { url: 'https://warehouse.example.com/skein', description: 'Warehouse', events: ['ORDER_PAID'] },
  }),
  resumeWebhook: () => ({ id: NOWHERE, skipMissed: true }),
  updateWebhook: () => ({ id: NOWHERE, input: { enabled: false } }),
  rotateWebhookSecret: () => ({ id: NOWHERE }),
  deleteWebhook: () => ({ id: NOWHERE }),
  sendTestEvent: () => ({ webhookId: NOWHERE }),
  replayDelivery: () => ({ id: NOWHERE }),
  categories: () => ({}),
  dashboard: () => ({ period: 'DAY', count: 7 }),
  setup: () => ({}),
  taxReport: () => ({ from: '2026-10-01', to: '2026-12-31' }),
  exportProducts: () => ({}),
  orderCounts: () => ({ search: 'Nell', tag: 'gift' }),
  productImport: () => ({ id: NOWHERE }),
  productImports: () => ({ page: 1 }),
  productImportTemplate: () => ({}),
  reviews: () => ({ sort: { field: 'RATING', direction: 'ASC' }, page: 1 }),
  userStats: () => ({}),
  patchProduct: ({ productId }) => ({ id: productId, input: { price: 2500 } }),
  bulkUpdateProducts: ({ productId }) => ({ ids: [productId], change: { priceByCents: 100 } }),
  adjustStock: ({ productId }) => ({
    lines: [{ id: productId, sku: null, delta: 1, set: null, lot: null, version: null }],
    idempotencyKey: `key-${++serial}`,
  }),
  setProducts: ({ productId }) => ({
    lines: [{ id: productId, price: 2600 }],
    idempotencyKey: `key-${++serial}`,
  }),
  uploadPicture: () => ({ file: new File(['no picture'], 'picture.jpg') }),
  addDownload: ({ productId }) => ({ productId, file: new File(['no PDF'], 'pattern.pdf') }),
  renameDownload: ({ productId }) => ({ productId, id: NOWHERE, title: 'Rib hat' }),
  removeDownload: ({ productId }) => ({ productId, id: NOWHERE }),
  importProducts: () => ({ csv: new File(['no table'], 'products.csv') }),
  applyImport: () => ({ id: NOWHERE }),
  undoImport: () => ({ id: NOWHERE }),
  fetchPicturesAgain: () => ({ id: NOWHERE }),
  deliverOrders: ({ orderId }) => ({ ids: [orderId] }),
  fulfilOrder: ({ orderId, productId }) => ({
    id: orderId,
    lines: [{ productId, quantity: 1 }],
    carrier: 'UPS',
    trackingNumber: '1Z999AA10123456784',
    trackingUrl: null,
    isSent: true,
    idempotencyKey: `key-${++serial}`,
  }),
  sendFulfilment: () => ({ id: NOWHERE }),
  cancelFulfilment: () => ({ id: NOWHERE }),
  deliverFulfilment: () => ({ id: NOWHERE }),
  trackFulfilment: () => ({ id: NOWHERE, carrier: 'UPS', trackingNumber: '1Z999AA10123456784', trackingUrl: null }),
  returnFulfilment: ({ productId }) => ({
    id: NOWHERE,
    lines: [{ productId, quantity: 1, isRestocked: false }],
    reason: 'Felted',
    idempotencyKey: `key-${++serial}`,
  }),
  startExport: () => ({ query: '{ productsConnection { edges { node { id sku name price } } } }' }),
  cancelExport: () => ({ id: NOWHERE }),
  linkExport: () => ({ id: NOWHERE }),
  annotateOrder: ({ orderId }) => ({ id: orderId, input: annotation() }),
  annotateProduct: ({ productId }) => ({ id: productId, input: annotation() }),
  annotateUser: ({ userId }) => ({ id: userId, input: annotation() }),
  resolveAttention: ({ orderId }) => ({ orderId }),
  resolveIncident: () => ({ id: NOWHERE }),
  hideReview: () => ({ id: NOWHERE, reason: 'Spam' }),
  restoreReview: () => ({ id: NOWHERE }),
  answerReview: () => ({ id: NOWHERE, answer: 'Thank you.' }),
  orderChanged: ({ orderId }) => ({ id: orderId }),
  ordersChanged: () => ({}),
}

/** Calls one root field with valid arguments, a file as multipart; for a subscription it returns the first result. */
export function call(shop: TestShop, root: Root, name: string, world: World, identity: Identity): Promise<Answer> {
  const variables = present(ARGUMENTS[name])(world)
  if (root === 'Subscription') return firstResult(shop, documentFor(root, name), variables, identity)
  const file = Object.entries(variables).find(([, value]) => value instanceof File)
  if (!file) return shop.gql(documentFor(root, name), variables, identity)
  return upload(shop, identity, documentFor(root, name), file[0], file[1] as File, 'file', {}, variables)
}

/** The codes of `UserError` that a change may return, read from its description. */
export const refusalsInProse = ({ description }: { description?: string | null | undefined }): string[] =>
  /Errors[^:]*:(.*)$/s.exec(description ?? '')?.[1]?.match(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g) ?? []

const adminsOnly = (field: GraphQLField<unknown, unknown>) =>
  Boolean(field.description?.includes('Administrators only.'))

/** The fields of types that only administrators may read, as `Type.field`. */
export const GUARDED_FIELDS = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !['Query', 'Mutation', 'Subscription'].includes(name))
  .flatMap(type =>
    Object.values(type.getFields())
      .filter(adminsOnly)
      .map(field => `${type.name}.${field.name}`),
  )

/**
 * All rows of every import, everything reachable from every yarn on the wall or in a collection, and the parcels of all the dashboard's orders
 * would exceed the limits of one operation.
 */
const DEPTHS: Record<string, number> = {
  productImports: 3,
  wallOfColour: 1,
  collections: 1,
  adminCollections: 1,
  orderCollections: 2,
  dashboard: 2,
}

/** Fields that lead from products to similar ones, or back to them. They are not followed, because that would never end. */
const SIDEWAYS = [
  'Product.group',
  'Product.skeinsFor',
  'Product.substitutes',
  'Product.goesWith',
  'Review.product',
  'ProductGroup.products',
  'ProductGroup.reviews',
  'ProductGroup.colours',
]

/** Fields that need another scope than the operation that leads to them. */
const NEEDS_MORE = ['User.orders']

/** Arguments of fields below the roots that require some. */
export const FIELD_ARGUMENTS: Record<string, string> = { 'Product.skeinsFor': '(project: { metres: 1000 })' }

/** A document that calls one root field with variables and asks for every field of its answer that is open to everyone. */
export function documentFor(root: Root, name: string, depth = DEPTHS[name] ?? 4): string {
  const field = present(rootFields(root).find(each => each.name === name))
  const parameters = field.args.map(arg => `$${arg.name}: ${arg.type}`).join(', ')
  const passed = field.args.map(arg => `${arg.name}: $${arg.name}`).join(', ')
  return `${root.toLowerCase()}${parameters && `(${parameters})`} { ${name}${passed && `(${passed})`}${selection(field.type, depth)} }`
}

function selection(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type)
  if (!isCompositeType(named)) return ''
  if (depth === 0 || !isObjectType(named)) return ' { __typename }'
  return ` { __typename ${Object.values(named.getFields())
    .filter(field => !adminsOnly(field) && !NEEDS_MORE.includes(`${named.name}.${field.name}`))
    .map(field => {
      const key = `${named.name}.${field.name}`
      return field.name + (FIELD_ARGUMENTS[key] ?? '') + selection(field.type, SIDEWAYS.includes(key) ? 0 : depth - 1)
    })
    .join(' ')} }`
}

/** Whether an answer's body says that nothing was changed. */
export function isRefusal(text: string): boolean {
  const { data } = JSON.parse(text) as Answer<Record<string, { userErrors?: unknown[] } | null> | null>
  return Object.values(data ?? {}).every(payload => payload?.userErrors?.length)
}

type Path = (string | number)[]

interface Leaf {
  path: Path
  type: string
  nullable: boolean
}

/** Every place in an argument where a client puts a value. */
function leaves(type: GraphQLInputType, path: Path): Leaf[] {
  const nullable = !isNonNullType(type)
  const bare = getNullableType(type)
  if (isListType(bare)) return leaves(bare.ofType, [...path, 0])
  if (isInputObjectType(bare))
    return Object.values(bare.getFields()).flatMap(field => leaves(field.type, [...path, field.name]))
  return isScalarType(bare) ? [{ path, type: bare.name, nullable }] : []
}

/** A copy with another value in one place. */
export function put<T>(target: T, [step, ...rest]: Path, value: unknown): T {
  const copy = (Array.isArray(target) ? [...target] : { ...target }) as T & Record<string | number, unknown>
  const changed = rest.length === 0 ? value : put(copy[present(step)], rest, value)
  return Object.assign(copy, { [present(step)]: changed })
}

/** Every such place in every query and mutation. */
export const places = (['Query', 'Mutation'] as const)
  .flatMap(root =>
    rootFields(root).flatMap(field =>
      field.args.flatMap(arg => leaves(arg.type, [arg.name])).map(leaf => ({ root, name: field.name, ...leaf })),
    ),
  )
  // Files have their own tests: upload-picture.test.ts and import-products.test.ts.
  .filter(({ type }) => type !== 'Upload')
