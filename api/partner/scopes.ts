import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  isObjectType,
  type DocumentNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql'
import { present } from '#schema/rules/present'
import { suffices } from '#schema/rules/scopes'
import type { User } from '../account/user.entity.ts'
import type { Asker, Context } from '../context.ts'
import type { ApiScope } from '../generated/types.ts'
import { forbidden, secondFactorMissing } from '../kernel/errors.ts'

const CATALOGUE: ApiScope[] = ['READ_CATALOGUE']
const ORDERS: ApiScope[] = ['READ_ORDERS']
const PLACING: ApiScope[] = ['WRITE_ORDERS']
const FULFILLING: ApiScope[] = ['FULFIL_ORDERS']
const PRODUCTS: ApiScope[] = ['WRITE_PRODUCTS']
const CUSTOMERS: ApiScope[] = ['READ_CUSTOMERS']
const EDITING: ApiScope[] = ['WRITE_CUSTOMERS']
const WEBHOOKS: ApiScope[] = ['MANAGE_WEBHOOKS']
const MONEY: ApiScope[] = ['REFUND_ORDERS']
const REVIEWS: ApiScope[] = ['MODERATE_REVIEWS']
const CODES: ApiScope[] = ['MANAGE_DISCOUNTS']
const SEARCHES: ApiScope[] = ['MANAGE_SEARCH']
const IMPORTS: ApiScope[] = ['IMPORT_PRODUCTS']

/**
 * The scopes a key needs, all of them, by root field; what is not here needs ADMIN. An administrator who may not do
 * everything needs the same, for what administrators alone may do.
 */
export const SCOPES: Readonly<Record<string, readonly ApiScope[]>> = {
  shop: CATALOGUE,
  products: CATALOGUE,
  productsConnection: CATALOGUE,
  topRatedProducts: CATALOGUE,
  customersAlsoViewed: CATALOGUE,
  wallOfColour: CATALOGUE,
  product: CATALOGUE,
  discontinuedProduct: CATALOGUE,
  productGroup: CATALOGUE,
  categories: CATALOGUE,
  searchSuggestions: CATALOGUE,
  noteSearchClick: CATALOGUE,
  quoteCart: CATALOGUE,
  paypalConfig: CATALOGUE,
  collections: CATALOGUE,
  collection: CATALOGUE,
  pages: CATALOGUE,
  page: CATALOGUE,
  node: [...CATALOGUE, ...ORDERS],
  nodes: [...CATALOGUE, ...ORDERS],
  viewer: ORDERS,
  order: ORDERS,
  myOrders: ORDERS,
  myDownloads: ORDERS,
  orders: ORDERS,
  ordersConnection: ORDERS,
  orderCounts: ORDERS,
  orderStats: ORDERS,
  cart: ORDERS,
  createCart: PLACING,
  changeCart: PLACING,
  mergeCart: PLACING,
  placeOrder: PLACING,
  placeOrderFor: PLACING,
  resendOrderLetter: PLACING,
  quoteOrderFor: PLACING,
  cancelOrder: PLACING,
  sendGiftCard: PLACING,
  createPaypalOrder: PLACING,
  capturePaypalOrder: PLACING,
  payOrder: PLACING,
  deliverOrder: FULFILLING,
  deliverOrders: FULFILLING,
  fulfilOrder: FULFILLING,
  sendFulfilment: FULFILLING,
  cancelFulfilment: FULFILLING,
  deliverFulfilment: FULFILLING,
  trackFulfilment: FULFILLING,
  returnFulfilment: FULFILLING,
  annotateOrder: FULFILLING,
  recordPayment: MONEY,
  giftCards: MONEY,
  issueGiftCard: MONEY,
  updateGiftCard: MONEY,
  refundOrder: MONEY,
  releaseHold: MONEY,
  resolveAttention: MONEY,
  resolveIncident: MONEY,
  orderChanged: ORDERS,
  ordersChanged: ORDERS,
  adjustStock: ['WRITE_STOCK'],
  adminProducts: PRODUCTS,
  productStats: PRODUCTS,
  productGroups: PRODUCTS,
  // And more for what is more than a price.
  setProducts: ['WRITE_PRICES'],
  createProduct: PRODUCTS,
  copyProduct: PRODUCTS,
  updateProduct: PRODUCTS,
  patchProduct: PRODUCTS,
  bulkUpdateProducts: PRODUCTS,
  deleteProduct: PRODUCTS,
  updateProductGroup: PRODUCTS,
  annotateProduct: PRODUCTS,
  adminCollections: PRODUCTS,
  adminCollection: PRODUCTS,
  createCollection: PRODUCTS,
  updateCollection: PRODUCTS,
  addToCollection: PRODUCTS,
  deleteCollection: PRODUCTS,
  orderCollections: PRODUCTS,
  uploadPicture: PRODUCTS,
  addDownload: PRODUCTS,
  renameDownload: PRODUCTS,
  removeDownload: PRODUCTS,
  reviews: REVIEWS,
  reviewsConnection: REVIEWS,
  hideReview: REVIEWS,
  restoreReview: REVIEWS,
  answerReview: REVIEWS,
  removeReviewPicture: REVIEWS,
  discountCodes: CODES,
  createDiscountCode: CODES,
  updateDiscountCode: CODES,
  createSeriesCodes: CODES,
  searchTerms: SEARCHES,
  synonyms: SEARCHES,
  saveSynonym: SEARCHES,
  deleteSynonym: SEARCHES,
  updatePage: ['WRITE_PAGES'],
  adminAnnouncement: ['WRITE_PAGES'],
  updateAnnouncement: ['WRITE_PAGES'],
  taxReport: ['READ_REPORTS'],
  // It leads to orders.
  dashboard: ['READ_REPORTS', ...ORDERS],
  users: CUSTOMERS,
  usersConnection: CUSTOMERS,
  user: CUSTOMERS,
  userStats: CUSTOMERS,
  newsletterSubscribers: CUSTOMERS,
  annotateUser: EDITING,
  updateUser: EDITING,
  deleteUser: EDITING,
  webhooks: WEBHOOKS,
  webhook: WEBHOOKS,
  webhookDeliveries: WEBHOOKS,
  createWebhook: WEBHOOKS,
  updateWebhook: WEBHOOKS,
  resumeWebhook: WEBHOOKS,
  rotateWebhookSecret: WEBHOOKS,
  deleteWebhook: WEBHOOKS,
  sendTestEvent: WEBHOOKS,
  replayDelivery: WEBHOOKS,
  events: WEBHOOKS,
  importProducts: IMPORTS,
  applyImport: IMPORTS,
  undoImport: IMPORTS,
  fetchPicturesAgain: IMPORTS,
  productImport: IMPORTS,
  productImports: IMPORTS,
  productImportTemplate: IMPORTS,
  exportProducts: IMPORTS,
  // And what the connection itself needs.
  export: CATALOGUE,
  exports: CATALOGUE,
  startExport: CATALOGUE,
  cancelExport: CATALOGUE,
  linkExport: CATALOGUE,
}

/** Fields below the roots that need scopes of their own: they are the owner's, or lead from one kind of thing to another. */
const INNER: Readonly<Record<string, readonly ApiScope[]>> = {
  'Product.bellsWaiting': PRODUCTS,
  'Product.preordered': PRODUCTS,
  'Product.sale': PRODUCTS,
  'Product.note': PRODUCTS,
  'Product.tags': PRODUCTS,
  'Product.externalIds': PRODUCTS,
  'User.orders': ORDERS,
  'User.note': CUSTOMERS,
  'User.tags': CUSTOMERS,
  'User.externalIds': CUSTOMERS,
}

/** What an administrator needs to see what administrators alone see of a thing, by its type. */
const KEEPERS: Readonly<Record<string, readonly ApiScope[]>> = {
  Order: ORDERS,
  Product: PRODUCTS,
  ProductGroup: PRODUCTS,
  Collection: PRODUCTS,
  User: CUSTOMERS,
}

/** Asks every request that comes with an API key for its scopes, over GraphQL and REST alike. */
export function guardScopes(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      if (roots.includes(type)) guard(field, SCOPES[field.name] ?? ['ADMIN'])
      else if (getNamedType(field.type).name === 'AuditPage') guard(field, ['ADMIN'])
      else if (INNER[`${type.name}.${field.name}`]) guard(field, present(INNER[`${type.name}.${field.name}`]))
    }
  }
  return schema
}

function guard(field: GraphQLField<unknown, Context>, needed: readonly ApiScope[]): void {
  const { resolve = defaultFieldResolver } = field
  field.resolve = (source, args, context, info) => {
    demand(context.scopes, needed)
    return resolve(source, args, context, info)
  }
}

/** What a whole operation needs. */
export function scopesOf(document: DocumentNode): ApiScope[] {
  const fields = document.definitions.flatMap(each =>
    each.kind === 'OperationDefinition' ? each.selectionSet.selections : [],
  )
  return fields.flatMap(field => (field.kind === 'Field' ? (SCOPES[field.name.value] ?? ['ADMIN' as const]) : []))
}

/** What an administrator needs for a field that is for administrators alone. */
export function permissionsFor({ parentType, fieldName, schema }: GraphQLResolveInfo): readonly ApiScope[] {
  const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(parentType)
  return (isRoot ? SCOPES[fieldName] : KEEPERS[parentType.name]) ?? ['ADMIN']
}

export function demand(scopes: Context['scopes'], needed: readonly ApiScope[]): void {
  const missing = missingScopes(scopes, needed)
  if (missing.length > 0) throw outOfScope(missing)
}

/** Asks an administrator, and the key they came with, for what is for administrators alone. */
export function demandOfAdmin({ user, scopes }: Asker, needed: readonly ApiScope[]): void {
  demand(scopes, needed)
  demandPermissions(user, needed)
}

/** Asks for an administrator who may do what these scopes are for. */
export function demandPermissions(user: User | null, needed: readonly ApiScope[]): void {
  if (!user?.isAdmin) throw forbidden()
  if (user.awaitsSecondFactor) throw secondFactorMissing()
  const missing = missingPermissions(user, needed)
  if (missing.length > 0) throw notPermitted(missing)
}

/** What an administrator lacks. What every visitor may do is kept from none. */
export const missingPermissions = ({ permissions }: Pick<User, 'permissions'>, needed: readonly ApiScope[]) =>
  missingScopes(['READ_CATALOGUE', ...permissions], needed)

/** What a request lacks. One that came without a key lacks nothing. */
export function missingScopes(scopes: Context['scopes'], needed: readonly ApiScope[]): ApiScope[] {
  return scopes === null ? [] : needed.filter(scope => !suffices(scopes, scope))
}

const notPermitted = (missing: readonly ApiScope[]) =>
  new GraphQLError(
    `Your account lacks the permission ${missing.join(' and ')}. An administrator who may do everything can give it.`,
    { extensions: { code: 'FORBIDDEN', missing, http: { status: 403 } } },
  )

const outOfScope = (missing: readonly ApiScope[]) =>
  new GraphQLError(`This key lacks the scope ${missing.join(' and ')}.`, {
    extensions: { code: 'FORBIDDEN', missing, http: { status: 403 } },
  })
