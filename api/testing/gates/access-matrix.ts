import type { ApiScope } from '../../generated/types.ts'
import type { Root } from './operations.ts'

// Who may do and see what, over every API. access.test.ts checks the shop against it, and fails for anything without a row here.

/** `ok`, `null` (nothing there, but no error), or the code of the error or refusal. */
export type Outcome = string

/**
 * One row: what four askers get. "Owner" and "other" are shoppers; the row is about something of the owner's. A closed account,
 * an expired session and a revoked key get what a visitor gets.
 *
 * Then the scopes that an API key needs, all of them; ADMIN when none is named. A key with these scopes gets what its
 * account gets, and any other key is answered which scopes it lacks. An administrator who is limited to these gets what
 * an administrator gets; without one of them, what another shopper gets, or which are lacking.
 */
export type Row<T> = readonly [visitor: T, owner: T, other: T, admin: T, ...scopes: ApiScope[]]

const everyone = ['ok', 'ok', 'ok', 'ok'] as const
const signedIn = ['UNAUTHENTICATED', 'ok', 'ok', 'ok'] as const
const admins = ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'ok'] as const

/** Over GraphQL, by operation. */
export const ACCESS: Record<Root, Record<string, Row<Outcome>>> = {
  Query: {
    shop: [...everyone, 'READ_CATALOGUE'],
    paypalConfig: [...everyone, 'READ_CATALOGUE'],
    node: [...everyone, 'READ_CATALOGUE', 'READ_ORDERS'],
    nodes: [...everyone, 'READ_CATALOGUE', 'READ_ORDERS'],
    products: [...everyone, 'READ_CATALOGUE'],
    productsConnection: [...everyone, 'READ_CATALOGUE'],
    topRatedProducts: [...everyone, 'READ_CATALOGUE'],
    customersAlsoViewed: [...everyone, 'READ_CATALOGUE'],
    wallOfColour: [...everyone, 'READ_CATALOGUE'],
    product: [...everyone, 'READ_CATALOGUE'],
    discontinuedProduct: [...everyone, 'READ_CATALOGUE'],
    // There is no such group.
    productGroup: ['null', 'null', 'null', 'null', 'READ_CATALOGUE'],
    categories: [...everyone, 'READ_CATALOGUE'],
    searchSuggestions: [...everyone, 'READ_CATALOGUE'],
    searchTerms: [...admins, 'MANAGE_SEARCH'],
    synonyms: [...admins, 'MANAGE_SEARCH'],
    quoteCart: [...everyone, 'READ_CATALOGUE'],
    quoteOrderFor: [...admins, 'WRITE_ORDERS'],
    // Nobody here has a cart.
    cart: ['null', 'null', 'null', 'null', 'READ_ORDERS'],
    collections: [...everyone, 'READ_CATALOGUE'],
    // There is no such collection.
    collection: ['null', 'null', 'null', 'null', 'READ_CATALOGUE'],
    pages: [...everyone, 'READ_CATALOGUE'],
    page: [...everyone, 'READ_CATALOGUE'],
    viewer: ['null', 'ok', 'ok', 'ok', 'READ_ORDERS'],
    order: ['UNAUTHENTICATED', 'ok', 'null', 'ok', 'READ_ORDERS'],
    myOrders: [...signedIn, 'READ_ORDERS'],
    myDownloads: [...signedIn, 'READ_ORDERS'],
    stash: signedIn,
    addresses: signedIn,
    bells: signedIn,
    orders: [...admins, 'READ_ORDERS'],
    ordersConnection: [...admins, 'READ_ORDERS'],
    orderStats: [...admins, 'READ_ORDERS'],
    productStats: [...admins, 'WRITE_PRODUCTS'],
    adminProducts: [...admins, 'WRITE_PRODUCTS'],
    productGroups: [...admins, 'WRITE_PRODUCTS'],
    adminAnnouncement: [...admins, 'WRITE_PAGES'],
    adminCollections: [...admins, 'WRITE_PRODUCTS'],
    // There is no such collection, which only an administrator learns.
    adminCollection: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'null', 'WRITE_PRODUCTS'],
    users: [...admins, 'READ_CUSTOMERS'],
    usersConnection: [...admins, 'READ_CUSTOMERS'],
    newsletterSubscribers: [...admins, 'READ_CUSTOMERS'],
    exports: [...admins, 'READ_CATALOGUE'],
    // Nobody here has an export.
    export: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'null', 'READ_CATALOGUE'],
    user: [...admins, 'READ_CUSTOMERS'],
    userStats: [...admins, 'READ_CUSTOMERS'],
    auditLog: admins,
    apiKeys: admins,
    webhooks: [...admins, 'MANAGE_WEBHOOKS'],
    webhookDeliveries: [...admins, 'MANAGE_WEBHOOKS'],
    events: [...admins, 'MANAGE_WEBHOOKS'],
    dashboard: [...admins, 'READ_REPORTS', 'READ_ORDERS'],
    setup: admins,
    taxReport: [...admins, 'READ_REPORTS'],
    discountCodes: [...admins, 'MANAGE_DISCOUNTS'],
    giftCards: [...admins, 'REFUND_ORDERS'],
    exportProducts: [...admins, 'IMPORT_PRODUCTS'],
    orderCounts: [...admins, 'READ_ORDERS'],
    // There is no such import, which only an administrator learns. The same goes for the next row.
    productImport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'null', 'IMPORT_PRODUCTS'],
    webhook: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'null', 'MANAGE_WEBHOOKS'],
    productImports: [...admins, 'IMPORT_PRODUCTS'],
    productImportTemplate: [...admins, 'IMPORT_PRODUCTS'],
    reviewsConnection: [...admins, 'MODERATE_REVIEWS'],
    reviews: [...admins, 'MODERATE_REVIEWS'],
  },
  Mutation: {
    register: everyone,
    login: ['WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'WRONG_CREDENTIALS'],
    // No ticket is valid here.
    signInWithProvider: ['IDENTITY_UNPROVEN', 'IDENTITY_UNPROVEN', 'IDENTITY_UNPROVEN', 'IDENTITY_UNPROVEN'],
    // No ticket is valid here either, and nobody has linked an identity.
    linkIdentity: ['UNAUTHENTICATED', 'IDENTITY_UNPROVEN', 'IDENTITY_UNPROVEN', 'IDENTITY_UNPROVEN'],
    unlinkIdentity: ['UNAUTHENTICATED', 'CURRENT_PASSWORD', 'CURRENT_PASSWORD', 'CURRENT_PASSWORD'],
    logout: everyone,
    requestPasswordReset: ['MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF'],
    resetPassword: ['RESET_LINK_SPENT', 'RESET_LINK_SPENT', 'RESET_LINK_SPENT', 'RESET_LINK_SPENT'],
    subscribeToNewsletter: ['MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF'],
    sendMessage: ['MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF'],
    updatePage: [...admins, 'WRITE_PAGES'],
    updateAnnouncement: [...admins, 'WRITE_PAGES'],
    createCollection: [...admins, 'WRITE_PRODUCTS'],
    // There is no such collection, which only an administrator learns. The same goes for the next one.
    updateCollection: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'WRITE_PRODUCTS'],
    addToCollection: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'WRITE_PRODUCTS'],
    deleteCollection: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'WRITE_PRODUCTS'],
    orderCollections: [...admins, 'WRITE_PRODUCTS'],
    confirmNewsletter: [
      'NEWSLETTER_LINK_SPENT',
      'NEWSLETTER_LINK_SPENT',
      'NEWSLETTER_LINK_SPENT',
      'NEWSLETTER_LINK_SPENT',
    ],
    unsubscribeFromNewsletter: [
      'NEWSLETTER_LINK_SPENT',
      'NEWSLETTER_LINK_SPENT',
      'NEWSLETTER_LINK_SPENT',
      'NEWSLETTER_LINK_SPENT',
    ],
    noteSearchClick: [...everyone, 'READ_CATALOGUE'],
    saveSynonym: [...admins, 'MANAGE_SEARCH'],
    // There is no such synonym, which only an administrator learns.
    deleteSynonym: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_SEARCH'],
    // Another email has to be confirmed by mail, which a shop without a mail server cannot send.
    updateProfile: ['UNAUTHENTICATED', 'MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF'],
    requestEmailConfirmation: ['UNAUTHENTICATED', 'MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF'],
    confirmEmail: ['UNAUTHENTICATED', 'EMAIL_LINK_SPENT', 'EMAIL_LINK_SPENT', 'EMAIL_LINK_SPENT'],
    cancelEmailChange: signedIn,
    // Nobody knows the passwords of these accounts.
    deleteAccount: ['UNAUTHENTICATED', 'CURRENT_PASSWORD', 'CURRENT_PASSWORD', 'CURRENT_PASSWORD'],
    exportAccount: ['UNAUTHENTICATED', 'CURRENT_PASSWORD', 'CURRENT_PASSWORD', 'CURRENT_PASSWORD'],
    beginSecondFactor: ['UNAUTHENTICATED', 'WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'WRONG_CREDENTIALS'],
    confirmSecondFactor: ['UNAUTHENTICATED', 'SECOND_FACTOR_STATE', 'SECOND_FACTOR_STATE', 'SECOND_FACTOR_STATE'],
    disableSecondFactor: ['UNAUTHENTICATED', 'SECOND_FACTOR_STATE', 'SECOND_FACTOR_STATE', 'SECOND_FACTOR_STATE'],
    renewRecoveryCodes: ['UNAUTHENTICATED', 'SECOND_FACTOR_STATE', 'SECOND_FACTOR_STATE', 'SECOND_FACTOR_STATE'],
    createReview: signedIn,
    uploadReviewPicture: ['UNAUTHENTICATED', 'FILE_UNREADABLE', 'FILE_UNREADABLE', 'FILE_UNREADABLE'],
    // There is no such review, which only a shopper learns.
    markReviewHelpful: ['UNAUTHENTICATED', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
    addToStash: signedIn,
    removeFromStash: signedIn,
    addAddress: signedIn,
    // There is no such address, which only a shopper learns.
    updateAddress: ['UNAUTHENTICATED', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
    removeAddress: ['UNAUTHENTICATED', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
    addBell: ['MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF', 'MAIL_OFF'],
    removeBell: signedIn,
    confirmBell: ['BELL_LINK_SPENT', 'BELL_LINK_SPENT', 'BELL_LINK_SPENT', 'BELL_LINK_SPENT'],
    stopBells: ['BELL_LINK_SPENT', 'BELL_LINK_SPENT', 'BELL_LINK_SPENT', 'BELL_LINK_SPENT'],
    createCart: [...everyone, 'WRITE_ORDERS'],
    // Changes the asker's own cart, which a visitor does not have.
    changeCart: ['NOT_FOUND', 'ok', 'ok', 'ok', 'WRITE_ORDERS'],
    // There is no such cart, which only an account learns.
    mergeCart: ['UNAUTHENTICATED', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'WRITE_ORDERS'],
    placeOrder: [...signedIn, 'WRITE_ORDERS'],
    placeOrderFor: [...admins, 'WRITE_ORDERS'],
    resendOrderLetter: [...admins, 'WRITE_ORDERS'],
    createPaypalOrder: ['UNAUTHENTICATED', 'ok', 'NOT_FOUND', 'NOT_FOUND', 'WRITE_ORDERS'],
    // The owner gets as far as PayPal, whose id is made up here.
    capturePaypalOrder: ['UNAUTHENTICATED', 'PAYMENT_FAILED', 'NOT_FOUND', 'NOT_FOUND', 'WRITE_ORDERS'],
    payOrder: ['UNAUTHENTICATED', 'PAYMENT_FAILED', 'NOT_FOUND', 'NOT_FOUND', 'WRITE_ORDERS'],
    // There is no such card.
    sendGiftCard: ['UNAUTHENTICATED', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'WRITE_ORDERS'],
    cancelOrder: ['UNAUTHENTICATED', 'ok', 'NOT_FOUND', 'NOT_FOUND', 'WRITE_ORDERS'],
    releaseHold: [...admins, 'REFUND_ORDERS'],
    // The order is not paid, which only an administrator learns.
    deliverOrder: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID', 'FULFIL_ORDERS'],
    fulfilOrder: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID', 'FULFIL_ORDERS'],
    // There is no such parcel, which only an administrator learns.
    sendFulfilment: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'FULFIL_ORDERS'],
    cancelFulfilment: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'FULFIL_ORDERS'],
    deliverFulfilment: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'FULFIL_ORDERS'],
    trackFulfilment: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'FULFIL_ORDERS'],
    startExport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'ok', 'READ_CATALOGUE'],
    cancelExport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'READ_CATALOGUE'],
    linkExport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'READ_CATALOGUE'],
    returnFulfilment: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'FULFIL_ORDERS'],
    annotateOrder: [...admins, 'FULFIL_ORDERS'],
    annotateProduct: [...admins, 'WRITE_PRODUCTS'],
    annotateUser: [...admins, 'WRITE_CUSTOMERS'],
    recordPayment: [...admins, 'REFUND_ORDERS'],
    refundOrder: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID', 'REFUND_ORDERS'],
    createProduct: [...admins, 'WRITE_PRODUCTS'],
    copyProduct: [...admins, 'WRITE_PRODUCTS'],
    // There is no such group, which only an administrator learns.
    updateProductGroup: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'WRITE_PRODUCTS'],
    updateProduct: [...admins, 'WRITE_PRODUCTS'],
    deleteProduct: [...admins, 'WRITE_PRODUCTS'],
    // The letter cannot be sent from a shop without a mail server.
    inviteUser: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'MAIL_OFF'],
    updateUser: [...admins, 'WRITE_CUSTOMERS'],
    resetSecondFactor: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'SECOND_FACTOR_STATE'],
    deleteUser: [...admins, 'WRITE_CUSTOMERS'],
    patchProduct: [...admins, 'WRITE_PRODUCTS'],
    createDiscountCode: [...admins, 'MANAGE_DISCOUNTS'],
    issueGiftCard: [...admins, 'REFUND_ORDERS'],
    // There is no such card, which only an administrator learns.
    updateGiftCard: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'REFUND_ORDERS'],
    // There is no such code, which only an administrator learns.
    updateDiscountCode: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_DISCOUNTS'],
    createSeriesCodes: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_DISCOUNTS'],
    createApiKey: admins,
    // There is no such key, which only an administrator learns.
    rotateApiKey: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    revokeApiKey: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    createWebhook: [...admins, 'MANAGE_WEBHOOKS'],
    resumeWebhook: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_WEBHOOKS'],
    updateWebhook: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_WEBHOOKS'],
    rotateWebhookSecret: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_WEBHOOKS'],
    deleteWebhook: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_WEBHOOKS'],
    sendTestEvent: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_WEBHOOKS'],
    replayDelivery: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MANAGE_WEBHOOKS'],
    bulkUpdateProducts: [...admins, 'WRITE_PRODUCTS'],
    adjustStock: [...admins, 'WRITE_STOCK'],
    // Here it sets prices; anything more needs WRITE_PRODUCTS: api-keys.test.ts.
    setProducts: [...admins, 'WRITE_PRICES'],
    resolveAttention: [...admins, 'REFUND_ORDERS'],
    resolveIncident: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'REFUND_ORDERS'],
    deliverOrders: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_PAID', 'FULFIL_ORDERS'],
    removeReviewPicture: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MODERATE_REVIEWS'],
    uploadPicture: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'FILE_UNREADABLE', 'WRITE_PRODUCTS'],
    addDownload: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'FILE_UNREADABLE', 'WRITE_PRODUCTS'],
    renameDownload: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'WRITE_PRODUCTS'],
    removeDownload: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'WRITE_PRODUCTS'],
    importProducts: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'FILE_UNREADABLE', 'IMPORT_PRODUCTS'],
    applyImport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'IMPORT_PRODUCTS'],
    undoImport: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'IMPORT_PRODUCTS'],
    fetchPicturesAgain: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'IMPORT_PRODUCTS'],
    hideReview: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MODERATE_REVIEWS'],
    answerReview: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MODERATE_REVIEWS'],
    restoreReview: ['UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'MODERATE_REVIEWS'],
  },
  Subscription: {
    orderChanged: ['UNAUTHENTICATED', 'ok', 'NOT_FOUND', 'ok', 'READ_ORDERS'],
    ordersChanged: [...admins, 'READ_ORDERS'],
  },
}

/** Over REST, by call: HTTP statuses. The bodies are chosen so that they change nothing. */
export const REST: Record<string, Row<number>> = {
  'POST /api/users/login': [401, 401, 401, 401],
  'POST /api/users': [400, 400, 400, 400],
  'POST /api/users/logout': [200, 200, 200, 200],
  'PUT /api/users/profile': [401, 400, 400, 400],
  'DELETE /api/users/profile': [401, 400, 400, 400],
  'POST /api/users/profile/export': [401, 400, 400, 400],
  'GET /api/users': [401, 403, 403, 200, 'READ_CUSTOMERS'],
  'GET /api/users/:id': [401, 403, 403, 200, 'READ_CUSTOMERS'],
  'PUT /api/users/:id': [401, 403, 403, 400, 'WRITE_CUSTOMERS'],
  'DELETE /api/users/:id': [401, 403, 403, 404, 'WRITE_CUSTOMERS'],
  'GET /api/products': [200, 200, 200, 200, 'READ_CATALOGUE'],
  'GET /api/products/stats': [401, 403, 403, 200, 'WRITE_PRODUCTS'],
  'GET /api/products?preview=true': [401, 403, 403, 200, 'WRITE_PRODUCTS'],
  'GET /api/products/top-rated': [200, 200, 200, 200, 'READ_CATALOGUE'],
  'GET /api/products/:id': [200, 200, 200, 200, 'READ_CATALOGUE'],
  'POST /api/products': [401, 403, 403, 201, 'WRITE_PRODUCTS'],
  'POST /api/products/stock': [401, 403, 403, 200, 'WRITE_STOCK'],
  'PUT /api/products': [401, 403, 403, 200, 'WRITE_PRICES'],
  'PUT /api/products/:id': [401, 403, 403, 404, 'WRITE_PRODUCTS'],
  'DELETE /api/products/:id': [401, 403, 403, 404, 'WRITE_PRODUCTS'],
  'POST /api/products/:id/reviews': [401, 400, 400, 400],
  'POST /api/carts': [201, 201, 201, 201, 'WRITE_ORDERS'],
  // There is no such cart.
  'PUT /api/carts/:id': [404, 404, 404, 404, 'WRITE_ORDERS'],
  'GET /api/carts/:id': [404, 404, 404, 404, 'READ_ORDERS'],
  'POST /api/carts/mine/merge': [401, 404, 404, 404, 'WRITE_ORDERS'],
  'POST /api/orders': [401, 400, 400, 400, 'WRITE_ORDERS'],
  'GET /api/orders/my-orders': [401, 200, 200, 200, 'READ_ORDERS'],
  'GET /api/orders/:id': [401, 200, 404, 200, 'READ_ORDERS'],
  // For anyone who may not have it, an invoice does not exist.
  'GET /api/orders/:id/invoice.pdf': [404, 200, 404, 200, 'READ_ORDERS'],
  // There is no such file: downloads.test.ts asks for one.
  'GET /api/orders/:id/downloads/:download': [404, 404, 404, 404, 'READ_ORDERS'],
  'GET /api/products/:id/downloads/:download': [401, 403, 403, 404, 'WRITE_PRODUCTS'],
  'POST /api/orders/:id/paypal': [401, 201, 404, 404, 'WRITE_ORDERS'],
  'POST /api/orders/:id/paypal/:paypalId/capture': [401, 402, 404, 404, 'WRITE_ORDERS'],
  'PUT /api/orders/:id/pay': [401, 402, 404, 404, 'WRITE_ORDERS'],
  'PUT /api/orders/:id/cancel': [401, 200, 404, 404, 'WRITE_ORDERS'],
  'GET /api/orders': [401, 403, 403, 200, 'READ_ORDERS'],
  // Of no order: refused as such, once it is clear who asks.
  'GET /api/orders/packing-slips.pdf': [401, 403, 403, 400, 'READ_ORDERS'],
  'GET /api/newsletter/subscribers.csv': [401, 403, 403, 200, 'READ_CUSTOMERS'],
  'PUT /api/orders/:id/deliver': [401, 403, 403, 409, 'FULFIL_ORDERS'],
  'POST /api/orders/:id/fulfilments': [401, 403, 403, 409, 'FULFIL_ORDERS'],
  'POST /api/exports': [401, 403, 403, 400, 'READ_CATALOGUE'],
  'GET /api/exports/:id': [401, 403, 403, 404, 'READ_CATALOGUE'],
  'POST /api/exports/:id/link': [401, 403, 403, 404, 'READ_CATALOGUE'],
  'DELETE /api/exports/:id': [401, 403, 403, 404, 'READ_CATALOGUE'],
  'POST /api/fulfilments/:id/returns': [401, 403, 403, 404, 'FULFIL_ORDERS'],
  'GET /api/discount-codes': [401, 403, 403, 200, 'MANAGE_DISCOUNTS'],
  'POST /api/discount-codes': [401, 403, 403, 400, 'MANAGE_DISCOUNTS'],
  'PUT /api/discount-codes/:id': [401, 403, 403, 404, 'MANAGE_DISCOUNTS'],
  'GET /api/config/paypal': [200, 200, 200, 200, 'READ_CATALOGUE'],
  'POST /api/uploads': [401, 403, 403, 400, 'WRITE_PRODUCTS'],
  'POST /api/reviews/pictures': [401, 400, 400, 400],
}

/** Routes that answer everyone alike: they read no session and no key. */
export const IMPERSONAL = [
  'GET /*',
  // Its token is all that it needs: delete-account.test.ts.
  'GET /api/account-exports/:token',
  'GET /.well-known/security.txt',
  'GET /.well-known/ucp',
  'GET /api/docs',
  'GET /api/openapi.json',
  'GET /api/postman.json',
  'GET /images/:name',
  'GET /livez',
  'GET /readyz',
  'GET /docs',
  'GET /exports/:token',
  'GET /docs/recipes',
  'GET /docs/contract/changes',
  'GET /schema.graphql',
  'GET /llms.txt',
  'GET /feeds/products.tsv',
  'GET /robots.txt',
  'GET /sitemap.xml',
  'GET /share/page.jpg',
  'GET /share/product.jpg',
  'GET /sitemaps/:file',
  'GET /uploads/:name',
  // Requires PayPal's signature: webhook.test.ts.
  'POST /api/webhooks/paypal',
  // Browsers report what a page's content security policy blocked: csp-reports.test.ts.
  'POST /csp-reports',
  // Forms of visitors without JavaScript: forms.test.ts.
  'POST /cart',
  'POST /contact',
  'POST /login',
  'POST /newsletter',
]

/** Everyone is a visitor here, even with a valid token: `api/ucp`. */
export const FOR_AGENTS = [
  'POST /api/ucp/mcp',
  'POST /api/ucp/catalog/search',
  'POST /api/ucp/catalog/lookup',
  'POST /api/ucp/catalog/product',
  'POST /api/ucp/carts',
  'GET /api/ucp/carts/:id',
  'PUT /api/ucp/carts/:id',
  'POST /api/ucp/carts/:id/cancel',
  'POST /api/ucp/checkout-sessions',
  'GET /api/ucp/checkout-sessions/:id',
  'PUT /api/ucp/checkout-sessions/:id',
  'POST /api/ucp/checkout-sessions/:id/complete',
  'POST /api/ucp/checkout-sessions/:id/cancel',
  'GET /api/ucp/orders/:id',
]

/** Something with an id, and who can read it: `ok` or `null`. */
export interface Thing {
  type: string
  row: Row<Outcome>
  /** Fields with rules of their own. */
  but?: Record<string, Row<Outcome>>
}

const nobody = ['null', 'null', 'null', 'null'] as const
const ownerAndAdmins = ['null', 'ok', 'null', 'ok'] as const
const adminsOnly = ['null', 'null', 'null', 'ok'] as const
const notForOwners = ['null', 'FORBIDDEN', 'null', 'ok'] as const

/** The fields in which administrators and their programs annotate a thing. */
const annotated = (row: Row<Outcome>) => ({ note: row, tags: row, externalIds: row })

/** By its name in the world of access.test.ts, where each of its fields has a value. */
export const THINGS: Record<string, Thing> = {
  // The owner has reviewed it.
  'a product': {
    type: 'Product',
    row: everyone,
    but: {
      viewerReview: ['null', 'ok', 'null', 'null'],
      bell: ['null', 'ok', 'ok', 'ok'],
      bellsWaiting: [...admins, 'WRITE_PRODUCTS'],
      preordered: [...admins, 'WRITE_PRODUCTS'],
      sale: [...admins, 'WRITE_PRODUCTS'],
      history: [...admins, 'ADMIN'],
      ...annotated([...admins, 'WRITE_PRODUCTS']),
    },
  },
  'a draft': {
    type: 'Product',
    row: adminsOnly,
    but: {
      viewerReview: nobody,
      bellsWaiting: [...adminsOnly, 'WRITE_PRODUCTS'],
      preordered: [...adminsOnly, 'WRITE_PRODUCTS'],
      sale: [...adminsOnly, 'WRITE_PRODUCTS'],
      history: [...adminsOnly, 'ADMIN'],
      ...annotated([...adminsOnly, 'WRITE_PRODUCTS']),
    },
  },
  'an archived product': { type: 'Product', row: nobody },
  'a review': {
    type: 'Review',
    row: everyone,
    but: { hiddenReason: nobody, viewerFoundHelpful: ['null', 'ok', 'ok', 'ok'] },
  },
  'a hidden review': { type: 'Review', row: ownerAndAdmins, but: { hiddenReason: adminsOnly } },
  'a review of an archived product': {
    type: 'Review',
    row: ownerAndAdmins,
    but: { hiddenReason: nobody, product: adminsOnly },
  },
  'an order': {
    type: 'Order',
    row: ownerAndAdmins,
    but: {
      attention: adminsOnly,
      incidents: notForOwners,
      history: [...notForOwners, 'ADMIN'],
      ...annotated(notForOwners),
      // It has been delivered.
      deliveryEstimate: nobody,
    },
  },
  'an account': { type: 'User', row: ownerAndAdmins, but: annotated([...notForOwners, 'READ_CUSTOMERS']) },
  'a closed account': { type: 'User', row: nobody },
}

/** Everything that a visitor, or a key for the catalogue alone, can read without a thing's id: fields by type. */
export const OPEN: Record<string, string> = {
  Shop: 'name currency pricingPolicy unitsPerOrder signInProviders delivery returnDays newsletterDiscount announcement',
  Announcement: 'text link startsAt endsAt version',
  DeliveryTerms: 'handling domestic elsewhere country countryCode shipsTo pickup today',
  PickupPlace: 'street city state postalCode hours',
  BusinessDays: 'min max',
  PricingPolicy:
    'shippingRate freeShippingFrom flatShipping shippingPer100Grams shippingCap taxBasisPoints taxIncluded taxRates country abroad',
  TaxRate: 'country state stateName postalCodes basisPoints reducedBasisPoints onShipping',
  TaxLine: 'basisPoints isReduced amount',
  ShippingTerms: 'shippingRate freeShippingFrom flatShipping shippingPer100Grams shippingCap',
  PaypalConfig: 'clientId mode sdkBaseUrl',
  Page: 'slug title markdown html version updatedAt',
  Collection: 'id slug name description isPublished total pictures products version',
  Product: `id sku name image pictures downloads description weight length gauge knittingNeedle crochetHook recommendedCare content category facts colours group price compareAtPrice onSaleUntil countInStock expectedOn keptByLot isDownload isGiftCard reducedTax lots soldOutLots
    rating numReviews reviews reviewSummary viewerReview bell isDraft version createdAt updatedAt skeinsFor substitutes goesWith`,
  ProductPicture: 'image alt width height',
  Download: 'id title bytes',
  SkeinEstimate: 'skeins metres metresWithMargin metresPerSkein stitches price explanation isInStock instead',
  Substitute: 'product skeins price costsMore isInStock',
  ProductGroup: 'id name maker variesBy total products colours rating numReviews reviews reviewSummary',
  ReviewSummary: 'stars knitted',
  KnittedGauge: 'needleMm gauge knitters',
  DiscontinuedProduct: 'name category',
  DiscountTerms: 'kind basisPoints amount minimum productIds categories startsAt endsAt',
  ProductFacts: `kind weightClass grams metres metresPer100g pricePer100m fibres washing superwash stitches rows needles hooks colourFamilies corrected`,
  NumberRange: 'from to',
  FibreShare: 'fibre percent',
  ProductPage: 'items page pages total totalIsExact hasAllWords correction didYouMean facets',
  ProductFacet: 'field values',
  FacetValue: 'value count countIsExact selected',
  SearchSuggestions: 'products terms correction',
  SuggestedTerm: 'label field value',
  UserError: 'code message field available',
  ProductColour: 'hex family',
  SearchCorrection: 'used typed',
  ProductConnection: 'edges pageInfo totalCount',
  ProductEdge: 'cursor node',
  PageInfo: 'hasNextPage hasPreviousPage startCursor endCursor',
  QuotedCode: 'code description saved terms',
  Review:
    'id userId name rating comment needleMm gauge project pictures helpful viewerFoundHelpful answer verifiedPurchase createdAt updatedAt version product isHidden hiddenReason',
  ReviewPicture: 'image alt width height',
  ReviewAnswer: 'text answeredAt',
  ReviewPage: 'items page pages total totalIsExact',
  CartQuote:
    'lines itemsPrice code discount shippingPrice taxPrice totalPrice includedTax taxes giftCards amountDue userErrors',
  QuotedGiftCard: 'code balance amount',
  CartQuoteLine: 'productId product quantity lots mustAgreeToLots',
  LotPortion: 'code quantity',
}
