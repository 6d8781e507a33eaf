import { createClient } from 'graphql-sse'
import { expect, onTestFinished, vi } from 'vitest'
import type { DataOf } from '../generated/answers.ts'
import type { Answer, Identity } from './shop.ts'

/** What a stream tells first. Leaves it then. */
export async function firstTold<const Document extends string>(
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
  // Refused before it became a stream.
  if (response.headers.get('content-type')?.includes('json'))
    return { status: response.status, ...((await response.json()) as Omit<Answer<DataOf<Document>>, 'status'>) }
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const [, result] = /^data: (.+)\n/m.exec(text) ?? []
    if (result) return { status: response.status, ...(JSON.parse(result) as Omit<Answer<DataOf<Document>>, 'status'>) }
  }
  throw new Error(`Nothing was told: ${text}`)
}

/** How a stream ended: `complete`, or why it broke. */
type End = 'complete' | Error

/** Subscribes as a partner's program would, with graphql-sse's own client, and writes down what it is told. */
export function follow<const Document extends string>(
  shop: { url: string },
  identity: Identity,
  query: Document,
  variables: Record<string, unknown> = {},
  retryAttempts = 0,
) {
  const told: Omit<Answer<DataOf<Document>>, 'status'>[] = []
  let end: End | null = null
  const client = createClient({
    url: () => `${shop.url}/graphql/stream`,
    headers: identity ? { authorization: `Bearer ${identity.token}` } : {},
    retryAttempts,
    retry: async () => {
      await new Promise(resolve => setTimeout(resolve, 50))
    },
  })
  const stop = client.subscribe(
    { query, variables },
    {
      next: result => void told.push(result as Omit<Answer<DataOf<Document>>, 'status'>),
      error: error => {
        end = error as Error
      },
      complete: () => {
        end = 'complete'
      },
    },
  )
  onTestFinished(stop)
  return {
    told,
    stop,
    /** What it is told once that is so many results. */
    async results(count: number, timeout = 5_000) {
      await vi.waitFor(() => expect(told.length, JSON.stringify(end)).toBeGreaterThanOrEqual(count), {
        timeout,
        interval: 5,
      })
      return told
    },
    async ended(): Promise<End> {
      await vi.waitFor(() => expect(end).not.toBeNull(), { timeout: 15_000, interval: 5 })
      return end!
    },
  }
}
