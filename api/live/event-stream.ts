import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const PING_MS = 12_000
const SLOWEST_MS = 30_000
const GOODBYE_MS = 500

/**
 * An answer that goes on: server-sent events as graphql-sse's protocol has them, one operation a connection. That
 * library's own server keeps whatever a slow reader leaves; this one waits for the reader.
 */
export class EventStream {
  readonly #response: ServerResponse
  /** Aborted when nothing more can be told. */
  readonly closed: AbortSignal

  constructor(reply: FastifyReply) {
    const closing = new AbortController()
    this.closed = closing.signal
    this.#response = reply.hijack().raw
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // So that proxies pass on every event at once.
      'x-accel-buffering': 'no',
      // It has a connection to itself, so that the server need not wait for it to be idle.
      connection: 'close',
    })
    // Keeps proxies from closing what is silent, and tells a client that the connection still works.
    const pings = setInterval(() => this.#response.writableNeedDrain || this.#response.write(':\n\n'), PING_MS)
    this.#response.once('close', () => {
      clearInterval(pings)
      closing.abort()
    })
    this.#response.on('error', () => {})
    if (this.#response.destroyed) closing.abort()
  }

  /** Resolves when the reader can take more. One that does not for half a minute is cut off. */
  async tell(result: unknown): Promise<void> {
    if (this.closed.aborted || this.#response.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`)) return
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
    this.#end('event: complete\ndata:\n\n')
  }

  /** Ends it in the middle: the client comes again and is told how things are then. */
  cut(): void {
    this.#end('')
  }

  #end(last: string) {
    this.#response.end(last)
    // Whoever does not read does not hear the end either.
    const timer = setTimeout(() => this.#response.destroy(), GOODBYE_MS)
    this.#response.once('close', () => clearTimeout(timer))
  }
}
