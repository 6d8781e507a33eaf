import type { FastifyInstance } from 'fastify'
import { nth } from '#schema/rules/present'
import { Problem, sendProblem } from './problem.ts'

/** Asked for by what runs the shop, under whatever name, and by PayPal, whose word is believed for its signature alone. */
const ANY_HOST = new Set(['/livez', '/readyz', '/metrics', '/api/webhooks/paypal'])

/**
 * Whom a request means must be plain: with two Host headers, a proxy and the shop may each take another one. A shop that
 * was told its address answers for no other, so nobody makes links or caches of it under a name of their own.
 */
export function checkHost(app: FastifyInstance, shopUrl: string | null): void {
  const own = shopUrl && new URL(shopUrl)
  const known = own && new Set([own.host, `${own.hostname}:${own.port || (own.protocol === 'https:' ? '443' : '80')}`])
  app.addHook('onRequest', async (request, reply) => {
    const { raw, url } = request
    const given = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host')
    if (given.length > 1) return sendProblem(reply, new Problem(400, 'BAD_REQUEST', 'A request has one Host header.'))
    if (!known || ANY_HOST.has(nth(url.split('?'), 0))) return
    // A proxy that is trusted says in X-Forwarded-Host what it was asked for.
    if (!known.has(String(request.host ?? '').toLowerCase()))
      return sendProblem(reply, new Problem(421, 'MISDIRECTED_REQUEST', 'This shop has another address.'))
  })
}
