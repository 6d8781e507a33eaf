import { Writable } from 'node:stream'

/** Enough for nearly all pages. A longer one takes memory of its own. */
const ROOM = 2 ** 19
/** Memory that pages are put together in, one after another: taken anew for each, it would soon bring a full garbage collection. */
let spare: Buffer | null = null

/** Takes a page from React, which writes it in many short pieces. */
export class PageSink extends Writable {
  #room: Buffer
  #length = 0

  constructor(onDone: () => void) {
    super({ decodeStrings: false })
    this.#room = spare ?? Buffer.allocUnsafeSlow(ROOM)
    spare = null
    this.once('finish', onDone)
  }

  override _write(piece: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.#add(piece)
    done()
  }

  #add(piece: Buffer | string): void {
    // No character of UTF-16 takes more than three bytes.
    const end = this.#length + piece.length * (typeof piece === 'string' ? 3 : 1)
    if (end > this.#room.length) this.#room = Buffer.concat([this.#room], 2 * end)
    if (typeof piece === 'string') this.#length += this.#room.write(piece, this.#length)
    else {
      this.#room.set(piece, this.#length)
      this.#length += piece.length
    }
  }

  /** The page with texts put in, each of which is written by itself: joined, all would take the room of the widest letter. */
  insertBefore(place: string, ...texts: string[]): Buffer {
    const end = this.#length
    for (const text of texts) this.#add(text)
    const [page, added] = [this.#room.subarray(0, end), this.#room.subarray(end, this.#length)]
    const at = page.indexOf(place)
    const html = Buffer.concat([page.subarray(0, at), added, page.subarray(at)])
    // Another page takes the room from here on.
    if (this.#room.length === ROOM) spare = this.#room
    return html
  }
}
