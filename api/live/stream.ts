import type { ApolloServer, ApolloServerPlugin } from '@apollo/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  GraphQLError,
  parse,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import type { Context } from '../context.ts'
import { networkOf } from '../http/network.ts'
import { Problem } from '../http/problem.ts'
import { expected, maskError } from '../kernel/errors.ts'
import { limitConcurrency } from '../kernel/limiter.ts'
import type { Change } from './changes.ts'
import { EventStream } from './event-stream.ts'

export interface StreamLimits {
  /** Streams one account may have open with this process; one address, for visitors. */
  perClient: number
  /** Streams of one address, whoever asks for them. */
  perAddress: number
  /** Streams this process has open at most. */
  total: number
  /** How often a stream on which nothing happens asks whether its subscriber still may, in milliseconds. */
  checkMs: number
}

export const STREAM_LIMITS: StreamLimits = { perClient: 10, perAddress: 100, total: 1_000, checkMs: 30_000 }

/** Answers worked on at a time, so that a change which many wait for leaves the database to others too. */
const ANSWERING = { atOnce: 4, waiting: Infinity, retryAfter: 1 }

interface StreamOptions {
  apollo: ApolloServer<Context>
  schema: GraphQLSchema
  /** A new one each time: who sent the request, and what they may by now. */
  contextOf: (request: FastifyRequest) => Promise<Context>
  limits: StreamLimits
}

interface Operation {
  query: string
  variables?: Record<string, unknown>
  operationName?: string
}

/** Queries and mutations are answered at one address, subscriptions told at another. */
export const eachAtItsAddress: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ operation, contextValue: { change } }) {
      const isStream = change !== undefined
      if (!operation || (operation.operation === 'subscription') === isStream) return
      throw new GraphQLError(
        isStream ? 'Queries and mutations are answered at /graphql.' : 'Subscriptions are told at /graphql/stream.',
        {
          extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
        },
      )
    },
  }),
}

/**
 * POST /graphql/stream: one subscription a connection. Every change is answered by the same server as any request, and
 * with a context of its own, so that its limits, rules and rights hold for each. What asking again would not change
 * is told in the stream, as its last result; what passes, such as too many streams, is refused with a status.
 */
export async function liveStreams(
  app: FastifyInstance,
  { apollo, schema, contextOf, limits }: StreamOptions,
): Promise<void> {
  const open = new Set<EventStream>()
  /** By account and by address. */
  const openOf = new Map<string, number>()
  const openBy = (who: string) => openOf.get(who) ?? 0
  const { take } = limitConcurrency(ANSWERING)
  let stopping = false

  app.addHook('preClose', async () => {
    stopping = true
    for (const stream of open) stream.cut()
  })

  app.post('/graphql/stream', async (request, reply) => {
    const operation = request.body as Operation | null
    if (!request.headers.accept?.includes('text/event-stream'))
      throw new Problem(
        406,
        'NOT_ACCEPTABLE',
        'Subscriptions are told as an event stream: ask with "accept: text/event-stream".',
      )
    if (typeof operation?.query !== 'string')
      throw new Problem(400, 'BAD_REQUEST', 'Send a subscription as JSON: { "query": …, "variables": … }.')

    const answer = (change: Change) =>
      take(async () => {
        const context = await contextOf(request).catch(refusalIn)
        if (!('em' in context)) return context
        const { body } = await apollo.executeOperation(operation, { contextValue: { ...context, change } })
        const result = (body as Extract<typeof body, { kind: 'single' }>).singleResult as FormattedExecutionResult
        if (result.errors?.some(({ extensions }) => extensions?.['code'] === 'INTERNAL_SERVER_ERROR'))
          throw new Error('A change could not be told')
        return result
      })

    const context = await contextOf(request)
    const address = networkOf(request.ip)
    const client = context.user?.id ?? `visitors at ${address}`
    if (openBy(client) >= limits.perClient)
      throw new Problem(429, 'RATE_LIMITED', `${limits.perClient} streams are open already. Please close one first.`)
    if (openBy(address) >= limits.perAddress)
      throw new Problem(
        429,
        'RATE_LIMITED',
        `${limits.perAddress} streams from your network are open already. Please try again later.`,
      )
    if (open.size >= limits.total)
      throw new Problem(503, 'BUSY', 'Too many streams are open at the moment. Please try again later.')
    for (const each of [client, address]) openOf.set(each, openBy(each) + 1)
    try {
      const first = await answer(null)
      const stream = new EventStream(reply)
      open.add(stream)
      stream.closed.addEventListener('abort', () => open.delete(stream))
      if (stopping) return stream.cut()
      await follow(stream, first, answer, () => sourceOf(operation, context)).catch(error => {
        request.log.warn(error, 'A stream was cut')
        stream.cut()
      })
    } finally {
      for (const each of [client, address]) {
        if (openBy(each) > 1) openOf.set(each, openBy(each) - 1)
        else openOf.delete(each)
      }
    }
  })

  async function sourceOf(
    { query, variables, operationName }: Operation,
    contextValue: Context,
  ): Promise<AsyncIterableIterator<Change>> {
    const source = await createSourceEventStream({
      schema,
      document: parse(query, { noLocation: true }),
      variableValues: variables,
      operationName,
      contextValue,
    })
    if ('errors' in source) throw source.errors![0]!
    return source as AsyncIterableIterator<Change>
  }

  /** Tells every change until the subscriber has gone, or may no longer. `first` is only looked at for a refusal: what it says was read before anyone listened. */
  async function follow(
    stream: EventStream,
    first: FormattedExecutionResult,
    answer: (change: Change) => Promise<FormattedExecutionResult>,
    subscribe: () => Promise<AsyncIterableIterator<Change>>,
  ) {
    if (isRefusal(first)) return refuse(stream, first)
    const source = await subscribe()
    const stillMay = async () => {
      const result = await answer(null)
      if (isRefusal(result)) await refuse(stream, result)
    }
    const stop = () => void source.return!()
    stream.closed.addEventListener('abort', stop)
    if (stream.closed.aborted) stop()
    const check = setInterval(() => void stillMay().catch(() => stream.cut()), limits.checkMs)
    try {
      for await (const change of source) {
        const result = await answer(change)
        if (isRefusal(result)) return await refuse(stream, result)
        await stream.tell(result)
      }
    } finally {
      clearInterval(check)
      stop()
    }
  }
}

/** Whose token has ended meanwhile is told so in the stream, as its last result. */
function refusalIn(error: unknown): FormattedExecutionResult {
  if (!expected(error)) throw error
  return { data: null, errors: [maskError((error as GraphQLError).toJSON())] }
}

/** The fields of Subscription are never null, so without data the operation was refused as a whole. */
const isRefusal = ({ data }: FormattedExecutionResult) => data == null

async function refuse(stream: EventStream, result: FormattedExecutionResult) {
  await stream.tell(result)
  stream.complete()
}
