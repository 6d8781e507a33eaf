import type { ApolloServerPlugin } from '@apollo/server'
import { rootFieldsOf } from '../http/metrics.ts'
import { endSpan, startSpan } from '../kernel/tracing.ts'

/** A span for each operation, named by the fields it asks for: names of operations are the client's to make up. */
export const traceOperations: ApolloServerPlugin = {
  async requestDidStart() {
    const span = startSpan('graphql')
    return {
      async willSendResponse({ operation, response: { body } }) {
        if (operation) {
          span.updateName(`${operation.operation} ${[...rootFieldsOf(operation)].join(', ')}`)
          span.setAttribute('graphql.operation.type', operation.operation)
        }
        const failed = body.kind === 'single' && body.singleResult.errors?.[0]
        endSpan(span, failed ? String(failed.extensions?.['code']) : undefined)
      },
    }
  },
}
