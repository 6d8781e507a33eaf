import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { chance } from './scenario.ts'
import { nth, present } from '#schema/rules/present'

export interface UploadFigures {
  sent: number
  /** Pictures that could be decoded, and were stored as newly encoded files. */
  stored: number
  /** Answered with 4xx, or with a refusal in the data. */
  refused: number
  /** The connection was closed before the request was over. */
  cut: number
  slowestMs: number
  /** What went wrong, one sentence each: a 5xx, an answer without a message, a stored payload. */
  wrong: string[]
  /** Files in the folder that no answer named. */
  leftovers: string[]
}

/** What one upload is made from. */
interface Making {
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  /** Text that must not survive in a stored picture. */
  payload: string
  jpeg: Buffer
  png: Buffer
}

export interface Part {
  field: string
  name?: string
  content: Buffer | string
}

/** A request: parts of a form as they should be sent, or a body and its headers exactly as given. */
interface Hostile {
  parts?: Part[]
  body?: Buffer
  headers?: Record<string, string | number>
  /** Sends this again and again, without an announced length, until the connection is closed. */
  endless?: Buffer
  /** Closes the connection after the body, which is shorter than announced. */
  breaksOff?: boolean
}

const latin = (text: string) => Buffer.from(text, 'latin1')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([latin(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of zeros, one bit per pixel: hardly any bytes, any number of pixels. */
function blankPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))), { level: 1 })
  return Buffer.concat([
    latin('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Puts a chunk into a PNG, or a segment into a JPEG, right after the start. */
const intoPng = (png: Buffer, type: string, data: Buffer) =>
  Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)])
function intoJpeg(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(Math.min(data.length + 2, 65_535), 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, data.subarray(0, 65_533), jpeg.subarray(2)])
}

function flipped(file: Buffer, { below }: Making, bits: number): Buffer {
  const copy = Buffer.from(file)
  for (let done = 0; done < bits; done++) {
    const at = below(copy.length)
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << below(8)), at)
  }
  return copy
}

const cutShort = (file: Buffer, { below }: Making) => file.subarray(0, 1 + below(file.length - 1))
const image = (content: Buffer | string, name = 'picture.jpg'): Hostile => ({
  parts: [{ field: 'image', name, content }],
})

const FILE_NAMES = [
  '../../../../etc/cron.d/picture.jpg',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'picture.php\0.jpg',
  'CON',
  'NUL.jpg',
  'picture.jpg.php',
  '.htaccess',
  '-rf',
  'a'.repeat(10_000),
  '"; filename="other.php',
  'picture\r\nx-evil: 1\r\n.jpg',
  '%2e%2e%2f%2e%2e%2fpicture.jpg',
  '\u202egpj.exe',
  '$(touch evil).jpg',
  '`id`.jpg',
  'picture.jpg;.php',
  '',
  '.',
  '..',
  '~root',
  'C:\\picture.jpg',
  "'; drop table products; --.jpg",
]

let gigantic: Buffer | undefined
/** 400 megapixels. */
const huge = () => (gigantic ??= blankPng(20_000, 20_000))

/** Kinds of hostile files, by name. A seed chooses the kind and its content. */
const KINDS: Record<string, (making: Making) => Hostile | Promise<Hostile>> = {
  'an SVG': ({ payload }) =>
    image(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>${payload}</script></svg>`, 'picture.png'),
  'a page': ({ payload }) => image(`<!DOCTYPE html><script>${payload}</script>`),
  'a program': ({ payload }) => image(`<?php system('${payload}'); ?>`, 'picture.php.jpg'),
  'a GIF': async ({ payload }) =>
    image(
      Buffer.concat([
        await sharp({ create: { width: 9, height: 9, channels: 3, background: '#822' } })
          .gif()
          .toBuffer(),
        latin(payload),
      ]),
      'picture.gif',
    ),
  'a GIF that is a script': ({ payload }) => image(`GIF89a/*${payload}*/=1;alert(1)`, 'picture.jpg'),
  'a WebP with flipped bits': async making =>
    image(flipped(await sharp(making.jpeg).webp().toBuffer(), making, 1 + making.below(20)), 'picture.webp'),
  'a JPEG cut short': making => image(cutShort(making.jpeg, making)),
  'a PNG cut short': making => image(cutShort(making.png, making), 'picture.png'),
  'a JPEG with flipped bits': making => image(flipped(making.jpeg, making, 1 + making.below(30))),
  'a PNG with flipped bits': making => image(flipped(making.png, making, 1 + making.below(30)), 'picture.png'),
  'a JPEG with a payload in a comment': ({ jpeg, payload }) => image(intoJpeg(jpeg, 0xfe, latin(payload))),
  'a JPEG with a payload in Exif': async ({ jpeg, payload }) =>
    image(
      await sharp(jpeg)
        .withExif({
          IFD0: { Artist: payload, ImageDescription: payload, Copyright: `"><img src=x onerror=${payload}>` },
        })
        .jpeg()
        .toBuffer(),
    ),
  'a JPEG with a payload in its colour profile': ({ jpeg, payload }) =>
    image(intoJpeg(jpeg, 0xe2, latin(`ICC_PROFILE\0\x01\x01${payload}`))),
  'a JPEG with a payload in XMP': ({ jpeg, payload }) =>
    image(intoJpeg(jpeg, 0xe1, latin(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${payload}</x:xmpmeta>`))),
  'a JPEG with a program within': ({ jpeg, payload }) =>
    image(intoJpeg(jpeg, 0xfe, latin(`<?php ${payload} ?>`)), 'picture.phtml'),
  'a JPEG with an archive behind it': ({ jpeg, payload }) =>
    image(Buffer.concat([jpeg, latin(`PK\x03\x04${payload}`), latin('PK\x05\x06'), Buffer.alloc(18)])),
  'a JPEG with segments that lie about their length': making =>
    image(
      Buffer.concat([
        making.jpeg.subarray(0, 2),
        Buffer.from([0xff, 0xe0 + making.below(16), making.below(256), making.below(256)]),
        making.jpeg.subarray(2),
      ]),
    ),
  'a PNG with a payload in a text': ({ png, payload, pick }) =>
    image(intoPng(png, pick(['tEXt', 'iTXt', 'zzZz', 'eXIf']), latin(`Comment\0${payload}`)), 'picture.png'),
  'a PNG with a bomb in a text': ({ png }) =>
    image(
      intoPng(png, 'zTXt', Buffer.concat([latin('Comment\0\0'), deflateSync(Buffer.alloc(50_000_000), { level: 9 })])),
      'picture.png',
    ),
  'a PNG with a page behind it': ({ png, payload }) =>
    image(Buffer.concat([png, latin(`<html><script>${payload}</script>`)]), 'picture.png'),
  'a PNG with more data than pixels': ({ below }) => image(blankPng(8, 8, 1_000_000 + below(1_000_000)), 'picture.png'),
  'a PNG that claims any size': ({ below, png }) => {
    const copy = Buffer.from(png)
    copy.writeUInt32BE(below(2 ** 31), 16)
    copy.writeUInt32BE(below(2 ** 31), 20)
    copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29)
    return image(copy, 'picture.png')
  },
  'a JPEG that claims any size': ({ below, jpeg }) => {
    const copy = Buffer.from(jpeg)
    const frame = copy.indexOf(latin('\xff\xc0\x00\x11\x08'))
    copy.writeUInt16BE(1 + below(65_535), frame + 5)
    copy.writeUInt16BE(1 + below(65_535), frame + 7)
    return image(copy)
  },
  'a PNG of 400 megapixels': () => image(huge(), 'picture.png'),
  'noise that begins like a picture': ({ below, pick }) =>
    image(
      Buffer.concat([
        pick([
          latin('\x89PNG\r\n\x1a\n'),
          latin('\xff\xd8\xff\xe0'),
          latin('GIF89a'),
          latin('RIFF'),
          latin('BM'),
          latin('II*\0'),
        ]),
        Buffer.from(Array.from({ length: below(5000) }, () => below(256))),
      ]),
    ),
  noise: ({ below }) => image(Buffer.from(Array.from({ length: below(5000) }, () => below(256)))),
  nothing: () => image(''),
  '6 MB': ({ jpeg }) => image(Buffer.concat([jpeg, Buffer.alloc(6 * 1024 * 1024)])),
  '12 MB': ({ jpeg }) => image(Buffer.concat([jpeg, Buffer.alloc(12 * 1024 * 1024)])),
  'a file without end': () => ({ endless: Buffer.alloc(64 * 1024, 0xff) }),
  'two files': ({ jpeg, png }) => ({
    parts: [
      { field: 'image', name: 'a.jpg', content: jpeg },
      { field: 'image', name: 'b.png', content: png },
    ],
  }),
  'a file in another field': ({ jpeg, pick }) => ({
    parts: [
      { field: pick(['file', 'images', 'image[]', '__proto__', 'constructor', '']), name: 'a.jpg', content: jpeg },
    ],
  }),
  'a field for a file': ({ payload }) => ({ parts: [{ field: 'image', content: payload }] }),
  '1,000 parts': ({ payload }) => ({
    parts: Array.from({ length: 1000 }, (_, index) => ({ field: `field${index}`, content: payload })),
  }),
  '1,000 files': ({ payload }) => ({
    parts: Array.from({ length: 1000 }, (_, index) => ({ field: 'image', name: `${index}.jpg`, content: payload })),
  }),
  'a form without a boundary': ({ jpeg }) => ({ body: jpeg, headers: { 'content-type': 'multipart/form-data' } }),
  'a form with another boundary': ({ jpeg }) => ({
    body: Buffer.concat([
      latin('--a\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'),
      jpeg,
      latin('\r\n--a--\r\n'),
    ]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  }),
  'a form that never ends': ({ jpeg }) => ({
    body: Buffer.concat([latin('--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'), jpeg]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  }),
  'a form with a malformed part': ({ pick }) => ({
    body: latin(
      `--b\r\n${pick(['content-disposition: form-data', 'nonsense', 'content-disposition: form-data; name="image"; filename="a\0b.jpg"', `x: ${'y'.repeat(100_000)}`])}\r\n\r\nx\r\n--b--\r\n`,
    ),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  }),
  'a form that breaks off': making => ({
    body: Buffer.concat([
      latin('--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'),
      cutShort(making.jpeg, making),
    ]),
    headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 1_000_000 },
    breaksOff: true,
  }),
  'a compressed form': ({ jpeg }) => ({
    body: gzipSync(jpeg),
    headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' },
  }),
  'a picture and nothing around it': ({ jpeg, pick }) => ({
    body: jpeg,
    headers: { 'content-type': pick(['image/jpeg', 'application/octet-stream', 'application/json', 'text/html']) },
  }),
  'a picture under a hostile name': ({ jpeg, png, pick }) => image(pick([jpeg, png]), pick(FILE_NAMES)),
}

const BOUNDARY = 'skein-hostile-boundary'

export function form(parts: Part[]): { body: Buffer; headers: Record<string, string> } {
  const pieces = parts.flatMap(({ field, name, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"\r\ncontent-type: image/jpeg`}\r\n\r\n`,
    ),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

/** A picture as large as is accepted, and files with far more parts, text or rows than needed: all they cost is time. */
export function slowFiles(): { pictures: Buffer[]; table: Buffer } {
  const pixel = blankPng(8, 8)
  const nothing = Buffer.concat(Array<Buffer>(400_000).fill(chunk('IDAT', Buffer.alloc(0))))
  const bomb = chunk('zTXt', Buffer.concat([latin('Comment\0\0'), deflateSync(Buffer.alloc(50_000_000), { level: 9 })]))
  return {
    pictures: [
      blankPng(10_000, 5_000),
      Buffer.concat([pixel.subarray(0, 33), nothing, pixel.subarray(33)]),
      Buffer.concat([pixel.subarray(0, 33), ...Array<Buffer>(20).fill(bomb), pixel.subarray(33)]),
    ],
    table: Buffer.concat([latin('name,sku\n'), Buffer.from('"",""\n'.repeat(1_400_000))]),
  }
}

const UPLOAD = 'mutation($image: Upload!) { uploadPicture(file: $image) { image userErrors { code message } } }'

/** The same form, as the GraphQL multipart request specification asks for it. */
export const overGraphql = (parts: Part[], query = UPLOAD, variable = 'image'): Part[] => [
  { field: 'operations', content: JSON.stringify({ query, variables: { [variable]: null } }) },
  { field: 'map', content: JSON.stringify({ [variable]: [`variables.${variable}`] }) },
  ...parts,
]

/** The answer; null when the shop closed the connection instead. */
type Answered = { status: number; text: string } | null

function send(url: string, token: string, { body, headers = {}, endless, breaksOff }: Hostile): Promise<Answered> {
  return new Promise(resolve => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true', ...headers },
        timeout: 30_000,
      },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (data: Buffer) => chunks.push(data)).on('error', () => resolve(null))
        response.on('end', () => {
          resolve({ status: present(response.statusCode), text: Buffer.concat(chunks).toString() })
          sending.destroy()
        })
      },
    )
    sending.on('error', () => resolve(null)).on('timeout', () => sending.destroy())
    if (endless) {
      sending.write(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n`)
      const more = (): void => {
        if (!sending.destroyed) sending.write(endless, error => error || setImmediate(more))
      }
      return more()
    }
    if (breaksOff) return void sending.write(body, () => setTimeout(() => sending.destroy(new Error('gone')), 20))
    sending.end(body)
  })
}

/** What is wrong with an answer, or the address of the stored picture; neither for a clear refusal. */
function judge(answered: { status: number; text: string }): { wrong?: string; image?: string } {
  const { status, text } = answered
  if (status >= 500) return { wrong: `answers ${status}: ${text.slice(0, 200)}` }
  try {
    const { message, image, errors, data } = JSON.parse(text)
    const stored = image ?? data?.uploadPicture?.image
    if (stored) return { image: stored }
    const words = message ?? errors?.[0]?.message ?? data?.uploadPicture?.userErrors?.[0]?.message
    return /\w/.test(words ?? '') ? {} : { wrong: `refuses without words: ${text.slice(0, 200)}` }
  } catch {
    return { wrong: `answers no JSON: ${text.slice(0, 200)}` }
  }
}

/**
 * Sends hostile files as the administrator, over both APIs; the same files for the same seed. Only a picture may be stored,
 * re-encoded without its payload. Each request must get a clear answer.
 */
export async function hostileUploads(
  url: string,
  admin: { token: string },
  folders: { uploads: string },
  count: number,
  seed: number,
): Promise<UploadFigures> {
  const listed = () => readdir(folders.uploads).catch(() => [] as string[])
  const before = new Set(await listed())
  const figures: UploadFigures = { sent: 0, stored: 0, refused: 0, cut: 0, slowestMs: 0, wrong: [], leftovers: [] }
  const known = new Set<string>()
  const pixels = {
    create: {
      width: 120,
      height: 80,
      channels: 3 as const,
      background: '#7a3b52',
      noise: { type: 'gaussian' as const, mean: 120, sigma: 30 },
    },
  }
  const [jpeg, png] = [await sharp(pixels).jpeg().toBuffer(), await sharp(pixels).png().toBuffer()]
  const kinds = Object.entries(KINDS)

  for (let index = 0; index < count; index++) {
    const next = chance(seed * 100_003 + index)
    const below = (limit: number) => Math.floor(next() * limit)
    const payload = `alert-${seed}-${index}-${below(2 ** 32).toString(36)}`
    const [kind, make] = nth(kinds, index % kinds.length)
    const made = await make({ below, pick: list => present(list[below(list.length)]), payload, jpeg, png })
    const overRest = below(2) === 0
    const hostile: Hostile = made.parts
      ? form(overRest ? made.parts : overGraphql(made.parts))
      : made.endless
        ? { ...made, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
        : made
    const which = `${kind} (seed ${seed}, number ${index}, ${overRest ? 'REST' : 'GraphQL'})`

    const started = performance.now()
    const answered = await send(`${url}${overRest ? '/api/uploads' : '/graphql'}`, admin.token, hostile)
    figures.slowestMs = Math.max(figures.slowestMs, Math.round(performance.now() - started))
    figures.sent++
    if (!answered) {
      figures.cut++
      if (!hostile.endless && !hostile.breaksOff) figures.wrong.push(`${which} is hung up on`)
      continue
    }
    const { wrong, image } = judge(answered)
    if (wrong) figures.wrong.push(`${which} ${wrong}`)
    if (!image) {
      figures.refused++
      continue
    }
    figures.stored++
    const name = image.replace(/^\/uploads\//, '')
    known.add(name)
    const flaw = /^[0-9a-f-]{36}\.webp$/.test(name)
      ? await flawOf(await readFile(join(folders.uploads, name)), payload)
      : 'is stored under a name of its own'
    if (flaw) figures.wrong.push(`${which} ${flaw}`)
  }
  figures.leftovers = (await listed()).filter(name => !before.has(name) && !known.has(name))
  return figures
}

/** What is wrong with a stored file. */
async function flawOf(file: Buffer, payload: string): Promise<string | null> {
  if (file.includes(payload)) return 'is stored with its payload'
  const { format } = await sharp(file)
    .metadata()
    .catch(() => ({ format: undefined }))
  if (format !== 'webp') return 'is stored as something else'
  return sharp(file)
    .stats()
    .then(
      () => null,
      () => 'is stored, but cannot be decoded',
    )
}
