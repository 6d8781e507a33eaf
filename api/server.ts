import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApolloServer } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import compress from '@fastify/compress'
import type { MikroORM } from '@mikro-orm/postgresql'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { HOLD_LIMITS, type HoldLimits } from '#schema/rules/hold-limits'
import { forgetConfirmations } from './account/confirm-email.ts'
import { confirmationMails } from './account/confirmation-mails.ts'
import { passwordMails } from './account/password-mails.ts'
import { secondFactorMails } from './account/second-factor-mail.ts'
import { orderMails } from './order/order-mails.ts'
import { forgetResets } from './account/reset-password.ts'
import { codeThrottle } from './account/second-factor-throttle.ts'
import { forgetTries, loginThrottle, proofThrottle, registerThrottle, resetThrottle } from './account/throttle.ts'
import { admit, ADMISSION, type Admission } from './http/admission.ts'
import { limitConnections } from './http/connections.ts'
import { proxiesAt } from './http/network.ts'
import { knownClients } from './http/known-clients.ts'
import { authenticate } from './account/authenticate.ts'
import { hashOf } from './kernel/tokens.ts'
import { pictures } from './catalog/pictures.ts'
import { countSales } from './catalog/count-sales.ts'
import { FacetIndex } from './catalog/search/facet-index.ts'
import { forgetSearches, openSearchLog } from './catalog/search/search-log.ts'
import {
  COLOURS_QUEUE,
  LOOK_MS,
  seeColours,
  seeColoursLater,
  type Look,
  type PictureFolders,
} from './catalog/see-colours.ts'
import { discardUnused, DISCARD_QUEUE, sweepUploads, type Discard } from './catalog/uploads.ts'
import { followClock } from './kernel/clock.ts'
import type { Context, Services } from './context.ts'
import { serveFrom } from './db/config.ts'
import { checkHost } from './http/host.ts'
import { maskError } from './kernel/errors.ts'
import { listenForEvents } from './event/listen.ts'
import { forgetEvents, keepRelaying } from './event/relay-events.ts'
import { cacheControl, unlessKnown } from './graphql/caching.ts'
import { sendExplorer, wantsExplorer } from './graphql/explorer/explorer.ts'
import { limitCost } from './graphql/limit-cost.ts'
import { limitRules, nameLimit, QUERY_LIMITS } from './graphql/query-limits.ts'
import { reportThrown } from './graphql/report-thrown.ts'
import { safelistOnly } from './graphql/safelist.ts'
import { limitTime, LONGEST_MS } from './graphql/time-limit.ts'
import { persistedQueries, validDocuments } from './graphql/stores.ts'
import { sharedAnswers, shareAnswers } from './graphql/response-cache.ts'
import { startJobs } from './jobs/jobs.ts'
import { acceptJson } from './http/json-body.ts'
import { eachAtItsAddress, liveStreams, STREAM_LIMITS, type StreamLimits } from './live/stream.ts'
import { mailbox } from './mail/mailbox.ts'
import { openPostOffice, type MailRoute } from './mail/post-office.ts'
import { forgetMails } from './mail/send-mail.ts'
import { Problem, sendProblem, sendThrown } from './http/problem.ts'
import { acceptUploads } from './http/multipart.ts'
import { invoices } from './order/invoice.ts'
import { lapseOrders } from './order/lapse-orders.ts'
import { reconcilePayments } from './payment/reconcile.ts'
import { paypalWebhook } from './payment/webhook.ts'
import { limitRate } from './http/rate-limit.ts'
import { rest } from './rest/rest.ts'
import { schema } from './schema.ts'
import { readable, sharedPages, web } from './http/web.ts'
import { deliverEvent, WEBHOOK_QUEUE, WEBHOOKS_AT_ONCE, type Turn } from './webhook/deliver-event.ts'
import { forgetDeliveries } from './webhook/forget-deliveries.ts'
import { webhookTaker } from './webhook/take-events.ts'

export interface ServerOptions extends Omit<
  Services,
  | 'jobs'
  | 'events'
  | 'forgetShown'
  | 'codeThrottle'
  | 'holdLimits'
  | 'loginThrottle'
  | 'mailTo'
  | 'proofThrottle'
  | 'registerThrottle'
  | 'resetThrottle'
  | 'facetIndex'
  | 'searchLog'
  | 'uploads'
  | 'timeZone'
> {
  orm: MikroORM
  /** Uploaded pictures and resized copies. */
  dataDir: string
  /** Public origin, for canonical addresses. */
  shopUrl: string
  /** Whether requests for other hosts than `shopUrl` are refused; they are not when left out. */
  onlyOwnHost?: boolean
  /** Where mails go; nowhere when left out. */
  mail?: MailRoute
  /** How much stock unpaid orders may hold at a time; those of a shop in earnest when left out. */
  holdLimits?: HoldLimits
  /** The shop's time zone; New York's when left out. */
  timeZone?: string
  /** Whether the API tells its schema; it does when left out. */
  introspection?: boolean
  /** Runs no operations but the storefront's, except for administrators and partners' keys. */
  persistedOnly?: boolean
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
  /** Vite serves and reloads the storefront from source. */
  dev?: boolean
}

const SWEEP_EVERY = 15_000
const UPLOADS_EVERY = 5 * 60_000
const SALES_EVERY = 60 * 60_000
const BODY_LIMIT = 100_000
/** The doors at which tokens count. PayPal signs what it sends. */
const AUTHENTICATED = /^\/(?:graphql|api(?!\/webhooks\/))(?:[/?]|$)/
const samplePictures = fileURLToPath(new URL('./db/seed/pictures/', import.meta.url))

/** Where the shop's own pictures lie. */
export const pictureFolders = (dataDir: string): PictureFolders => ({
  '/images': samplePictures,
  '/uploads': join(dataDir, 'uploads'),
})

/** Puts the shop together: GraphQL, pictures and pages on one port. Tests call this too. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const {
    orm,
    dataDir,
    shopUrl,
    dev = false,
    onlyOwnHost = false,
    keepAnswersMs = 1_000,
    introspection = true,
    persistedOnly = false,
    adminSecondFactor = 'optional',
    rateLimit = 0,
    longestMs = LONGEST_MS,
    admission = ADMISSION,
    trustProxy,
    streams = {},
    timeZone = 'America/New_York',
    holdLimits = HOLD_LIMITS,
    mail = { to: 'nobody' },
    ...given
  } = options
  const uploads = { folder: join(dataDir, 'uploads'), cacheDir: join(dataDir, 'cache', 'pictures') }
  serveFrom(orm)
  const leaveClock = await followClock(orm, options.log)
  const jobs = await startJobs(orm, options.log)
  const events = await listenForEvents(orm.config.get('clientUrl')!, options.log)
  const closePostOffice = await openPostOffice({
    orm,
    jobs,
    templates: { ...passwordMails, ...confirmationMails, ...secondFactorMails, ...orderMails },
    route: mail,
    shopUrl,
    timeZone,
    log: options.log,
  })
  const answers = sharedAnswers(keepAnswersMs)
  // A page costs more to make than an answer.
  const pages = sharedPages(keepAnswersMs * 2)
  const forgetShown = () => {
    answers.forget()
    pages.forget()
  }
  // What other processes change, and what time does.
  events.on({ happened: forgetShown, missed: forgetShown })
  const services: Services = {
    ...given,
    timeZone,
    holdLimits,
    uploads,
    jobs,
    events,
    forgetShown,
    mailTo: mail.to,
    loginThrottle: loginThrottle(orm),
    resetThrottle: resetThrottle(orm),
    registerThrottle: registerThrottle(orm),
    proofThrottle: proofThrottle(orm),
    codeThrottle: codeThrottle(orm),
    searchLog: openSearchLog(),
    facetIndex: new FacetIndex(),
  }
  await jobs.work<Turn>(WEBHOOK_QUEUE, turn => deliverEvent({ ...services, em: orm.em.fork() }, turn), WEBHOOKS_AT_ONCE)
  await jobs.work<Look>(
    COLOURS_QUEUE,
    async look => {
      const em = orm.em.fork()
      const left = await seeColours(em, pictureFolders(dataDir), look, LOOK_MS)
      if (left) await seeColoursLater(jobs, em, left)
    },
    1,
  )
  await jobs.work<Discard>(DISCARD_QUEUE, ({ images }) => discardUnused(orm.em.fork(), uploads, images), 1)
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    ...(trustProxy && {
      trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    }),
    // A client that is slow on purpose is cut off; the check for it runs every second.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    requestTimeout: 30_000,
    // Longer than the minute after which usual proxies let go of a connection.
    keepAliveTimeout: 65_000,
    connectionTimeout: 120_000,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url }) => readable(url!),
    forceCloseConnections: 'idle',
    // Loading the built pages takes a busy machine longer than the usual ten seconds.
    pluginTimeout: 60_000,
    return503OnClosing: false,
    frameworkErrors: ({ message }, _request, reply: FastifyReply) =>
      sendProblem(reply, new Problem(400, 'BAD_REQUEST', message)),
  })
  limitConnections(app, proxiesAt(trustProxy))
  protectAnswers(app, shopUrl)
  checkHost(app, onlyOwnHost ? shopUrl : null)
  answerInJson(app)
  acceptJson(app)
  admit(
    app,
    admission,
    knownClients(async authorization => {
      const { user, scopes } = await authenticate(orm.em.fork(), authorization)
      return scopes ? `key ${hashOf(authorization)}` : `account ${user!.id}`
    }),
  )
  await app.register(compress)

  const newContext = async (request: FastifyRequest): Promise<Context> => {
    const em = orm.em.fork()
    const identity = await authenticate(em, request.headers.authorization)
    // A partner's program signs in with nothing but its key.
    if (adminSecondFactor === 'required' && identity.user && !identity.scopes)
      identity.user.awaitsSecondFactor = !identity.user.hasSecondFactor
    return {
      ...services,
      em,
      ip: request.ip,
      hasLeft: () => request.raw.socket.destroyed,
      get purse() {
        return purseOf?.(request)
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
  const purseOf =
    rateLimit > 0
      ? limitRate(
          app,
          rateLimit,
          request =>
            contextOf(request).then(
              ({ user }) => user !== null,
              () => false,
            ),
          url => pages.holds(url),
        )
      : undefined
  // Before any body is read, and whatever is asked for: nobody is taken for a visitor who brought a token.
  app.addHook('onRequest', async request => {
    if (AUTHENTICATED.test(request.url) && request.headers.authorization) await contextOf(request)
  })
  const anonymous = (): Context => ({
    ...services,
    em: orm.em.fork(),
    user: null,
    sessionHash: null,
    scopes: null,
    ip: 'server',
    hasLeft: () => false,
  })
  const apollo = new ApolloServer<Context>({
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    parseOptions: { maxTokens: QUERY_LIMITS.tokens },
    validationRules: limitRules(),
    formatError: (error, thrown) => nameLimit(maskError(error), thrown),
    cache: persistedQueries(),
    documentStore: validDocuments(),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      cacheControl,
      eachAtItsAddress,
      reportThrown,
      logUnexpected(options.log),
      ...(persistedOnly ? [safelistOnly] : []),
      limitCost,
      limitTime(longestMs),
    ],
    stopOnTerminationSignals: false,
  })
  await apollo.start()
  await app.register(async door => {
    acceptUploads(door)
    shareAnswers(door, answers)
    door.setErrorHandler(sendThrown('graphql'))
    const operate = fastifyApolloHandler(apollo, { context: contextOf })
    door.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      async handler(request, reply) {
        return wantsExplorer(request)
          ? sendExplorer(reply, { introspection, persistedOnly, dev })
          : unlessKnown(request, reply, await operate.call(door, request, reply))
      },
    })
    await door.register(liveStreams, {
      apollo,
      schema,
      contextOf: newContext,
      limits: { ...STREAM_LIMITS, ...streams },
    })
  })
  await app.register(rest, { schema, contextOf, longestMs, shopUrl })
  await app.register(paypalWebhook, { orm, services })
  await app.register(invoices, { orm, timeZone })

  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await orm.isConnected()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'waiting for the database' })
  })
  await app.register(pictures, {
    folders: pictureFolders(dataDir),
    cacheDir: uploads.cacheDir,
  })
  if (mail.to === 'mailbox') await app.register(mailbox, { orm, timeZone })
  await app.register(web, {
    schema,
    contextFor: async () => anonymous(),
    pages,
    shopUrl,
    paypalOrigin: originOf(services.paypalConfig.sdkBaseUrl),
    dev,
  })

  /** Runs a sweep again and again, one at a time. Answers how to stop. */
  const repeat = (complaint: string, sweep: () => Promise<unknown>, every = SWEEP_EVERY) => {
    let running = false
    const timer = setInterval(() => {
      if (running) return
      running = true
      sweep()
        .catch(error => options.log.error(error, complaint))
        .finally(() => {
          running = false
        })
    }, every)
    return () => clearInterval(timer)
  }
  const sweeps = [
    repeat('Could not reconcile payments', () => reconcilePayments({ ...services, em: orm.em.fork() })),
    repeat('Could not release lapsed orders', () => lapseOrders(orm.em.fork())),
    repeat('Could not forget old events', () => forgetEvents(orm.em.fork())),
    repeat('Could not forget old webhook deliveries', () => forgetDeliveries(orm.em.fork())),
    repeat('Could not forget what is over', () =>
      Promise.all([
        forgetMails(orm.em.fork()),
        forgetResets(orm.em.fork()),
        forgetConfirmations(orm.em.fork()),
        forgetTries(orm),
        forgetSearches(orm.em.fork()),
      ]),
    ),
    repeat('Could not write down searches', () => services.searchLog.flush(orm.em.fork())),
    repeat('Could not count what sells best', () => countSales(orm.em.fork()), SALES_EVERY),
    repeat('Could not clear away unused uploads', () => sweepUploads(orm.em.fork(), uploads), UPLOADS_EVERY),
  ]
  const stopRelaying = keepRelaying({ em: () => orm.em.fork(), jobs, events, log: options.log }, [webhookTaker])
  app.addHook('onClose', async () => {
    for (const stop of sweeps) stop()
    await stopRelaying()
    await services.searchLog
      .flush(orm.em.fork())
      .catch(error => options.log.error(error, 'Could not write down searches'))
    await jobs.stop()
    closePostOffice()
    leaveClock()
    await events.stop()
    await apollo.stop()
  })
  return app
}

const originOf = (url: string | null) => (url ? new URL(url).origin : null)

/** What no page of the shop does, nor anything in it. Payment is PayPal's to use. */
const UNUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
]
  .map(feature => `${feature}=()`)
  .join(', ')

/** Every answer, even one that says no before anything else has looked at the request, is taken for what it is called. */
function protectAnswers(app: FastifyInstance, shopUrl: string): void {
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('permissions-policy', UNUSED_FEATURES)
    // Only a shop that has a certificate may ask browsers to insist on one.
    if (shopUrl.startsWith('https:')) response.setHeader('strict-transport-security', 'max-age=31536000')
  })
}

function answerInJson(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, new Problem(404, 'NOT_FOUND', 'There is no such address.')),
  )
  app.addHook('onRequest', async ({ headers }, reply) => {
    const charset = /charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1]
    if (charset && !/^utf-?8$/i.test(charset))
      return sendProblem(reply, new Problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Text has to be in UTF-8.'))
  })
  app.setErrorHandler(sendThrown('json'))
}

/** A bug is logged with its stack; the client only gets an apology. */
function logUnexpected(log: Logger) {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({
        errors,
      }: {
        errors: readonly { originalError?: unknown; extensions?: Record<string, unknown> }[]
      }) => {
        for (const error of errors) {
          if (error.originalError && !error.extensions?.['code'])
            log.error(error.originalError, 'Unexpected error in GraphQL')
          if (error.extensions?.['code'] === 'STORAGE_FULL')
            log.error(error.originalError, 'A file could not be stored')
          if (error.extensions?.['code'] === 'UNAVAILABLE')
            log.warn(error.originalError, 'The database cannot be used at the moment')
        }
      },
    }),
  }
}
