import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nth, present, valueAt } from '#schema/rules/present'
import { expected, unavailable } from '../kernel/errors.ts'
import { isPage } from './forms.ts'
import { networkOf } from './network.ts'
import { formAt, problemFrom, writeProblem } from './problem.ts'

export interface Limits {
  /** Requests that are worked on side by side; the others wait in line. */
  atOnce: number
  /** How many of those places one client may have; the others are for everyone else. */
  perClient: number
  /** How many all clients of one address may have. */
  perAddress: number
  /** How long they wait at most, in milliseconds. */
  patienceMs: number
}

export interface Admission {
  /** Visitors, counted by address. */
  visitors: Limits
  /** Pages, which take a processor and no lock: nothing else waits behind them. */
  pages: Limits
  /** Requests with a valid token or key, counted by account or key. */
  signedIn: Limits
  /** Files, whose bodies arrive while they are worked on: who sends slowly keeps nobody but other files waiting. */
  uploads: Limits
}

/**
 * Ten at once keep both processors and all database connections busy; more of them would only all be late. Who is
 * signed in may be at the till: many of those wait for PayPal, which costs nothing, and a burst of a thousand buyers is
 * to be worked off rather than turned away. Visitors, who look elsewhere before that, cannot take their places. One
 * address has fewer places in all than there are database connections: who orders the same goods over and over waits for
 * itself there, and keeps a connection meanwhile.
 */
export const ADMISSION: Admission = {
  visitors: { atOnce: 10, perClient: 3, perAddress: 3, patienceMs: 2_000 },
  pages: { atOnce: 6, perClient: 2, perAddress: 2, patienceMs: 1_000 },
  signedIn: { atOnce: 40, perClient: 4, perAddress: 5, patienceMs: 10_000 },
  uploads: { atOnce: 10, perClient: 3, perAddress: 6, patienceMs: 10_000 },
}

/** Health checks; PayPal, for what it has to say is about money, and few; files, without which a page that was served is in vain. */
const NEVER_TURNED_AWAY = /^\/(?:(?:livez|readyz|metrics)(?:\?|$)|api\/webhooks\/|assets\/|images\/|uploads\/)/
/** So late a timer tells that the process did not run: what came meanwhile, such as what places get free by, is read after it. */
const STOOD_STILL_MS = 250
/** After this long, work goes on although its client has gone. */
const ABANDONED_MS = 30_000

/**
 * Works on so many requests at once, lets some wait, and turns the rest away before any work is done for them: an
 * overloaded shop serves as many as it can, none of them late, and no client can take all its places. A place is free
 * when the work is done, whether or not the answer is read. A request whose body is still arriving takes no place, nor
 * does a stream of events, which lasts. A shop that is closing turns everyone away, unless it `handsOver`: then
 * who is connected is served and let go of, and newcomers meet another process. `accountOf` says whose good token or key a
 * request has.
 */
export function admit(
  app: FastifyInstance,
  { visitors, pages, signedIn, uploads }: Admission,
  accountOf: (request: FastifyRequest) => Promise<string | null>,
  handsOver = () => false,
): void {
  const lines = {
    visitors: new Line(visitors),
    pages: new Line(pages),
    signedIn: new Line(signedIn),
    uploads: new Line(uploads),
  }
  const problem = problemFrom(present(expected(unavailable())))
  const busy = {
    graphql: writeProblem(problem, 'graphql'),
    json: writeProblem(problem, 'json'),
    page: writeProblem(problem, 'page'),
  }
  const places = new WeakMap<FastifyRequest, () => void>()

  const leave = (request: FastifyRequest) => places.get(request)?.()

  async function enter(request: FastifyRequest, reply: FastifyReply, line?: Line) {
    const { raw: response } = reply
    const account = await accountOf(request)
    line ??= isPage(request) ? lines.pages : account ? lines.signedIn : lines.visitors
    const address = networkOf(request.ip)
    const client = account ?? address
    if (!(await line.enter(client, address))) return turnAway(request, reply)
    // The client went away while waiting.
    if (request.raw.socket.destroyed) {
      line.leave(client, address)
      return void reply.hijack()
    }
    let abandoned: NodeJS.Timeout | undefined
    places.set(request, () => {
      places.delete(request)
      clearTimeout(abandoned)
      line.leave(client, address)
    })
    // A client that leaves from here on no longer stops the work.
    response.once('close', () => {
      if (response.writableFinished) leave(request)
      else if (places.has(request)) abandoned = setTimeout(leave, ABANDONED_MS, request).unref()
    })
  }

  function turnAway({ url }: FastifyRequest, reply: FastifyReply) {
    const { status, headers, body } = busy[formAt(url)]
    // Bypasses all hooks: the cheaper a refusal, the more requests can be turned away.
    reply.hijack()
    reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers }).end(body)
  }

  let closing = false
  app.addHook('preClose', async () => {
    closing = !handsOver()
  })

  const arriving = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request, reply) => {
    if (closing && request.url !== '/livez') turnAway(request, reply)
    else if (!NEVER_TURNED_AWAY.test(request.url) && !isStream(request)) await enter(request, reply)
  })
  app.addHook('preParsing', async request => {
    if (!hasBody(request) || !places.has(request)) return
    leave(request)
    arriving.add(request)
  })
  app.addHook('preHandler', async (request, reply) => {
    if (arriving.delete(request)) await enter(request, reply, isUpload(request) ? lines.uploads : undefined)
  })
  app.addHook('onSend', async request => leave(request))
}

const hasBody = ({ headers }: FastifyRequest) => 'transfer-encoding' in headers || Number(headers['content-length']) > 0
/** Apollo's clients ask so, and at the address of everything else. */
const ASKS_FOR_PARTS = /multipart\/mixed\b[^,]*;\s*subscriptionSpec="?1\.0/i
const isUpload = ({ headers }: FastifyRequest) => /^multipart\//i.test(headers['content-type'] ?? '')
/** Whether an answer is asked for that goes on. What is no subscription is refused there. */
export const isStream = (request: FastifyRequest) => {
  const { method, url, headers } = request
  if (request.ws || url.startsWith('/graphql/stream')) return true
  return (
    method === 'POST' &&
    /^\/graphql(?:\?|$)/.test(url) &&
    ASKS_FOR_PARTS.test(headers.accept ?? '') &&
    !isUpload(request)
  )
}

interface Waiting {
  address: string
  since: number
  admit: (admitted: boolean) => void
  leaving: NodeJS.Timeout
}

/** Places, and the requests waiting for one: clients in turn, and each client's requests first come, first served. */
class Line {
  readonly #limits: Limits
  #free: number
  /** By client, and by address. */
  readonly #placed = { clients: new Map<string, number>(), addresses: new Map<string, number>() }
  /** By client; the next one first. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(limits: Limits) {
    this.#limits = limits
    this.#free = limits.atOnce
  }

  /** Whether there was a place in time. Where a client's first has waited half of that already, its others need not try. */
  enter(client: string, address: string): Promise<boolean> | boolean {
    const { patienceMs } = this.#limits
    const own = this.#waiting.get(client) ?? []
    if (own.length === 0 && this.#hasPlace(client, address)) {
      this.#place(client, address)
      return true
    }
    const since = performance.now()
    if (own[0] && since - own[0].since > patienceMs / 2) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting: Waiting = { address, since, admit: resolve, leaving: setTimeout(giveUp, patienceMs, this) }
    own.push(waiting)
    this.#waiting.set(client, own)
    return promise

    function giveUp(line: Line) {
      const now = performance.now()
      // Once only: a shop whose every round takes so long has too much to do.
      if (waiting.since === since && now - since > patienceMs + STOOD_STILL_MS) {
        waiting.since = now
        waiting.leaving = setTimeout(giveUp, patienceMs, line)
      } else {
        line.#remove(client, waiting)
        resolve(false)
      }
    }
  }

  /** Hands the place to the next in line, so that no newcomer gets in between. */
  leave(client: string, address: string): void {
    count(this.#placed.clients, client, -1)
    count(this.#placed.addresses, address, -1)
    this.#free++
    for (const [next, own] of this.#waiting) {
      const first = nth(own, 0)
      const from = first.address
      if (!this.#hasPlace(next, from)) continue
      clearTimeout(first.leaving)
      this.#remove(next, first)
      // A client with more requests waiting goes to the end of the line.
      if (this.#waiting.delete(next)) this.#waiting.set(next, own)
      this.#place(next, from)
      first.admit(true)
      return
    }
  }

  #hasPlace(client: string, address: string): boolean {
    const { clients, addresses } = this.#placed
    const { perClient, perAddress } = this.#limits
    return this.#free > 0 && (clients.get(client) ?? 0) < perClient && (addresses.get(address) ?? 0) < perAddress
  }

  #place(client: string, address: string): void {
    this.#free--
    count(this.#placed.clients, client, 1)
    count(this.#placed.addresses, address, 1)
  }

  #remove(client: string, waiting: Waiting): void {
    const own = valueAt(this.#waiting, client)
    own.splice(own.indexOf(waiting), 1)
    if (own.length === 0) this.#waiting.delete(client)
  }
}

/** Drops empty entries. */
function count(counts: Map<string, number>, of: string, more: number): void {
  const now = (counts.get(of) ?? 0) + more
  if (now === 0) counts.delete(of)
  else counts.set(of, now)
}
