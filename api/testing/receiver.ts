import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { lastOf, present } from '#schema/rules/present'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  event: { id: string; type: string; sequence: number; createdAt: string; data: unknown }
  path: string
  /** Milliseconds since 1970. */
  at: number
}

type Answer = (response: ServerResponse, received: Received, count: number) => unknown

/** A partner's server on loopback, for one test. Answers 204 by default. */
export async function openReceiver(answer: Answer = response => response.writeHead(204).end()) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    received.push({ headers: request.headers, body, event: JSON.parse(body || '{}'), path: present(request.url), at })
    await answer(response, lastOf(received), received.length)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    port: (server.address() as AddressInfo).port,
  }
}
