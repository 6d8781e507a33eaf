import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { RetryLink } from '@apollo/client/link/retry'
import { createClient } from 'graphql-sse'
import { createClient as connectClient } from 'graphql-ws'
import { expect, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { DataOf } from '../generated/answers.ts'
import type { AtLeast } from './at-least.ts'
import type { Answer, Identity } from './shop.ts'
import { present } from '#schema/rules/present'

/** Returns a stream's first result, and closes the stream. */
export async function firstResult<const Document extends string>(
  shop: { url: string },
  query: Document,
  variables: object,
  identity: Identity,
): Promise<Answer<DataOf<Document>>> {
  const response = await fetch(`${shop.url}/graphql/stream`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(identity && { authorization: `Bearer ${identity.token}` }),
    },
    body: JSON.stringify({ query, variables }),
  })
  // It was refused before it became a stream.
  if (response.headers.get('content-type')?.includes('json'))
    return { status: response.status, ...((await response.json()) as Omit<Answer<DataOf<Document>>, 'status'>) }
  let text = ''
  for await (const chunk of present(response.body).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const [, result] = /^data: (.+)\n/m.exec(text) ?? []
    if (result) return { status: response.status, ...(JSON.parse(result) as Omit<Answer<DataOf<Document>>, 'status'>) }
  }
  throw new Error(`Nothing was told: ${text}`)
}

/** How a stream ended: `complete`, or why it broke. */
type End = 'complete' | Error

/** A shop, and what a client's requests to it carry besides its token. */
interface Reach {
  url: string
  headers?: Record<string, string>
}

/** How a client subscribes. Returns a function that leaves the stream. */
type Subscribe = (
  shop: Reach,
  identity: Identity,
  operation: { query: string; variables: Record<string, unknown> },
  retryAttempts: number,
  sink: { next(result: object): void; error(error: unknown): void; complete(): void },
) => () => void

const headersOf = ({ headers }: Reach, identity: Identity): Record<string, string> => ({
  ...headers,
  ...(identity && { authorization: `Bearer ${identity.token}` }),
})
const RETRY_MS = 50

/** The protocols of subscriptions, each spoken by a client that partners use. */
const TRANSPORTS = {
  'server-sent events': (shop, identity, operation, retryAttempts, sink) =>
    createClient({
      url: () => `${shop.url}/graphql/stream`,
      headers: headersOf(shop, identity),
      retryAttempts,
      retry: () => setTimeout(RETRY_MS),
    }).subscribe(operation, sink),
  'multipart/mixed': (shop, identity, { query, variables }, retryAttempts, sink) => {
    const link = ApolloLink.from([
      new RetryLink({ attempts: { max: retryAttempts + 1 }, delay: { initial: RETRY_MS, max: RETRY_MS } }),
      new HttpLink({ uri: () => `${shop.url}/graphql`, headers: headersOf(shop, identity) }),
    ])
    const client = new ApolloClient({ link, cache: new InMemoryCache() })
    const following = ApolloLink.execute(link, { query: gql(query), variables }, { client }).subscribe(sink)
    return () => following.unsubscribe()
  },
  'a WebSocket': (shop, identity, operation, retryAttempts, sink) => {
    let status: number | undefined
    const client = connectOver(shop, identity, retryAttempts, refused => {
      status = refused
    })
    const unsubscribe = client.subscribe(operation, {
      ...sink,
      error(problem) {
        if (Array.isArray(problem)) status = PASSING[problem[0].extensions.code]
        else if (status === undefined) return sink.error(new Error('Closed'))
        if (status) return sink.error(Object.assign(new Error('Refused'), { response: { status } }))
        sink.next({ data: null, errors: problem })
        sink.complete()
      },
    })
    return () => {
      unsubscribe()
      void client.dispose()
    }
  },
} satisfies Record<string, Subscribe>

/** Refusals that pass after a while, and their HTTP statuses. */
const PASSING: Record<string, number> = { RATE_LIMITED: 429, BUSY: 503 }

/** Subscribes over a WebSocket, with graphql-ws's own client. */
function connectOver(shop: Reach, identity: Identity, retryAttempts: number, refused: (status: number) => void) {
  return connectClient({
    url: () => `${shop.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, { headers: shop.headers })
        this.on('unexpected-response', (_request, { statusCode }) => {
          refused(present(statusCode))
          this.terminate()
        })
      }
    },
    connectionParams: identity ? { authorization: `Bearer ${identity.token}` } : {},
    retryAttempts,
    retryWait: () => setTimeout(RETRY_MS),
  })
}

export type Transport = keyof typeof TRANSPORTS
export const transports = Object.keys(TRANSPORTS) as Transport[]

/** Subscribes as a partner's program would, and records the results. */
export const followOver =
  (transport: Transport) =>
  <const Document extends string>(
    shop: Reach,
    identity: Identity,
    query: Document,
    variables: Record<string, unknown> = {},
    retryAttempts = 0,
  ) => {
    const received: Omit<Answer<DataOf<Document>>, 'status'>[] = []
    let end: End | null = null
    const stop = TRANSPORTS[transport](shop, identity, { query, variables }, retryAttempts, {
      next: result => void received.push(result as Omit<Answer<DataOf<Document>>, 'status'>),
      error: error => {
        end = error as Error
      },
      complete: () => {
        end = 'complete'
      },
    })
    onTestFinished(stop)
    return {
      received,
      stop,
      /** The results, once there are so many. */
      async results<const Count extends number>(count: Count, timeout = 12_000) {
        await vi.waitFor(() => expect(received.length, inspect(end)).toBeGreaterThanOrEqual(count), {
          timeout,
          interval: 5,
        })
        return received as AtLeast<Count, (typeof received)[number]>
      },
      /** The status it was refused with. */
      async refused(): Promise<number> {
        await vi.waitFor(() => expect(end).toBeInstanceOf(Error), { timeout: 15_000, interval: 5 })
        return (end as Error & { response: Response }).response.status
      },
      async ended(): Promise<End> {
        await vi.waitFor(() => expect(end).not.toBeNull(), { timeout: 15_000, interval: 5 })
        return present(end)
      },
    }
  }
