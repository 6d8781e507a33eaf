import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** What pages of other sites may read: the APIs and pictures. Not the shop's own pages, nor the mailbox. */
const OPEN = /^\/(?:graphql|api|images|uploads|feeds|schema\.graphql|llms\.txt|\.well-known\/ucp)(?:[/?]|$)/
const DAY = 86_400

/**
 * Lets scripts on pages of other origins, or of those given, use the API. There are no cookies to abuse: a browser is
 * known by the token it sends and by nothing else.
 */
export async function openToOrigins(app: FastifyInstance, origins: 'any' | readonly string[]): Promise<void> {
  const open = {
    origin: origins === 'any' ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: [
      'etag',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'www-authenticate',
      'allow',
      'link',
      'x-request-id',
    ],
    maxAge: DAY,
  }
  await app.register(cors, {
    delegator: ({ url }, decide) => decide(null, OPEN.test(url ?? '') ? open : { origin: false }),
  })
}
