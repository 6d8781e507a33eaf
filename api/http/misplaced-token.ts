import type { FastifyInstance } from 'fastify'
import { invalidToken } from '../kernel/errors.ts'
import { formAt } from './problem.ts'

/** Where others look for a token or key, and the shop does not: a client that sends one there is no visitor, and must not be answered like one. */
export function refuseMisplacedTokens(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url, headers, query }) => {
    if (formAt(url) === 'page') return
    const place =
      'x-api-key' in headers
        ? 'in the header `X-Api-Key`'
        : ['access_token', 'api_key'].some(name => name in (query as object)) && 'in the address'
    if (place) throw invalidToken(`Send the token or key as \`Authorization: Bearer …\`, not ${place}.`)
  })
}
