import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { present } from '#schema/rules/present'

/** A check that keeps a request from something it may not do or see, and how to remove the check. */
export interface Guard {
  file: string
  /** Occurs once in the file. */
  find: string
  /** The code that is left when the guard is removed. */
  replace: string
  /** Test files that must fail without it, in the order they are tried. A pattern after `:` picks tests by their whole names. */
  tests: string[]
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
export const source = (file: string) => readFileSync(root + file, 'utf8')

/** Finds the guard in its file, however the formatter has broken its lines. */
export function asWritten({ find }: Guard): RegExp {
  const tokens = present(find.match(/\w+|\s+|[^\w\s]/g)).map(token => {
    if (/^\s/.test(token)) return '\\s*'
    const literal = token.replace(/[^\w]/, '\\$&')
    if (/[)\]}]/.test(token)) return `,?\\s*${literal}`
    return /\w/.test(token) ? literal : `\\s*${literal}\\s*`
  })
  return new RegExp(tokens.join(''), 'g')
}

const ACCESS = 'api/testing/gates/access.test.ts'
const THING = `${ACCESS}:a thing by its id`
const SCHEMA = 'api/testing/gates/schema.test.ts:access'
const SIGN_IN = 'api/account/sign-in.test.ts'
const PROVIDER = 'api/account/sign-in-with-provider.test.ts'
const RESET = 'api/account/reset-password.test.ts'
const SECOND_FACTOR = 'api/account/second-factor.test.ts'
const CONFIRM = 'api/account/confirm-email.test.ts'
const THROTTLE = 'api/account/throttle.test.ts'
const MAIL = 'api/mail/mail.test.ts'
const BELL = 'api/bell/bell.test.ts'
const ADDRESSES = 'api/address/addresses.test.ts'
const CART = 'api/cart/cart.test.ts'
const AGENTS = 'api/ucp/checkout.test.ts'
const ANNOTATIONS = 'api/annotation/annotations.test.ts'
const NEWSLETTER = 'api/newsletter/newsletter.test.ts'
const USERS = 'api/account/manage-users.test.ts'
const PERMISSIONS = 'api/account/permissions.test.ts'
const CODES = 'api/discount/codes.test.ts:a code is used as often'
const GIFT_CARDS = 'api/gift-card/gift-cards.test.ts'
const BOUGHT_CARDS = 'api/gift-card/bought-gift-cards.test.ts'
const SENT_CARDS = 'api/gift-card/send-gift-card.test.ts'
const REDUCED = 'api/order/reduced-tax.test.ts'
const REPORT = 'api/tax/report-tax.test.ts'
const PLACING = 'api/order/place-order.test.ts'
const HOLDING = 'api/order/admit-hold.test.ts'
const ENDING = 'api/order/end-hold.test.ts'
const PAYING = 'api/payment/pay-order.test.ts'
const SETTLING = 'api/payment/settle.test.ts'
const WEBHOOK = 'api/payment/webhook.test.ts'
const LOCKING = 'api/payment/lock-order.test.ts'
const UPLOAD = 'api/catalog/upload-picture.test.ts'
const COLLECTIONS = 'api/collection/collections.test.ts'
const LETTER = 'api/order/resend-letter.test.ts'
const TAKEN = 'api/order/place-order-for.test.ts'
const ANNOUNCEMENTS = 'api/announcement/announcements.test.ts'
const FETCHING = 'api/catalog/import/fetch-pictures.test.ts'
const REVIEW_PICTURES = 'api/review/review-pictures.test.ts'
const AUTH = 'api/account/authenticate.test.ts:who may is decided|refused at every endpoint'
const DOWNLOADS = 'api/download/downloads.test.ts'
const DOWNLOAD_ORDERS = 'api/download/download-orders.test.ts'
const OWN_PAYMENT = 'api/payment/record-payment.test.ts'
const ADMISSION = 'api/http/admission.test.ts'
const GUESTS = 'api/order/guest-orders.test.ts'
const FULFILLING = 'api/fulfilment/fulfilment.test.ts'
const RETURNING = 'api/fulfilment/returns.test.ts'
const BACKUP = 'api/db/backup/backup.test.ts'
const BAD_INPUT = 'api/testing/gates/bad-input.test.ts'

/** Guards that no pattern finds: the condition, and what is left without it. */
const WRITTEN: [file: string, find: string, replace: string, ...tests: string[]][] = [
  // How often a discount code may be used.
  ['api/discount/apply-code.ts', 'await takeTurns(em, discount, code, buyer) const refusal', 'const refusal', CODES],
  // Which dye lots an order gets.
  [
    'api/catalog/stock.ts',
    'fromAnyLots ? [] : filled.filter(({ portions, asked }) => !isAsAsked(portions, asked))',
    'filled.slice(0, 0)',
    'api/order/lots.test.ts:an order of a product kept',
  ],
  [
    'api/catalog/import/apply-import.ts',
    "and coalesce((r.before ->> 'stock_without_lots')::int, p.count_in_stock) = p.count_in_stock",
    '',
    'api/catalog/import/import-products.test.ts:the column of dye lots',
  ],
  // Who is asking.
  ['api/account/authenticate.ts', 'if (!context.user) throw unauthenticated()', '', `${ACCESS}:Query\\W+users$`],
  ['api/account/authenticate.ts', ' || row.isOver', '', `${ACCESS}:Query\\W+users$`],
  ['api/account/authenticate.ts', 'if (user.closedAt) return null', '', `${ACCESS}:Query\\W+users$`],
  ['api/account/authenticate.ts', ', revokedAt: null }', ' }', `${ACCESS}:Query\\W+users$`],
  ['api/account/authenticate.ts', '!user || user.closedAt', '!user', `${ACCESS}:Query\\W+users$`],
  [
    'api/account/authenticate.ts',
    "if (apiKey.expiresAt && apiKey.expiresAt.getTime() <= now) throw invalidToken('This API key has expired.')",
    '',
    'api/partner/api-keys.test.ts',
  ],
  [
    'api/account/authenticate.ts',
    "if (!apiKey.admits(ip)) throw invalidToken('This API key may not be used from this address.')",
    '',
    'api/partner/api-keys.test.ts',
  ],
  ['api/account/authenticate.ts', ', formerUntil: { $gt: new Date(now) } }', ' }', 'api/partner/api-keys.test.ts'],
  ['api/account/authenticate.ts', 'scopes: apiKey.scopes', 'scopes: null', `${ACCESS}:Query\\W+users$`],
  ['api/context.ts', 'if (!user) throw unauthenticated()', '', 'api/kernel/errors.test.ts'],
  [
    'api/server.ts',
    'if (AUTHENTICATED.test(request.url) && request.headers.authorization) await contextOf(request)',
    '',
    AUTH,
  ],
  ['api/rest/rest.ts', `if (access !== 'anyone' && !isGuest && !user) throw unauthenticated()`, '', AUTH],
  ['api/rest/rest.ts', 'demand(scopes, scopesOf(operation))', '', AUTH],
  ['api/rest/rest.ts', 'demandPermissions(user, scopesOf(operation))', '', `${ACCESS}:POST /api/discount-codes$`],

  // Policies, and where they are checked.
  [
    'api/account/user.policy.ts',
    "(isManager(asker, 'READ_CUSTOMERS') || asker.user?.id === account.id) && ",
    '',
    THING,
  ],
  ['api/account/user.policy.ts', ' && !account.closedAt', '', THING],
  [
    'api/account/user.policy.ts',
    "(isManager(asker, 'READ_CUSTOMERS') || asker.user?.id === account.id)",
    'true',
    THING,
  ],
  ['api/context.ts', " && (scopes === null || scopes.includes('ADMIN'))", '', `${ACCESS}:a key for the catalogue`],
  ['api/catalog/product.policy.ts', "isManager(asker, 'WRITE_PRODUCTS') && ", '', THING],
  ['api/catalog/product.policy.ts', ' && !product.archivedAt', '', THING],
  [
    'api/catalog/product.resolver.ts',
    'product && canView(context, product) ? product : null',
    'product',
    'api/catalog/catalogue.test.ts',
  ],
  [
    'api/order/order.policy.ts',
    "owns(asker, order) || asker.user?.manages('READ_ORDERS') === true",
    'true',
    `${ACCESS}:Query\\W+order$`,
  ],
  [
    'api/order/order.policy.ts',
    'export const canPay = (asker: OrderAsker, order: Order) => owns(asker, order)',
    'export const canPay = (_asker: OrderAsker, _order: Order) => true',
    `${ACCESS}:Mutation\\W+(pay|createPaypal|capturePaypal)`,
  ],
  // Orders of guests.
  ['api/order/order.policy.ts', 'orderToken?.orderId === order.id', 'Boolean(orderToken)', GUESTS],
  ['api/order/place-order.ts', 'if (guestEmail === null) throw unauthenticated()', '', GUESTS],
  ['api/graphql/response-cache.ts', '!(ORDER_TOKEN in headers) && ', '', GUESTS],
  [
    'api/order/order.resolver.ts',
    'order && canView(context, order) ? order : null',
    'order',
    `${ACCESS}:Query\\W+order$`,
  ],
  ['api/order/live.resolver.ts', ' || !canView(context, order)', '', `${ACCESS}:Subscription\\W+orderChanged$`],
  ['api/order/find-viewable.ts', ' || !canView(context, order)', '', `${ACCESS}:invoice`],
  [
    'api/order/find-viewable.ts',
    ` && missingScopes(context.scopes, present(SCOPES['order'])).length === 0`,
    '',
    `${ACCESS}:invoice`,
  ],
  ['api/download/read-downloads.ts', 'isPaid && ', '', `${DOWNLOADS}:and not before`],
  ['api/download/read-downloads.ts', ' && !isRefunded', '', `${DOWNLOADS}:all of the money went back`],
  ['api/review/review.policy.ts', '!review.isHidden && ', '', THING],
  ['api/review/review.policy.ts', ' && product.isForSale', '', THING],
  [
    'api/review/review.policy.ts',
    "isManager(asker, 'MODERATE_REVIEWS') || asker.user?.id === review.userId",
    'true',
    THING,
  ],
  ['api/node/node.resolver.ts', 'canViewProduct(context, product)', 'true', THING],
  ['api/node/node.resolver.ts', 'canViewOrder(context, order)', 'true', THING],
  ['api/node/node.resolver.ts', 'canViewUser(context, account)', 'true', THING],
  [
    'api/node/node.resolver.ts',
    'canViewReview(context, review, valueAt(reviewedById, review.productId))',
    'true',
    THING,
  ],

  // Access to one's own things only.
  ['api/order/order.resolver.ts', '{ userId: signedIn(context).id }', '{}', `${ACCESS}:someone else`],
  ['api/account/account.resolver.ts', '{ userId: user.id }, null, range', '{}, null, range', `${ACCESS}:someone else`],
  [
    'api/catalog/product.resolver.ts',
    'writtenReviews, { productId: product.id, userId: user.id }',
    'writtenReviews, { productId: product.id }',
    THING,
  ],
  ['api/account/open-account.ts', ' and closed_at is null for', ' for', PLACING],
  ['api/order/place-order.ts', '{ userId, idempotencyKey: key }', '{ idempotencyKey: key }', PLACING],
  ['api/order/place-order.ts', 'if (unreachable) throw', 'if (false) throw', 'api/order/destination.test.ts'],
  ['api/order/price-order.ts', 'termsAt(policy, shippingAddress)', 'policy', 'api/order/destination.test.ts'],
  [
    'schema/rules/returns.ts',
    'Math.min(tax.amount, basisPoints(all, tax.basisPoints))',
    'tax.amount',
    'api/order/destination.test.ts',
  ],
  ['schema/rules/pricing.ts', ' + most', '', 'api/order/destination.test.ts'],
  ['schema/rules/destinations.ts', '){${digits}}', '){0}', 'api/order/destination.test.ts:postal code'],
  ['api/order/destination.ts', 'postalCode: true, ', '', 'api/order/destination.test.ts'],
  [
    'schema/rules/pricing.ts',
    '(terms.taxIncluded || terms.taxOnShipping ? shippingPrice : 0)',
    '0',
    'api/order/destination.test.ts',
  ],
  [
    'api/payment/pay-order.ts',
    ' || !canPay(asker, order)',
    '',
    `${ACCESS}:Mutation\\W+(pay|createPaypal|capturePaypal)`,
  ],
  [
    'api/payment/pay-order.ts',
    `if (order.paypalOrderId !== paypalOrderId) throw refuse('PAYMENT_FAILED', FAILED)`,
    '',
    PAYING,
  ],

  ['api/order/cancel-order.ts', ' || !canPay(asker, order)', '', `${ACCESS}:Mutation\\W+cancelOrder$`],
  ['api/order/cancel-order.ts', 'await assertNotUnderWay(tx, order.id)', '', ENDING],
  ['api/order/release-hold.ts', 'if (await isUnderWay(tx, order.id)) throw', 'if (false) throw', ENDING],
  [
    'api/payment/capture-payment.ts',
    '(paid_at is null or ?::boolean)',
    '(true or ?::boolean)',
    `${OWN_PAYMENT}:not taken twice`,
  ],
  ['api/payment/capture-payment.ts', 'order.isPaid && !isTaken', 'false', `${OWN_PAYMENT}:no other card`],
  ['api/payment/record-payment.ts', 'if (order.isPaid)', 'if (false)', `${OWN_PAYMENT}:not taken twice`],
  ['api/payment/record-payment.ts', 'await assertNotUnderWay(tx, order.id)', '', `${OWN_PAYMENT}:waits where PayPal`],
  [
    'api/payment/record-payment.ts',
    'if (order.cancelledAt)',
    'if (false)',
    `${OWN_PAYMENT}:nothing that was cancelled`,
  ],
  ['api/payment/reconcile.ts', 'isOwn(refund.captureId) || ', '', `${OWN_PAYMENT}:written down later`],
  [
    'api/payment/refund-order.ts',
    'if (isOwn(captureId)) return recordOwn(services.em, refund)',
    '',
    `${OWN_PAYMENT}:without PayPal`,
  ],
  ['api/payment/refund-order.ts', 'if (isOwn(refund.captureId)) return false', '', `${OWN_PAYMENT}:written down later`],
  ['api/gift-card/use-gift-cards.ts', "${lock ? 'for update' : ''}", '', `${GIFT_CARDS}:used up once`],
  ['api/gift-card/use-gift-cards.ts', 'if (card.isDisabled) throw', 'if (false) throw', `${GIFT_CARDS}:has stopped`],
  [
    'api/gift-card/use-gift-cards.ts',
    'if (!codes.every(isGiftCardCode)) throw unknown()',
    '',
    `${GIFT_CARDS}:refused at its`,
  ],
  ['api/gift-card/use-gift-cards.ts', 'isDisabled || balance < amount', 'isDisabled', `${GIFT_CARDS}:spent elsewhere`],
  ['api/order/price-order.ts', '(expectedDue ?? due) !== due', 'false', `${GIFT_CARDS}:less is on it`],
  [
    'api/order/release-hold.ts',
    'if (order.giftCardAmount > 0) await giveGiftCardsBack(em, order.id)',
    '',
    `${GIFT_CARDS}:is on it again`,
  ],
  ['api/payment/settle.ts', ' and gift_card_amount = 0', '', `${GIFT_CARDS}:over the whole total`],
  [
    'api/payment/refund-order.ts',
    'for (const other of refunds) await dropRefund(services.em, other)',
    '',
    `${GIFT_CARDS}:PayPal says no`,
  ],
  [
    'api/payment/record-refund.ts',
    `if (refund.state === 'COMPLETED') await refundToGiftCard(tx, captureId, refund.amount)`,
    '',
    `${GIFT_CARDS}:goes back`,
  ],
  ['api/payment/settle.ts', ' and gift_cards_sold = 0', '', `${BOUGHT_CARDS}:its buyer’s once it is paid`],
  ['api/payment/settle.ts', ' && order.unpaidAmount === 0', '', `${BOUGHT_CARDS}:spent elsewhere`],
  [
    'api/gift-card/use-gift-cards.ts',
    'o.id = gift_cards.order_id and o.refunded_amount',
    'false and o.refunded_amount',
    `${BOUGHT_CARDS}:all of it`,
  ],
  ['api/gift-card/send-gift-card.ts', ' || !canPay(asker, order)', '', `${SENT_CARDS}:by anybody else`],
  ['api/gift-card/send-gift-card.ts', 'if (card.sends >= MOST_SENDS)', 'if (false)', `${SENT_CARDS}:three times`],
  [
    'api/gift-card/send-gift-card.ts',
    '{ lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }',
    '{}',
    `${SENT_CARDS}:many times at once`,
  ],
  [
    'api/gift-card/gift-card-mails.ts',
    'buyer ? buyer.userEmail : card?.email',
    'card?.email',
    `${SENT_CARDS}:name and words`,
  ],
  ['api/order/order.resolver.ts', ' && canPay(context, order)', '', `${BOUGHT_CARDS}:its buyer alone`],
  ['api/order/order.resolver.ts', ' && order.isPaid && canPay', ' && canPay', `${BOUGHT_CARDS}:its buyer alone`],
  ['api/order/price-order.ts', 'cards > limits.giftCardsBought', 'false', `${BOUGHT_CARDS}:fifty`],
  ['api/dashboard/sales.ts', ' - o.gift_cards_sold', '', 'api/dashboard/sales.test.ts:gift cards'],
  [
    'api/catalog/save-product.ts',
    'if (isGiftCard && isDownload === false)',
    'if (false)',
    `${BOUGHT_CARDS}:is not sent`,
  ],
  ['schema/rules/pricing.ts', 'itemsPrice - giftCardsIn(lines)', 'itemsPrice', `${BOUGHT_CARDS}:taxed and sent`],
  ['schema/rules/discount.ts', 'if (isGiftCard) return false', '', `${BOUGHT_CARDS}:gets nothing off`],
  [
    'schema/rules/returns.ts',
    'order.itemsPrice - order.giftCardsSold',
    'order.itemsPrice',
    `${BOUGHT_CARDS}:yarn comes back`,
  ],
  ['schema/rules/returns.ts', 'reducedTax === true && order.taxes.length > 1', 'false', `${REDUCED}:for its price`],
  ['schema/rules/returns.ts', 'order.taxPrice > 0 ? order.taxes : []', 'order.taxes', `${REDUCED}:what it costs`],
  ['schema/rules/pricing.ts', 'reducedTax && !isGiftCard', 'reducedTax', `${REDUCED}:no gift card`],
  ['schema/rules/pricing.ts', ' - (reduction.lines[place] ?? 0) : sum', ' : sum', `${REDUCED}:a code takes off`],
  ['api/order/quote-cart.ts', 'reducedTax: product.reducedTax', 'reducedTax: false', `${REDUCED}:not taxed there`],
  ['api/order/place-order.ts', '    ...reducedColumns(prices),\n', '', `${REDUCED}:not taxed there`],
  ['api/tax/report-tax.ts', 'total_price - gift_cards_sold as total', 'total_price as total', `${REPORT}:gift cards`],
  ['api/tax/report-tax.ts', "where r.state <> 'FAILED' and", 'where', `${REPORT}:failed`],
  [
    'api/tax/report-tax.ts',
    "COUNTRIES.includes(country) ? country : `'${country}`",
    'country',
    `${REPORT}:spreadsheet`,
  ],
  ['api/payment/capture-payment.ts', `if (order.status === 'CANCELLED') throw cancelled()`, '', ENDING],
  ['api/payment/capture-payment.ts', ' and cancelled_at is null', '', ENDING],

  // How much stock one shopper may hold.
  ['api/order/admit-hold.ts', '[userId && `hold account ${userId}`', '[null', HOLDING],
  ['api/order/admit-hold.ts', 'address && `hold address ${address}`', 'null', HOLDING],
  [
    'api/order/admit-hold.ts',
    'if (!held.hasPaid) await admitNewcomer(em, userId, held.units + units, lines)',
    '',
    HOLDING,
  ],
  ['api/payment/pay-order.ts', 'await admit?.(tx, order)', '', HOLDING],

  // Fields for administrators.
  [
    'api/order/order.resolver.ts',
    "user?.manages('READ_ORDERS') ? await batched(em, incidentsOf, order.id) : []",
    'await batched(em, incidentsOf, order.id)',
    THING,
  ],
  [
    'api/review/review.resolver.ts',
    "isManager(context, 'MODERATE_REVIEWS') ? review.hiddenReason : null",
    'review.hiddenReason',
    THING,
  ],
  [
    'api/review/review.resolver.ts',
    "product?.isForSale || isManager(context, 'MODERATE_REVIEWS') ? product : null",
    'product',
    THING,
  ],
  ['api/review/list-reviews.ts', ' and r.hidden_at is null`, [id]]', '`, [id]]', 'api/review/moderate-reviews.test.ts'],

  // Keys.
  ['api/partner/scopes.ts', 'if (missing.length > 0) throw outOfScope(missing)', '', `${ACCESS}:Query\\W+users$`],
  [
    'api/partner/scopes.ts',
    `guard(field, SCOPES[field.name] ?? ['ADMIN'])`,
    `guard(field, SCOPES[field.name] ?? [])`,
    `${ACCESS}:Query\\W+users$`,
  ],
  ['api/partner/scopes.ts', `guard(field, ['ADMIN'])`, 'guard(field, [])', THING],

  // Administrators who may not do everything.
  ['api/partner/scopes.ts', 'if (missing.length > 0) throw notPermitted(missing)', '', PERMISSIONS],
  [
    'api/account/authenticate.ts',
    'demandPermissions(context.user, permissionsFor(info))',
    '',
    `${ACCESS}:Query\\W+users$`,
  ],
  ['api/account/user.entity.ts', ' && missingPermissions(this, [scope]).length === 0', '', PERMISSIONS],
  [
    'api/partner/scopes.ts',
    'if (!user?.isAdmin) throw forbidden()',
    'if (!user) throw forbidden()',
    `${ACCESS}:Query\\W+users$`,
  ],
  [
    'api/partner/scopes.ts',
    'demand(scopes, needed) demandPermissions(user, needed)',
    'demand(scopes, needed)',
    PERMISSIONS,
  ],
  [
    'api/partner/scopes.ts',
    'demand(scopes, needed) demandPermissions(user, needed)',
    'demandPermissions(user, needed)',
    `${ACCESS}:subscribers`,
  ],
  [
    'api/account/account.resolver.ts',
    "if (asker?.isAdmin && asker.id !== user.id) demandPermissions(asker, ['READ_ORDERS'])",
    '',
    PERMISSIONS,
  ],
  ['api/account/manage-users.ts', "if (user.isAdmin || isAdmin) demandOfAdmin(editing, ['ADMIN'])", '', PERMISSIONS],
  ['api/account/manage-users.ts', "if (user.isAdmin) demandOfAdmin(editing, ['ADMIN'])", '', PERMISSIONS],
  ['api/account/manage-users.ts', ' and limited_to is null and closed_at', ' and closed_at', PERMISSIONS],
  ['api/account/manage-users.ts', '(!isAdmin || limitedTo)', '!isAdmin', PERMISSIONS],
  ['api/account/owners-address.ts', ' and limited_to is null', '', PERMISSIONS],
  ['api/fulfilment/packing-slips.ts', "demandOfAdmin(context, present(SCOPES['orders']))", '', PERMISSIONS],
  ['api/export/manage-exports.ts', 'demandOfAdmin(context, scopesOf(document))', '', PERMISSIONS],
  ['api/export/manage-exports.ts', 'demandOfAdmin(context, scopesOf(parse(made.query)))', '', PERMISSIONS],
  ['api/catalog/product-changes.resolver.ts', "demandOfAdmin(context, ['WRITE_PRODUCTS'])", 'undefined', PERMISSIONS],

  // What comes with products.
  [
    'api/download/change-downloads.ts',
    'if (before.length >= ownerLimits.download.perProduct)',
    'if (false)',
    `${DOWNLOADS}:tenth at most`,
  ],
  [
    'api/download/download-files.ts',
    "if (!file.subarray(0, AROUND_MARKS).includes('%PDF-'))",
    'if (false)',
    `${DOWNLOADS}:a picture`,
  ],
  [
    'api/download/download-files.ts',
    "if (!file.subarray(-AROUND_MARKS).includes('%%EOF'))",
    'if (false)',
    `${DOWNLOADS}:cut short`,
  ],
  [
    'api/download/download-files.ts',
    '.filter(({ writtenAt }) => writtenAt < yesterday)',
    '',
    `${DOWNLOADS}:its file is cleared away`,
  ],
  [
    'api/download/send-downloads.ts',
    "demandOfAdmin(context, present(SCOPES['addDownload']))",
    '',
    `${DOWNLOADS}:looked at by who may change`,
  ],
  ['api/download/list-bought-downloads.ts', 'user_id = ? and', '?::text is not null and', `${DOWNLOADS}:in one place`],
  ['api/download/list-bought-downloads.ts', ' and paid_at is not null', '', `${DOWNLOADS}:in one place`],
  ['api/download/list-bought-downloads.ts', ' and refunded_amount < total_price', '', `${DOWNLOADS}:in one place`],
  ['api/download/list-bought-downloads.ts', 'if (!newest.has(download.id))', '', `${DOWNLOADS}:in one place`],
  [
    'api/order/place-order.ts',
    'shippingAddress.isPickup && isDownloadsAlone(items)',
    'false',
    'api/order/pickup.test.ts:downloads alone',
  ],
  ['api/download/download-files.ts', '!kept.has(idOf(each))', 'true', `${DOWNLOADS}:its file is cleared away`],
  [
    'api/catalog/save-product.ts',
    'if (isDownload && (lots || (keptByLot ?? byLot)))',
    'if (false)',
    `${DOWNLOAD_ORDERS}:no dye lots`,
  ],

  // Accounts and passwords.
  [
    'api/account/sign-in.ts',
    'if ((await passwordMatches(user?.passwordHash, password)) && user)',
    'if (user)',
    SIGN_IN,
  ],
  [
    'api/account/addresses.ts',
    '{ emailKey, closedAt: null, emailVerifiedAt: { $ne: null } }',
    '{ emailKey, emailVerifiedAt: { $ne: null } }',
    USERS,
  ],
  ['api/account/sign-in.ts', 'await loginThrottle.admit(tries)', '', SIGN_IN],
  ['api/account/known-devices.ts', ' && user.emailKey === emailKey(email)', '', SIGN_IN],
  ['api/account/sign-in.ts', `if (!same) throw wrongCredentials()`, '', RESET],
  ['api/account/confirm-email.ts', '  await em.nativeDelete(PasswordReset, { user })\n', '', CONFIRM],
  [
    'api/account/throttle.ts',
    'await consume(pairs, pairOf(tried))\n      await consume(everywhere',
    'await consume(everywhere',
    THROTTLE,
  ],
  ['api/account/throttle.ts', 'await consume(everywhere, keyOf(tried.email), ADVICE)', '', THROTTLE],
  ['api/account/throttle.ts', 'await consume(brisk, key)', '', THROTTLE],
  ['api/account/throttle.ts', '.slice(0, 4)', '', THROTTLE],
  ['api/account/throttle.ts', '${network(ip)} ${emailKey(email)}', '${network(ip)} ${email}', THROTTLE],
  ['api/account/sign-in.ts', 'await admitCode(context, user, code)', '', SECOND_FACTOR],
  ['api/account/sign-in-with-provider.ts', 'if (!(await spend(tx))) throw unproven()', '', PROVIDER],
  ['api/account/sign-in-with-provider.ts', 'if (found) await spendCode(tx, user, code)', '', PROVIDER],
  ['api/account/sign-in-with-provider.ts', "owner && emailIs === 'THEIRS'", 'owner', PROVIDER],
  ['api/account/sign-in-with-provider.ts', " || emailIs === 'CLAIMED'", '', PROVIDER],
  ['api/account/providers.ts', 'expectedState: state', 'expectedState: oidc.skipStateCheck', PROVIDER],
  ['api/account/providers.ts', 'audience: [env.clientId, ...env.apps],', '', PROVIDER],
  [
    'api/account/providers.ts',
    "if (payload['nonce'] !== nonce) throw new Unproven('The nonce is another one.')",
    '',
    PROVIDER,
  ],
  ['api/account/providers.ts', "manner.isSureOf(claims) ? 'THEIRS' : 'SHOWN'", "'THEIRS'", PROVIDER],
  ['api/account/provider-routes.ts', 'if (!isOwnForm(request)) return away(reply, entrance(errand))', '', PROVIDER],
  ['api/account/link-identity.ts', 'if (known && known.account.id !== user.id) throw taken(person)', '', PROVIDER],
  ['api/account/link-identity.ts', '!user.passwordHash && identities.length === 1', 'false', PROVIDER],
  ['api/account/sign-in.ts', 'await spendCode(tx, same, code)', '', SECOND_FACTOR],
  ['api/account/second-factor.ts', 'if (delta === null) throw wrong()', '', SECOND_FACTOR],
  ['api/account/second-factor.ts', 'if (!used) throw wrong()', '', SECOND_FACTOR],
  [
    'api/account/second-factor.ts',
    ' and (last_step is null or last_step < ?)',
    ' and ?::int is not null',
    SECOND_FACTOR,
  ],
  ['api/account/second-factor.ts', 'if (used === 0) throw wrong()', '', SECOND_FACTOR],
  [
    'api/account/second-factor.ts',
    'userId: user.id, codeHash: hashOf(typed)',
    'codeHash: hashOf(typed)',
    SECOND_FACTOR,
  ],
  [
    'api/account/second-factor.ts',
    'if (!(await passwordMatches(user.passwordHash, password))) throw wrongPassword()',
    '',
    SECOND_FACTOR,
  ],
  [
    'api/account/second-factor.ts',
    `if (user.id === actor.id) throw refuse('SECOND_FACTOR_STATE', 'Please turn off your own second factor in your profile.')`,
    '',
    SECOND_FACTOR,
  ],
  ['api/account/second-factor-throttle.ts', 'await tries.consume(key(user))', '', SECOND_FACTOR],
  ['api/account/user.entity.ts', ' && !this.awaitsSecondFactor', '', SECOND_FACTOR],
  ['api/partner/scopes.ts', 'if (user.awaitsSecondFactor) throw secondFactorMissing()', '', SECOND_FACTOR],
  ['api/account/choose-password.ts', 'if (await isCommon(password))', 'if (false)', RESET, SIGN_IN],
  [
    'api/account/choose-password.ts',
    `if (isOneOf([name, email, nth(email.split('@'), 0), contact.name], password))`,
    'if (false)',
    RESET,
    SIGN_IN,
  ],
  ['api/bell/ask-for-bell.ts', 'await bellThrottle.admit({ ip, email })', '', BELL],
  ['api/bell/bell-mails.ts', 'if (await isTooMany(em, mail)) return null', '', BELL],
  ['api/bell/ask-for-bell.ts', 'if ((await tx.nativeDelete(BellLink, { tokenHash })) === 0) throw spent()', '', BELL],
  ['api/bell/ring-bells.ts', 'for update of b skip locked', '', BELL],
  ['api/account/manage-users.ts', '    await forgetBells(tx, user)\n', '', BELL],
  // An address book belongs to its owner alone, and is limited.
  [
    'api/address/keep-addresses.ts',
    'findOne(SavedAddress, { id, userId: user.id })',
    'findOne(SavedAddress, { id })',
    ADDRESSES,
  ],
  [
    'api/address/keep-addresses.ts',
    'nativeDelete(SavedAddress, { id, userId })',
    'nativeDelete(SavedAddress, { id })',
    ADDRESSES,
  ],
  ['api/address/keep-addresses.ts', `await assertOpen(tx, id, 'no key update')`, '', ADDRESSES],
  ['api/account/manage-users.ts', '    await forgetAddresses(tx, user)\n', '', ADDRESSES],
  ['api/account/manage-users.ts', '    await forgetCart(tx, user)\n', '', CART],
  ['api/cart/open-cart.ts', 'return user && isId(id) ? { id, userId: user.id } : null', 'return { id }', CART],
  ['api/cart/open-cart.ts', 'openCart(em, asker, id, LockMode.PESSIMISTIC_WRITE)', 'openCart(em, asker, id)', CART],
  ['api/cart/open-cart.ts', 'cart && clock.now() < cart.expiresAt ? cart : null', 'cart', CART],
  ['api/cart/change-cart.ts', '  await cartThrottle.admit(user?.id ?? ip)\n', '', CART],
  ['api/cart/change-cart.ts', 'if (key && cart.row.changeKeys.includes(key)) return cart', '', CART],
  ['api/cart/merge-cart.ts', 'lockCart(tx, { user: null }, token)', 'lockCart(tx, { user }, token)', CART],
  ['api/account/manage-users.ts', '    await forgetAnnotation(tx, user)\n', '', ANNOTATIONS],
  ['api/annotation/annotate.ts', ' and not ${isGone} for no key update', ' for no key update', ANNOTATIONS],
  ['api/annotation/annotate.ts', 'if (written.length === externalIds.length) return', 'return', ANNOTATIONS],
  ['api/newsletter/subscribe.ts', 'await newsletterThrottle.admit({ ip, email })', '', NEWSLETTER],
  ['api/newsletter/newsletter-mails.ts', 'if (await isTooMany(em, mail)) return null', '', NEWSLETTER],
  [
    'api/newsletter/subscribers-csv.ts',
    "demandOfAdmin(context, present(SCOPES['newsletterSubscribers']))",
    '',
    `${ACCESS}:subscribers`,
  ],
  [
    'api/newsletter/list-subscribers.ts',
    'confirmed_at is not null and unsubscribed_at is null',
    'true',
    'api/newsletter/subscribers.test.ts',
  ],
  ['api/newsletter/subscribers-csv.ts', 'escape_formulas: true, ', '', 'api/newsletter/subscribers.test.ts'],
  ['api/discount/welcome-code.ts', 'case when count(*) = 2 then', 'case when true then', NEWSLETTER],
  [
    'api/newsletter/subscribe.ts',
    'if ((await tx.nativeDelete(NewsletterLink, { tokenHash })) === 0)',
    'if (false)',
    NEWSLETTER,
  ],
  ['api/discount/apply-code.ts', 'if (buyer && (await isOfAnother(em, code, buyer)))', 'if (false)', NEWSLETTER],
  ['api/account/reset-password.ts', 'await resetThrottle.admit({ ip, email })', '', RESET],
  ['api/account/reset-password.ts', 'if (!used) throw spent()', '', RESET],
  [
    'api/account/addresses.ts',
    '[Session, PasswordReset, EmailConfirmation, KnownDevice]',
    '[PasswordReset, EmailConfirmation, KnownDevice]',
    RESET,
    SIGN_IN,
  ],
  [
    'api/account/addresses.ts',
    '[Session, PasswordReset, EmailConfirmation, KnownDevice]',
    '[Session, EmailConfirmation, KnownDevice]',
    RESET,
  ],
  ['api/account/password-mails.ts', ' || (await isTooMany(em, mail))', '', RESET],
  // Whose email address it is.
  ['api/account/confirm-email.ts', 'tokenHash, user, createdAt', 'tokenHash, createdAt', CONFIRM],
  [
    'api/account/confirm-email.ts',
    ', createdAt: { $gt: oldestGood() } })\n      const email',
    ' })\n      const email',
    CONFIRM,
  ],
  ['api/account/update-profile.ts', '!mayBeFresh || !(await isFresh(context))', 'false', CONFIRM, SIGN_IN],
  ['api/account/prove-identity.ts', '  if (!fits) throw wrongPassword()\n', '', CONFIRM, SIGN_IN],
  ['api/account/prove-identity.ts', '  await context.proofThrottle.admit(id)\n', '', SIGN_IN],
  ['api/account/addresses.ts', '    await endAccess(em, other)\n', '', CONFIRM],
  [
    'api/account/confirmation-mails.ts',
    'if (owner && owner.id !== user.id) return writeToOwner(shop, owner)',
    '',
    CONFIRM,
  ],
  ['api/account/manage-users.ts', '  await em.nativeDelete(PasswordReset, { user })\n', '', RESET],
  ['api/http/web.ts', 'if (!isOwnForm(request))', 'if (false)', 'api/http/forms.test.ts:from elsewhere'],
  ['api/http/web.ts', 'isPersonal(request) ? renderFor(request) : ', '', 'api/http/forms.test.ts:only its visitor'],
  ['api/http/web.ts', ' || isPersonal(request)', '', 'api/http/forms.test.ts:only its visitor'],
  ['api/http/web.ts', String.raw`.replace(/^[/\\]+/, '/')`, '', 'api/testing/gates/headers.test.ts:leads nowhere else'],
  [
    'api/http/web.ts',
    `if (!request.url.startsWith('/')) return reply.callNotFound()`,
    '',
    'api/testing/gates/headers.test.ts:is none of ours',
  ],
  [
    'api/http/json-body.ts',
    `getDefaultJsonParser('error', 'error')`,
    `getDefaultJsonParser('ignore', 'ignore')`,
    'api/rest/bad-input.test.ts:reads JSON',
  ],
  [
    'api/rest/bodies.ts',
    String.raw`z.string().max(20, { abort: true }).regex(/^-?\d+$/)]`,
    'z.any()]',
    'api/rest/bad-input.test.ts:of another type',
  ],
  ['api/mail/send-mail.ts', ' for update skip locked', '', MAIL],
  ['api/server.ts', `if (mail.to === 'mailbox') await app`, 'await app', MAIL],
  ['api/mail/mailbox.ts', `default-src 'none'; style-src 'nonce-`, `style-src 'nonce-`, MAIL],
  ['api/mail/smtp.ts', `to: { name: '', address: recipient }`, 'to: recipient', MAIL],
  ['api/mail/template.ts', '/[./:@]\\S/.test(name)', 'false', MAIL],
  ['api/graphql/query-limits.ts', 'if (found > 1) context.reportError', 'if (found > 99) context.reportError', SIGN_IN],
  [
    'api/account/manage-users.ts',
    'if (user.isAdmin && (!isAdmin || limitedTo)) await assertExpendable(tx, actor, user)',
    '',
    USERS,
  ],
  [
    'api/account/manage-users.ts',
    '    await assertExpendable(tx, actor, user)\n    user.closedAt',
    '    user.closedAt',
    USERS,
  ],
  [
    'api/account/manage-users.ts',
    `if (user.id === actor.id) throw refuse('LAST_ADMIN', 'You cannot remove or demote yourself.')`,
    '',
    USERS,
  ],
  [
    'api/account/manage-users.ts',
    `if (mayDoAll(user) && others === 0) throw refuse('LAST_ADMIN', 'At least one administrator must remain who may do everything.')`,
    '',
    USERS,
  ],
  ['api/account/manage-users.ts', '    await endAccess(tx, user)\n', '', USERS],
  ['api/account/open-account.ts', '{ id, closedAt: null }', '{ id }', USERS, 'api/partner/api-keys.test.ts'],

  // Money.
  [
    'api/payment/settle.ts',
    `if (orderId !== null && orderId !== order.id) return 'names another order'`,
    '',
    SETTLING,
    PAYING,
  ],
  ['api/payment/settle.ts', 'and total_price = ? and', 'and ?::integer > 0 and', SETTLING, PAYING],
  ['api/payment/settle.ts', 'paid_at is null and lapsed_at is null', 'lapsed_at is null', SETTLING],
  ['api/payment/settle.ts', ' and lapsed_at is null', '', PAYING],
  ['api/payment/settle.ts', '       for no key update skip locked\n', '', SETTLING],
  ['api/payment/settle.ts', 'if (orderId === null && !paysUs)', 'if (false)', PAYING],
  ['api/payment/pay-order.ts', 'if (misfitOf(order, payment)) throw', 'if (false) throw', PAYING],
  ['api/payment/settle.ts', 'if (otherPayee) return', 'if (false) return', SETTLING, PAYING],
  ['api/payment/settle.ts', `if (currency !== shopCurrency()) return`, 'if (false) return', SETTLING, PAYING],
  ['api/payment/settle.ts', 'if (amount !== order.charge)', 'if (false)', SETTLING, PAYING],
  [
    'api/payment/settle.ts',
    `if (before && before.orderId !== order.id) return { order, mismatch: ELSEWHERE }`,
    '',
    SETTLING,
    PAYING,
  ],
  ['api/payment/webhook.ts', '     for key share of o\n', '', LOCKING],
  ['api/payment/webhook.ts', 'paypal_order_id = ? for no key update', 'paypal_order_id = ?', LOCKING],
  ['api/payment/refund-order.ts', 'where id = ? for no key update', 'where id = ?', LOCKING],
  ['api/payment/webhook.ts', 'await verify(request.headers, body)', '', WEBHOOK],
  ['api/payment/webhook.ts', 'if (reported !== paypalOrderId && ', 'if (false && ', WEBHOOK],
  [
    'api/payment/verify-webhook.ts',
    `if (!webhookId) throw new UnverifiableWebhook('PAYPAL_WEBHOOK_ID is not set')`,
    '',
    WEBHOOK,
  ],
  [
    'api/payment/verify-webhook.ts',
    `if (header('auth-algo') !== 'SHA256withRSA') throw new ForgedWebhook('signed in another way')`,
    '',
    WEBHOOK,
  ],
  [
    'api/payment/verify-webhook.ts',
    'address?.origin !== certificateOrigin || !CERTIFICATE_PATH',
    '!address || !CERTIFICATE_PATH',
    WEBHOOK,
  ],
  ['api/payment/verify-webhook.ts', ' || !CERTIFICATE_PATH.test(address.pathname)', '', WEBHOOK],
  ['api/payment/verify-webhook.ts', ' || address.username || address.search', '', WEBHOOK],
  ['api/payment/verify-webhook.ts', 'now < certificate.validFromDate || ', '', WEBHOOK],
  ['api/payment/verify-webhook.ts', ' || now > certificate.validToDate', '', WEBHOOK],
  [
    'api/payment/verify-webhook.ts',
    `if (!verifySignature('RSA-SHA256', Buffer.from(message), certificate.publicKey, signature)) throw new ForgedWebhook('wrong signature')`,
    '',
    WEBHOOK,
  ],
  ['api/payment/verify-webhook.ts', `redirect: 'error'`, `redirect: 'follow'`, WEBHOOK],

  // What an import fetches.
  ['api/catalog/import/fetch-pictures.ts', 'if (length > limits.pictureBytes) break', '', FETCHING],
  ['api/catalog/import/fetch-pictures.ts', ' && placeOf(each.address) === 0', '', FETCHING],
  ['api/catalog/import/fetch-pictures.ts', '.slice(0, ownerLimits.pictures - shown.length)', '', FETCHING],
  [
    'api/catalog/import/fetch-pictures.ts',
    'case when applied_version = ? then ? else applied_version end',
    `case when ? + ? = 0 then 0 else applied_version end`,
    FETCHING,
  ],
  ['api/catalog/import/fetch-pictures.ts', ` and m.status = 'APPLIED'`, '', FETCHING],
  ['api/catalog/import/apply-import.ts', 'await showPicturesOfBefore(tx, range)', '', FETCHING],
  ['api/catalog/import/preview-import.ts', ' && !product?.others.includes(address)', '', FETCHING],
  ['api/catalog/import/preview-import.ts', 'values.image === product.pictureFrom', 'false', FETCHING],

  // Collections.
  ['api/collection/list-collections.ts', `const PUBLISHED = 'c.is_published'`, `const PUBLISHED = 'true'`, COLLECTIONS],
  ['api/collection/list-collections.ts', '.filter(({ total }) => total > 0)', '', COLLECTIONS],
  ['api/collection/save-collection.ts', 'version != null && version !== found.version', 'false', COLLECTIONS],
  ['api/collection/save-collection.ts', 'if (known.length < productIds.length)', 'if (false)', COLLECTIONS],

  // Orders that are taken for customers.
  ['api/order/place-order-for.ts', 'emailVerifiedAt: { $ne: null },', '', TAKEN],
  ['api/order/place-order.ts', 'if (userId !== null || takenBy)', 'if (userId !== null)', TAKEN],
  ['api/order/place-order.ts', 'const holder = takenBy ? null :', 'const holder =', TAKEN],
  ['api/order/place-order.ts', 'takenBy?.holdMinutes ?? stockHold', 'stockHold', TAKEN],
  ['api/payment/pay-order.ts', 'greatest(held_until, ?)', '?', TAKEN],
  ['api/order/resend-letter.ts', 'if (!order.isGuests)', 'if (false)', LETTER],
  ['api/order/resend-letter.ts', 'await em.nativeDelete(OrderLink, { orderId: order.id })', '', LETTER],
  ['api/order/resend-letter.ts', `if (order.status === 'CANCELLED')`, 'if (false)', LETTER],

  // Announcements.
  ['api/announcement/update-announcement.ts', `text: { $ne: '' },`, '', ANNOUNCEMENTS],
  ['api/announcement/update-announcement.ts', '{ startsAt: { $lte: now } }', '{ version: { $gt: 0 } }', ANNOUNCEMENTS],
  ['api/announcement/update-announcement.ts', '{ endsAt: { $gt: now } }', '{ version: { $gt: 0 } }', ANNOUNCEMENTS],
  ['api/announcement/update-announcement.ts', 'found.version !== version', 'false', ANNOUNCEMENTS],
  ['schema/rules/shapes/announcement.ts', 'isPath(link) || isWebAddress(link)', 'true', ANNOUNCEMENTS],

  // What a busy shop accepts.
  [
    'api/http/admission.ts',
    'waiting.since === since && now - since > patienceMs + STOOD_STILL_MS',
    'false',
    `${ADMISSION}:stood still`,
  ],
  ['api/http/admission.ts', 'if (!(await line.enter(client, address))) return turnAway(request, reply)', '', ADMISSION],
  ['api/http/admission.ts', 'closing = !handsOver()', 'closing = true', 'api/processes.test.ts:told to stop'],
  ['api/http/admission.ts', 'if (!hasBody(request) || !places.has(request)) return', 'return', ADMISSION],
  [
    'api/http/admission.ts',
    ' && (clients.get(client) ?? 0) < perClient',
    '',
    `${ADMISSION}:has its share of the places|have its turn`,
  ],
  ['api/http/admission.ts', ' && (addresses.get(address) ?? 0) < perAddress', '', `${ADMISSION}:is an address too`],
  [
    'api/http/admission.ts',
    'isUpload(request) ? lines.uploads : undefined',
    'undefined',
    `${ADMISSION}:files worked on`,
  ],
  ['api/live/open-limits.ts', 'if (of(address) >= perAddress)', 'if (false)', 'api/live/live.test.ts:from one address'],
  [
    'api/live/open-limits.ts',
    'if (of(client) >= perClient)',
    'if (false)',
    'api/live/live.test.ts:at most ten streams',
  ],
  [
    'api/live/over-websocket.ts',
    '!origins.includes(origin) && ',
    'false && ',
    'api/live/live.test.ts:pages of the origins',
  ],
  [
    'api/live/over-websocket.ts',
    '++heard <= MOST_HEARD',
    '++heard > 0',
    'api/live/live.test.ts:longer than a body may be, and for too many',
  ],
  ['api/live/over-websocket.ts', 'await payLeast?.(own)', '', 'api/live/live.test.ts:has each subscription pay'],
  ['api/live/over-websocket.ts', 'await contextOf(extra.request)', '', 'api/live/live.test.ts:brings no good token'],
  [
    'api/live/over-websocket.ts',
    'if (!answered) return socket.terminate()',
    '',
    'api/live/live.test.ts:who does not read',
  ],
  ['api/http/rate-limit.ts', 'await purse.spend(price)', '', 'api/http/rate-limit.test.ts:counts the pages'],
  [
    'api/server.ts',
    "'key' in credential ? `key ${hashOf(credential.key)}` : `account ${present(user).id}`",
    '`${user!.id} ${hashOf(authorization)}`',
    'api/http/rate-limit.test.ts:gives nobody more',
  ],
  [
    'api/http/rate-limit.ts',
    'await before',
    '',
    'api/http/rate-limit.test.ts:of one address are worked on one after another',
  ],
  [
    'api/http/admission.ts',
    'if (this.#waiting.delete(next)) this.#waiting.set(next, own)',
    '',
    `${ADMISSION}:have its turn`,
  ],
  ['api/http/admission.ts', "app.addHook('onSend', async request => leave(request))", '', `${ADMISSION}:does not read`],
  [
    'api/http/connections.ts',
    'own.size >= limits.perAddress && ',
    'false && ',
    `${ADMISSION}:share of the connections`,
  ],
  ['api/http/connections.ts', 'valueAt(lines, socket).busy || ', '', `${ADMISSION}:share of the connections`],
  [
    'api/http/connections.ts',
    ' || line.waiting.length >= limits.pipelined',
    '',
    `${ADMISSION}:more than a few at once`,
  ],
  ['api/http/connections.ts', 'line.streaming || ', '', `${ADMISSION}:behind a stream`],
  [
    'api/http/connections.ts',
    'if (line.streaming && line.waiting.length > 0) socket.destroy()',
    '',
    `${ADMISSION}:with a stream`,
  ],
  [
    'api/http/connections.ts',
    'else await new Promise<void>(go => { line.waiting.push(go) })',
    '',
    `${ADMISSION}:one request at work on a connection`,
  ],
  [
    'api/http/connections.ts',
    'await round(isPage(request) ? `pages of ${address}` : address)',
    '',
    `${ADMISSION}:lets others be heard`,
  ],
  [
    'api/http/connections.ts',
    'isPage(request) ? `pages of ${address}` : address',
    'address',
    `${ADMISSION}:what it asks for besides`,
  ],
  ['api/http/admission.ts', 'isPage(request) ? lines.pages : ', '', `${ADMISSION}:places of their own for pages`],
  ['api/http/connections.ts', 'socket.setTimeout(limits.silentMs)', '', `${ADMISSION}:says nothing`],
  ['api/http/connections.ts', 'socket.setTimeout(limits.readMs)', '', `${ADMISSION}:when it does not read`],

  // What the log contains, and what a restore overwrites.
  ['api/kernel/log.ts', 'serializers: { err: loggedError }, ', '', 'api/testing/gates/canaries.test.ts'],
  ['api/kernel/log.ts', ', hooks: { logMethod: withMessage }', '', 'api/testing/gates/canaries.test.ts'],
  [
    'api/db/backup/restore-backup.ts',
    'if (!replace) await refuseNonEmpty(orm.em.fork())',
    '',
    `${BACKUP}:only when told to`,
  ],
  ['api/db/backup/restore-backup.ts', 'await refuseInUse(orm.em.fork())', '', `${BACKUP}:only when told to`],
  ['api/db/backup/restore-backup.ts', 'if (!/^[\\w-]+\\.\\w+$/.test(name))', 'if (false)', `${BACKUP}:other places`],
  [
    'api/db/backup/backup-file.ts',
    ` && JSON.parse(last).sha256 === hash.digest('hex')`,
    '',
    `${BACKUP}:changed in one place`,
  ],

  // What a request may look like.
  ['api/graphql/graphql.ts', 'csrfPrevention: true', 'csrfPrevention: false', BAD_INPUT],
  ['api/graphql/graphql.ts', 'allowBatchedHttpRequests: false', 'allowBatchedHttpRequests: true', BAD_INPUT],
  [
    'api/graphql/graphql.ts',
    'includeStacktraceInErrorResponses: false',
    'includeStacktraceInErrorResponses: true',
    BAD_INPUT,
  ],
  ['api/kernel/errors.ts', 'TOO_MANY_MISTAKES.test(error.message)', 'false', `${BAD_INPUT}:60 mistakes`],
  ['api/graphql/graphql.ts', 'reportThrown, ', '', `${BAD_INPUT}:subscribe to, or not`],
  [
    'api/http/multipart.ts',
    `if (!request.headers['apollo-require-preflight'] && !request.headers['x-apollo-operation-name'])`,
    'if (false)',
    UPLOAD,
  ],
  [
    'api/graphql/limit-cost.ts',
    'if (requested > allowed)',
    'if (requested > 1e9)',
    'api/graphql/query-limits.test.ts:what an operation costs',
  ],
  ['api/graphql/time-limit.ts', 'context.stop?.()', '', 'api/graphql/time-limit.test.ts'],
  ['api/graphql/time-limit.ts', ' || hasLeft()', '', 'api/graphql/time-limit.test.ts'],
  ['api/graphql/time-limit.ts', `if (operation !== 'query') return undefined`, '', 'api/graphql/time-limit.test.ts'],
  [
    'api/http/rate-limit.ts',
    'if (more > (before?.remainingPoints ?? perMinute)) throw',
    'if (more > 1e9) throw',
    'api/http/rate-limit.test.ts:what costs more',
  ],
  // Agents.
  ['api/ucp/ucp.ts', 'user: null,', '', `${AGENTS}:is a visitor`],
  ['api/ucp/cart.ts', 'if (checkout?.orderId) throw notFound()', '', `${AGENTS}:does not change once`],
  ['api/ucp/checkout.ts', 'if (orderId || cancelledAt)', 'if (cancelledAt)', `${AGENTS}:does not change once`],
  ['api/ucp/checkout.ts', '.update(`placing ${id}`)', '.update(`${Math.random()}`)', `${AGENTS}:goes on where`],
  ['api/ucp/destination.ts', 'codeOfCountry(data.country) === undefined', 'false', `${AGENTS}:tells what is missing`],
  ['api/ucp/order.ts', '`order of ${checkoutId}`', "'order'", `${AGENTS}:tells strangers`],
  ['api/graphql/safelist.ts', 'if (user?.actsAsAdmin || scopes || ', 'if (true || ', 'api/graphql/persisted.test.ts'],
  ['api/graphql/response-cache.ts', '!headers.authorization && ', '', 'api/graphql/response-cache.test.ts'],
  ['api/graphql/caching.ts', ` && !request.http.headers.has('authorization')`, '', 'api/graphql/persisted.test.ts'],
  [
    'api/kernel/errors.ts',
    `if (code !== undefined && code !== 'INTERNAL_SERVER_ERROR')`,
    'if (true)',
    'api/kernel/errors.test.ts',
  ],

  // Pictures.
  [
    'api/review/take-picture.ts',
    'where user_id = ? and image in (?)',
    'where (user_id = ? or true) and image in (?)',
    REVIEW_PICTURES,
  ],
  ['api/review/take-picture.ts', 'if (kept >= MOST_OF_AN_ACCOUNT)', 'if (false)', REVIEW_PICTURES],
  [
    'api/review/review.policy.ts',
    "review.isHidden && !isManager(asker, 'MODERATE_REVIEWS') ? [] : ",
    '',
    REVIEW_PICTURES,
  ],
  [
    'api/review/moderate-reviews.ts',
    'await moveReviewPicture(tx, uploads, picture.image)',
    'picture.image',
    REVIEW_PICTURES,
  ],
  ['api/catalog/uploads.ts', 'if (!kind) throw unreadable(NOT_A_PICTURE)', '', UPLOAD],
  [
    'api/catalog/uploads.ts',
    `if (head?.format !== kind) throw unreadable(DAMAGED)`,
    'if (!head) throw unreadable(DAMAGED)',
    UPLOAD,
  ],
  ['api/catalog/uploads.ts', 'if (head.width * head.height > MAX_PIXELS)', 'if (false)', UPLOAD],
  ['api/http/json-body.ts', 'if (!isUtf8(body))', 'if (false)', 'api/http/utf8.test.ts'],
  ['api/http/multipart.ts', 'if (!fields.areText)', 'if (false)', 'api/http/utf8.test.ts'],
  ['api/http/shared-cache.ts', '!areShared || ', '', 'api/graphql/response-cache.test.ts:keeps no cart'],
  ['api/graphql/acknowledged.ts', '(!context.user && !isBuyer) || ', '', 'api/graphql/response-cache.test.ts'],
  ['api/catalog/uploads.ts', 'if (foreignContent(file, kind))', 'if (false)', UPLOAD],
  ['api/catalog/uploads.ts', "if (kind === 'png' && isShredded(file))", 'if (false)', UPLOAD],
  ['api/catalog/uploads.ts', `sharp.block({ operation: ['VipsForeignLoad'] })`, '', UPLOAD],
  ['api/http/multipart.ts', 'if (length > limit) return null', '', UPLOAD],
  ['api/http/multipart.ts', 'if (left < 0) finish(false)', '', `${UPLOAD}:who sends a file without end`],
  [
    'api/http/multipart.ts',
    `if (!over) reply.header('connection', 'close')`,
    '',
    `${UPLOAD}:who sends a file without end`,
  ],
  // An order's parcels.
  [
    'api/fulfilment/fulfil-order.ts',
    "if (!order.isPaid) throw refuse('NOT_PAID', 'This order has not been paid yet.')",
    '',
    `${FULFILLING}:is not sent before it is paid`,
  ],
  ['api/fulfilment/fulfil-order.ts', 'refuseRefunded(order)', '', `${FULFILLING}:all of its money`],
  ['api/fulfilment/send-fulfilment.ts', 'refuseRefunded(parcel.order)', '', `${FULFILLING}:all of its money`],
  ['api/fulfilment/deliver-fulfilment.ts', 'refuseRefunded(order)', '', `${FULFILLING}:all of its money`],
  [
    'api/order/deliver-orders.ts',
    `orderCan.deliver(order) ? null : { code: 'ORDER_REFUNDED', message: REFUNDED }`,
    'null',
    `${FULFILLING}:all of its money`,
  ],
  [
    'api/fulfilment/fulfil-order.ts',
    'if (quantity > rest.quantity)',
    'if (false)',
    `${FULFILLING}:sends no more than was ordered`,
  ],
  [
    'api/fulfilment/return-fulfilment.ts',
    'if (quantity > rest.quantity)',
    'if (false)',
    `${RETURNING}:no more than was in the parcel`,
  ],
  [
    'api/fulfilment/return-fulfilment.ts',
    "if (!fulfilment.sentAt) throw refuse('FULFILMENT_STATE', 'This parcel has not left yet.')",
    '',
    `${RETURNING}:has left before`,
  ],
  [
    'schema/rules/web-address.ts',
    '/^https?:$/.test(new URL(url).protocol)',
    'true',
    `${FULFILLING}:has no link such as`,
  ],
]

const resolvers = globSync(['api/**/*.resolver.ts', 'api/annotation/annotated-type.ts'], { cwd: root }).toSorted()

/** Tests of fields whose types are not read by an id, which the access matrix has no rows for. */
const OF_NO_THING: Record<string, string> = {
  'api/catalog/product-group.resolver.ts': 'api/catalog/product-group.test.ts:shows nobody drafts',
  'api/collection/collection.resolver.ts': COLLECTIONS,
}

/** Removes each `@Authorized`, and lets each one for administrators require only a session. */
function decorators(): Guard[] {
  return resolvers.flatMap(file =>
    [
      ...source(file).matchAll(
        /^ *@Authorized\((.*)\)\n *@(Query|Mutation|Subscription|FieldResolver)\((?:.*\n)+? {2,4}(?:async )?(\w+)\(/gm,
      ),
    ].flatMap(([find, role, root, field]) => {
      const ofField = OF_NO_THING[file] ?? `${ACCESS}:: ${field}$`
      const test = root === 'FieldResolver' ? ofField : `${ACCESS}:${root}\\W+${field}$`
      const weakened = (decorator: string): Guard => ({
        file,
        find,
        replace: find.replace(/@Authorized\(.*\)/, decorator),
        tests: [test, SCHEMA],
      })
      return [weakened(''), ...(role === `'ADMIN'` ? [weakened('@Authorized()')] : [])]
    }),
  )
}

/** Makes each row that says which scopes a key needs require none. */
function scopes(): Guard[] {
  const file = 'api/partner/scopes.ts'
  return [...source(file).matchAll(/^  ([a-z]\w*): (?:[A-Z]+|\[.*\]),$/gm)].map(([find, field]) => ({
    file,
    find,
    replace: `  ${field}: [],`,
    tests: [`${ACCESS}:(Query|Mutation)\\W+${field}$`],
  }))
}

/** Every guard of the shop. */
export const guards = (): Guard[] => [
  ...decorators(),
  ...scopes(),
  ...WRITTEN.map(([file, find, replace, ...tests]) => ({ file, find, replace, tests })),
]
