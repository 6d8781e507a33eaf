// @vitest-environment node
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApolloClient, gql } from '@apollo/client'
import { afterEach, expect, it, onTestFinished, test, vi } from 'vitest'
import { httpLink, makeClient } from '../apollo.ts'
import { waitBefore } from './event-stream.ts'
import { nth } from '#schema/rules/present'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const SUBSCRIPTION = gql`
  subscription Changed {
    orderChanged(id: "1") {
      id
    }
  }
`
const next = (id: string) =>
  `event: next\ndata: ${JSON.stringify({ data: { orderChanged: { __typename: 'Order', id } } })}\n\n`
const wait = (ms: number) =>
  new Promise(resolve => {
    setTimeout(resolve, ms)
  })

/** A shop that answers each stream with `answer`, with the requests it got and the results its client got. */
async function shop(answer: (response: ServerResponse, time: number) => void) {
  const asked: { headers: IncomingMessage['headers']; body: unknown; closed: boolean }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const each = { headers: request.headers, body: JSON.parse(body), closed: false }
    response.on('close', () => {
      each.closed = true
    })
    answer(response, asked.push(each))
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const real = fetch
  vi.stubGlobal('fetch', (path: string, options: RequestInit) => real(`http://127.0.0.1:${port}${path}`, options))
  const onExpired = vi.fn()
  const received: unknown[] = []
  const client: ApolloClient = makeClient(httpLink({ token: () => 'secret', onExpired }))
  const subscription = client
    .subscribe({ query: SUBSCRIPTION, fetchPolicy: 'no-cache' })
    .subscribe(({ data, error }) => received.push(data ?? error))
  onTestFinished(() => subscription.unsubscribe())
  return { asked, received, onExpired, stop: () => subscription.unsubscribe() }
}

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

it('asks as the signed-in user, with the whole text, and leaves when told to', async () => {
  const { asked, received, stop } = await shop(response => open(response).write(next('1')))
  await vi.waitFor(() => expect(received).toHaveLength(1), 10_000)
  expect(nth(asked, 0).headers).toMatchObject({ authorization: 'Bearer secret', accept: 'text/event-stream' })
  // With __typename, as in every operation: shops that run only known operations know it in this form.
  expect(nth(asked, 0).body).toEqual({
    query: 'subscription Changed {\n  orderChanged(id: "1") {\n    id\n    __typename\n  }\n}',
    variables: {},
    operationName: 'Changed',
  })
  stop()
  await vi.waitFor(() => expect(nth(asked, 0).closed).toBe(true), 10_000)
})

it('comes again when it was cut off, turned away for the moment, or not heard', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { asked, received } = await shop((response, time) => {
    if (time === 1) open(response).write(next('1'), () => void setTimeout(() => response.destroy(), 50))
    else if (time === 2) response.writeHead(503).end()
    else if (time === 3) response.writeHead(429).end()
    else if (time === 4) open(response).end()
    else open(response).write(next('5'))
  })
  await vi.waitFor(() => expect(received).toHaveLength(2), 15_000)
  expect(asked).toHaveLength(5)
})

it('comes again when nothing is heard any more', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const real = setTimeout
  vi.stubGlobal('setTimeout', (act: () => void, ms: number) => real(act, ms === 30_000 ? 300 : ms))
  const { asked, received } = await shop((response, time) => {
    open(response).write(next(String(time)))
    if (time > 1) setInterval(() => response.write(':\n\n'), 100).unref()
  })
  await vi.waitFor(() => expect(received).toHaveLength(2), 15_000)
  await wait(1_000)
  expect(asked).toHaveLength(2)
})

it.each([403, 404, 406])('does not ask again after %d', async status => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const { asked, received } = await shop(response => void response.writeHead(status).end())
  await vi.waitFor(() => expect(received).toEqual([expect.any(Error)]), 10_000)
  await wait(600)
  expect(asked).toHaveLength(1)
})

it('says when the session is over, as any answer does', async () => {
  const refusal = {
    data: null,
    errors: [
      { message: 'Your session has expired.', extensions: { code: 'UNAUTHENTICATED', reason: 'INVALID_TOKEN' } },
    ],
  }
  const { onExpired, asked } = await shop(
    response => void open(response).end(`event: next\ndata: ${JSON.stringify(refusal)}\n\nevent: complete\ndata:\n\n`),
  )
  await vi.waitFor(() => expect(onExpired).toHaveBeenCalledWith('secret'), 10_000)
  await wait(600)
  expect(asked).toHaveLength(1)
})

test('it waits longer each time, a minute at most, and never the same', () => {
  expect([0, 1, 2, 5, 50].map(retries => waitBefore(retries, 1))).toEqual([2_250, 4_250, 8_250, 60_250, 60_250])
  expect(waitBefore(50, 0)).toBe(250)
})
