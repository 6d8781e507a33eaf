import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  shop = await openShop({
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  })
})
beforeEach(() => {
  lines.length = 0
})
afterAll(() => shop?.close())

const send = (body: unknown, type: string) =>
  fetch(`${shop.url}/csp-reports`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const stopped = () => lines.filter(({ msg }) => msg === 'The content security policy stopped something')

describe('what the content security policy stopped', () => {
  it('is told to a place of the shop, by each page', async () => {
    const { headers } = await fetch(shop.url)
    expect(headers.get('content-security-policy')).toContain('report-uri /csp-reports')
    expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"')
  })

  it('is logged with its directive and the other origin, and with nothing about who saw it', async () => {
    const old = await send(
      {
        'csp-report': {
          'document-uri': 'https://skein.example/reset-password?who=nell',
          'effective-directive': 'script-src-elem',
          'blocked-uri': 'https://evil.example/x.js?nell@example.com',
        },
      },
      'application/csp-report',
    )
    const young = await send(
      [
        {
          type: 'csp-violation',
          url: 'https://skein.example/profile',
          body: { effectiveDirective: 'script-src', blockedURL: 'inline' },
        },
      ],
      'application/reports+json',
    )
    expect([old.status, young.status]).toEqual([204, 204])
    expect(stopped().map(({ directive, blocked }) => ({ directive, blocked }))).toEqual([
      { directive: 'script-src-elem', blocked: 'https://evil.example' },
      { directive: 'script-src', blocked: 'inline' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/nell|profile|reset-password/)
  })

  it('cannot fill the log', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 60 },
        async () => (await send({ 'csp-report': { 'blocked-uri': 'eval' } }, 'application/csp-report')).status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([204]))
    expect(stopped().length).toBeLessThanOrEqual(20)
  })

  it.each([
    ['something else', { hello: 1 }, 400],
    ['broken JSON', '{', 400],
    ['too much', JSON.stringify({ 'csp-report': { 'blocked-uri': 'x'.repeat(20_000) } }), 413],
  ])('that is %s is refused', async (_case, body, status) => {
    expect((await send(body, 'application/csp-report')).status).toBe(status)
    expect(stopped()).toEqual([])
  })
})
