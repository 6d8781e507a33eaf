import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { keepCurrency } from './db/keep-currency.ts'
import { present } from '#schema/rules/present'
import { SIMULATED_ACCOUNT, SIMULATED_WEBHOOK_ID } from '../tools/paypal-simulator/simulator.ts'
import { hasAdmin } from './account/appoint-admin.ts'
import { DEMO_ADMIN, DEMO_SHOPPER } from './account/demo-accounts.ts'
import { connectProviders } from './account/providers.ts'
import { countSales } from './catalog/count-sales.ts'
import { shipMeanings } from './catalog/search/meanings.ts'
import { indexMissing } from './catalog/search/index-products.ts'
import { originalsIn } from './catalog/pictures.ts'
import { seeColours } from './catalog/see-colours.ts'
import { connect, lockMigrations, migrate } from './db/config.ts'
import { isEmpty, seed } from './db/seed/seed.ts'
import { drawIcons } from './http/shop-icons.ts'
import type { Env } from './kernel/env.ts'
import { createLog } from './kernel/log.ts'
import { openFiles } from './kernel/open-files.ts'
import { MAILBOX_PATH } from './mail/mailbox.ts'
import { connectPaypal, PAYPAL_BASE } from './payment/connect-paypal.ts'
import { CERTIFICATE_ORIGIN } from './payment/verify-webhook.ts'
import { paperOf } from './pdf/paper.ts'
import { createServer } from './server.ts'
import { addressesOf } from './http/public-address.ts'

const LAST_COMERS_MS = 500
/** Long enough, on a busy machine too, for who is connected to send what it has and to read that the connection closes. */
const HANDING_OVER_MS = 5_000
const LAST_REQUESTS_MS = 6_000

/** What the shop is built on, found or started for it. */
export interface Outside {
  databaseUrl: string
  /** Undefined where PayPal itself is asked. */
  simulatorUrl: string | undefined
  /** Serves the storefront from source. */
  dev: boolean
  /** Whether this process does what is done once at each start, such as indexing what an upgrade left. */
  isFirst: boolean
  /** Whether other processes of this machine go on listening when this one is stopped. */
  handsOver: () => boolean
  say: (line: string) => void
}

/** Has the shop listen, on a database of the newest shape. Returns what closes it. */
export async function openShop(
  env: Env,
  { databaseUrl, simulatorUrl, dev, isFirst, handsOver, say }: Outside,
): Promise<() => Promise<void>> {
  const log = createLog(env.logLevel === 'info' && !env.production ? 'warn' : env.logLevel)
  const icons = env.icon === undefined ? undefined : await drawIcons(env.icon)
  const files = await openFiles(env)
  const orm = await connect(databaseUrl, { say })
  let isClosing = false
  // What is interrupted by the shop's end is done at its next start.
  const inBackground = (failure: string, work: () => Promise<unknown>) =>
    void work().catch(error => {
      if (!isClosing) log.error({ error }, failure)
    })
  try {
    await migrate(orm)
    await keepCurrency(orm.em.fork(), env.currency)
    if (isFirst && env.seed === 'demo')
      await orm.em.fork().transactional(async em => {
        await lockMigrations(em)
        if (!(await isEmpty(em))) return
        say('Filling the shelves with a sample catalogue …')
        await seed(em)
        // What draws is loaded for nothing else at a start.
        const { seedDownloads } = await import('./db/seed/seed-downloads.ts')
        await seedDownloads(em, files, { paper: paperOf(env.delivery.country), shopName: env.contact.name })
      })

    if (isFirst) {
      await shipMeanings(orm.em.fork())
      // After an upgrade: what is not indexed yet is found a little later, and by its colours after that.
      inBackground('Products could not be indexed for search.', async () => {
        await indexMissing(orm.em.fork())
        await seeColours(orm.em.fork(), originalsIn(files))
      })
      inBackground('What sells best could not be counted.', () => countSales(orm.em.fork()))

      if (env.mail.to === 'nobody')
        log.warn('SMTP_URL is not set: no mail is sent, so nobody can choose a new password by mail.')
      if (env.paypal.mode !== 'simulator' && !env.paypal.webhookId)
        log.warn(
          'PAYPAL_WEBHOOK_ID is not set: PayPal’s webhooks are refused, and payments are found by asking every 15 seconds.',
        )
    }
    const app = await createServer({
      orm,
      replicaUrls: env.replicaUrls,
      ...payments(env, simulatorUrl, log),
      webhookReach: { allowPrivate: env.allowPrivateWebhooks, addressesOf },
      policy: env.pricingPolicy,
      pageSize: env.pageSize,
      stockHoldMinutes: env.stockHoldMinutes,
      holdLimits: env.holdLimits,
      timeZone: env.timeZone,
      dataDir: env.dataDir,
      files,
      shopUrl: env.shopUrl,
      onlyOwnHost: env.onlyOwnHost,
      mail: env.mail,
      contact: env.contact,
      tagline: env.tagline,
      ...(icons && { icons }),
      currency: env.currency,
      delivery: env.delivery,
      returnDays: env.returnDays,
      invoiceYears: env.invoiceYears,
      rateLimit: env.rateLimit,
      corsOrigins: env.corsOrigins,
      trustProxy: env.trustProxy,
      introspection: env.introspection,
      persistedOnly: env.persistedOnly,
      adminSecondFactor: env.adminSecondFactor,
      providers: connectProviders(env.providers, env.shopUrl),
      metricsToken: env.metricsToken,
      handsOver,
      log,
      dev,
    })
    app.addHook('preClose', async () => {
      if (handsOver()) await letGo(app)
      // A load balancer learns from /readyz that this shop is closing; requests it sent before are still on their way.
      else await delay(LAST_COMERS_MS)
    })
    try {
      await app.listen({ port: env.port, host: env.host })
      if (isFirst) welcome(env, await hasAdmin(orm.em.fork()), say)
      return async () => {
        isClosing = true
        await closeInTime(app)
        await orm.close()
      }
    } catch (error) {
      await app.close()
      throw error
    }
  } catch (error) {
    await orm.close()
    throw error
  }
}

/**
 * Leaves newcomers to the other processes, until each client has been answered that its connection closes, or for a while.
 * Whatever is connected and idle after that is cut, with a request that may be on its way.
 */
async function letGo(app: FastifyInstance): Promise<void> {
  const left = once(app.server, 'close')
  Server.prototype.close.call(app.server)
  await Promise.race([left, delay(HANDING_OVER_MS)])
}

/** Lets the requests in hand finish; connections that go on for longer, such as streams of events, are cut. */
async function closeInTime(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), LAST_REQUESTS_MS)
  await app.close()
  clearTimeout(timer)
}

/** `simulatorUrl` is given in the mode simulator alone. */
function payments({ paypal, contact: { name: shopName } }: Env, simulatorUrl: string | undefined, log: Logger) {
  if (paypal.mode !== 'simulator') {
    const mode = paypal.mode === 'live' ? ('LIVE' as const) : ('SANDBOX' as const)
    const credentials = {
      baseUrl: PAYPAL_BASE[mode],
      clientId: present(paypal.clientId),
      clientSecret: present(paypal.clientSecret),
      merchantId: paypal.merchantId,
    }
    return {
      paypal: connectPaypal(credentials, { log, shopName }),
      paypalConfig: { mode, clientId: credentials.clientId, sdkBaseUrl: null },
      paypalWebhook: { id: paypal.webhookId ?? null, certificateOrigin: CERTIFICATE_ORIGIN[mode] },
    }
  }
  const url = present(simulatorUrl)
  return {
    paypal: connectPaypal({ baseUrl: url, ...SIMULATED_ACCOUNT }, { log, shopName }),
    paypalConfig: { mode: 'SIMULATOR' as const, clientId: SIMULATED_ACCOUNT.clientId, sdkBaseUrl: `${url}/sdk/js` },
    paypalWebhook: { id: SIMULATED_WEBHOOK_ID, certificateOrigin: url },
  }
}

function welcome(env: Env, isOwned: boolean, say: Outside['say']): void {
  say('')
  say(`  Shop      ${env.shopUrl}`)
  say(`  Admin     ${env.shopUrl}/admin`)
  say(`  GraphQL   ${env.shopUrl}/graphql`)
  if (env.paypal.mode === 'simulator')
    say(
      `  Payments  PayPal simulator ${env.paypal.simulatorUrl ?? `on port ${env.paypal.simulatorPort}`}: test mode, no money moves`,
    )
  if (env.mail.to === 'mailbox') say(`  Mail      ${env.shopUrl}${MAILBOX_PATH}: shown there, sent to nobody`)
  if (env.seed === 'demo') {
    say(`  Accounts  ${DEMO_ADMIN.email} / ${DEMO_ADMIN.password}`)
    say(`            ${DEMO_SHOPPER.email} / ${DEMO_SHOPPER.password}`)
  }
  if (!isOwned) say('  Nobody is an administrator yet: npm run create-admin -- owner@example.com')
}
