import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withRequestId } from '../kernel/request-id.ts'

/**
 * Each answer says which request it answers, and each line of the log which one it is about, so that whoever writes to
 * the shop about an error can name it.
 */
export function nameRequests(app: FastifyInstance): void {
  const name = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => withRequestId(request.id, done)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onRequest', name)
  // A body that arrives in pieces is read by whoever runs the socket, and what follows would belong to nobody.
  app.addHook('preValidation', name)
}
