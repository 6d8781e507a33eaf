import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { KeptPage } from './kept-page.ts'

const HTML = `<!DOCTYPE html><title>Kept</title>${'<p>Knit one, purl one. 毛糸</p>'.repeat(500)}`
const made = () => new KeptPage({ status: 200, html: HTML, inline: { scripts: ['a()'], styles: ['b{}', 'c{}'] } })

const UNPACK = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  plain: (bytes: Buffer) => bytes,
}

describe('a page that is kept', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['zstd', null],
    ['identity', null],
    ['', null],
    [undefined, null],
  ] as const)('for %s comes as %s', async (accepted, expected) => {
    const { encoding, body } = await made().encodedFor(accepted)
    expect(encoding).toBe(expected)
    expect(UNPACK[encoding ?? 'plain'](body).toString()).toBe(HTML)
  })

  it('is packed once, also for those who ask meanwhile', async () => {
    const page = made()
    const bodies = await Promise.all(
      ['br', 'br', 'br, gzip'].map(async accepted => (await page.encodedFor(accepted)).body),
    )
    bodies.push((await page.encodedFor('br')).body)
    expect(new Set(bodies).size).toBe(1)
  })

  it('counts the room for what it is packed into', async () => {
    const page = made()
    const lengths = await Promise.all(
      ['identity', 'br', 'gzip'].map(async accepted => (await page.encodedFor(accepted)).body.length),
    )
    expect(page.size).toBeGreaterThanOrEqual(lengths.reduce((sum, length) => sum + length))
  })

  it('has a hash for each of its own inline scripts and styles', () => {
    const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(made().hashes).toEqual({ scripts: [sha256('a()')], styles: [sha256('b{}'), sha256('c{}')] })
  })
})
