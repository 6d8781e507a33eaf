import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import compress from '@fastify/compress'
import type { MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { tradeIn } from '#schema/rules/money'
import { present } from '#schema/rules/present'
import { providerRoutes } from './account/provider-routes.ts'
import { accountExports } from './account/export-account.ts'
import { sendDownloads } from './download/send-downloads.ts'
import { exportFiles } from './export/export-files.ts'
import { admit } from './http/admission.ts'
import { withoutCampaign } from './http/campaign.ts'
import { limitConnections } from './http/connections.ts'
import { openToOrigins } from './http/cors.ts'
import { BODY_LIMIT, openFastify } from './http/fastify.ts'
import { acceptWebSockets } from './http/web-sockets.ts'
import { proxiesAt } from './http/network.ts'
import { COMPRESSION } from './http/packed.ts'
import { knownClients } from './http/known-clients.ts'
import { authenticate, credentialOf } from './account/authenticate.ts'
import { hashOf } from './kernel/tokens.ts'
import { originalsIn, pictures } from './catalog/pictures.ts'
import { productFeed } from './catalog/product-feed.ts'
import { sharePictures } from './catalog/share-pictures.tsx'
import { sitemap } from './catalog/sitemap.ts'
import { followClock } from './kernel/clock.ts'
import type { Services } from './context.ts'
import { serveFrom } from './db/config.ts'
import { answerInJson, protectAnswers } from './http/every-answer.ts'
import { checkHost } from './http/host.ts'
import { keepRelaying } from './event/relay-events.ts'
import { graphql, type GraphqlOptions } from './graphql/graphql.ts'
import type { sharedAnswers } from './graphql/response-cache.ts'
import { acceptJson } from './http/json-body.ts'
import { mailbox } from './mail/mailbox.ts'
import { packingSlips } from './fulfilment/packing-slips.ts'
import { subscribersCsv } from './newsletter/subscribers-csv.ts'
import { invoices } from './order/invoice.ts'
import { paperOf } from './pdf/paper.ts'
import { documents } from './partner/documents.ts'
import { paypalWebhook } from './payment/webhook.ts'
import { refuseMisplacedTokens } from './http/misplaced-token.ts'
import { openMetrics } from './http/metrics.ts'
import { isPersonal } from './http/forms.ts'
import { nameRequests } from './http/request-ids.ts'
import { traceRequests } from './http/trace-requests.ts'
import { traceOperations } from './graphql/trace-operations.ts'
import { isTracing } from './kernel/tracing.ts'
import { LEAST_POINTS, limitRate } from './http/rate-limit.ts'
import { rest } from './rest/rest.ts'
import { schema } from './schema.ts'
import { ucp } from './ucp/ucp.ts'
import { openVite, web } from './http/web.ts'
import { hearEvents } from './webhook/hear-events.ts'
import { openContexts } from './server/contexts.ts'
import { sweepAgainAndAgain, takeJobs } from './server/jobs.ts'
import { openServices } from './server/services.ts'
import { withDefaults, type ServerOptions, type Settings } from './server/settings.ts'

/** What people search for and how keys are used is counted in memory, so every process writes down its own. */
const COUNTS_SECONDS = 15
/** A shop of some ten thousand products is read by then, and opens with all of them known. */
const LONGEST_READING_MS = 500
const AGAIN_MS = 1_000
/** The paths under which tokens count. PayPal signs what it sends. */
const AUTHENTICATED = /^\/(?:graphql|api(?!\/webhooks\/))(?:[/?]|$)/

/** Puts the shop together: GraphQL, pictures and pages on one port. Tests call this too. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const settings = withDefaults(options)
  tradeIn(settings.currency)
  const { orm, shopUrl, log, corsOrigins, onlyOwnHost, rateLimit, admission, metricsToken, dev } = settings
  const leaveClock = await followClock(orm, log)
  const { services, processes, caches, closePostOffice } = await openServices(settings)
  const { jobs, events } = services
  const reading = readProducts(services, settings)
  await Promise.race([reading.done, sleep(LONGEST_READING_MS, undefined, { ref: false })])
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
  await app.register(compress, COMPRESSION)
  const metrics = metricsToken && openMetrics(app, { token: metricsToken, orm, caches })
  const points =
    rateLimit > 0
      ? limitRate(
          app,
          rateLimit,
          clientOf,
          request => !isPersonal(request) && caches.pages.holds(withoutCampaign(request.url)),
          processes,
        )
      : undefined
  const contexts = openContexts(services, settings, points)
  const { contextOf } = contexts
  await takeJobs(services, settings, contexts.anonymous)
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
  await openApi(app, parts, caches.answers, plugins)
  openHealth(app, orm, reading)
  await openPages(app, parts, caches, vite)
  if (settings.sweeps) await sweepAgainAndAgain(services, settings)
  const writeCountsDown = async () => {
    for (const counted of [services.searchLog, services.keyUses])
      await counted.flush(orm.em.fork()).catch(error => log.error(error, 'Could not write down what was counted'))
  }
  const writing = setInterval(() => void writeCountsDown(), COUNTS_SECONDS * 1_000)
  const stopRelaying = keepRelaying({ em: () => orm.em.fork(), jobs, events, log }, hearEvents)
  app.addHook('onListen', async () => processes.join())
  app.addHook('onClose', async () => {
    reading.isOver = true
    await stopRelaying()
    clearInterval(writing)
    await writeCountsDown()
    await jobs.stop()
    await closePostOffice()
    leaveClock()
    processes.stop()
    await events.stop()
    await services.replicas?.close()
  })
  serveFrom(orm)
  return app
}

interface Parts {
  settings: Settings
  services: Services
  contexts: ReturnType<typeof openContexts>
}

/** For programs: GraphQL, REST, their descriptions, and PayPal's webhook. */
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
  await app.register(rest, { schema, contextOf, answers, longestMs, shopUrl })
  await app.register(ucp, { schema, contextOf, longestMs, shopUrl, reach: settings.webhookReach })
  await app.register(documents, { schema, introspection, shopUrl })
  await app.register(productFeed, {
    orm,
    shopUrl,
    shopName: settings.contact.name,
    cacheDir: join(dataDir, 'cache', 'feeds'),
  })
  await app.register(exportFiles, { orm, files: settings.files })
  await app.register(paypalWebhook, { orm, services })
  const papers = {
    contextOf,
    seller: { shopUrl, contact: settings.contact },
    timeZone: settings.timeZone,
    paper: paperOf(settings.delivery.country),
  }
  await app.register(invoices, papers)
  await app.register(sendDownloads, { files: settings.files, contextOf })
  await app.register(packingSlips, papers)
  await app.register(subscribersCsv, { contextOf, shopUrl })
  await app.register(accountExports, { orm })
  await app.register(providerRoutes, { orm, shopUrl, providers: services.providers })
}

/**
 * Reads what lists and searches know of the products. A shop of a hundred thousand or more opens meanwhile: whoever asks for a list waits, what
 * is bought is sold, and balancers are told to send nobody yet.
 */
function readProducts({ facetIndex }: Services, { orm, log }: Settings) {
  const read = async () => {
    while (!reading.isOver)
      try {
        await facetIndex.warm(orm.em.fork())
        reading.isOver = true
      } catch (error) {
        if (reading.isOver) return
        log.error({ error }, 'Products could not be read for lists, and are read again.')
        await sleep(AGAIN_MS, undefined, { ref: false })
      }
  }
  const reading = { isOver: false, done: Promise.resolve() }
  reading.done = read()
  return reading
}

function openHealth(app: FastifyInstance, orm: MikroORM, reading: { isOver: boolean }): void {
  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const missing = !(await orm.isConnected()) ? 'the database' : !reading.isOver ? 'its products' : null
    return reply.code(missing ? 503 : 200).send({ status: missing ? `waiting for ${missing}` : 'ready' })
  })
}

/** For browsers: pictures and pages. */
async function openPages(
  app: FastifyInstance,
  { settings, services, contexts: { contextOf, contextFor } }: Parts,
  { pages, data }: Pick<Awaited<ReturnType<typeof openServices>>['caches'], 'pages' | 'data'>,
  vite: Awaited<ReturnType<typeof openVite>> | undefined,
): Promise<void> {
  const { orm, files, shopUrl, mail, timeZone, contact } = settings
  const originals = originalsIn(files)
  await app.register(pictures, { originals, files })
  await app.register(sharePictures, { schema, contextFor, originals, shopName: contact.name })
  if (mail.to === 'mailbox') await app.register(mailbox, { orm, shopUrl, timeZone })
  await app.register(sitemap, { orm, schema, contextFor, shopUrl })
  await app.register(web, {
    schema,
    contextFor,
    contextOf,
    pages,
    data,
    shopUrl,
    contact,
    shop: { name: contact.name, tagline: settings.tagline, currency: settings.currency },
    icons: settings.icons,
    paypalOrigin: originOf(services.paypalConfig.sdkBaseUrl),
    vite,
  })
}

const originOf = (url: string | null) => (url ? new URL(url).origin : null)
