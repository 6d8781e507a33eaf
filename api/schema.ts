import 'reflect-metadata'
import { readdirSync, readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { GraphQLSchema } from 'graphql'
import { buildSchemaSync, createResolversMap } from 'type-graphql'
import { AccountResolver, UserConnectionResolver } from './account/account.resolver.ts'
import { SecondFactorResolver } from './account/second-factor.resolver.ts'
import { AnnotationResolver } from './annotation/annotation.resolver.ts'
import { AuditResolver } from './audit/audit.resolver.ts'
import { authChecker } from './account/authenticate.ts'
import { CartLineResolver, CartResolver } from './cart/cart.resolver.ts'
import { ProductGroupResolver } from './catalog/product-group.resolver.ts'
import { ProductChangesResolver } from './catalog/product-changes.resolver.ts'
import { ProductConnectionResolver, ProductResolver, SkeinEstimateResolver } from './catalog/product.resolver.ts'
import { ProductPageResolver, SearchResolver } from './catalog/search/search.resolver.ts'
import { DiscountResolver } from './discount/discount.resolver.ts'
import { GiftCardResolver } from './gift-card/gift-card.resolver.ts'
import { DashboardResolver } from './dashboard/dashboard.resolver.ts'
import { DownloadResolver } from './download/download.resolver.ts'
import { ExportResolver } from './export/export.resolver.ts'
import { FulfilmentResolver, FulfilmentReturnResolver } from './fulfilment/fulfilment.resolver.ts'
import { forgetShownOnChange } from './graphql/acknowledged.ts'
import { noteSources } from './graphql/note-sources.ts'
import { readFromReplicas } from './graphql/read-from-replicas.ts'
import { endInTime } from './graphql/time-limit.ts'
import { ImportResolver } from './catalog/import/import.resolver.ts'
import { LiveResolver } from './order/live.resolver.ts'
import { NewsletterResolver } from './newsletter/newsletter.resolver.ts'
import { NodeResolver, typeOfNode } from './node/node.resolver.ts'
import { OrderConnectionResolver, OrderItemResolver, OrderResolver } from './order/order.resolver.ts'
import { AnnouncementResolver } from './announcement/announcement.resolver.ts'
import { CollectionResolver } from './collection/collection.resolver.ts'
import { PageResolver } from './page/page.resolver.ts'
import { PartnerResolver } from './partner/partner.resolver.ts'
import { guardScopes } from './partner/scopes.ts'
import { PaymentResolver } from './payment/payment.resolver.ts'
import { ReviewConnectionResolver, ReviewResolver } from './review/review.resolver.ts'
import { BellResolver } from './bell/bell.resolver.ts'
import { AddressResolver } from './address/address.resolver.ts'
import { ShippingAddressResolver } from './address/shipping-address.resolver.ts'
import { TaxResolver } from './tax/tax.resolver.ts'
import { StashResolver } from './stash/stash.resolver.ts'
import { ShopResolver } from './order/shop.resolver.ts'
import { WebhookDeliveryResolver, WebhookResolver } from './webhook/webhook.resolver.ts'

const folder = new URL('../schema/', import.meta.url)

/** The contract as written. */
const typeDefs = readdirSync(folder)
  .filter(file => file.endsWith('.graphql'))
  .map(file => readFileSync(new URL(file, folder), 'utf8'))

/** The schema that the decorators describe; a test compares it with the contract. Never served. */
export const decorated = buildSchemaSync({
  resolvers: [
    ShopResolver,
    ProductResolver,
    ProductChangesResolver,
    ProductConnectionResolver,
    ProductGroupResolver,
    ProductPageResolver,
    SkeinEstimateResolver,
    SearchResolver,
    ReviewResolver,
    ReviewConnectionResolver,
    StashResolver,
    CartResolver,
    CartLineResolver,
    AddressResolver,
    ShippingAddressResolver,
    BellResolver,
    AccountResolver,
    UserConnectionResolver,
    SecondFactorResolver,
    OrderResolver,
    OrderItemResolver,
    OrderConnectionResolver,
    DownloadResolver,
    ExportResolver,
    FulfilmentResolver,
    FulfilmentReturnResolver,
    AnnotationResolver,
    PaymentResolver,
    NewsletterResolver,
    PageResolver,
    AnnouncementResolver,
    CollectionResolver,
    DashboardResolver,
    TaxResolver,
    DiscountResolver,
    GiftCardResolver,
    ImportResolver,
    AuditResolver,
    NodeResolver,
    PartnerResolver,
    WebhookResolver,
    WebhookDeliveryResolver,
    LiveResolver,
  ],
  validate: false,
  authChecker,
  // TypeGraphQL demands it; every subscription brings its own source.
  pubSub: {
    publish() {},
    subscribe() {
      throw new Error('Subscriptions hear of events through api/event/listen.ts')
    },
  },
})

/** The contract with behaviour bound to it. */
export const schema: GraphQLSchema = readFromReplicas(
  forgetShownOnChange(
    noteSources(
      endInTime(
        guardScopes(
          makeExecutableSchema({
            typeDefs,
            resolvers: { ...createResolversMap(decorated), Node: { __resolveType: typeOfNode } } as never,
            resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
          }),
        ),
      ),
    ),
  ),
)
