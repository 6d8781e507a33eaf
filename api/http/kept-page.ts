import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

/** A page as the storefront rendered it. */
export interface RenderedPage {
  status: number
  html: string
  /** The inline scripts and styles it wrote itself, word for word. */
  inline: { scripts: string[]; styles: string[] }
}

type Packing = 'br' | 'gzip'
const PACKINGS: Packing[] = ['br', 'gzip']

// The next quality level makes it 8 % smaller and takes half as long again, for which the first visitor waits.
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

/** Both packed forms together come to a third of such a page. */
const ROOM_FOR_PACKED = 0.5

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** A page as it goes out, the same bytes for all who ask for it: packed once for each encoding, by another thread. */
export class KeptPage {
  readonly status: number
  /** What the browser may run and apply of what stands in the page itself. */
  readonly hashes: { scripts: string[]; styles: string[] }
  readonly #plain: Buffer
  readonly #packed = new Map<Packing, Promise<Buffer>>()

  constructor({ status, html, inline }: RenderedPage) {
    this.status = status
    this.#plain = Buffer.from(html)
    this.hashes = { scripts: inline.scripts.map(sha256), styles: inline.styles.map(sha256) }
  }

  /** Bytes in memory, in every encoding. */
  get size(): number {
    return Math.ceil(this.#plain.length * (1 + ROOM_FOR_PACKED))
  }

  /** In the best encoding that an Accept-Encoding header allows. */
  async encodedFor(accepted: string | undefined): Promise<{ encoding: Packing | null; body: Buffer }> {
    const encoding = negotiate(accepted ?? '', PACKINGS)
    return { encoding, body: encoding ? await this.#in(encoding) : this.#plain }
  }

  #in(encoding: Packing): Promise<Buffer> {
    const known = this.#packed.get(encoding)
    if (known) return known
    const packed = encoding === 'br' ? pack.br(this.#plain, BROTLI) : pack.gzip(this.#plain)
    this.#packed.set(encoding, packed)
    return packed
  }
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
