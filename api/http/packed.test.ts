import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { Packed } from './packed.ts'

const HTML = `<!DOCTYPE html><title>Kept</title>${'<p>Knit one, purl one. 毛糸</p>'.repeat(500)}`

const various = Array.from(
  { length: 500 },
  (_, n) => `<p>Row ${n}: knit ${(n * 7) % 13}, purl ${(n * n) % 17}.</p>`,
).join('')

const UNPACK = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  plain: (bytes: Buffer) => bytes,
}

describe('what is packed', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['br, zstd;q=0', 'br'],
    ['br, zstd;q=0.5', 'br'],
    ['compress', null],
    ['identity', null],
    ['', null],
    [undefined, null],
  ] as const)('for %s comes as %s', async (accepted, expected) => {
    const { encoding, body } = await new Packed(Buffer.from(HTML)).encodedFor(accepted)
    expect(encoding).toBe(expected)
    expect(UNPACK[encoding ?? 'plain'](body).toString()).toBe(HTML)
  })

  it('is packed quickly for the first, and once more and smaller for all others, also while that goes on', async () => {
    const page = new Packed(Buffer.from(various))
    const first = await page.encodedFor('br')
    const others = await Promise.all(['br', 'br', 'br, gzip'].map(accepted => page.encodedFor(accepted)))
    others.push(await page.encodedFor('br'))
    expect(new Set(others.map(({ body }) => body)).size).toBe(1)
    expect(others[0]?.body.length).toBeLessThan(first.body.length)
    for (const { body } of [first, ...others]) expect(brotliDecompressSync(body).toString()).toBe(various)
  })

  it('comes in any encoding, and as it is, after it was packed and let go', async () => {
    const page = new Packed(Buffer.from(various))
    for (const accepted of ['zstd', 'gzip', undefined, 'br', 'gzip', 'zstd', undefined, 'br', undefined]) {
      const { encoding, body } = await page.encodedFor(accepted)
      expect(encoding).toBe(accepted ?? null)
      expect(UNPACK[encoding ?? 'plain'](body).toString()).toBe(various)
    }
  })

  it('counts the room for what it is packed into', async () => {
    const page = new Packed(Buffer.from(HTML))
    await Promise.all(['zstd', 'br', 'gzip'].map(accepted => page.encodedFor(accepted)))
    const lengths = await Promise.all(
      ['identity', 'zstd', 'br', 'gzip'].map(async accepted => (await page.encodedFor(accepted)).body.length),
    )
    expect(page.size).toBeGreaterThanOrEqual(lengths.reduce((sum, length) => sum + length))
  })

  it('comes as it is when it is short', async () => {
    expect(await new Packed(Buffer.from('Purl.')).encodedFor('br')).toEqual({
      encoding: null,
      body: Buffer.from('Purl.'),
    })
  })
})
