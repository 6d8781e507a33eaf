import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../kernel/errors.ts'

export interface Limits {
  /** Requests that are worked on side by side; the others wait in line. */
  atOnce: number
  /** How long they wait at most, in milliseconds. */
  patienceMs: number
}

export interface Admission {
  visitors: Limits
  /** With a token or a key. */
  signedIn: Limits
}

/**
 * Ten at once keep both processors and all database connections busy; more of them would only all be late. Who is
 * signed in may be at the till: many of those wait for PayPal, which costs nothing, and a burst of a thousand buyers is
 * to be worked off rather than turned away. Visitors, who look elsewhere before that, cannot take their places.
 */
export const ADMISSION: Admission = { visitors: { atOnce: 10, patienceMs: 500 }, signedIn: { atOnce: 40, patienceMs: 10_000 } }

/** Health checks; PayPal, for what it has to say is about money, and few; files, without which a page that was served is in vain. */
const NEVER_TURNED_AWAY = /^\/(?:(?:livez|readyz)(?:\?|$)|api\/webhooks\/|assets\/|images\/|uploads\/)/

/**
 * Works on so many requests at once, lets some wait, and turns the rest away before any work is done for them: an
 * overloaded shop serves as many as it can, none of them late. A request whose body is still arriving takes no place,
 * nor does a stream of events, which lasts. A shop that is closing turns everyone away.
 */
export function admit(app: FastifyInstance, { visitors, signedIn }: Admission): void {
  const refusal = refusals()
  const lines = { visitors: new Line(visitors), signedIn: new Line(signedIn) }
  const placed = new WeakSet<FastifyRequest>()
  const lineOf = ({ headers }: FastifyRequest) => (headers.authorization ? lines.signedIn : lines.visitors)

  function leave(request: FastifyRequest) {
    if (placed.delete(request)) lineOf(request).leave()
  }

  async function enter(request: FastifyRequest, reply: FastifyReply) {
    const { raw: response } = reply
    if (!(await lineOf(request).enter())) return turnAway(request, reply)
    placed.add(request)
    // Its sender went away while it waited, or does so while it is worked on.
    if (response.destroyed || response.closed) leave(request)
    else response.once('close', () => leave(request))
  }

  function turnAway({ url }: FastifyRequest, reply: FastifyReply) {
    const { headers, body } = refusal[url.startsWith('/graphql') ? 'graphql' : url.startsWith('/api/') ? 'rest' : 'page']
    // Past all hooks: the less it costs, the more can be turned away.
    reply.hijack()
    reply.raw.writeHead(503, headers).end(body)
  }

  let closing = false
  app.addHook('preClose', async () => { closing = true })

  const arriving = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    if (closing && request.url !== '/livez') turnAway(request, reply)
    else if (!NEVER_TURNED_AWAY.test(request.url) && !isStream(request)) await enter(request, reply)
  })
  app.addHook('preParsing', async request => {
    if (!hasBody(request) || !placed.has(request)) return
    leave(request)
    arriving.add(request)
  })
  app.addHook('preHandler', async (request, reply) => {
    // The body of an upload arrives while it is worked on.
    if (arriving.delete(request) && !isUpload(request)) await enter(request, reply)
  })
}

const hasBody = ({ headers }: FastifyRequest) => 'transfer-encoding' in headers || Number(headers['content-length']) > 0
const isStream = ({ url }: FastifyRequest) => url.startsWith('/graphql/stream')
const isUpload = ({ headers }: FastifyRequest) => headers['content-type']?.startsWith('multipart/') ?? false

/** So many places, and those who wait for one: first come, first served. */
class Line {
  #free: number
  readonly #patienceMs: number
  readonly #waiting: { since: number; admit: (admitted: boolean) => void; leaving: NodeJS.Timeout }[] = []

  constructor({ atOnce, patienceMs }: Limits) {
    this.#free = atOnce
    this.#patienceMs = patienceMs
  }

  /** Whether there was a place in time. Where the first has waited half of that already, nobody else need try. */
  enter(): Promise<boolean> | boolean {
    if (this.#free > 0) {
      this.#free--
      return true
    }
    const since = performance.now()
    const first = this.#waiting[0]
    if (first && since - first.since > this.#patienceMs / 2) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    // All have the same patience, so whose runs out is the first.
    const leaving = setTimeout(() => this.#waiting.shift()!.admit(false), this.#patienceMs)
    this.#waiting.push({ since, admit: resolve, leaving })
    return promise
  }

  /** Gives the place to the first who waits, so nobody who comes just now gets in between. */
  leave(): void {
    const first = this.#waiting.shift()
    if (!first) {
      this.#free++
      return
    }
    clearTimeout(first.leaving)
    first.admit(true)
  }
}

/** What those are told who are turned away, made once. */
function refusals() {
  const { message, extensions } = unavailable()
  const { code, retryAfter, http } = extensions as { code: string; retryAfter: number; http: { headers: Map<string, string> } }
  const refusal = (type: string, body: string) => ({
    headers: { 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store', ...Object.fromEntries(http.headers) },
    body,
  })
  return {
    graphql: refusal('application/json', JSON.stringify({ errors: [{ message, extensions: { code, retryAfter } }] })),
    rest: refusal('application/json', JSON.stringify({ message, code })),
    page: refusal('text/html', `<!DOCTYPE html><html lang="en"><title>Skein</title><h1>Skein</h1><p>${message}</p><p><a href="">Try again</a></p></html>`),
  }
}
