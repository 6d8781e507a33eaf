import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openShop } from '../testing/shop.ts'
import { startTracing } from './tracing.ts'
import { present } from '#schema/rules/present'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number; message?: string }
}

/** An OpenTelemetry collector that only accepts traces. */
async function openCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said: () => bodies.join('\n'),
    spans: () =>
      bodies.flatMap(body =>
        (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
          ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  }
}

test('a collector is told of a request, of its operation and statements, and of nothing that people typed', async () => {
  const collector = await openCollector()
  const stop = await startTracing(collector.url, 'skein-of-yarn')
  try {
    const shop = await openShop()
    try {
      const body = JSON.stringify({
        query: 'query Typed($name: String!) { products(keyword: $name) { total } node(id: "typed-id") { id } }',
        variables: { name: 'typed-words' },
      })
      // Does not use fetch, because fetch is traced itself.
      const asked = request(`${shop.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-${CALLER}-01` },
      })
      asked.end(body)
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      expect(JSON.parse(await text(answer))).toMatchObject({ data: { node: null } })
      await shop.gql('mutation { login(email: "typed@example.com", password: "typed-password") { token } }')
    } finally {
      await shop.close()
    }
    await stop()
    const spans = collector.spans()
    const whole = present(spans.find(({ parentSpanId }) => parentSpanId === CALLER))
    expect(whole).toMatchObject({ name: 'POST /graphql', traceId: TRACE })
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === whole.spanId).map(({ name }) => name)
    expect(parts).toContain('query products, node')
    expect(parts.some(name => name.startsWith('SELECT '))).toBe(true)
    expect(collector.said()).toContain('"skein-of-yarn"')
    expect(collector.said()).not.toMatch(/typed/i)
  } finally {
    await stop()
  }
})
