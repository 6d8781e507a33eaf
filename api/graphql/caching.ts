import { createHash } from 'node:crypto'
import type { ApolloServerPlugin } from '@apollo/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ORDER_TOKEN } from '../http/order-token.ts'

/** How long a public answer may be cached, in seconds; stock and prices are checked again when an order is placed. */
const PUBLIC_SECONDS = 5

/** An anonymous GET is answered alike for everyone, so caches may keep it. */
export const cacheControl: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    async willSendResponse({ request, response, contextValue: { sources } }) {
      const { http, body } = response
      // What failed this time may go well the next time.
      if (sources && !(body.kind === 'single' && !body.singleResult.errors)) sources.areShared = false
      const isPublic =
        request.http?.method === 'GET' &&
        !request.http.headers.has('authorization') &&
        !request.http.headers.has(ORDER_TOKEN) &&
        body.kind === 'single' &&
        !body.singleResult.errors
      http.headers.set('cache-control', isPublic ? `public, max-age=${PUBLIC_SECONDS}` : 'no-store')
      if (request.http?.method === 'GET') http.headers.set('vary', `accept, authorization, ${ORDER_TOKEN}, origin`)
    },
  }),
}

/** Answers 304 when the client has the same answer already. */
export function unlessKnown(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  if (typeof body !== 'string' || !String(reply.getHeader('cache-control')).startsWith('public')) return body
  // Weak, because the same answer may be compressed in several ways.
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  reply.header('etag', tag)
  if (!isKnown(request, tag)) return body
  void reply.code(304)
  return ''
}

/** Whether the client has what this tag stands for. */
export function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match']?.split(',').map(each => each.trim()) ?? []
  return known.includes(tag) || known.includes('*')
}
