import type { FastifyRequest } from 'fastify'
import { present } from '#schema/rules/present'
import { hashOf } from '../kernel/tokens.ts'
import { limitConcurrency } from '../kernel/limiter.ts'

const KEEP_MS = 10_000
const MOST = 5_000
/** One indexed row per lookup; limited, so that nobody can keep the database busy with lookups. */
const LOOKS = { atOnce: 4, waiting: 2_000, retryAfter: 2 }

/**
 * Whose good token or key a request has, null for everyone else, for the line it waits in and the points it pays. It is
 * looked up before there is a place for the request, and remembered for a moment; what the request may do is checked again
 * when its turn comes.
 */
export function knownClients(
  identify: (authorization: string, ip: string) => Promise<string | null>,
): (request: FastifyRequest) => Promise<string | null> {
  const asked = new WeakMap<FastifyRequest, Promise<string | null>>()
  const known = new Map<string, { client: string; until: number }>()
  const looks = limitConcurrency(LOOKS)

  async function find(authorization: string, ip: string): Promise<string | null> {
    // A key may be good from one address and not from another.
    const hash = hashOf(`${ip} ${authorization}`)
    const found = known.get(hash)
    if (found && found.until > performance.now()) return found.client
    // When the lookup fails, the request waits with the visitors; what is wrong is answered when it is worked on.
    const client = await looks.take(() => identify(authorization, ip)).catch(() => null)
    known.delete(hash)
    if (client === null) return null
    if (known.size >= MOST) known.delete(present(known.keys().next().value))
    known.set(hash, { client, until: performance.now() + KEEP_MS })
    return client
  }

  return async request => {
    const { authorization } = request.headers
    if (!authorization) return null
    const client = asked.get(request) ?? find(authorization, request.ip)
    asked.set(request, client)
    return client
  }
}
