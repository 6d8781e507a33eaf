import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { AUDIT_PAGE, DELIVERIES_PAGE, MOST_NODES, ROWS_PAGE } from '../query/page-sizes.ts'

/**
 * What an operation costs, in points: one for every thing it may answer with, and more for what asks the database or
 * changes something. Its lists count as long as they can get with the arguments it is run with, so lists within lists
 * multiply. docs/partner-guide.md says so to partners, and no more.
 */
export const POINTS = {
  /** A thing, such as a product, with all its plain fields. */
  thing: 1,
  /** A page or a part of a connection: beside its things it takes a statement of its own for whatever it belongs to. */
  page: 5,
  change: 10,
  /** Introspection is read from memory: so many of its things are as one. */
  introspected: 4,
}

/** Fields with work of their own. Hashing a password keeps a processor and 19 MB for its time. */
export const OWN: Record<string, number> = {
  'Mutation.register': 100,
  'Mutation.login': 100,
  'Mutation.signInWithProvider': 100,
  'Mutation.linkIdentity': 100,
  'Mutation.unlinkIdentity': 100,
  'Mutation.resetPassword': 100,
  'Mutation.updateProfile': 100,
  'Mutation.deleteAccount': 100,
  'Mutation.exportAccount': 100,
  // Everybody can have an account.
  'Mutation.uploadReviewPicture': 50,
  'Query.dashboard': 100,
  'Query.taxReport': 100,
  'Query.searchSuggestions': 10,
  'Query.exportProducts': 1_000,
  'Mutation.startExport': 1_000,
  'Product.substitutes': 5,
  'Product.goesWith': 5,
  'SkeinEstimate.instead': 5,
}

/** Points of each line of what changes many things at once, whether or not the answer shows it. */
export const PER_LINE: Record<string, number> = {
  'Mutation.adjustStock': 1,
  'Mutation.setProducts': 2,
}

/** How many things a page has, where it is not the shop's page size. */
export const PAGES: Record<string, number> = {
  'Query.auditLog': AUDIT_PAGE,
  'Product.history': AUDIT_PAGE,
  'Order.history': AUDIT_PAGE,
  'ProductImport.rows': ROWS_PAGE,
  'Query.webhookDeliveries': DELIVERIES_PAGE,
}

/** How many things other lists can have; as many as are usual where nothing bounds them. Nested introspection as it is on average. */
export const LISTS: Record<string, number> = {
  'ApiKey.usage': 14,
  'Query.customersAlsoViewed': 4,
  'Query.wallOfColour': 78,
  // They stand in the product's own row, and hardly cost more than its plain fields.
  'Product.pictures': 0.1,
  'Product.downloads': 0.1,
  'Review.pictures': 0.1,
  'Product.colours': 2,
  // Plain numbers.
  'ReviewSummary.stars': 1,
  // Of the shop's settings, in memory.
  'PricingPolicy.taxRates': 0.1,
  'Product.substitutes': 8,
  'Product.goesWith': 8,
  'ProductGroup.products': ownerLimits.groupProducts,
  'ProductGroup.members': ownerLimits.groupProducts,
  'ProductGroup.colours': 6,
  'Query.productGroups': 20,
  'ProductFacts.fibres': 3,
  'ProductFacts.needles': 2,
  'ProductFacts.hooks': 2,
  // Some 140 values in all.
  'ProductPage.facets': 12,
  'ProductFacet.values': 12,
  'SearchSuggestions.products': 5,
  'SearchSuggestions.terms': 6,
  'Query.nodes': MOST_NODES,
  'Query.synonyms': 100,
  'Query.pages': 6,
  'Query.collections': 10,
  'Query.adminCollections': 10,
  'CollectionsPayload.collections': 10,
  'Collection.products': 30,
  'Collection.members': 30,
  'Collection.pictures': 0.1,
  'Query.setup': 10,
  // Fixed texts.
  'SetupStep.settings': 0.1,
  'Query.stash': 30,
  'Query.addresses': 3,
  'Query.bells': 5,
  // They stand in the line's own row.
  'OrderItem.lots': 0.02,
  // Read together for all lines; few have any.
  'OrderItem.downloads': 0.02,
  'FulfilmentLine.lots': 0.02,
  'CartQuoteLine.lots': 0.02,
  'Product.lots': 2,
  // Plain texts, read together with the note.
  'Order.tags': 0.1,
  'Product.tags': 0.1,
  'User.identities': 1,
  'User.tags': 0.1,
  'Order.externalIds': 0.1,
  'Product.externalIds': 0.1,
  'User.externalIds': 0.1,
  'Query.myOrders': 100,
  // Read in one statement; few products have any.
  'Query.myDownloads': 20,
  'Order.items': limits.linesPerOrder,
  'Order.refunds': 5,
  'Order.payments': 1,
  'Order.incidents': 5,
  'Order.fulfilments': 2,
  // Most parcels hold a line or two.
  'Fulfilment.lines': 2,
  // Little comes back.
  'Fulfilment.returns': 0.5,
  'FulfilmentReturn.lines': 2,
  'FulfilmentReturnLine.lots': 0.02,
  'CartQuote.lines': limits.linesPerOrder,
  // Few have more than one.
  'Order.taxes': 1,
  'CartQuote.taxes': 1,
  'CartQuote.giftCards': limits.giftCards,
  'GiftCard.uses': 2,
  // Few orders are for any.
  'Order.boughtGiftCards': 0.5,
  'Cart.lines': limits.linesPerOrder,
  'CartLine.lots': 0.02,
  // What is answered for a line or two, as a rule.
  'Cart.notices': 2,
  'CartPayload.notices': 2,
  'DiscountTerms.productIds': 1,
  'Dashboard.buckets': 366,
  'TaxReport.rows': 100,
  'Dashboard.bestSellers': 10,
  'Dashboard.lowStock': 10,
  'Dashboard.expected': 10,
  'Dashboard.ordersToDeliver': 10,
  'Dashboard.newestReviews': 5,
  'AuditEntry.changes': 15,
  'ImportRow.changes': 15,
  'WebhookDelivery.attempts': 10,
  '__Schema.types': 150,
  '__Schema.directives': 6,
  '__Type.fields': 4,
  '__Type.inputFields': 1,
  '__Type.interfaces': 1,
  '__Type.possibleTypes': 1,
  '__Type.enumValues': 2,
  '__Field.args': 1,
  '__Directive.args': 1,
}
