import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

type Packing = 'br' | 'gzip'
const PACKINGS: Packing[] = ['br', 'gzip']

// The next quality level makes it 8 % smaller and takes half as long again, for which the first visitor waits.
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  // Room for all of it, so that the other thread hands it over once.
  chunkSize: 65_536,
}

/** Both packed forms together come to a third of a text that is large enough. */
const ROOM_FOR_PACKED = 0.5
/** What fits into one packet of the network is sent as it is. */
const LEAST_BYTES = 1_024

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** Without the room that the packing left over, which would stay in memory as long as the bytes do. */
const alone = (bytes: Buffer) => (bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes)

/** What goes out again and again as the same bytes: packed once for each encoding, by another thread. */
export class Packed {
  readonly #plain: Buffer
  readonly #packed = new Map<Packing, Promise<Buffer>>()

  constructor(plain: Buffer) {
    this.#plain = plain
  }

  /** Bytes in memory, in every encoding. */
  get size(): number {
    return Math.ceil(this.#plain.length * (1 + ROOM_FOR_PACKED))
  }

  /** In the best encoding that an Accept-Encoding header allows. */
  async encodedFor(accepted: string | undefined): Promise<{ encoding: Packing | null; body: Buffer }> {
    const encoding = this.#plain.length < LEAST_BYTES ? null : negotiate(accepted ?? '', PACKINGS)
    return { encoding, body: encoding ? await this.#in(encoding) : this.#plain }
  }

  #in(encoding: Packing): Promise<Buffer> {
    const known = this.#packed.get(encoding)
    if (known) return known
    const packed = (encoding === 'br' ? pack.br(this.#plain, BROTLI) : pack.gzip(this.#plain)).then(alone)
    this.#packed.set(encoding, packed)
    return packed
  }
}
