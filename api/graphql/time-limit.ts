import type { ApolloServerPlugin } from '@apollo/server'
import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  isCompositeType,
  isObjectType,
  type GraphQLSchema,
  type OperationTypeNode,
} from 'graphql'
import type { Context } from '../context.ts'

/** How long a query may run. A statement of the database's has 5 seconds, so the last one ends some seconds after it. */
export const LONGEST_MS = 10_000

/**
 * What the fields of an operation ask before they begin, the first of which sets the clock: an operation may have waited
 * for its turn. A change is never ended in the middle, nor is what it answers.
 */
export function timeLimit(operation: OperationTypeNode, longestMs: number, hasLeft: () => boolean): Context['stop'] {
  if (operation !== 'query') return undefined
  let end: number | undefined
  return () => {
    end ??= performance.now() + longestMs
    if (performance.now() >= end || hasLeft()) throw tookTooLong(longestMs)
  }
}

const CODE = 'TIMEOUT'

const tookTooLong = (ms: number) =>
  new GraphQLError(
    `This operation took longer than ${ms / 1_000} seconds and was ended. Ask for fewer fields, or for fewer items at a time.`,
    { extensions: { code: CODE, http: { status: 504 } } },
  )

/** Every field that leads on to things asks whether there is time left, and anybody who waits for the answer. */
export function endInTime(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || type === schema.getSubscriptionType()) continue
    for (const field of Object.values(type.getFields())) {
      if (!isCompositeType(getNamedType(field.type))) continue
      const { resolve = defaultFieldResolver } = field
      field.resolve = (source, args, context: Context, info) => {
        context.stop?.()
        return resolve(source, args, context, info)
      }
    }
  }
  return schema
}

/** Ends queries in time. Half an answer would look like a whole one, so none is given. */
export const limitTime = (longestMs: number): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    async didResolveOperation({ operation, contextValue }) {
      if (operation) contextValue.stop = timeLimit(operation.operation, longestMs, contextValue.hasLeft)
    },
    async willSendResponse({ response: { body, http } }) {
      if (body.kind !== 'single') return
      const ended = body.singleResult.errors?.find(({ extensions }) => extensions?.['code'] === CODE)
      if (!ended) return
      http.status = 504
      body.singleResult = { errors: [ended] }
    },
  }),
})
