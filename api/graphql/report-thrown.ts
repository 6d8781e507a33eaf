import type { ApolloServerPlugin } from '@apollo/server'
import { GraphQLError } from 'graphql'
import type { Context } from '../context.ts'

/**
 * graphql's rule for subscriptions throws what it should report, when a variable decides over their field. It is the
 * document that is wrong all the same, not the shop.
 */
export const reportThrown: ApolloServerPlugin<Context> = {
  async unexpectedErrorProcessingRequest({ error }) {
    if (error instanceof GraphQLError)
      throw new GraphQLError(`This document cannot be checked: ${error.message}`, {
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
      })
  },
}
