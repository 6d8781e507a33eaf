import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import compress from '@fastify/compress'
import type { MikroORM } from '@mikro-orm/postgresql'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { loginThrottle } from './account/login-throttle.ts'
import { authenticate } from './auth.ts'
import { pictures } from './catalog/pictures.ts'
import type { Context, Services } from './context.ts'
import { maskError } from './errors.ts'
import { lapseOrders } from './order/lapse-orders.ts'
import { schema } from './schema.ts'
import { web } from './web.ts'

export interface ServerOptions extends Omit<Services, 'loginThrottle'> {
  orm: MikroORM
  /** Uploaded pictures and resized copies. */
  dataDir: string
  /** Public origin, for canonical addresses. */
  shopUrl: string
  /** Vite serves and reloads the storefront from source. */
  dev?: boolean
}

const LAPSE_EVERY = 30_000
const samplePictures = fileURLToPath(new URL('./db/seed/pictures/', import.meta.url))

/** Puts the shop together: GraphQL, pictures and pages on one port. Tests call this too. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { orm, dataDir, shopUrl, dev = false, ...given } = options
  const services: Services = { ...given, loginThrottle: loginThrottle() }
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 100_000,
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
  })
  answerInJson(app)
  await app.register(compress)

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
  app.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    handler: fastifyApolloHandler(apollo, {
      context: async request => {
        const em = orm.em.fork()
        return { ...services, em, ip: request.ip, ...(await authenticate(em, request.headers.authorization)) }
      },
    }),
  })

  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await orm.isConnected()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'waiting for the database' })
  })
  await app.register(pictures, {
    folders: { '/images': samplePictures, '/uploads': join(dataDir, 'uploads') },
    cacheDir: join(dataDir, 'cache', 'pictures'),
  })
  await app.register(web, { schema, contextFor: async () => anonymous(), shopUrl, paypalOrigin: originOf(services.paypalConfig.sdkBaseUrl), dev })

  const lapsing = setInterval(() => {
    lapseOrders(orm.em.fork()).catch(error => options.log.error(error, 'Could not release lapsed orders'))
  }, LAPSE_EVERY)
  app.addHook('onClose', async () => {
    clearInterval(lapsing)
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
