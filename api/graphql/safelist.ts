import type { ApolloServerPlugin } from '@apollo/server'
import { GraphQLError } from 'graphql'
import type { Context } from '../context.ts'
import { SAFELIST } from '../generated/safelist.ts'
import { operationKey } from './operation-key.ts'

/** Refuses what the storefront does not send, but for those who have shown who they are: administrators and partners' keys. */
export const safelistOnly: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async didResolveOperation({ document, contextValue: { user, scopes } }) {
      if (user?.actsAsAdmin || scopes || SAFELIST.has(operationKey(document))) return
      throw new GraphQLError(
        'This shop runs only the operations of its own storefront; others need the key of a partner.',
        {
          extensions: { code: 'OPERATION_NOT_LISTED', http: { status: 403 } },
        },
      )
    },
  }),
}
