import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { present } from '#schema/rules/present'
import type { Processes } from '../event/processes.ts'
import { expected, outOfPoints } from '../kernel/errors.ts'
import { FORMS, isPage } from './forms.ts'
import { networkOf } from './network.ts'
import { formAt, Problem, problemFrom, sendProblem } from './problem.ts'

const SECONDS = 60

/** How often other processes are sent what a client spent here, once it comes to this share of its budget. */
const TELL_MS = 1_000
const WORTH_TELLING = 0.01
const CLIENTS_A_MESSAGE = 40

/** Points that every request costs at least. */
export const LEAST_POINTS = 20

/** What a page costs that has to be rendered, so that one address cannot have more than ten a second; one that is kept costs the least. */
export const PAGE_POINTS = 200
/** It reads the catalogue. */
const SITEMAP_POINTS = 1_000
/** It reads everything about an account. */
const EXPORT_POINTS = 1_000
/** It transfers the whole catalogue. */
const FEED_POINTS = 2_000

/** What is counted for each client: GraphQL and REST. Pages are counted for their address; pictures and health checks are not. */
const API_PATHS = /^\/(graphql|api)(\/|$)/

const DOCUMENTS = /^\/(docs(\/|$)|schema\.graphql$|llms\.txt$|\.well-known\/ucp$)/

/**
 * Operations of so many points are worked on one after another for each address: one keeps the event loop for tenths of a
 * second, and several at once would keep everybody else waiting for a second. No page of the shop's own costs as much.
 */
const COSTLY_POINTS = 2_000

/** The budget of points of a request's client. */
export interface Purse {
  /** Takes what an operation costs beyond the least that its request has paid. Throws RATE_LIMITED, and takes nothing, when there is not so much. */
  spend(points: number): Promise<void>
  left(): Promise<number>
  /** A costly operation waits for earlier ones of its address. Returns the function to call when it is done. */
  turn(points: number): Promise<() => void>
}

/** What clients have left. */
export interface Points {
  purseOf: (request: FastifyRequest) => Purse | undefined
  /** Charges the least for a request over a connection that was charged once, such as a WebSocket. Throws RATE_LIMITED. */
  payLeast: (request: FastifyRequest) => Promise<void>
}

/**
 * Gives every client so many points a minute: a key and an account its own budget, however often it is signed in, everyone
 * else one for their address. `clientOf` says whose good token or key a request has.
 * A request pays the least on arrival, before any work is done for it, and the rest when it is known what it asks for.
 * Each answer says what is left, in the fields of draft-ietf-httpapi-ratelimit-headers-11. Kept in memory: each process
 * counts what reaches it, asks nobody, and learns within about a second what the same client spent at others.
 */
export function limitRate(
  app: FastifyInstance,
  perMinute: number,
  clientOf: (request: FastifyRequest) => Promise<string | null>,
  isKeptPage: (request: FastifyRequest) => boolean,
  processes: Processes,
): Points {
  const budgets = new RateLimiterMemory({ points: perMinute, duration: SECONDS })
  const consume = shareSpending(app, budgets, processes)
  const policy = `"client";q=${perMinute};qu="points";w=${SECONDS}`
  const purses = new WeakMap<FastifyRequest, Purse>()

  const priceOf = (request: FastifyRequest): number | null => {
    const route = request.routeOptions.url ?? ''
    if (route.startsWith('/api/account-exports/')) return EXPORT_POINTS
    if (API_PATHS.test(route)) return LEAST_POINTS
    if (route === '/sitemap.xml' || route.startsWith('/sitemaps/')) return SITEMAP_POINTS
    if (route.startsWith('/feeds/')) return FEED_POINTS
    if (DOCUMENTS.test(route)) return LEAST_POINTS
    if (isPage(request) || FORMS.includes(route)) return isKeptPage(request) ? LEAST_POINTS : PAGE_POINTS
    return null
  }

  // By address, the last of its costly operations.
  const costly = new Map<string, Promise<void>>()
  const turnOf = async (address: string) => {
    const before = costly.get(address)
    const { promise, resolve } = Promise.withResolvers<void>()
    costly.set(address, promise)
    await before
    return () => {
      if (costly.get(address) === promise) costly.delete(address)
      resolve()
    }
  }
  const purseOf = (client: string, address: string, reply?: FastifyReply): Purse => {
    const left = async () => (await budgets.get(client))?.remainingPoints ?? perMinute
    return {
      left,
      turn: async points => (points < COSTLY_POINTS ? () => {} : turnOf(address)),
      async spend(points) {
        const more = points - LEAST_POINTS
        if (more <= 0) return
        const before = await budgets.get(client)
        if (more > (before?.remainingPoints ?? perMinute)) throw outOfPoints(perMinute, secondsOf(before), points)
        const budget = await consume(client, more)
        if (reply) tell(reply, budget)
      },
    }
  }
  const tell = (reply: FastifyReply, budget: RateLimiterRes) => {
    reply
      .header('ratelimit-policy', policy)
      .header('ratelimit', `"client";r=${budget.remainingPoints};t=${secondsOf(budget)}`)
  }

  app.addHook('onRequest', async (request, reply) => {
    const price = priceOf(request)
    if (price === null) return
    // An unknown token is charged to its address, so inventing tokens gains nothing.
    const isCall = API_PATHS.test(request.routeOptions.url ?? '')
    const client = (isCall && (await clientOf(request))) || networkOf(request.ip)
    const budget = await consume(client, LEAST_POINTS).catch((refused: RateLimiterRes) => refused)
    tell(reply, budget)
    if (budget.consumedPoints > perMinute) return refuse(request, reply, perMinute, secondsOf(budget))
    const purse = purseOf(client, networkOf(request.ip), reply)
    try {
      await purse.spend(price)
    } catch {
      return refuse(request, reply, perMinute, secondsOf(budget))
    }
    purses.set(request, purse)
  })
  return {
    purseOf: request => purses.get(request),
    async payLeast(request) {
      const address = networkOf(request.ip)
      const client = (await clientOf(request)) ?? address
      const budget = await consume(client, LEAST_POINTS).catch((refused: RateLimiterRes) => refused)
      if (budget.consumedPoints > perMinute) throw outOfPoints(perMinute, secondsOf(budget))
      purses.set(request, purseOf(client, address))
    },
  }
}

/** Has all processes count what a client spends at any of them. Returns how it is spent here. */
function shareSpending(app: FastifyInstance, budgets: RateLimiterMemory, processes: Processes) {
  let unsent = new Map<string, number>()
  const telling = setInterval(() => {
    const worth = [...unsent].filter(([, points]) => points >= budgets.points * WORTH_TELLING)
    for (const [client] of worth) unsent.delete(client)
    for (let begin = 0; begin < worth.length; begin += CLIENTS_A_MESSAGE)
      processes.tell('spent', worth.slice(begin, begin + CLIENTS_A_MESSAGE))
  }, TELL_MS).unref()
  // What never reached that share is dropped with its minute.
  const forgetting = setInterval(() => {
    unsent = new Map()
  }, SECONDS * 1_000).unref()
  app.addHook('onClose', async () => {
    clearInterval(telling)
    clearInterval(forgetting)
  })
  processes.on('spent', clients => {
    for (const [client, points] of clients as [string, number][]) void budgets.penalty(client, points)
  })
  return (client: string, points: number) => {
    if (processes.areThere()) unsent.set(client, (unsent.get(client) ?? 0) + points)
    return budgets.consume(client, points)
  }
}

const secondsOf = (budget: RateLimiterRes | null) => Math.ceil((budget?.msBeforeNext ?? 0) / 1000)

function refuse(request: FastifyRequest, reply: FastifyReply, perMinute: number, seconds: number) {
  const form = formAt(request.routeOptions.url ?? '')
  const problem =
    form === 'page'
      ? new Problem(
          429,
          'RATE_LIMITED',
          `Too many pages were asked for from your network. Please wait ${seconds} seconds.`,
          { retryAfter: seconds },
        )
      : problemFrom(present(expected(outOfPoints(perMinute, seconds))))
  return sendProblem(reply, problem, form)
}
