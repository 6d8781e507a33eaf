import { type ApolloLink, Observable } from '@apollo/client'
import { print } from 'graphql'
import { createClient } from 'graphql-sse'

const LONGEST_WAIT_MS = 60_000
/** A stream that works says something every 12 seconds. */
const SILENCE_MS = 30_000

/** What a subscription is told, one connection for each. It comes again for as long as asking again may help. */
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

/** How long to wait before trying again, in milliseconds: longer each time, and never as long as the others who lost the same server. */
export function waitBefore(retries: number, random = Math.random()): number {
  return 250 + random * Math.min(LONGEST_WAIT_MS, 2_000 * 2 ** retries)
}

/** Whether the same request will be refused again. Too many streams at the moment (429) pass. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 429

/** Breaks off where nothing comes any more: a connection may be gone without a word, after the computer slept for example. */
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
