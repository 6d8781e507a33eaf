import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const PING_MS = 12_000
const SLOWEST_MS = 30_000
const GOODBYE_MS = 500

/** How a protocol writes an answer that goes on. */
export interface Framing {
  type: string
  begin: string
  /** Keeps proxies from closing what is silent, and shows clients that the connection still works. */
  ping: string
  result(json: string): string
  complete: string
}

/** Server-sent events as graphql-sse's protocol has them, one operation a connection. */
export const EVENTS: Framing = {
  type: 'text/event-stream; charset=utf-8',
  begin: '',
  ping: ':\n\n',
  result: json => `event: next\ndata: ${json}\n\n`,
  complete: 'event: complete\ndata:\n\n',
}

// The boundary that ends a part goes out with it: clients wait for it before they read.
const part = (json: string) => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`

/** Apollo's multipart protocol for subscriptions. */
export const PARTS: Framing = {
  type: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  begin: '\r\n--graphql',
  ping: part('{}'),
  result: json => part(`{"payload":${json}}`),
  complete: '--\r\n',
}

/** An answer that goes on. It waits for its reader, so that a slow one leaves nothing behind in memory. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #framing: Framing
  /** Aborted when nothing more can be sent. */
  readonly closed: AbortSignal

  constructor(reply: FastifyReply, framing: Framing) {
    const closing = new AbortController()
    this.closed = closing.signal
    this.#framing = framing
    this.#response = reply.hijack().raw
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': framing.type,
      'cache-control': 'no-store, no-transform',
      // So that proxies pass on every event at once.
      'x-accel-buffering': 'no',
      // It has a connection to itself, so that the server need not wait for it to be idle.
      connection: 'close',
    })
    if (framing.begin) this.#response.write(framing.begin)
    const pings = setInterval(() => this.#response.writableNeedDrain || this.#response.write(framing.ping), PING_MS)
    this.#response.once('close', () => {
      clearInterval(pings)
      closing.abort()
    })
    this.#response.on('error', () => {})
    if (this.#response.destroyed) closing.abort()
  }

  /** Resolves when the reader can take more. One that does not for half a minute is cut off. */
  async tell(result: unknown): Promise<void> {
    if (this.closed.aborted || this.#response.write(this.#framing.result(JSON.stringify(result)))) return
    await new Promise<void>(resolve => {
      const tooSlow = setTimeout(() => this.#response.destroy(), SLOWEST_MS)
      const go = () => {
        clearTimeout(tooSlow)
        this.#response.off('drain', go).off('close', go)
        resolve()
      }
      this.#response.once('drain', go).once('close', go)
    })
  }

  /** Says that this was all. */
  complete(): void {
    this.#end(this.#framing.complete)
  }

  /** Ends it in the middle: the client connects again and is sent how things are then. */
  cut(): void {
    this.#end('')
  }

  #end(last: string) {
    this.#response.end(last)
    // A client that does not read does not get the end either.
    const timer = setTimeout(() => this.#response.destroy(), GOODBYE_MS)
    this.#response.once('close', () => clearTimeout(timer))
  }
}
