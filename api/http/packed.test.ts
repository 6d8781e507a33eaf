import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { Packed } from './packed.ts'

const TEXT = 'Knit two together. '.repeat(200)

it('packs a text once for each encoding', async () => {
  const packed = new Packed(TEXT)
  const [first, second] = await Promise.all([packed.encodedFor('gzip, deflate, br, zstd'), packed.encodedFor('br')])
  expect([first.encoding, second.encoding]).toEqual(['br', 'br'])
  expect(second.body).toBe(first.body)
  expect((await packed.encodedFor('br')).body).toBe(first.body)
  expect(brotliDecompressSync(first.body).toString()).toBe(TEXT)
  const zipped = await packed.encodedFor('gzip')
  expect([zipped.encoding, gunzipSync(zipped.body).toString()]).toEqual(['gzip', TEXT])
})

it('takes no more memory than it says', async () => {
  const packed = new Packed(TEXT)
  const bodies = await Promise.all(['identity', 'br', 'gzip'].map(accepted => packed.encodedFor(accepted)))
  expect(bodies.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(packed.size)
})

it.each([undefined, '', 'identity', 'zstd'])('sends a text as it is to who asks for %s', async accepted => {
  expect(await new Packed(TEXT).encodedFor(accepted)).toEqual({ encoding: null, body: Buffer.from(TEXT) })
})

it('sends a short text as it is', async () => {
  expect(await new Packed('Purl.').encodedFor('br')).toEqual({ encoding: null, body: Buffer.from('Purl.') })
})
