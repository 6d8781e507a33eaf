import { type ApolloLink, Observable } from '@apollo/client'
import { print } from 'graphql'
import { createClient } from 'graphql-sse'

const LONGEST_WAIT_MS = 60_000
/** A working stream sends something every 12 seconds. */
const SILENCE_MS = 30_000

/** The results of a subscription, over its own connection. Reconnects as long as that may help. */
export function follow({
  query,
  variables,
  operationName,
  getContext,
}: ApolloLink.Operation): Observable<ApolloLink.Result> {
  return new Observable(observer => {
    let status = 0
    const streams = createClient({
      url: '/graphql/stream',
      headers: getContext().headers as Record<string, string> | undefined,
      retryAttempts: Infinity,
      async retry(retries) {
        if (isFinal(status)) throw new Error(`The stream was refused with ${status}`)
        await new Promise(resolve => {
          setTimeout(resolve, waitBefore(retries))
        })
      },
      async fetchFn(...request: Parameters<typeof fetch>) {
        status = 0
        const response = await fetch(...request)
        status = response.status
        return new Response(response.body?.pipeThrough(untilSilent()), response)
      },
    })
    return streams.subscribe(
      { query: print(query), variables, operationName },
      observer as Parameters<typeof streams.subscribe>[1],
    )
  })
}

/** How long to wait before trying again, in milliseconds: longer each time, and random, so that clients that lost the same server do not return at once. */
export function waitBefore(retries: number, random = Math.random()): number {
  return 250 + random * Math.min(LONGEST_WAIT_MS, 2_000 * 2 ** retries)
}

/** Whether the same request would be refused again. Too many streams (429) is only temporary. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 429

/** Fails a stream that has gone silent: a connection can be lost without notice, for example while the computer sleeps. */
function untilSilent(): TransformStream<Uint8Array, Uint8Array> {
  let timer: ReturnType<typeof setTimeout>
  const wait = (stream: TransformStreamDefaultController) => {
    clearTimeout(timer)
    timer = setTimeout(() => stream.error(new Error('The stream fell silent')), SILENCE_MS)
  }
  return new TransformStream({
    start: wait,
    transform(chunk, stream) {
      wait(stream)
      stream.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
  })
}
