import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import compress from '@fastify/compress'
import type { MikroORM } from '@mikro-orm/postgresql'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { DEFAULT_DELIVERY, DEFAULT_RETURN_DAYS, type DeliveryTerms } from '#schema/rules/delivery'
import { HOLD_LIMITS, type HoldLimits } from '#schema/rules/hold-limits'
import { present } from '#schema/rules/present'
import { forgetConfirmations } from './account/confirm-email.ts'
import { accountMails } from './account/account-mails.ts'
import type { Providers } from './account/providers.ts'
import { forgetTickets, providerRoutes } from './account/provider-routes.ts'
import { forgetExports, accountExports } from './account/export-account.ts'
import { confirmationMails } from './account/confirmation-mails.ts'
import { passwordMails } from './account/password-mails.ts'
import { secondFactorMails } from './account/second-factor-mail.ts'
import { contactMails } from './page/contact-mails.ts'
import { forgetBellLinks } from './bell/ask-for-bell.ts'
import { bellMails } from './bell/bell-mails.ts'
import { ringBells } from './bell/ring-bells.ts'
import { newsletterMails } from './newsletter/newsletter-mails.ts'
import { forgetNewsletterLinks } from './newsletter/subscribe.ts'
import { exportFiles } from './export/export-files.ts'
import { sweepExports } from './export/manage-exports.ts'
import { EXPORT_QUEUE, writeExport, type Writing } from './export/write-export.ts'
import { fulfilmentMails } from './fulfilment/fulfilment-mails.ts'
import { orderMails } from './order/order-mails.ts'
import { refundMails } from './payment/refund-mails.ts'
import { forgetResets } from './account/reset-password.ts'
import { forgetCarts } from './cart/forget-carts.ts'
import { codeThrottle } from './account/second-factor-throttle.ts'
import {
  cartThrottle,
  forgetTries,
  exportThrottle,
  guestThrottle,
  loginThrottle,
  mailThrottle,
  proofThrottle,
  providerThrottle,
  registerThrottle,
} from './account/throttle.ts'
import { admit, ADMISSION, type Admission } from './http/admission.ts'
import { limitConnections } from './http/connections.ts'
import { openToOrigins } from './http/cors.ts'
import { acceptWebSockets, isWebSocket } from './http/web-sockets.ts'
import { proxiesAt } from './http/network.ts'
import { knownClients } from './http/known-clients.ts'
import { authenticate, credentialOf } from './account/authenticate.ts'
import { hashOf } from './kernel/tokens.ts'
import { pictures, type Originals } from './catalog/pictures.ts'
import { productFeed } from './catalog/product-feed.ts'
import { sharePictures } from './catalog/share-pictures.tsx'
import { sitemap } from './catalog/sitemap.ts'
import { addUpSales } from './dashboard/sales.ts'
import { addUpTallies } from './query/tallies.ts'
import { forgetAnswers } from './catalog/answer-once.ts'
import { countSales } from './catalog/count-sales.ts'
import { FacetIndex } from './catalog/search/facet-index.ts'
import { forgetWords } from './catalog/search/forget-words.ts'
import { forgetSearches, openSearchLog } from './catalog/search/search-log.ts'
import { COLOURS_QUEUE, LOOK_MS, seeColours, seeColoursLater, type Look } from './catalog/see-colours.ts'
import { turnAllSales } from './catalog/turn-sales.ts'
import { discardUnused, DISCARD_QUEUE, sweepUploads, UPLOADS, type Discard } from './catalog/uploads.ts'
import { followClock } from './kernel/clock.ts'
import { filesOnDisk, type Files } from './kernel/files.ts'
import type { Context, Services } from './context.ts'
import { connectReplicas, serveFrom } from './db/config.ts'
import { answerInJson, protectAnswers } from './http/every-answer.ts'
import { checkHost } from './http/host.ts'
import { listenForEvents } from './event/listen.ts'
import { openProcesses } from './event/processes.ts'
import { forgetEvents, keepRelaying } from './event/relay-events.ts'
import { LONGEST_MS } from './graphql/time-limit.ts'
import { graphql, type GraphqlOptions } from './graphql/graphql.ts'
import { sharedAnswers } from './graphql/response-cache.ts'
import { startJobs } from './jobs/jobs.ts'
import { acceptJson } from './http/json-body.ts'
import type { StreamLimits } from './live/stream.ts'
import { mailbox } from './mail/mailbox.ts'
import { openPostOffice, type MailRoute } from './mail/post-office.ts'
import { forgetMails } from './mail/send-mail.ts'
import type { ShopContact } from './mail/template.ts'
import { Problem, sendProblem } from './http/problem.ts'
import { forgetRecipients } from './order/forget-buyer.ts'
import { invoices } from './order/invoice.ts'
import { orderOpenedBy } from './order/order-links.ts'
import { ORDER_TOKEN } from './http/order-token.ts'
import { lapseOrders } from './order/lapse-orders.ts'
import { reconcilePayments } from './payment/reconcile.ts'
import { forgetUses, openKeyUses } from './partner/count-uses.ts'
import { documents } from './partner/documents.ts'
import { paypalWebhook } from './payment/webhook.ts'
import { refuseMisplacedTokens } from './http/misplaced-token.ts'
import { openMetrics } from './http/metrics.ts'
import { isPersonal } from './http/forms.ts'
import { nameRequests } from './http/request-ids.ts'
import { traceRequests } from './http/trace-requests.ts'
import { traceOperations } from './graphql/trace-operations.ts'
import { isTracing } from './kernel/tracing.ts'
import { LEAST_POINTS, limitRate, type Points } from './http/rate-limit.ts'
import { rest } from './rest/rest.ts'
import { schema } from './schema.ts'
import { ucp } from './ucp/ucp.ts'
import { openVite, readable, sharedPages, web } from './http/web.ts'
import {
  deliverEvents,
  deliverWhatWaits,
  WEBHOOK_QUEUE,
  WEBHOOKS_AT_ONCE,
  type Turn,
} from './webhook/deliver-events.ts'
import { forgetDeliveries } from './webhook/forget-deliveries.ts'
import { hearEvents } from './webhook/hear-events.ts'

export interface ServerOptions extends Omit<
  Services,
  | 'jobs'
  | 'events'
  | 'replicas'
  | 'forgetShown'
  | 'eventsHeard'
  | 'codeThrottle'
  | 'guestThrottle'
  | 'cartThrottle'
  | 'holdLimits'
  | 'loginThrottle'
  | 'mailTo'
  | 'contact'
  | 'delivery'
  | 'returnDays'
  | 'messageThrottle'
  | 'newsletterThrottle'
  | 'bellThrottle'
  | 'proofThrottle'
  | 'exportThrottle'
  | 'registerThrottle'
  | 'providers'
  | 'providerThrottle'
  | 'resetThrottle'
  | 'facetIndex'
  | 'searchLog'
  | 'keyUses'
  | 'uploads'
  | 'timeZone'
> {
  orm: MikroORM
  /** Servers that follow that of `orm`, for what everyone may see; none when left out. */
  replicaUrls?: readonly string[]
  /** Of this machine alone: what is made again when it is gone, and all files where `files` is left out. */
  dataDir: string
  /** Uploaded pictures and their smaller copies. */
  files?: Files
  /** Public origin, for canonical addresses. */
  shopUrl: string
  /** Whether requests for other hosts than `shopUrl` are refused; they are not when left out. */
  onlyOwnHost?: boolean
  /** Where mails go; nowhere when left out. */
  mail?: MailRoute
  /** Where the shop is reached; nowhere but by its form when left out. */
  contact?: ShopContact
  /** How long parcels take; the usual when left out. */
  delivery?: DeliveryTerms
  /** How many days things can be sent back for; the rules' own when left out. */
  returnDays?: number
  /** How much stock unpaid orders may hold at a time; those of a shop in earnest when left out. */
  holdLimits?: HoldLimits
  /** The shop's time zone; New York's when left out. */
  timeZone?: string
  /** Whether the API tells its schema; it does when left out. */
  introspection?: boolean
  /** Runs no operations but the storefront's, except for administrators and partners' keys. */
  persistedOnly?: boolean
  /** Origins whose pages may use the API from a browser; all when left out. */
  corsOrigins?: 'any' | readonly string[]
  /** Whether administrators can do nothing without a second factor; they can when left out. */
  adminSecondFactor?: 'optional' | 'required'
  /** Points a minute that one client may spend over GraphQL, REST and pages; any number when 0 or left out. */
  rateLimit?: number
  /** How long a query may run, in milliseconds. */
  longestMs?: number
  /** Proxies whose X-Forwarded-For says who asks: how many there are, or addresses and ranges, separated by commas. */
  trustProxy?: string | number | undefined
  /** How long one answer serves all visitors who ask the same, in milliseconds, and a page twice as long; 0 asks the database each time. */
  keepAnswersMs?: number
  /** How many streams of live changes may be open, and how often they ask who is listening. */
  streams?: Partial<StreamLimits>
  /** How many requests are worked on at once, and how long others wait. */
  admission?: Admission
  /** Whom people can sign in with beside a password; nobody when left out. */
  providers?: Providers
  /** The token that opens /metrics; without it there is no such address. */
  metricsToken?: string | undefined
  /** Whether another process takes newcomers once this one is told to stop; none does when left out. */
  handsOver?: () => boolean
  /** Vite serves and reloads the storefront from source. */
  dev?: boolean
}

const SWEEP_SECONDS = 15
const SALES_TURN_SECONDS = 5
const UPLOADS_SECONDS = 5 * 60
const SALES_SECONDS = 60 * 60
const WORDS_SECONDS = 6 * 60 * 60
const BODY_LIMIT = 100_000
/** The paths under which tokens count. PayPal signs what it sends. */
const AUTHENTICATED = /^\/(?:graphql|api(?!\/webhooks\/))(?:[/?]|$)/
const samplePictures = fileURLToPath(new URL('./db/seed/pictures/', import.meta.url))

/** The shop's own pictures. */
export const originalsIn = (files: Files): Originals => {
  const samples = filesOnDisk(samplePictures)
  return { '/images': name => samples.read(name), '/uploads': name => files.read(UPLOADS + name) }
}

/** Puts the shop together: GraphQL, pictures and pages on one port. Tests call this too. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const settings = settled(options)
  const { orm, shopUrl, log, corsOrigins, onlyOwnHost, rateLimit, admission, metricsToken, dev } = settings
  serveFrom(orm)
  const leaveClock = await followClock(orm, log)
  const { services, processes, answers, pages, closePostOffice } = await openServices(settings)
  const { jobs, events } = services
  await services.facetIndex.warm(orm.em.fork())
  const app = openFastify(settings)
  nameRequests(app)
  await acceptWebSockets(app, BODY_LIMIT)
  if (isTracing()) traceRequests(app)
  const vite = dev ? await openVite(app) : undefined
  limitConnections(app, proxiesAt(settings.trustProxy))
  protectAnswers(app, shopUrl)
  checkHost(app, onlyOwnHost ? shopUrl : null)
  // Before whatever may refuse: a refusal has to be readable, too.
  await openToOrigins(app, corsOrigins)
  answerInJson(app)
  refuseMisplacedTokens(app)
  acceptJson(app)
  const clientOf = knownClients(async (authorization, ip) => {
    const { user } = await authenticate(orm.em.fork(), authorization, ip)
    const credential = present(credentialOf(authorization))
    // By account or key, not by the header, which can be spelled in many ways.
    return 'key' in credential ? `key ${hashOf(credential.key)}` : `account ${present(user).id}`
  })
  admit(app, admission, clientOf, settings.handsOver)
  await app.register(compress)
  const metrics = metricsToken && openMetrics(app, { token: metricsToken, orm, caches: { answers, pages } })
  const points =
    rateLimit > 0
      ? limitRate(app, rateLimit, clientOf, request => !isPersonal(request) && pages.holds(request.url), processes)
      : undefined
  const contexts = openContexts(services, settings, points)
  const { contextOf } = contexts
  await takeJobs(services, settings, contexts)
  // Before any body is read, and whatever is asked for: nobody is taken for a visitor who brought a token.
  app.addHook('onRequest', async request => {
    if (AUTHENTICATED.test(request.url) && request.headers.authorization) await contextOf(request)
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { keyUse } = (await contexts.known(request)) ?? {}
    if (!keyUse) return
    const { points, failed } = keyUse
    services.keyUses.count({
      ...keyUse,
      points: Math.max(points, LEAST_POINTS),
      failed: failed || statusCode >= 400,
    })
  })
  const parts = { settings, services, contexts }
  const plugins = [...(metrics ? [metrics] : []), ...(isTracing() ? [traceOperations] : [])]
  await openApi(app, parts, answers, plugins)
  await openPages(app, parts, pages, vite)
  await sweepAgainAndAgain(services, settings)
  // What people search for and how keys are used is counted in memory, so every process writes down its own.
  const writeCountsDown = async () => {
    for (const counted of [services.searchLog, services.keyUses])
      await counted.flush(orm.em.fork()).catch(error => log.error(error, 'Could not write down what was counted'))
  }
  const writing = setInterval(() => void writeCountsDown(), SWEEP_SECONDS * 1_000)
  const stopRelaying = keepRelaying({ em: () => orm.em.fork(), jobs, events, log }, hearEvents)
  app.addHook('onListen', async () => processes.join())
  app.addHook('onClose', async () => {
    await stopRelaying()
    clearInterval(writing)
    await writeCountsDown()
    await jobs.stop()
    closePostOffice()
    leaveClock()
    processes.stop()
    await events.stop()
    await services.replicas?.close()
  })
  return app
}

/** The defaults. */
function settled({
  dev = false,
  onlyOwnHost = false,
  keepAnswersMs = 1_000,
  introspection = true,
  persistedOnly = false,
  corsOrigins = 'any',
  adminSecondFactor = 'optional',
  rateLimit = 0,
  longestMs = LONGEST_MS,
  admission = ADMISSION,
  metricsToken,
  handsOver = () => false,
  providers = new Map(),
  streams = {},
  dataDir,
  files = filesOnDisk(dataDir),
  replicaUrls = [],
  timeZone = 'America/New_York',
  holdLimits = HOLD_LIMITS,
  mail = { to: 'nobody' },
  contact = { email: null, address: null, taxId: null },
  delivery = DEFAULT_DELIVERY,
  returnDays = DEFAULT_RETURN_DAYS,
  ...given
}: ServerOptions) {
  return {
    ...given,
    dataDir,
    dev,
    onlyOwnHost,
    keepAnswersMs,
    introspection,
    persistedOnly,
    corsOrigins,
    adminSecondFactor,
    rateLimit,
    longestMs,
    admission,
    metricsToken,
    handsOver,
    providers,
    streams,
    files,
    replicaUrls,
    timeZone,
    holdLimits,
    mail,
    contact,
    delivery,
    returnDays,
  }
}

type Settings = ReturnType<typeof settled>

/** What resolvers get of the shop, and what pages and answers are kept in. */
async function openServices(settings: Settings) {
  const { orm, shopUrl, log, keepAnswersMs, timeZone, holdLimits, mail, contact, delivery, returnDays } = settings
  const jobs = await startJobs(orm, log)
  const events = await listenForEvents(present(orm.config.get('clientUrl')), log)
  const replicas = await connectReplicas(orm, settings.replicaUrls, () => events.id() !== null, log)
  const closePostOffice = await openPostOffice({
    orm,
    jobs,
    templates: {
      ...passwordMails,
      ...accountMails,
      ...confirmationMails,
      ...secondFactorMails,
      ...orderMails,
      ...refundMails,
      ...fulfilmentMails,
      ...newsletterMails,
      ...bellMails,
      ...contactMails,
    },
    route: mail,
    shopUrl,
    timeZone,
    contact,
    delivery,
    log,
  })
  const answers = sharedAnswers(keepAnswersMs)
  // Pages cost more to make than answers, so they are kept longer.
  const pages = sharedPages(keepAnswersMs * 2)
  const dropShown = () => {
    answers.forget()
    pages.forget()
  }
  const heard = () => replicas?.heard()
  events.on({ happened: heard, stockMoved: heard, missed: heard })
  events.on({
    happened: ({ type }) => {
      if (!UNSHOWN.test(type)) dropShown()
    },
    stockMoved: productId => {
      if (productId === null) return dropShown()
      answers.forgetProducts([productId])
      pages.forgetProducts([productId])
    },
    missed: dropShown,
  })
  // As long as a page is kept: a process that does not answer by then no longer shows anything older.
  const processes = openProcesses(events, { onChange: dropShown, onTold: heard, patienceMs: keepAnswersMs * 2 })
  const forgetShown = () => {
    heard()
    dropShown()
    return processes.heard(true)
  }
  const services: Services = {
    policy: settings.policy,
    pageSize: settings.pageSize,
    stockHoldMinutes: settings.stockHoldMinutes,
    paypal: settings.paypal,
    paypalConfig: settings.paypalConfig,
    paypalWebhook: settings.paypalWebhook,
    webhookReach: settings.webhookReach,
    log,
    timeZone,
    holdLimits,
    uploads: settings.files,
    jobs,
    events,
    replicas,
    forgetShown,
    eventsHeard: () => {
      heard()
      return processes.heard(false)
    },
    mailTo: mail.to,
    loginThrottle: loginThrottle(orm),
    resetThrottle: mailThrottle(orm, 'reset'),
    newsletterThrottle: mailThrottle(orm, 'newsletter'),
    bellThrottle: mailThrottle(orm, 'bell'),
    messageThrottle: mailThrottle(orm, 'message'),
    contact,
    delivery,
    returnDays,
    invoiceYears: settings.invoiceYears,
    registerThrottle: registerThrottle(orm),
    providers: settings.providers,
    providerThrottle: providerThrottle(orm),
    guestThrottle: guestThrottle(orm),
    cartThrottle: cartThrottle(orm),
    proofThrottle: proofThrottle(orm),
    exportThrottle: exportThrottle(orm),
    codeThrottle: codeThrottle(orm),
    searchLog: openSearchLog(),
    keyUses: openKeyUses(),
    facetIndex: new FacetIndex(),
  }
  return { services, processes, answers, pages, closePostOffice }
}

/** The sender, looked up once for each request. */
function openContexts(services: Services, { orm, adminSecondFactor }: Settings, points: Points | undefined) {
  const newContext = async (request: FastifyRequest): Promise<Context> => {
    const em = orm.em.fork()
    const identity = await authenticate(em, request.headers.authorization, request.ip)
    // A partner's program signs in with nothing but its key.
    if (adminSecondFactor === 'required' && identity.user && !identity.scopes)
      identity.user.awaitsSecondFactor = !identity.user.hasSecondFactor
    const orderToken = request.headers[ORDER_TOKEN]
    return {
      ...services,
      em,
      orderToken: orderToken === undefined ? null : { orderId: await orderOpenedBy(em, String(orderToken)) },
      ip: request.ip,
      hasLeft: () => request.raw.socket.destroyed,
      get purse() {
        return points?.purseOf(request)
      },
      ...identity,
    }
  }
  const contexts = new WeakMap<FastifyRequest, Promise<Context>>()
  const contextOf = (request: FastifyRequest): Promise<Context> => {
    const known = contexts.get(request)
    if (known) return known
    const context = newContext(request)
    contexts.set(request, context)
    return context
  }
  /** Of a request that nobody may have asked about; null where its sender was refused. */
  const known = (request: FastifyRequest): Promise<Context | null> =>
    contexts.get(request)?.catch(() => null) ?? Promise.resolve(null)
  const anonymous = (): Context => ({
    ...services,
    em: orm.em.fork(),
    user: null,
    sessionHash: null,
    scopes: null,
    keyUse: null,
    orderToken: null,
    ip: 'server',
    hasLeft: () => false,
  })
  return { newContext, contextOf, known, anonymous, contextFor: async () => anonymous(), payLeast: points?.payLeast }
}

interface Parts {
  settings: Settings
  services: Services
  contexts: ReturnType<typeof openContexts>
}

/** For programs: GraphQL, REST, what describes them, and what PayPal tells. */
async function openApi(
  app: FastifyInstance,
  { settings, services, contexts: { contextOf, newContext, payLeast } }: Parts,
  answers: ReturnType<typeof sharedAnswers>,
  plugins: GraphqlOptions['plugins'],
): Promise<void> {
  const { orm, dataDir, shopUrl, log, introspection, persistedOnly, longestMs, streams, corsOrigins, dev } = settings
  await app.register(graphql, {
    schema,
    log,
    contextOf,
    newContext,
    answers,
    introspection,
    persistedOnly,
    longestMs,
    streams,
    payLeast,
    origins: corsOrigins,
    dev,
    plugins,
  })
  await app.register(rest, { schema, contextOf, longestMs, shopUrl })
  await app.register(ucp, { schema, contextOf, longestMs, shopUrl, reach: settings.webhookReach })
  await app.register(documents, { schema, introspection, shopUrl })
  await app.register(productFeed, { orm, shopUrl, cacheDir: join(dataDir, 'cache', 'feeds') })
  await app.register(exportFiles, { orm, files: settings.files })
  await app.register(paypalWebhook, { orm, services })
  await app.register(invoices, {
    contextOf,
    seller: { shopUrl, contact: settings.contact },
    timeZone: settings.timeZone,
  })
  await app.register(accountExports, { orm })
  await app.register(providerRoutes, { orm, shopUrl, providers: services.providers })
  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await orm.isConnected()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'waiting for the database' })
  })
}

/** For browsers: pictures and pages. */
async function openPages(
  app: FastifyInstance,
  { settings, services, contexts: { contextOf, contextFor } }: Parts,
  pages: ReturnType<typeof sharedPages>,
  vite: Awaited<ReturnType<typeof openVite>> | undefined,
): Promise<void> {
  const { orm, files, shopUrl, mail, timeZone, contact } = settings
  const originals = originalsIn(files)
  await app.register(pictures, { originals, files })
  await app.register(sharePictures, { schema, contextFor, originals })
  if (mail.to === 'mailbox') await app.register(mailbox, { orm, shopUrl, timeZone })
  await app.register(sitemap, { orm, schema, contextFor, shopUrl })
  await app.register(web, {
    schema,
    contextFor,
    contextOf,
    pages,
    shopUrl,
    contact,
    paypalOrigin: originOf(services.paypalConfig.sdkBaseUrl),
    vite,
  })
}

/** Jobs that any process may do. */
async function takeJobs(
  services: Services,
  { orm, longestMs }: Settings,
  { anonymous }: ReturnType<typeof openContexts>,
): Promise<void> {
  const { jobs, uploads } = services
  await jobs.work<Turn>(WEBHOOK_QUEUE, turn => deliverEvents({ ...services, newEm: () => orm.em.fork() }, turn), {
    workers: WEBHOOKS_AT_ONCE,
  })
  await jobs.work<Look>(
    COLOURS_QUEUE,
    async look => {
      const em = orm.em.fork()
      const left = await seeColours(em, originalsIn(uploads), look, LOOK_MS)
      if (left) await seeColoursLater(jobs, em, left)
    },
    { workers: 1 },
  )
  const desk = { schema, longestMs, files: uploads, newContext: anonymous, jobs }
  await jobs.work<Writing>(EXPORT_QUEUE, writing => writeExport(desk, writing))
  await jobs.work<Discard>(DISCARD_QUEUE, ({ images }) => discardUnused(orm.em.fork(), uploads, images), {
    workers: 1,
  })
}

/** Events whose only public effect is the stock that moves, which is announced by itself. */
const UNSHOWN = /^(?:ORDER_|CUSTOMER_|STOCK_)/

const originOf = (url: string | null) => (url ? new URL(url).origin : null)

function openFastify({ log, trustProxy, dev }: Settings): FastifyInstance {
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The log names the request by itself.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    ...(trustProxy && {
      trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    }),
    // A client that is slow on purpose is cut off; the check for it runs every second.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // Other upgrades, which many programs offer, are passed over, and the request is answered.
      shouldUpgradeCallback: request => isWebSocket(request) || dev,
    },
    requestTimeout: 30_000,
    // Longer than the minute after which usual proxies let go of a connection.
    keepAliveTimeout: 65_000,
    connectionTimeout: 120_000,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url }) => readable(present(url)),
    forceCloseConnections: 'idle',
    // Loading the built pages takes a busy machine longer than the usual ten seconds.
    pluginTimeout: 60_000,
    return503OnClosing: false,
    frameworkErrors: ({ message }, _request, reply: FastifyReply) =>
      sendProblem(reply, new Problem(400, 'BAD_REQUEST', message)),
  })
}

/** Work that no request triggers. */
async function sweepAgainAndAgain(services: Services, { orm }: Settings): Promise<void> {
  const { jobs, uploads } = services
  const em = () => orm.em.fork()
  const forgetWhatIsOver = () =>
    Promise.all([
      forgetAnswers(em()),
      forgetMails(em()),
      forgetResets(em()),
      forgetConfirmations(em()),
      forgetNewsletterLinks(em()),
      forgetBellLinks(em()),
      forgetRecipients(em()),
      forgetExports(em()),
      forgetTickets(em()),
      forgetTries(orm),
      forgetSearches(em()),
      forgetUses(em()),
      forgetCarts(em()),
    ])
  await jobs.repeat('reconcile-payments', SWEEP_SECONDS, () => reconcilePayments({ ...services, em: em() }))
  await jobs.repeat('release-lapsed-orders', SWEEP_SECONDS, () => lapseOrders(em()))
  await jobs.repeat('turn-sales', SALES_TURN_SECONDS, () => turnAllSales(em()))
  await jobs.repeat('tell-what-is-back', SWEEP_SECONDS, () => ringBells(em()))
  await jobs.repeat('send-what-waits-for-webhooks', SWEEP_SECONDS, () => deliverWhatWaits(em(), jobs))
  await jobs.repeat('forget-old-events', SWEEP_SECONDS, () => forgetEvents(em()))
  await jobs.repeat('forget-old-webhook-deliveries', SWEEP_SECONDS, () => forgetDeliveries(em()))
  await jobs.repeat('forget-what-is-over', SWEEP_SECONDS, forgetWhatIsOver)
  await jobs.repeat('add-up-figures', SWEEP_SECONDS, () => Promise.all([addUpSales(em()), addUpTallies(em())]))
  await jobs.repeat('count-what-sells-best', SALES_SECONDS, () => countSales(em()))
  await jobs.repeat('forget-words-of-no-product', WORDS_SECONDS, () => forgetWords(em()))
  await jobs.repeat('clear-away-old-exports', UPLOADS_SECONDS, () => sweepExports(em(), uploads))
  await jobs.repeat('clear-away-unused-uploads', UPLOADS_SECONDS, () => sweepUploads(em(), uploads))
}
