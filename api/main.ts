import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { hasAdmin } from './account/appoint-admin.ts'
import { makeDataDir } from './kernel/data-dir.ts'
import { connect, migrate } from './db/config.ts'
import { startPostgres } from '../tools/local-postgres/start-postgres.ts'
import { countSales } from './catalog/count-sales.ts'
import { shipMeanings } from './catalog/search/meanings.ts'
import { indexMissing } from './catalog/search/index-products.ts'
import { seeColours } from './catalog/see-colours.ts'
import { isEmpty, seed } from './db/seed/seed.ts'
import { readEnv, type Env } from './kernel/env.ts'
import { inOneSentence } from './kernel/in-one-sentence.ts'
import { createLog } from './kernel/log.ts'
import { startTracing } from './kernel/tracing.ts'
import { MAILBOX_PATH } from './mail/mailbox.ts'
import { connectPaypal, PAYPAL_BASE } from './payment/paypal.ts'
import { SIMULATED_ACCOUNT, SIMULATED_WEBHOOK_ID, startSimulator } from '../tools/paypal-simulator/simulator.ts'
import { CERTIFICATE_ORIGIN } from './payment/verify-webhook.ts'
import { createServer, pictureFolders } from './server.ts'
import { addressesOf } from './webhook/public-address.ts'

const LAST_COMERS_MS = 500
const LAST_REQUESTS_MS = 6_000

const say = (line: string) => console.log(line)

/** What to undo, newest first, when the shop stops or cannot start. */
const undo: (() => Promise<unknown>)[] = []

async function start(env: Env): Promise<void> {
  const log = createLog(env.logLevel === 'info' && !env.production ? 'warn' : env.logLevel)
  makeDataDir(env.dataDir)
  // Before anything that is to be seen.
  if (env.traces) undo.unshift(await startTracing(env.traces.to, env.traces.as))

  say(env.databaseUrl ? 'Connecting to PostgreSQL …' : 'Starting PostgreSQL …')
  const databaseUrl = env.databaseUrl ?? (await embedded(env))
  const orm = await connect(databaseUrl)
  undo.unshift(() => orm.close())
  await migrate(orm)
  if (env.seed === 'demo' && (await isEmpty(orm.em.fork()))) {
    say('Filling the shelves with a sample catalogue …')
    await seed(orm.em.fork())
  }

  await shipMeanings(orm.em.fork())
  // After an upgrade: what is not indexed yet is found a little later, and by its colours after that.
  void indexMissing(orm.em.fork())
    .then(() => seeColours(orm.em.fork(), pictureFolders(env.dataDir)))
    .catch(error => log.error({ error }, 'Products could not be indexed for search.'))

  void countSales(orm.em.fork()).catch(error => log.error({ error }, 'What sells best could not be counted.'))

  if (env.mail.to === 'nobody')
    log.warn('SMTP_URL is not set: no mail is sent, so nobody can choose a new password by mail.')
  const payments = await connectPayments(env, log)
  const app = await createServer({
    orm,
    ...payments,
    webhookReach: { allowPrivate: env.allowPrivateWebhooks, addressesOf },
    policy: env.pricingPolicy,
    pageSize: env.pageSize,
    stockHoldMinutes: env.stockHoldMinutes,
    holdLimits: env.holdLimits,
    timeZone: env.timeZone,
    dataDir: env.dataDir,
    shopUrl: env.shopUrl,
    onlyOwnHost: env.onlyOwnHost,
    mail: env.mail,
    contact: env.contact,
    delivery: env.delivery,
    returnDays: env.returnDays,
    invoiceYears: env.invoiceYears,
    rateLimit: env.rateLimit,
    corsOrigins: env.corsOrigins,
    trustProxy: env.trustProxy,
    introspection: env.introspection,
    persistedOnly: env.persistedOnly,
    adminSecondFactor: env.adminSecondFactor,
    metricsToken: env.metricsToken,
    log,
    dev: process.argv.includes('--dev'),
  })
  // A load balancer hears from /readyz that this shop is closing, and some who do not know yet are still on their way.
  app.addHook('preClose', () => delay(LAST_COMERS_MS))
  undo.unshift(() => closeInTime(app))
  await app.listen({ port: env.port, host: env.host })
  welcome(env, await hasAdmin(orm.em.fork()))
}

/** Lets the requests in hand finish; connections that go on for longer, such as streams of events, are cut. */
async function closeInTime(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), LAST_REQUESTS_MS)
  await app.close()
  clearTimeout(timer)
}

async function embedded(env: Env): Promise<string> {
  const postgres = await startPostgres({ dataDir: env.dataDir, log: say })
  undo.unshift(() => postgres.stop())
  return postgres.url
}

async function connectPayments({ paypal, host, port }: Env, log: Logger) {
  if (paypal.mode !== 'simulator') {
    const mode = paypal.mode === 'live' ? ('LIVE' as const) : ('SANDBOX' as const)
    const credentials = {
      baseUrl: PAYPAL_BASE[mode],
      clientId: paypal.clientId!,
      clientSecret: paypal.clientSecret!,
      merchantId: paypal.merchantId,
    }
    if (!paypal.webhookId)
      log.warn(
        'PAYPAL_WEBHOOK_ID is not set: PayPal’s webhooks are refused, and payments are found by asking every 15 seconds.',
      )
    return {
      paypal: connectPaypal(credentials, { log }),
      paypalConfig: { mode, clientId: credentials.clientId, sdkBaseUrl: null },
      paypalWebhook: { id: paypal.webhookId ?? null, certificateOrigin: CERTIFICATE_ORIGIN[mode] },
    }
  }
  const url = paypal.simulatorUrl ?? (await ownSimulator())
  return {
    paypal: connectPaypal({ baseUrl: url, ...SIMULATED_ACCOUNT }, { log }),
    paypalConfig: { mode: 'SIMULATOR' as const, clientId: SIMULATED_ACCOUNT.clientId, sdkBaseUrl: `${url}/sdk/js` },
    paypalWebhook: { id: SIMULATED_WEBHOOK_ID, certificateOrigin: url },
  }

  async function ownSimulator(): Promise<string> {
    const webhookUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/api/webhooks/paypal`
    const simulator = await startSimulator({ port: paypal.simulatorPort, host, webhookUrl, ...SIMULATED_ACCOUNT })
    undo.unshift(() => simulator.close())
    return simulator.url
  }
}

function welcome(env: Env, isOwned: boolean): void {
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
    say('  Accounts  admin@example.com / knit-purl-admin')
    say('            shopper@example.com / knit-purl-shopper')
  }
  if (!isOwned) say('  Nobody is an administrator yet: npm run create-admin -- owner@example.com')
  say('')
  say('Press Ctrl-C to stop.')
}

async function stop(): Promise<void> {
  for (const step of undo.splice(0)) await step().catch(error => console.error(String(error)))
}

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    // The second one is from somebody who does not want to wait.
    if (stopping) process.exit(1)
    stopping = true
    say('\nStopping …')
    await stop()
    process.exit(0)
  })
}

try {
  await start(readEnv())
} catch (error) {
  console.error(inOneSentence(error))
  await stop()
  process.exit(1)
}
