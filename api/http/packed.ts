import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliDecompress,
  constants,
  gunzip,
  gzip,
  zstdCompress,
  zstdDecompress,
  type ZlibOptions,
} from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import { nth } from '#schema/rules/present'

type Packing = 'zstd' | 'br' | 'gzip'
/** The first is preferred: for nearly the same bytes zstd takes less time than brotli. */
const PACKINGS: Packing[] = ['zstd', 'br', 'gzip']

/** Room for all of it, so that the other thread hands it over once. */
const chunkSize = 65_536

/** All packed forms together come to half of a text that is large enough. */
const ROOM_FOR_PACKED = 0.5
/** What fits into one packet of the network is sent as it is. */
const LEAST_BYTES = 1_024

/** Most texts are asked for once: whoever is first gets what is made quickly, everybody after that what is smaller. */
const LEVELS: Record<Packing, { first: number; again: number }> = {
  zstd: { first: 2, again: 4 },
  br: { first: 1, again: 5 },
  gzip: { first: 1, again: 6 },
}

/**
 * How answers are packed that go out once. Up to 64 kB at once: to hand them to another thread takes longer. The levels are
 * those whose memory is taken from the heap and not from the system each time, which takes longer than packing.
 */
export const COMPRESSION = {
  syncThreshold: 2 ** 16,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  zlibOptions: { params: { [constants.ZSTD_c_compressionLevel]: 1 } } as ZlibOptions,
}

const zstd = promisify(zstdCompress)
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const pack: Record<Packing, (plain: Buffer, level: number) => Promise<Buffer>> = {
  zstd: (plain, level) =>
    zstd(plain, {
      params: { [constants.ZSTD_c_compressionLevel]: level },
      chunkSize,
      // Told how much comes, it makes it 4 % smaller.
      pledgedSrcSize: plain.length,
    }),
  br: (plain, level) =>
    brotli(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
      chunkSize,
    }),
  gzip: (plain, level) => zip(plain, { level, chunkSize }),
}

const unzstd = promisify(zstdDecompress)
const unbrotli = promisify(brotliDecompress)
const unzip = promisify(gunzip)
const unpack: Record<Packing, (packed: Buffer) => Promise<Buffer>> = {
  zstd: packed => unzstd(packed, { chunkSize }),
  br: packed => unbrotli(packed, { chunkSize }),
  gzip: packed => unzip(packed, { chunkSize }),
}

/** Without the room that the packing left over, which would stay in memory as long as the bytes do. */
const alone = (bytes: Buffer) => (bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes)

/**
 * What goes out again and again as the same bytes: packed twice at most for each encoding, by another thread. As it is, it
 * takes several times the memory, so once packed it stays only for those who ask for it so.
 */
export class Packed {
  readonly #length: number
  #plain: Promise<Buffer> | null
  readonly #packed = new Map<Packing, { level: number; bytes: Promise<Buffer> }>()

  constructor(plain: Buffer) {
    this.#length = plain.length
    this.#plain = Promise.resolve(plain)
  }

  /** Bytes in memory at most, in every encoding. */
  get size(): number {
    return Math.ceil(this.#length * (1 + ROOM_FOR_PACKED))
  }

  /** In the best encoding that an Accept-Encoding header allows. */
  async encodedFor(accepted: string | undefined): Promise<{ encoding: Packing | null; body: Buffer }> {
    const encoding = this.#length < LEAST_BYTES ? null : negotiate(accepted ?? '', PACKINGS)
    return { encoding, body: await (encoding ? this.#in(encoding) : this.#asItIs()) }
  }

  #in(encoding: Packing): Promise<Buffer> {
    const { first, again } = LEVELS[encoding]
    const known = this.#packed.get(encoding)
    if (known?.level === again) return known.bytes
    const level = known ? again : first
    const bytes = this.#pack(encoding, level)
    this.#packed.set(encoding, { level, bytes })
    return bytes
  }

  async #pack(encoding: Packing, level: number): Promise<Buffer> {
    const bytes = alone(await pack[encoding](await this.#asItIs(), level))
    this.#plain = null
    return bytes
  }

  #asItIs(): Promise<Buffer> {
    return (this.#plain ??= this.#unpacked())
  }

  async #unpacked(): Promise<Buffer> {
    const [encoding, { bytes }] = nth([...this.#packed], 0)
    return unpack[encoding](await bytes)
  }
}
