import type { ApolloServer, ApolloServerPlugin } from '@apollo/server'
import type { FastifyRequest } from 'fastify'
import {
  createSourceEventStream,
  GraphQLError,
  parse,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { nth } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { networkOf } from '../http/network.ts'
import { Problem } from '../http/problem.ts'
import { expected, maskError } from '../kernel/errors.ts'
import { limitConcurrency } from '../kernel/limiter.ts'
import type { Change } from './changes.ts'
import { limitOpen, type OpenLimits } from './open-limits.ts'

export interface StreamLimits extends OpenLimits {
  /** How often a stream on which nothing happens asks whether its subscriber still may, in milliseconds. */
  checkMs: number
  /** How long the client of a WebSocket may take to say who it is, and to show that it still reads, in milliseconds. */
  initMs: number
  pingMs: number
}

export const STREAM_LIMITS: StreamLimits = {
  perClient: 10,
  perAddress: 100,
  total: 1_000,
  checkMs: 30_000,
  initMs: 10_000,
  pingMs: 12_000,
}

/** How many answers are worked on at a time, so that a change with many subscribers leaves the database to others, too. */
const ANSWERING = { atOnce: 4, waiting: Infinity, retryAfter: 1 }

type Source = AsyncIterableIterator<Change> & { return(): Promise<unknown> }

export interface StreamOptions {
  apollo: ApolloServer<Context>
  schema: GraphQLSchema
  /** A new one each time: who sent the request, and what they may by now. */
  contextOf: (request: FastifyRequest) => Promise<Context>
  limits: StreamLimits
}

export interface Operation {
  query: string
  variables?: Record<string, unknown>
  operationName?: string
}

/** What a subscriber is sent, until it returns; the last one may be a refusal. */
export interface Results extends AsyncGenerator<FormattedExecutionResult, void, void> {
  /** Why nothing is sent but this. */
  refusal: FormattedExecutionResult | null
}

/** Opens a subscription and returns what comes over it. What passes, such as too many streams, throws a Problem. */
export type OpenStream = (request: FastifyRequest, operation: Operation) => Promise<Results>

const ELSEWHERE =
  'Subscriptions are told as events at /graphql/stream, or here over a WebSocket or to who accepts multipart/mixed;subscriptionSpec=1.0.'

/** Queries and mutations get one answer, subscriptions a stream; each has its own way to ask. */
export const eachInItsWay: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ operation, contextValue: { change } }) {
      const isStream = change !== undefined
      if (!operation || (operation.operation === 'subscription') === isStream) return
      throw new GraphQLError(
        isStream
          ? 'This is told to subscribers. Queries and mutations are answered at /graphql with `accept: application/json`.'
          : ELSEWHERE,
        { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
      )
    },
  }),
}

/**
 * Subscriptions, whatever carries them. Every change is answered by the same server as any request, and with a context
 * of its own, so that its limits, rules and rights hold for each. What asking again would not change is answered in the
 * stream, as its last result.
 */
export function streams({ apollo, schema, contextOf, limits }: StreamOptions): OpenStream {
  const open = limitOpen(limits, 'streams')
  const { take } = limitConcurrency(ANSWERING)

  async function sourceOf({ query, variables, operationName }: Operation, contextValue: Context): Promise<Source> {
    const source = await createSourceEventStream({
      schema,
      document: parse(query, { noLocation: true }),
      variableValues: variables,
      operationName,
      contextValue,
    })
    if ('errors' in source) throw nth(source.errors ?? [], 0)
    return source as Source
  }

  return async (request, operation) => {
    /** A stream pays when it is opened, and no more. */
    const answer = (change: Change, pays = false) =>
      take(async () => {
        const context = await contextOf(request).catch(refusalIn)
        if (!('em' in context)) return context
        const contextValue = { ...context, change, purse: pays ? context.purse : undefined }
        const { body } = await apollo.executeOperation(operation, { contextValue })
        const result = (body as Extract<typeof body, { kind: 'single' }>).singleResult as FormattedExecutionResult
        if (result.errors?.some(({ extensions }) => extensions?.['code'] === 'INTERNAL_SERVER_ERROR'))
          throw new Error('A change could not be told')
        return result
      })

    const context = await take(() => contextOf(request))
    const address = networkOf(request.ip)
    const leave = open(context.user?.id ?? `visitors at ${address}`, address)
    let source: Source | undefined
    try {
      // Checked for a refusal only: its data was read before anyone listened.
      const first = await answer(null, true)
      mindPoints(first)
      const results = Object.assign(tell(first), { refusal: isRefusal(first) ? first : null })
      const end = results.return.bind(results)
      // So that it ends at once, not with the next change.
      results.return = value => {
        leave()
        void source?.return()
        return end(value)
      }
      return results
    } catch (error) {
      leave()
      throw error
    }

    async function* tell(first: FormattedExecutionResult): AsyncGenerator<FormattedExecutionResult, void, void> {
      if (isRefusal(first)) {
        leave()
        return yield first
      }
      const changes = await sourceOf(operation, context)
      source = changes
      let last: FormattedExecutionResult | undefined
      let failure: unknown
      const stillMay = async () => {
        const result = await answer(null)
        if (!isRefusal(result)) return
        last = result
        void changes.return()
      }
      const check = setInterval(() => {
        stillMay().catch(error => {
          failure = error
          void changes.return()
        })
      }, limits.checkMs)
      try {
        for await (const change of changes) {
          const result = await answer(change)
          yield result
          if (isRefusal(result)) return
        }
        if (failure) throw failure
        if (last) yield last
      } finally {
        clearInterval(check)
        leave()
      }
    }
  }
}

/** To a subscriber whose token has ended meanwhile, the stream's last result says so. */
function refusalIn(error: unknown): FormattedExecutionResult {
  if (!expected(error)) throw error
  return { data: null, errors: [maskError((error as GraphQLError).toJSON())] }
}

/** The fields of Subscription are never null, so without data the operation was refused as a whole. */
const isRefusal = ({ data }: FormattedExecutionResult) => data == null

/** The budget refills by itself. */
function mindPoints({ errors }: FormattedExecutionResult) {
  const spent = errors?.find(({ extensions }) => extensions?.['code'] === 'RATE_LIMITED')
  if (!spent) return
  const { retryAfter } = spent.extensions as { retryAfter?: number }
  throw new Problem(429, 'RATE_LIMITED', spent.message, { retryAfter })
}
