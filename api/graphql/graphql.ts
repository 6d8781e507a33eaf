import { ApolloServer, type ApolloServerPlugin } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Logger } from 'pino'
import type { Context } from '../context.ts'
import { acceptUploads } from '../http/multipart.ts'
import { isStream } from '../http/admission.ts'
import { Problem, sendThrown } from '../http/problem.ts'
import type { SharedCache } from '../http/shared-cache.ts'
import { maskError } from '../kernel/errors.ts'
import { EVENTS, PARTS } from '../live/event-stream.ts'
import { overHttp } from '../live/over-http.ts'
import { overWebSocket } from '../live/over-websocket.ts'
import { eachInItsWay, STREAM_LIMITS, streams, type StreamLimits } from '../live/stream.ts'
import { cacheControl, unlessKnown } from './caching.ts'
import { sendExplorer, wantsExplorer } from './explorer/explorer.ts'
import { limitCost } from './limit-cost.ts'
import { limitRules, nameLimit, QUERY_LIMITS } from './query-limits.ts'
import { reportThrown } from './report-thrown.ts'
import { questionAsked, shareAnswers, type Answer } from './response-cache.ts'
import { sayPlainly } from './say-plainly.ts'
import { safelistOnly } from './safelist.ts'
import { persistedQueries, validDocuments } from './stores.ts'
import { limitTime } from './time-limit.ts'

export interface GraphqlOptions {
  schema: GraphQLSchema
  log: Logger
  /** The sender of a request, looked up once per request, and again for every event of a subscription. */
  contextOf: (request: FastifyRequest) => Promise<Context>
  newContext: (request: FastifyRequest) => Promise<Context>
  /** Recent answers to visitors. */
  answers: SharedCache<Answer>
  introspection: boolean
  persistedOnly: boolean
  longestMs: number
  streams: Partial<StreamLimits>
  /** Has a subscription over a WebSocket pay what a request does; nothing is counted when undefined. */
  payLeast: ((request: FastifyRequest) => Promise<void>) | undefined
  /** Whose pages may use the API from a browser. */
  origins: 'any' | readonly string[]
  dev: boolean
  /** Further plugins. */
  plugins: ApolloServerPlugin[]
}

/** GraphQL at /graphql, with its explorer for browsers, and its subscriptions, as events, in parts or over a WebSocket. */
export async function graphql(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { schema, contextOf, newContext, answers, introspection, persistedOnly, payLeast, origins, dev } = options
  const persisted = persistedQueries()
  const apollo = apolloServer(options, persisted)
  await apollo.start()
  app.addHook('onClose', () => apollo.stop())
  acceptUploads(app)
  shareAnswers(app, answers, contextOf, questionAsked(persisted))
  app.setErrorHandler(sendThrown('graphql'))
  const operate = fastifyApolloHandler(apollo, { context: contextOf })
  const limits = { ...STREAM_LIMITS, ...options.streams }
  const openStream = streams({ apollo, schema, contextOf: newContext, limits })
  const tell = overHttp(app, openStream)
  const sockets = overWebSocket({ schema, openStream, contextOf: newContext, payLeast, limits, origins })
  app.route({
    url: '/graphql',
    method: 'GET',
    preHandler: sockets.admit,
    wsHandler: sockets.talk,
    handler: async (request, reply) =>
      wantsExplorer(request)
        ? sendExplorer(reply, { introspection, persistedOnly, dev })
        : unlessKnown(request, reply, await operate.call(app, request, reply)),
  })
  app.post('/graphql', async (request, reply) =>
    isStream(request)
      ? tell(request, reply, PARTS)
      : unlessKnown(request, reply, await operate.call(app, request, reply)),
  )
  app.post('/graphql/stream', async (request, reply) => {
    if (request.headers.accept?.includes('text/event-stream')) return tell(request, reply, EVENTS)
    throw new Problem(
      406,
      'NOT_ACCEPTABLE',
      'Subscriptions are told as an event stream: ask with "accept: text/event-stream".',
    )
  })
}

function apolloServer(
  { schema, log, introspection, persistedOnly, longestMs, plugins }: GraphqlOptions,
  persisted: ReturnType<typeof persistedQueries>,
) {
  return new ApolloServer<Context>({
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    parseOptions: { maxTokens: QUERY_LIMITS.tokens },
    validationRules: limitRules(),
    formatError: (error, thrown) => sayPlainly(nameLimit(maskError(error), thrown)),
    cache: persisted,
    documentStore: validDocuments(),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      cacheControl,
      eachInItsWay,
      reportThrown,
      logUnexpected(log),
      ...(persistedOnly ? [safelistOnly] : []),
      limitCost,
      limitTime(longestMs),
      ...plugins,
    ],
    stopOnTerminationSignals: false,
  })
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
