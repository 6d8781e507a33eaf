import type { GraphiQL } from 'graphiql'
import { getOperationAST, parse, type ExecutionResult } from 'graphql'
import { createClient, NetworkError, type RequestParams } from 'graphql-sse'
import type { ComponentProps } from 'react'
import { paths } from '../paths.ts'

type Fetcher = ComponentProps<typeof GraphiQL>['fetcher']
type Operation = Parameters<Fetcher>[0]
type Headers = Record<string, string>
type Stream = Extract<Awaited<ReturnType<Fetcher>>, { subscribe: unknown }>
interface Sink {
  next(result: ExecutionResult): void
  error(error: unknown): void
  complete(): void
}

/** Sends operations, subscriptions to their stream. The editor's headers override the token. Failures are results. */
export function fetchOperations(token: string): Fetcher {
  const known: Headers = token ? { authorization: `Bearer ${token}` } : {}
  return (operation, options) => {
    const headers = { ...known, ...(options?.headers as Headers | undefined) }
    return isSubscription(operation) ? follow(operation, headers) : ask(operation, headers)
  }
}

async function ask(operation: Operation, headers: Headers) {
  try {
    const response = await fetch(paths.explorer(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...headers,
      },
      body: JSON.stringify(operation),
    })
    return await response.json()
  } catch (error) {
    return asResult(error)
  }
}

function follow(operation: Operation, headers: Headers): Stream {
  return {
    subscribe(sink: Sink) {
      const client = createClient({ url: `${paths.explorer()}/stream`, headers, retryAttempts: 0 })
      const unsubscribe = client.subscribe(operation as RequestParams, {
        next: result => sink.next(result as ExecutionResult),
        async error(error) {
          sink.next(await refusalOf(error))
          sink.complete()
        },
        complete: () => sink.complete(),
      })
      return { unsubscribe }
    },
  } as Stream
}

/** The response to a refused stream says why it was refused. */
async function refusalOf(error: unknown) {
  try {
    if (error instanceof NetworkError && error.response) return await (error.response as Response).json()
  } catch {}
  return asResult(error)
}

const asResult = (error: unknown) => ({ errors: [{ message: `The shop did not answer: ${(error as Error).message}` }] })

function isSubscription({ query, operationName }: Operation): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'subscription'
  } catch {
    // It is sent as a query, and the shop says what is wrong with it.
    return false
  }
}
