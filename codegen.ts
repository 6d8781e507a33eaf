import type { CodegenConfig } from '@graphql-codegen/cli'

const api = {
  enumsAsTypes: true,
  useTypeImports: true,
  maybeValue: 'T | null | undefined',
  scalars: { DateTime: 'Date', Cents: 'number', Upload: 'Promise<FileUpload>' },
  contextType: '../context.ts#Context',
  // What a resolver of the parent type receives.
  mappers: {
    Product: '../catalog/product.entity.ts#Product as ProductEntity',
    ProductConnection: '../catalog/connect-products.ts#ConnectedProducts',
    ProductGroup: '../catalog/list-groups.ts#GroupOnSale',
    ProductPage: '../catalog/list-products.ts#ProductList',
    SkeinEstimate: '../catalog/count-skeins.ts#SkeinEstimate as SkeinEstimateCounted',
    Substitute: '../catalog/find-alike.ts#Substitute as SubstituteFound',
    ReviewConnection: '../review/list-reviews.ts#ConnectedReviews',
    UserConnection: '../account/list-users.ts#ConnectedUsers',
    NewsletterSubscriberConnection: '../newsletter/list-subscribers.ts#ConnectedSubscribers',
    Export: '../export/export.entity.ts#Export as ExportEntity',
    Review: '../review/review.entity.ts#Review as ReviewEntity',
    Address: '../address/saved-address.entity.ts#SavedAddress',
    StashItem: '../stash/stash-item.entity.ts#StashItem as StashItemEntity',
    AuditEntry: '../audit/audit-entry.entity.ts#AuditEntry as AuditEntryEntity',
    ProductImport: '../catalog/import/product-import.entity.ts#ProductImport as ProductImportEntity',
    DiscountCode: '../discount/discount-code.entity.ts#DiscountCode as DiscountCodeEntity',
    GiftCard: '../gift-card/gift-card.entity.ts#GiftCard as GiftCardEntity',
    GiftCardUse: '../gift-card/manage-gift-cards.ts#GiftCardUse as GiftCardUsed',
    Page: '../page/page.entity.ts#ShopPage',
    Announcement: '../announcement/announcement.entity.ts#Announcement as AnnouncementEntity',
    Download: '../catalog/product.entity.ts#ProductDownload',
    Collection: '../collection/list-collections.ts#CollectionShown',
    ApiKey: '../partner/api-key.entity.ts#ApiKey as ApiKeyEntity',
    Webhook: '../webhook/webhook.entity.ts#Webhook as WebhookEntity',
    WebhookDelivery: '../webhook/webhook-delivery.entity.ts#WebhookDelivery as WebhookDeliveryEntity',
    LinkedIdentity: '../account/linked-identity.entity.ts#LinkedIdentity as LinkedIdentityEntity',
    User: '../account/user.entity.ts#User as UserEntity',
    Order: '../order/order.entity.ts#Order as OrderEntity',
    ShippingAddress: '../order/order.entity.ts#ShippingAddress as StoredAddress',
    Cart: '../cart/open-cart.ts#OpenCart',
    CartLine: '../cart/cart.entity.ts#CartLine as StoredCartLine',
    OrderConnection: '../order/list-orders.ts#ConnectedOrders',
    OrderItem: '../order/order.entity.ts#OrderItem as OrderItemEntity',
    Fulfilment: '../fulfilment/fulfilment.entity.ts#Fulfilment as FulfilmentEntity',
    FulfilmentLine: '../fulfilment/fulfilment.entity.ts#FulfilmentLine as FulfilmentLineEntity',
    FulfilmentReturn: '../fulfilment/fulfilment-return.entity.ts#FulfilmentReturn as FulfilmentReturnEntity',
    FulfilmentReturnLine:
      '../fulfilment/fulfilment-return.entity.ts#FulfilmentReturnLine as FulfilmentReturnLineEntity',
  },
}

const browser = {
  scalars: { DateTime: 'string', ID: 'string', Cents: 'number', Upload: 'File' },
  defaultScalarType: 'unknown',
  nonOptionalTypename: true,
  skipTypeNameForRoot: true,
  useTypeImports: true,
  enumType: 'string-literal',
}

const pages = 'storefront/**/*.graphql'

export default {
  schema: 'schema/*.graphql',
  ignoreNoDocuments: true,
  generates: {
    'api/generated/types.ts': {
      plugins: [
        { add: { content: "import type { FileUpload } from 'graphql-upload-minimal'" } },
        'typescript',
        'typescript-resolvers',
      ],
      config: api,
    },
    'api/generated/classes.ts': {
      // The generator does not write `override` for what an interface declares.
      plugins: [
        { add: { content: "// @ts-nocheck\nimport { Cents, DateTime, Upload } from '../kernel/scalars.ts'" } },
        './api/graphql/classes-plugin.mjs',
      ],
      config: {
        scalars: { DateTime: 'DateTime', Cents: 'Cents', Upload: 'Upload' },
        namingConvention: { enumValues: 'keep' },
      },
    },
    'api/generated/answers.ts': { plugins: ['./api/testing/answers-plugin.mjs'] },
    'storefront/generated/answers.ts': { plugins: ['./api/testing/answers-plugin.mjs'] },
    'api/generated/rest.ts': {
      documents: 'api/rest/operations.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        ...browser,
        scalars: { ...browser.scalars, Upload: 'unknown' },
        nonOptionalTypename: false,
        skipTypename: true,
      },
    },
    'api/generated/ucp.ts': {
      documents: 'api/ucp/operations.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { ...browser, nonOptionalTypename: false, skipTypename: true },
    },
    'api/generated/safelist.ts': { documents: pages, plugins: ['./api/graphql/safelist-plugin.mjs'] },
    'storefront/generated/types.ts': {
      documents: pages,
      plugins: ['typescript-operations'],
      config: { ...browser, generateOperationTypes: false },
    },
    'storefront/generated/tags.ts': { documents: pages, plugins: ['./storefront/data/tags-plugin.mjs'] },
    'storefront/': {
      documents: pages,
      preset: 'near-operation-file',
      presetConfig: { extension: '.gql.ts', baseTypesPath: 'generated/types.ts' },
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { ...browser, importSchemaTypesFrom: 'storefront/generated/types.ts' },
    },
  },
} satisfies CodegenConfig
