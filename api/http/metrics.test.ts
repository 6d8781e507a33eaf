import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop } from '../testing/shop.ts'

const TOKEN = 'a-secret-of-the-scraper'
let shop: Awaited<ReturnType<typeof openShop>>

beforeAll(async () => {
  shop = await openShop({ metricsToken: TOKEN })
})
afterAll(() => shop.close())

const scrape = (authorization?: string) =>
  fetch(`${shop.url}/metrics`, { headers: authorization ? { authorization } : {} })
const metrics = async () => (await scrape(`Bearer ${TOKEN}`)).text()

describe('metrics', () => {
  it.each([undefined, 'Bearer', `Bearer ${TOKEN}x`, TOKEN, 'Basic eDp5'])(
    'are not told to who brings %s',
    async authorization => {
      const answer = await scrape(authorization)
      expect(answer.status).toBe(401)
      expect(await answer.text()).not.toContain('skein_')
    },
  )

  it('have no address in a shop without a token for them', async () => {
    const plain = await openShop()
    try {
      expect((await fetch(`${plain.url}/metrics`, { headers: { authorization: 'Bearer undefined' } })).status).toBe(404)
    } finally {
      await plain.close()
    }
  })

  it('count requests by route and operations by field, whatever names a client makes up', async () => {
    await shop.gql('query Secret7 { mine: products { total } }')
    await shop.gql('{ nothingLikeThat }')
    await fetch(`${shop.url}/api/products/abc-no-such`)
    await fetch(`${shop.url}/made-up-by-a-client`)
    const text = await metrics()
    expect(text).toMatch(
      /skein_graphql_operation_duration_seconds_count\{type="query",field="products",outcome="answered"\} 1/,
    )
    expect(text).toMatch(
      /skein_http_request_duration_seconds_count\{method="GET",route="\/api\/products\/:id",status="4xx"\} 1/,
    )
    expect(text).not.toMatch(/Secret7|"mine"|nothingLikeThat|abc-no-such|made-up-by-a-client/)
  })

  it('tell of memory, event loop, caches, connections and queues', async () => {
    const text = await metrics()
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'skein_cache_bytes{cache="pages"}',
      'skein_database_connections{state="idle"}',
    ])
      expect(text).toContain(name)
    expect(text).toContain('# TYPE skein_jobs_waiting gauge')
  })

  it('are those that the dashboard in docs shows', async () => {
    const dashboard = await readFile(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8')
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
    const shown = new Set(
      panels.flatMap(({ targets }) =>
        targets.flatMap(({ expr }) => expr.match(/\b(?:skein|nodejs|process)_\w+/g) ?? []),
      ),
    )
    const text = await metrics()
    expect(shown.size).toBeGreaterThan(6)
    for (const name of shown)
      expect(text, name).toMatch(new RegExp(`^# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')} `, 'm'))
  })
})
