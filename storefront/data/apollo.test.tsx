import { type ApolloClient, ApolloLink } from '@apollo/client'
import { ApolloProvider, useQuery, useSuspenseQuery } from '@apollo/client/react'
import { SchemaLink } from '@apollo/client/link/schema'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { act, render, screen } from '@testing-library/react'
import { type DocumentNode, parse } from 'graphql'
import { Suspense } from 'react'
import { delay } from 'rxjs'
import { afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { httpLink, KEEP_MS, makeClient } from './apollo.ts'
import { isSessionExpired, messageOf } from './errors.ts'
import { fetchTags } from './invalidate.ts'
import { present } from '#schema/rules/present'

// A schema small enough to see through, with the names the generated tags know.
const typeDefs = `
  type Query { products(page: Int): ProductPage!, product(id: ID!): Product, myOrders: [Order!]! }
  type Mutation { updateProduct(id: ID!, name: String!): ProductPayload!, logout: Boolean! }
  type ProductPage { items: [Product!]! }
  type ProductPayload { product: Product }
  type Product { id: ID!, name: String! }
  type Order { id: ID! }
`
const LIST = parse('query List($page: Int) { products(page: $page) { __typename items { __typename id name } } }')
const PRODUCT = parse('query Product($id: ID!) { product(id: $id) { __typename id name } }')
const ORDERS = parse('query Orders { myOrders { __typename id } }')
const RENAME = parse(
  'mutation Rename($name: String!) { updateProduct(id: "1", name: $name) { __typename product { __typename id name } } }',
)
const LOGOUT = parse('mutation Logout { logout }')

// As a page does once it is hydrated.
beforeAll(fetchTags)

let names: Record<string, string>
let asked: string[]

beforeEach(() => {
  vi.useFakeTimers()
  names = { 1: 'Merino', 2: 'Mohair' }
  asked = []
})
afterEach(() => void vi.useRealTimers())

function shop(line?: ApolloLink): ApolloClient {
  const product = (id: string) => ({ id, name: names[id] })
  const schema = makeExecutableSchema({
    typeDefs,
    resolvers: {
      Query: {
        products: () => ({ items: Object.keys(names).map(product) }),
        product: (_, { id }) => product(id),
        myOrders: () => [],
      },
      Mutation: {
        updateProduct: (_, { id, name }) => ((names[id] = name), { product: product(id) }),
        logout: () => true,
      },
    },
  })
  const journal = new ApolloLink((operation, forward) => {
    asked.push(present(operation.operationName))
    return forward(operation)
  })
  return makeClient(ApolloLink.from([journal, ...(line ? [line] : []), new SchemaLink({ schema })]))
}

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const cachedFields = (client: ApolloClient) =>
  Object.keys((client.cache.extract() as { ROOT_QUERY?: object }).ROOT_QUERY ?? {}).filter(key => key !== '__typename')
const cachedProducts = (client: ApolloClient) =>
  Object.keys(client.cache.extract() as object).filter(key => key.startsWith('Product:'))

async function ask(client: ApolloClient, query: DocumentNode, variables = {}) {
  const answer = client.query({ query, variables })
  await later(10)
  return answer
}

function Names({ use }: { use: typeof useQuery | typeof useSuspenseQuery }) {
  const { data } = (use as typeof useQuery)<{ products: { items: { id: string; name: string }[] } }>(LIST, {
    variables: { page: 1 },
  })
  return <p>{(data?.products?.items ?? []).map(({ name }) => name).join()}</p>
}
const screenWith = (client: ApolloClient, page: React.ReactNode) => (
  <ApolloProvider client={client}>
    <Suspense fallback="wait">{page}</Suspense>
  </ApolloProvider>
)

describe.each([
  ['useQuery', useQuery],
  ['useSuspenseQuery', useSuspenseQuery],
] as const)('with %s', (_name, use) => {
  it('keeps data while it is looked at and five seconds longer', async () => {
    const client = shop()
    const { rerender } = await act(async () => render(screenWith(client, <Names use={use} />)))
    await later(20_000)
    expect(screen.getByText('Merino,Mohair')).toBeInTheDocument()

    rerender(screenWith(client, null))
    await later(KEEP_MS - 100)
    rerender(screenWith(client, <Names use={use} />))
    await later(20_000)
    expect(asked).toEqual(['List'])

    rerender(screenWith(client, null))
    await later(KEEP_MS + 100)
    expect(cachedFields(client)).toEqual([])
    expect(cachedProducts(client)).toEqual([])
  })

  it('fetches anew what is on screen when its type changed, without taking it off the screen', async () => {
    const client = shop()
    await act(async () => render(screenWith(client, <Names use={use} />)))
    await later(10)
    const seen: string[] = []
    const watcher = new MutationObserver(() => seen.push(document.body.textContent))
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true })

    void client.mutate({ mutation: RENAME, variables: { name: 'Alpaca' } })
    await later(50)
    expect(screen.getByText('Alpaca,Mohair')).toBeInTheDocument()
    expect(asked).toEqual(['List', 'Rename', 'List'])
    expect(seen.filter(text => !text.includes('Mohair'))).toEqual([])
    watcher.disconnect()
  })
})

test('an answer from before a change, which comes after the one from behind it, changes nothing back', async () => {
  let slow = false
  const client = shop(new ApolloLink((operation, forward) => forward(operation).pipe(delay(slow ? 500 : 0))))
  await act(async () => render(screenWith(client, <Names use={useQuery} />)))
  await later(10)
  slow = true
  const before = client.refetchQueries({ include: ['List'] })
  await later(10)
  slow = false
  void client.mutate({ mutation: RENAME, variables: { name: 'Cashmere' } })
  await later(100)
  expect(screen.getByText('Cashmere,Mohair')).toBeInTheDocument()
  await later(1_000)
  expect(screen.getByText('Cashmere,Mohair')).toBeInTheDocument()
  expect(await before).toMatchObject([{ data: { products: { items: [{ name: 'Cashmere' }, { name: 'Mohair' }] } } }])
  expect(asked).toEqual(['List', 'List', 'Rename', 'List'])
})

test('data fetched ahead of its use is kept five seconds', async () => {
  const client = shop()
  await ask(client, PRODUCT, { id: '1' })
  await later(KEEP_MS - 100)
  expect(cachedFields(client)).toEqual(['product({"id":"1"})'])
  await later(200)
  expect(cachedFields(client)).toEqual([])
})

test('what the server sent along is kept five seconds', async () => {
  const server = shop()
  await ask(server, PRODUCT, { id: '1' })
  const client = makeClient(ApolloLink.empty(), server.cache.extract() as never)
  expect(cachedFields(client)).toHaveLength(1)
  await later(KEEP_MS + 100)
  expect(cachedFields(client)).toEqual([])
})

test('a mutation drops unused data of the types it changed, and no other', async () => {
  const client = shop()
  await ask(client, LIST, { page: 2 })
  await ask(client, PRODUCT, { id: '2' })
  await ask(client, ORDERS)
  void client.mutate({ mutation: LOGOUT })
  await later(10)
  expect(cachedFields(client)).toHaveLength(3)
  void client.mutate({ mutation: RENAME, variables: { name: 'Alpaca' } })
  await later(10)
  expect(cachedFields(client)).toEqual(['myOrders'])
})

describe('a token that is no good any more', () => {
  const EXPIRED = {
    message: 'Your session has expired. Please sign in again.',
    extensions: { code: 'UNAUTHENTICATED', reason: 'INVALID_TOKEN' },
  }
  const answer = (body: object, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

  /** A browser whose session the API no longer accepts, and the authorization of each request it sent. */
  function browser(then: string | undefined) {
    let token: string | undefined = 'old'
    const sent: (string | null)[] = []
    vi.stubGlobal('fetch', async (_address: string, { headers }: RequestInit) => {
      const authorization = new Headers(headers).get('authorization')
      sent.push(authorization)
      if (authorization === 'Bearer old') return answer({ errors: [EXPIRED] }, 401)
      return answer({ data: { product: { __typename: 'Product', id: '1', name: 'Merino' } } })
    })
    const onExpired = vi.fn(() => {
      token = then
    })
    return { client: makeClient(httpLink({ token: () => token, onExpired })), sent, onExpired }
  }
  afterEach(() => vi.unstubAllGlobals())

  it.each([
    ['a visitor', undefined, null],
    ['who signed in meanwhile', 'new', 'Bearer new'],
  ])('is forgotten, and a query asked again as %s', async (_who, then, authorization) => {
    const { client, sent, onExpired } = browser(then)
    expect((await ask(client, PRODUCT, { id: '1' })).data).toMatchObject({ product: { name: 'Merino' } })
    expect(sent).toEqual(['Bearer old', authorization])
    expect(onExpired.mock.calls).toEqual([['old']])
  })

  it('ends a change, which is for who made it to repeat', async () => {
    const { client, sent, onExpired } = browser(undefined)
    const error = await client
      .mutate({ mutation: RENAME, variables: { name: 'Alpaca' } })
      .catch((error: unknown) => error)
    expect([messageOf(error), isSessionExpired(error)]).toEqual([EXPIRED.message, true])
    expect(sent).toEqual(['Bearer old'])
    expect(onExpired).toHaveBeenCalledOnce()
  })
})

describe('a shop that is too busy', () => {
  const BUSY = { message: 'The shop is very busy. Please try again in 2 seconds.', extensions: { code: 'UNAVAILABLE' } }
  /** A browser whose shop answers so many times that it is too busy. */
  function browser(times: number) {
    let left = times
    const fetched = vi.fn(async () =>
      left-- > 0
        ? Response.json({ errors: [BUSY] }, { status: 503 })
        : Response.json({ data: { product: { __typename: 'Product', id: '1', name: 'Merino' } } }),
    )
    vi.stubGlobal('fetch', fetched)
    return { client: makeClient(httpLink({ token: () => undefined, onExpired: () => {} })), fetched }
  }
  afterEach(() => vi.unstubAllGlobals())

  it('is asked once more after the two seconds that it needs', async () => {
    const { client, fetched } = browser(1)
    const answer = client.query({ query: PRODUCT, variables: { id: '1' } })
    await later(1_900)
    expect(fetched).toHaveBeenCalledTimes(1)
    await later(1_200)
    expect((await answer).data).toMatchObject({ product: { name: 'Merino' } })
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('is not asked a third time by itself', async () => {
    const { client, fetched } = browser(9)
    const answer = client.query({ query: PRODUCT, variables: { id: '1' } }).catch(messageOf)
    await later(10_000)
    expect(await answer).toBe(BUSY.message)
    expect(fetched).toHaveBeenCalledTimes(2)
  })

  it('is left to who wants to change something', async () => {
    const { client, fetched } = browser(1)
    const answer = client.mutate({ mutation: RENAME, variables: { name: 'Alpaca' } }).catch(messageOf)
    await later(10_000)
    expect(await answer).toBe(BUSY.message)
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})
