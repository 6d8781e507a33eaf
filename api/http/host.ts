import type { FastifyInstance } from 'fastify'
import { nth } from '#schema/rules/present'
import { Problem, sendProblem } from './problem.ts'

/**
 * Addresses that monitoring asks for under any host name, and PayPal, whose events are believed by their signature
 * alone.
 */
const ANY_HOST = new Set(['/livez', '/readyz', '/metrics', '/api/webhooks/paypal'])

/**
 * The host has to be unambiguous: of two Host headers, a proxy and the shop might each take another one. A shop that
 * knows its address answers for no other, so that nobody gets links or cached pages made under their own name.
 */
export function checkHost(app: FastifyInstance, shopUrl: string | null): void {
  const own = shopUrl && new URL(shopUrl)
  const known = own && new Set([own.host, `${own.hostname}:${own.port || (own.protocol === 'https:' ? '443' : '80')}`])
  app.addHook('onRequest', async (request, reply) => {
    const { raw, url } = request
    const given = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host')
    if (given.length > 1)
      return sendProblem(reply, new Problem(400, 'BAD_REQUEST', 'A request must have exactly one Host header.'))
    if (!known || ANY_HOST.has(nth(url.split('?'), 0))) return
    // A proxy that is trusted says in X-Forwarded-Host what it was asked for.
    if (!known.has(String(request.host ?? '').toLowerCase()))
      return sendProblem(reply, new Problem(421, 'MISDIRECTED_REQUEST', 'This shop has another address.'))
  })
}
