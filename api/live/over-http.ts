import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../http/problem.ts'
import { EventStream, type Framing } from './event-stream.ts'
import type { OpenStream, Operation } from './stream.ts'

/** Tells a subscription as the answer to a POST. */
export type TellOverHttp = (request: FastifyRequest, reply: FastifyReply, framing: Framing) => Promise<void>

/** Streams that are answers: one subscription a connection. All are cut when the shop stops. */
export function overHttp(app: FastifyInstance, openStream: OpenStream): TellOverHttp {
  const open = new Set<EventStream>()
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
    for (const stream of open) stream.cut()
  })

  return async (request, reply, framing) => {
    const operation = request.body as Operation | null
    if (typeof operation?.query !== 'string')
      throw new Problem(400, 'BAD_REQUEST', 'Send a subscription as JSON: { "query": …, "variables": … }.')
    const results = await openStream(request, operation)
    const stream = new EventStream(reply, framing)
    const { closed } = stream
    const over = () => {
      open.delete(stream)
      void results.return()
    }
    open.add(stream)
    closed.addEventListener('abort', over)
    if (stopping) stream.cut()
    if (closed.aborted || stopping) return over()
    try {
      for await (const result of results) await stream.tell(result)
      stream.complete()
    } catch (error) {
      request.log.warn(error, 'A stream was cut')
      stream.cut()
    }
  }
}
