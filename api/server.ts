import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import compress from '@fastify/compress'
import type { MikroORM } from '@mikro-orm/postgresql'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { loginThrottle } from './account/login-throttle.ts'
import { authenticate } from './auth.ts'
import { pictures } from './catalog/pictures.ts'
import type { Context, Services } from './context.ts'
import { maskError } from './errors.ts'
import { acceptUploads } from './multipart.ts'
import { invoices } from './order/invoice.ts'
import { lapseOrders } from './order/lapse-orders.ts'
import { reconcilePayments } from './payment/reconcile.ts'
import { paypalWebhook } from './payment/webhook.ts'
import { rest } from './rest/rest.ts'
import { schema } from './schema.ts'
import { web } from './web.ts'

export interface ServerOptions extends Omit<Services, 'loginThrottle' | 'uploads' | 'timeZone'> {
  orm: MikroORM
  /** Uploaded pictures and resized copies. */
  dataDir: string
  /** Public origin, for canonical addresses. */
  shopUrl: string
  /** The shop's time zone; New York's when left out. */
  timeZone?: string
  /** Vite serves and reloads the storefront from source. */
  dev?: boolean
}

const SWEEP_EVERY = 30_000
const samplePictures = fileURLToPath(new URL('./db/seed/pictures/', import.meta.url))

/** Puts the shop together: GraphQL, pictures and pages on one port. Tests call this too. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { orm, dataDir, shopUrl, dev = false, timeZone = 'America/New_York', ...given } = options
  const uploads = { folder: join(dataDir, 'uploads'), cacheDir: join(dataDir, 'cache', 'pictures') }
  const services: Services = { ...given, timeZone, uploads, loginThrottle: loginThrottle() }
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 100_000,
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, _request, reply: FastifyReply) => reply.code(400).send({ message: error.message, code: 'BAD_REQUEST' }),
  })
  answerInJson(app)
  await app.register(compress)

  const contextOf = async (request: FastifyRequest): Promise<Context> => {
    const em = orm.em.fork()
    return { ...services, em, ip: request.ip, ...(await authenticate(em, request.headers.authorization)) }
  }
  const anonymous = (): Context => ({ ...services, em: orm.em.fork(), user: null, sessionHash: null, ip: 'server' })
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: false,
    parseOptions: { maxTokens: 2_000 },
    formatError: maskError,
    plugins: [ApolloServerPluginLandingPageDisabled(), logUnexpected(options.log)],
    stopOnTerminationSignals: false,
  })
  await apollo.start()
  await app.register(async door => {
    acceptUploads(door)
    door.route({
      url: '/graphql',
      method: ['GET', 'POST'],
      handler: fastifyApolloHandler(apollo, {
        context: contextOf,
      }),
    })
  })
  await app.register(rest, { schema, contextOf })
  await app.register(paypalWebhook, { orm, services })
  await app.register(invoices, { orm, timeZone })

  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await orm.isConnected()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'waiting for the database' })
  })
  await app.register(pictures, {
    folders: { '/images': samplePictures, '/uploads': uploads.folder },
    cacheDir: uploads.cacheDir,
  })
  await app.register(web, { schema, contextFor: async () => anonymous(), shopUrl, paypalOrigin: originOf(services.paypalConfig.sdkBaseUrl), dev })

  /** Runs a sweep every half minute, one at a time. Answers how to stop. */
  const repeat = (complaint: string, sweep: () => Promise<unknown>) => {
    let running = false
    const timer = setInterval(() => {
      if (running) return
      running = true
      sweep().catch(error => options.log.error(error, complaint)).finally(() => { running = false })
    }, SWEEP_EVERY)
    return () => clearInterval(timer)
  }
  const sweeps = [
    repeat('Could not reconcile payments', () => reconcilePayments({ ...services, em: orm.em.fork() })),
    repeat('Could not release lapsed orders', () => lapseOrders(orm.em.fork())),
  ]
  app.addHook('onClose', async () => {
    for (const stop of sweeps) stop()
    await apollo.stop()
  })
  return app
}

const originOf = (url: string | null) => (url ? new URL(url).origin : null)

function answerInJson(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) {
      request.log.error(error)
      return reply.code(status).send({ message: 'Yarn it! Something went wrong!', code: 'INTERNAL_SERVER_ERROR' })
    }
    return reply.code(status).send({ message: error.message, code: 'BAD_REQUEST' })
  })
}

/** A bug is logged with its stack; the client only gets an apology. */
function logUnexpected(log: Logger) {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({ errors }: { errors: readonly { originalError?: unknown; extensions?: Record<string, unknown> }[] }) => {
        for (const error of errors) {
          if (error.originalError && !error.extensions?.['code']) log.error(error.originalError, 'Unexpected error in GraphQL')
        }
      },
    }),
  }
}
