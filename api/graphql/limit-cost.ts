import type { ApolloServerPlugin } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { present } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { costOf } from './operation-cost.ts'
import { QUERY_LIMITS, sentences } from './query-limits.ts'

/** With this header the answer says what the request cost, and what is left to its client. */
export const COST_HEADER = 'skein-cost'

/** Refuses what costs too much before anything runs, has the client pay for the rest, and wait its turn with what is costly. */
export const limitCost: ApolloServerPlugin<Context> = {
  requestDidStart: async () => {
    let requested: number | undefined
    return {
      async didResolveOperation({ schema, document, operation, request, contextValue }) {
        if (!operation) return
        requested = costOf({
          schema,
          document,
          operation,
          variables: request.variables ?? {},
          pageSize: contextValue.pageSize,
        })
        const allowed = QUERY_LIMITS.cost
        if (requested > allowed) {
          throw new GraphQLError(sentences.cost(requested, allowed), {
            extensions: {
              code: 'GRAPHQL_VALIDATION_FAILED',
              limit: 'cost',
              allowed,
              found: requested,
              http: { status: 400 },
            },
          })
        }
        if (contextValue.keyUse) contextValue.keyUse.points = requested
        await contextValue.purse?.spend(requested)
      },
      async executionDidStart({ contextValue: { purse } }) {
        const done = await purse?.turn(present(requested))
        return done && { executionDidEnd: async () => done() }
      },
      async willSendResponse({ request, response: { body }, contextValue }) {
        if (contextValue.keyUse && body.kind === 'single' && body.singleResult.errors) contextValue.keyUse.failed = true
        if (requested === undefined || !request.http?.headers.has(COST_HEADER) || body.kind !== 'single') return
        const remaining = await contextValue.purse?.left()
        body.singleResult.extensions = {
          ...body.singleResult.extensions,
          cost: { requested, limit: QUERY_LIMITS.cost, ...(remaining !== undefined && { remaining }) },
        }
      },
    }
  },
}
