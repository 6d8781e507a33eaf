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
import { Announcement } from '../announcement/announcement.entity.ts'
import { Collection } from '../collection/collection.entity.ts'
import { DiscountCode } from '../discount/discount-code.entity.ts'
import { GiftCard } from '../gift-card/gift-card.entity.ts'
import { migrateJobs } from '../jobs/jobs.ts'
import { isTracing } from '../kernel/tracing.ts'
import { traceStatements } from './trace-statements.ts'
import { FIRST_CONNECTION_MS, firstConnection } from './first-connection.ts'
import { MIGRATIONS } from './migrations.ts'
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
    GiftCard,
    Payment,
    PaymentAttempt,
    Refund,
    Subscription,
    NewsletterLink,
    ShopPage,
    Announcement,
    Collection,
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
    migrationsList: MIGRATIONS,
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
