import type { FastifyInstance } from 'fastify'
import { withRequestId } from '../kernel/request-id.ts'

/**
 * Each answer says which request it answers, and each line of the log which one it is about, so that people
 * who write to the shop about an error can name it.
 */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  // Fastify keeps it across the reading of the body.
  app.addHook('onRequest', (request, _reply, done) => withRequestId(request.id, done))
}
