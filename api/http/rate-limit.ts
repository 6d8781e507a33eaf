import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { hashOf } from '../account/authenticate.ts'

const SECONDS = 60

/** The routes that are counted: GraphQL and REST. Pages, pictures and health checks are not. */
const DOORS = /^\/(graphql|api)(\/|$)/

/**
 * Gives every client so many requests a minute, a key and a session its own budget, everyone else one for their address.
 * Each answer tells what is left, in the fields of draft-ietf-httpapi-ratelimit-headers-11. Kept in memory: each process
 * counts what reaches it, and asks nobody.
 */
export function limitRate(app: FastifyInstance, perMinute: number, isKnown: (request: FastifyRequest) => Promise<boolean>): void {
  const budgets = new RateLimiterMemory({ points: perMinute, duration: SECONDS })
  const policy = `"client";q=${perMinute};w=${SECONDS}`

  const known = async (request: FastifyRequest, authorization: string) => {
    const client = hashOf(authorization)
    // Only a known one has a budget; that one is spent is then told without asking the database again.
    const spent = (await budgets.get(client))?.remainingPoints === 0
    // What nobody knows costs its sender: inventing tokens gains nothing.
    return spent || (await isKnown(request)) ? client : request.ip
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!DOORS.test(request.routeOptions.url ?? '')) return
    const { authorization } = request.headers
    const client = authorization ? await known(request, authorization) : request.ip
    const budget = await budgets.consume(client).catch((refused: RateLimiterRes) => refused)
    const seconds = Math.ceil(budget.msBeforeNext / 1000)
    reply.header('ratelimit-policy', policy).header('ratelimit', `"client";r=${budget.remainingPoints};t=${seconds}`)
    if (budget.consumedPoints > perMinute) return refuse(request, reply, perMinute, seconds)
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply, perMinute: number, seconds: number) {
  const message = `More than ${perMinute.toLocaleString('en-US')} requests in a minute. Please wait ${seconds} seconds.`
  const code = 'RATE_LIMITED'
  const answer = request.routeOptions.url!.startsWith('/graphql') ? { errors: [{ message, extensions: { code, retryAfter: seconds } }] } : { message, code }
  return reply.code(429).header('retry-after', String(seconds)).header('cache-control', 'no-store').send(answer)
}
