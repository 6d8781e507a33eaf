import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  isObjectType,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import type { ApiScope } from '../generated/types.ts'

const CATALOGUE: ApiScope[] = ['READ_CATALOGUE']
const ORDERS: ApiScope[] = ['READ_ORDERS']
const PLACING: ApiScope[] = ['WRITE_ORDERS']
const FULFILLING: ApiScope[] = ['FULFIL_ORDERS']
const PRODUCTS: ApiScope[] = ['WRITE_PRODUCTS']
const CUSTOMERS: ApiScope[] = ['READ_CUSTOMERS']
const EDITING: ApiScope[] = ['WRITE_CUSTOMERS']
const WEBHOOKS: ApiScope[] = ['MANAGE_WEBHOOKS']
const IMPORTS: ApiScope[] = ['IMPORT_PRODUCTS']

/** Scopes that others contain. */
const CONTAINED: Partial<Record<ApiScope, readonly ApiScope[]>> = {
  WRITE_ORDERS: ['FULFIL_ORDERS'],
  WRITE_PRODUCTS: ['WRITE_PRICES'],
  WRITE_CUSTOMERS: ['READ_CUSTOMERS'],
}

/** The scopes a key needs, all of them, by root field. What is not here needs ADMIN. */
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
  pages: CATALOGUE,
  page: CATALOGUE,
  node: [...CATALOGUE, ...ORDERS],
  nodes: [...CATALOGUE, ...ORDERS],
  viewer: ORDERS,
  order: ORDERS,
  myOrders: ORDERS,
  orders: ORDERS,
  ordersConnection: ORDERS,
  orderCounts: ORDERS,
  orderStats: ORDERS,
  cart: ORDERS,
  createCart: PLACING,
  changeCart: PLACING,
  mergeCart: PLACING,
  placeOrder: PLACING,
  cancelOrder: PLACING,
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
  orderChanged: ORDERS,
  ordersChanged: ORDERS,
  adjustStock: ['WRITE_STOCK'],
  adminProducts: PRODUCTS,
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
  uploadPicture: PRODUCTS,
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
  'Product.bellsWaiting': ['ADMIN'],
  'Product.sale': ['ADMIN'],
  'Product.note': PRODUCTS,
  'Product.tags': PRODUCTS,
  'Product.externalIds': PRODUCTS,
  'User.orders': ORDERS,
  'User.note': CUSTOMERS,
  'User.tags': CUSTOMERS,
  'User.externalIds': CUSTOMERS,
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

/** Asks a whole operation for its scopes before it runs. */
export function demandScopes(scopes: Context['scopes'], document: DocumentNode): void {
  const fields = document.definitions.flatMap(each =>
    each.kind === 'OperationDefinition' ? each.selectionSet.selections : [],
  )
  const needed = fields.flatMap(field =>
    field.kind === 'Field' ? (SCOPES[field.name.value] ?? ['ADMIN' as const]) : [],
  )
  demand(scopes, needed)
}

export function demand(scopes: Context['scopes'], needed: readonly ApiScope[]): void {
  const missing = missingScopes(scopes, needed)
  if (missing.length > 0) throw outOfScope(missing)
}

/** What a request lacks. One that came without a key lacks nothing. */
export function missingScopes(scopes: Context['scopes'], needed: readonly ApiScope[]): ApiScope[] {
  if (scopes === null || scopes.includes('ADMIN')) return []
  const granted = scopes.flatMap(scope => [scope, ...(CONTAINED[scope] ?? [])])
  return needed.filter(scope => !granted.includes(scope))
}

const outOfScope = (missing: readonly ApiScope[]) =>
  new GraphQLError(`This key lacks the scope ${missing.join(' and ')}.`, {
    extensions: { code: 'FORBIDDEN', missing, http: { status: 403 } },
  })
