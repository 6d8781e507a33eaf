import { createHash } from 'node:crypto'
import { Packed } from './packed.ts'

/** A page as the storefront rendered it. */
export interface RenderedPage {
  status: number
  html: Buffer
  /** The inline scripts and styles it wrote itself, word for word. */
  inline: { scripts: string[]; styles: string[] }
}

/** A page as it goes out, the same bytes for all who ask for it. */
export class KeptPage extends Packed {
  readonly status: number
  /** What the browser may run and apply of what stands in the page itself. */
  readonly hashes: { scripts: string[]; styles: string[] }

  constructor({ status, html, inline }: RenderedPage) {
    super(html)
    this.status = status
    this.hashes = { scripts: inline.scripts.map(sha256), styles: inline.styles.map(sha256) }
  }
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
