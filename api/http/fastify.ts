import { randomUUID } from 'node:crypto'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { present } from '#schema/rules/present'
import { isWebSocket } from './web-sockets.ts'
import { Problem, sendProblem } from './problem.ts'
import { readable } from './web.ts'

export const BODY_LIMIT = 100_000

interface FastifySettings {
  log: Logger
  /** See `ServerOptions.trustProxy`. */
  trustProxy: string | number | undefined
  dev: boolean
}

/** A server without routes, bounded in what it reads and for how long. */
export function openFastify({ log, trustProxy, dev }: FastifySettings): FastifyInstance {
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
