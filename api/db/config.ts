import { defineConfig, MikroORM, type EntityManager, type Options } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import type { Logger } from 'pino'
import { present } from '#schema/rules/present'
import { Session } from '../account/session.entity.ts'
import { EmailConfirmation } from '../account/email-confirmation.entity.ts'
import { KnownDevice } from '../account/known-device.entity.ts'
import { LinkedIdentity } from '../account/linked-identity.entity.ts'
import { PasswordReset } from '../account/password-reset.entity.ts'
import { RecoveryCode, SecondFactor } from '../account/second-factor.entity.ts'
import { User } from '../account/user.entity.ts'
import { AuditEntry } from '../audit/audit-entry.entity.ts'
import { Cart } from '../cart/cart.entity.ts'
import { AgentCheckout } from '../ucp/agent-checkout.entity.ts'
import { DiscountCode } from '../discount/discount-code.entity.ts'
import { migrateJobs } from '../jobs/jobs.ts'
import { isTracing } from '../kernel/tracing.ts'
import { traceStatements } from './trace-statements.ts'
import { FIRST_CONNECTION_MS, firstConnection } from './first-connection.ts'
import { giveUpBroken, giveUpSilent, type Pool } from './give-up-broken.ts'
import { ShopDriver, ShopEntityManager } from './driver.ts'
import { openReplicas, type Replicas } from './replicas.ts'
import { ProductImport } from '../catalog/import/product-import.entity.ts'
import { Mail } from '../mail/mail.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { ProductGroup } from '../catalog/product-group.entity.ts'
import { ShopPage } from '../page/page.entity.ts'
import { Bell } from '../bell/bell.entity.ts'
import { BellLink } from '../bell/bell-link.entity.ts'
import { NewsletterLink } from '../newsletter/newsletter-link.entity.ts'
import { Subscription } from '../newsletter/subscription.entity.ts'
import { Order, OrderItem } from '../order/order.entity.ts'
import { OrderIncident } from '../order/order-incident.entity.ts'
import { OrderLink } from '../order/order-link.entity.ts'
import { Export } from '../export/export.entity.ts'
import { FulfilmentReturn, FulfilmentReturnLine } from '../fulfilment/fulfilment-return.entity.ts'
import { Fulfilment, FulfilmentLine } from '../fulfilment/fulfilment.entity.ts'
import { PaymentAttempt } from '../payment/payment-attempt.entity.ts'
import { ApiKey } from '../partner/api-key.entity.ts'
import { Payment } from '../payment/payment.entity.ts'
import { Refund } from '../payment/refund.entity.ts'
import { Review } from '../review/review.entity.ts'
import { SavedAddress } from '../address/saved-address.entity.ts'
import { StashItem } from '../stash/stash-item.entity.ts'
import { WebhookDelivery } from '../webhook/webhook-delivery.entity.ts'
import { Webhook } from '../webhook/webhook.entity.ts'
import { Migration001Shop } from './migrations/Migration001Shop.ts'
import { Migration002Admin } from './migrations/Migration002Admin.ts'
import { Migration003Payments } from './migrations/Migration003Payments.ts'
import { Migration004Partners } from './migrations/Migration004Partners.ts'
import { Migration005Events } from './migrations/Migration005Events.ts'
import { Migration006Webhooks } from './migrations/Migration006Webhooks.ts'
import { Migration007Mail } from './migrations/Migration007Mail.ts'
import { Migration008Addresses } from './migrations/Migration008Addresses.ts'
import { Migration009Catalogue } from './migrations/Migration009Catalogue.ts'
import { Migration010Holds } from './migrations/Migration010Holds.ts'
import { Migration011SecondFactor } from './migrations/Migration011SecondFactor.ts'
import { Migration012Incidents } from './migrations/Migration012Incidents.ts'
import { Migration013Search } from './migrations/Migration013Search.ts'
import { Migration016Finding } from './migrations/Migration016Finding.ts'
import { Migration017Facets } from './migrations/Migration017Facets.ts'
import { Migration018Facts } from './migrations/Migration018Facts.ts'
import { Migration019Colours } from './migrations/Migration019Colours.ts'
import { Migration020Codes } from './migrations/Migration020Codes.ts'
import { Migration023Groups } from './migrations/Migration023Groups.ts'
import { Migration025Substitutes } from './migrations/Migration025Substitutes.ts'
import { Migration030Newsletter } from './migrations/Migration030Newsletter.ts'
import { Migration031Pages } from './migrations/Migration031Pages.ts'
import { Migration032Changes } from './migrations/Migration032Changes.ts'
import { Migration033Bells } from './migrations/Migration033Bells.ts'
import { Migration034Knitters } from './migrations/Migration034Knitters.ts'
import { Migration035BellsOfLots } from './migrations/Migration035BellsOfLots.ts'
import { Migration036GuestOrders } from './migrations/Migration036GuestOrders.ts'
import { Migration037ProductPictures } from './migrations/Migration037ProductPictures.ts'
import { Migration038Fulfilments } from './migrations/Migration038Fulfilments.ts'
import { Migration039TimeZones } from './migrations/Migration039TimeZones.ts'
import { Migration040Stash } from './migrations/Migration040Stash.ts'
import { Migration042Lots } from './migrations/Migration042Lots.ts'
import { Migration043Sales } from './migrations/Migration043Sales.ts'
import { Migration044Vocabulary } from './migrations/Migration044Vocabulary.ts'
import { Migration046AddressBook } from './migrations/Migration046AddressBook.ts'
import { Migration047BulkAnswers } from './migrations/Migration047BulkAnswers.ts'
import { Migration048ReviewPictures } from './migrations/Migration048ReviewPictures.ts'
import { Migration049Scopes } from './migrations/Migration049Scopes.ts'
import { Migration050KeysEnd } from './migrations/Migration050KeysEnd.ts'
import { Migration051LotsInParcels } from './migrations/Migration051LotsInParcels.ts'
import { Migration052KitsByTheMetre } from './migrations/Migration052KitsByTheMetre.ts'
import { Migration056Annotations } from './migrations/Migration056Annotations.ts'
import { Migration057Carts } from './migrations/Migration057Carts.ts'
import { Migration059AgentCheckouts } from './migrations/Migration059AgentCheckouts.ts'
import { Migration060StockTold } from './migrations/Migration060StockTold.ts'
import { Migration061DeletedAccounts } from './migrations/Migration061DeletedAccounts.ts'
import { Migration062KeyUses } from './migrations/Migration062KeyUses.ts'
import { Migration063Identities } from './migrations/Migration063Identities.ts'
import { Migration067Orders } from './migrations/Migration067Orders.ts'
import { Migration068Downloads } from './migrations/Migration068Downloads.ts'
import { Migration069WebhookFilters } from './migrations/Migration069WebhookFilters.ts'
import { Migration070Passwords } from './migrations/Migration070Passwords.ts'
import { Migration071Documents } from './migrations/Migration071Documents.ts'
import { Migration073Versions } from './migrations/Migration073Versions.ts'
import { Migration079RefundsLookedAt } from './migrations/Migration079RefundsLookedAt.ts'
import { Migration080ExportParts } from './migrations/Migration080ExportParts.ts'
import { Migration081NameOrder } from './migrations/Migration081NameOrder.ts'
import { Migration082Indexes } from './migrations/Migration082Indexes.ts'
import { Migration083DueMails } from './migrations/Migration083DueMails.ts'
import { Migration074Sales } from './migrations/Migration074Sales.ts'
import { Migration075Tallies } from './migrations/Migration075Tallies.ts'
import { Migration076ReviewSearch } from './migrations/Migration076ReviewSearch.ts'
import { Migration077Cancelled } from './migrations/Migration077Cancelled.ts'
import { Migration078ProductSales } from './migrations/Migration078ProductSales.ts'
import { Migration064Returns } from './migrations/Migration064Returns.ts'
import { Migration065Exports } from './migrations/Migration065Exports.ts'
import { Migration066EventsInOrder } from './migrations/Migration066EventsInOrder.ts'

/** How long people wait for a connection, a statement, a lock, and a transaction for its next statement. */
export const PATIENCE = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
}

const options: Options = {
  entities: [
    User,
    SecondFactor,
    RecoveryCode,
    Session,
    Product,
    ProductGroup,
    Review,
    StashItem,
    Cart,
    AgentCheckout,
    SavedAddress,
    Bell,
    BellLink,
    Order,
    OrderItem,
    OrderIncident,
    OrderLink,
    Fulfilment,
    FulfilmentLine,
    FulfilmentReturn,
    FulfilmentReturnLine,
    Export,
    DiscountCode,
    Payment,
    PaymentAttempt,
    Refund,
    Subscription,
    NewsletterLink,
    ShopPage,
    ProductImport,
    AuditEntry,
    ApiKey,
    Webhook,
    WebhookDelivery,
    Mail,
    PasswordReset,
    EmailConfirmation,
    LinkedIdentity,
    KnownDevice,
  ],
  extensions: [Migrator],
  forceUtcTimezone: true,
  driver: ShopDriver,
  entityManager: ShopEntityManager,
  pool: { min: 0, max: 10 },
  migrations: {
    migrationsList: [
      { name: 'Migration001Shop', class: Migration001Shop },
      { name: 'Migration002Admin', class: Migration002Admin },
      { name: 'Migration003Payments', class: Migration003Payments },
      { name: 'Migration004Partners', class: Migration004Partners },
      { name: 'Migration005Events', class: Migration005Events },
      { name: 'Migration006Webhooks', class: Migration006Webhooks },
      { name: 'Migration007Mail', class: Migration007Mail },
      { name: 'Migration008Addresses', class: Migration008Addresses },
      { name: 'Migration009Catalogue', class: Migration009Catalogue },
      { name: 'Migration010Holds', class: Migration010Holds },
      { name: 'Migration011SecondFactor', class: Migration011SecondFactor },
      { name: 'Migration012Incidents', class: Migration012Incidents },
      { name: 'Migration013Search', class: Migration013Search },
      { name: 'Migration016Finding', class: Migration016Finding },
      { name: 'Migration017Facets', class: Migration017Facets },
      { name: 'Migration018Facts', class: Migration018Facts },
      { name: 'Migration019Colours', class: Migration019Colours },
      { name: 'Migration020Codes', class: Migration020Codes },
      { name: 'Migration023Groups', class: Migration023Groups },
      { name: 'Migration025Substitutes', class: Migration025Substitutes },
      { name: 'Migration030Newsletter', class: Migration030Newsletter },
      { name: 'Migration031Pages', class: Migration031Pages },
      { name: 'Migration032Changes', class: Migration032Changes },
      { name: 'Migration033Bells', class: Migration033Bells },
      { name: 'Migration034Knitters', class: Migration034Knitters },
      { name: 'Migration035BellsOfLots', class: Migration035BellsOfLots },
      { name: 'Migration036GuestOrders', class: Migration036GuestOrders },
      { name: 'Migration037ProductPictures', class: Migration037ProductPictures },
      { name: 'Migration038Fulfilments', class: Migration038Fulfilments },
      { name: 'Migration039TimeZones', class: Migration039TimeZones },
      { name: 'Migration040Stash', class: Migration040Stash },
      { name: 'Migration042Lots', class: Migration042Lots },
      { name: 'Migration043Sales', class: Migration043Sales },
      { name: 'Migration044Vocabulary', class: Migration044Vocabulary },
      { name: 'Migration046AddressBook', class: Migration046AddressBook },
      { name: 'Migration047BulkAnswers', class: Migration047BulkAnswers },
      { name: 'Migration048ReviewPictures', class: Migration048ReviewPictures },
      { name: 'Migration049Scopes', class: Migration049Scopes },
      { name: 'Migration050KeysEnd', class: Migration050KeysEnd },
      { name: 'Migration051LotsInParcels', class: Migration051LotsInParcels },
      { name: 'Migration052KitsByTheMetre', class: Migration052KitsByTheMetre },
      { name: 'Migration056Annotations', class: Migration056Annotations },
      { name: 'Migration057Carts', class: Migration057Carts },
      { name: 'Migration059AgentCheckouts', class: Migration059AgentCheckouts },
      { name: 'Migration061DeletedAccounts', class: Migration061DeletedAccounts },
      { name: 'Migration062KeyUses', class: Migration062KeyUses },
      { name: 'Migration067Orders', class: Migration067Orders },
      { name: 'Migration064Returns', class: Migration064Returns },
      { name: 'Migration065Exports', class: Migration065Exports },
      { name: 'Migration066EventsInOrder', class: Migration066EventsInOrder },
      { name: 'Migration060StockTold', class: Migration060StockTold },
      { name: 'Migration068Downloads', class: Migration068Downloads },
      { name: 'Migration069WebhookFilters', class: Migration069WebhookFilters },
      { name: 'Migration063Identities', class: Migration063Identities },
      { name: 'Migration070Passwords', class: Migration070Passwords },
      { name: 'Migration071Documents', class: Migration071Documents },
      { name: 'Migration073Versions', class: Migration073Versions },
      { name: 'Migration080ExportParts', class: Migration080ExportParts },
      { name: 'Migration081NameOrder', class: Migration081NameOrder },
      { name: 'Migration082Indexes', class: Migration082Indexes },
      { name: 'Migration074Sales', class: Migration074Sales },
      { name: 'Migration075Tallies', class: Migration075Tallies },
      { name: 'Migration079RefundsLookedAt', class: Migration079RefundsLookedAt },
      { name: 'Migration076ReviewSearch', class: Migration076ReviewSearch },
      { name: 'Migration077Cancelled', class: Migration077Cancelled },
      { name: 'Migration078ProductSales', class: Migration078ProductSales },
      { name: 'Migration083DueMails', class: Migration083DueMails },
    ],
    snapshot: false,
    silent: true,
  },
}

const serving = new WeakSet<MikroORM>()

/** How connections are made, and what is done about those that break. */
const drivenBy = (isServing: () => boolean, patience = PATIENCE, firstMs = FIRST_CONNECTION_MS) => ({
  ...patience,
  onPoolCreated: (pool: Pool) => {
    Object.defineProperty(pool.options, 'connectionTimeoutMillis', {
      get: () => (isServing() ? patience.connectionTimeoutMillis : firstMs),
      enumerable: true,
    })
    giveUpBroken(pool)
    if (isTracing()) traceStatements(pool)
    giveUpSilent(pool, isServing)
  },
})

interface Connecting {
  /** Of a working shop. */
  patience?: typeof PATIENCE
  withinMs?: number
  say?: (line: string) => void
}

export async function connect(
  url: string,
  { patience = PATIENCE, withinMs = FIRST_CONNECTION_MS, say = () => {} }: Connecting = {},
): Promise<MikroORM> {
  const orm: MikroORM = await MikroORM.init(
    defineConfig({ ...options, clientUrl: url, driverOptions: drivenBy(() => serving.has(orm), patience, withinMs) }),
  )
  try {
    await firstConnection(orm, withinMs, say)
    return orm
  } catch (error) {
    await orm.close()
    throw error
  }
}

/** Servers that follow that of `orm`; null where there are none. */
export async function connectReplicas(
  orm: MikroORM,
  urls: readonly string[],
  isListening: () => boolean,
  log: Logger,
): Promise<Replicas | null> {
  if (urls.length === 0) return null
  // PostgreSQL refuses writes there anyway; one day the address may be another server's.
  const driverOptions = { ...drivenBy(() => true), options: '-c default_transaction_read_only=on' }
  return openReplicas({ orm, urls, driverOptions, isListening, log })
}

/** From now on people wait for what is asked over these connections; until then a migration may take its time. */
export function serveFrom(orm: MikroORM): void {
  serving.add(orm)
}

/** Any number, the same for every shop process: only one of them migrates at a time. */
const MIGRATION_LOCK = 7_304_415

/** Brings the database to the newest shape: the shop's tables all or nothing, then the job queue's. */
export async function migrate(orm: MikroORM): Promise<void> {
  await orm.em.fork().transactional(async em => {
    await lockMigrations(em)
    await orm.migrator.up({ transaction: present(em.getTransactionContext()) })
  })
  await migrateJobs(orm)
}

/** Waits until nobody else is changing the shape of the database. From then on the transaction may take its time. */
export async function lockMigrations(em: EntityManager): Promise<void> {
  for (const timeout of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])
    await em.execute(`set local ${timeout} = 0`)
  await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
}
