import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, upload, uploadPicture } from '../testing/admin.ts'
import { hostileUploads } from '../testing/faults/hostile-uploads.ts'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop, picturesDiscarded } from '../testing/shop.ts'
import { filesOnDisk } from '../kernel/files.ts'
import { bare } from './picture-content.ts'
import { discardUnused, sweepUploads } from './uploads.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-pictures-'))
  shop = await openShop({ dataDir })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(async () => {
  await shop?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const stored = () => readdir(join(dataDir, 'uploads')).catch(() => [] as string[])
const clear = () => rm(join(dataDir, 'uploads'), { recursive: true, force: true })

const pixels = {
  create: {
    width: 600,
    height: 400,
    channels: 3 as const,
    background: '#7a3b52',
    noise: { type: 'gaussian' as const, mean: 120, sigma: 30 },
  },
}
const jpeg = () =>
  sharp(pixels)
    .withExif({ IFD0: { Artist: 'Secret Sheep' } })
    .jpeg()
    .toBuffer()
const png = () => sharp(pixels).png().toBuffer()

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of zeros, of any claimed size: hardly any bytes, any number of pixels. */
function blankPng(width: number, height: number, extras: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extras,
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('what a decoder would unpack before it looks at the picture', () => {
  const inflating = deflateSync(Buffer.alloc(32 * 2 ** 20))
  const extras: [string, Buffer][] = [
    ['zTXt', Buffer.concat([Buffer.from('k\0\0'), inflating])],
    ['iTXt', Buffer.concat([Buffer.from('k\0\x01\0\0\0'), inflating])],
    ['iCCP', Buffer.concat([Buffer.from('k\0\0'), inflating])],
    ['eXIf', Buffer.alloc(100_000)],
    ['tEXt', Buffer.from('k\0text')],
    ['quIt', Buffer.alloc(10)],
  ]

  test.each(extras)('is taken out of a PNG: %s', (type, data) => {
    const plain = blankPng(8, 8)
    expect(
      bare(
        blankPng(
          8,
          8,
          Array.from({ length: 20 }, () => chunk(type, data)),
        ),
      ),
    ).toEqual(plain)
    expect(bare(plain)).toEqual(plain)
  })

  it('is no hindrance to storing the picture', async () => {
    const file = blankPng(
      600,
      400,
      Array.from({ length: 25 }, () => chunk(...nth(extras, 0))),
    )
    expect(await uploadPicture(shop, admin, file)).toMatchObject({ width: 600, height: 400, userErrors: [] })
  })

  it('leaves the colours, the transparency and the turn as they are', async () => {
    const square = sharp({
      create: { width: 40, height: 20, channels: 4, background: { r: 200, g: 30, b: 90, alpha: 0.5 } },
    })
    const file = await square.withIccProfile('p3').withMetadata({ orientation: 6 }).png().toBuffer()
    const look = (png: Buffer) => sharp(png).rotate().raw().toBuffer({ resolveWithObject: true })
    const [before, after] = [await look(file), await look(bare(file))]
    expect(after.data.equals(before.data)).toBe(true)
    expect([after.info.width, after.info.height]).toEqual([20, 40])
  })

  it('are hundreds of thousands of empty pieces of a PNG', async () => {
    const pieces = (count: number) => blankPng(8, 8, Array<Buffer>(count).fill(chunk('IDAT', Buffer.alloc(0))))
    expect((await uploadPicture(shop, admin, pieces(1_000))).userErrors).toEqual([])
    expect((await uploadPicture(shop, admin, pieces(400_000))).userErrors).toMatchObject([
      { code: 'FILE_UNREADABLE', message: expect.stringContaining('pieces') },
    ])
  })

  it('are thousands of layers of a JPG', async () => {
    const file = await sharp(pixels).jpeg({ progressive: true }).toBuffer()
    expect((await uploadPicture(shop, admin, file)).userErrors).toEqual([])
    const last = file.lastIndexOf(Buffer.from([0xff, 0xda]))
    const layer = file.subarray(last, file.length - 2)
    const many = Buffer.concat([file.subarray(0, last), ...Array.from({ length: 60 }, () => layer), file.subarray(-2)])
    expect((await uploadPicture(shop, admin, many)).userErrors).toMatchObject([
      { code: 'FILE_UNREADABLE', message: expect.stringContaining('layers') },
    ])
  })
})

it(
  'very large pictures are worked on one after the other, and more than can wait are told to come again',
  { timeout: 120_000 },
  async () => {
    const file = blankPng(10_000, 5_000)
    const answers = await Promise.all(
      Array.from({ length: 14 }, () =>
        upload(
          shop,
          admin,
          'mutation ($file: Upload!) { uploadPicture(file: $file) { image } }',
          'file',
          new Blob([new Uint8Array(file)]),
        ),
      ),
    )
    const refused = answers.filter(({ errors }) => errors)
    expect(answers.filter(({ data }) => data?.uploadPicture?.image).length).toBeGreaterThanOrEqual(11)
    expect(refused.length + answers.filter(({ data }) => data?.uploadPicture?.image).length).toBe(14)
    for (const { errors } of refused)
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }])
    await clear()
  },
)

describe('a picture', () => {
  afterEach(clear)

  test.each([
    ['JPG', jpeg],
    ['PNG', png],
  ])('as %s is stored anew as WebP, without metadata, and served', async (_kind, make) => {
    const { image, width, height, userErrors } = await uploadPicture(shop, admin, await make())
    expect(userErrors).toEqual([])
    expect(image).toMatch(/^\/uploads\/[0-9a-f-]{36}\.webp$/)
    expect([width, height]).toEqual([600, 400])
    const file = await readFile(join(dataDir, present(image)))
    expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: 600, height: 400 })
    expect(file.includes('Secret Sheep')).toBe(false)
    expect((await stored()).length).toBe(1)
    for (const address of [present(image), `${image}?w=320`]) {
      const answer = await fetch(`${shop.url}${address}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    }
    for (const _again of ['made', 'kept']) {
      const answer = await fetch(`${shop.url}${image}?w=320&as=avif`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/avif'])
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 4, 12)).toBe('ftypavif')
    }
    for (const query of ['as=avif', 'w=320&as=jxl', 'w=320&as=', 'w=320&as=avif&as=avif', 'w=321&as=avif'])
      expect((await fetch(`${shop.url}${image}?${query}`)).status, query).toBe(400)
  })

  it('is turned upright and made no larger than a page needs', async () => {
    const sideways = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#234' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(await uploadPicture(shop, admin, sideways)).toMatchObject({ width: 1000, height: 2000, userErrors: [] })
  })

  test.each(
    [
      '../../../../etc/cron.d/x.jpg',
      '/etc/passwd',
      '..\\..\\x.jpg',
      'CON',
      '<script>alert(1)</script>.png',
      'x'.repeat(5000),
      '',
      'not-a-picture.svg',
    ].map(name => [name.slice(0, 30), name] as const),
  )('is judged by what it is, and never stored by its name: %j', async (_title, name) => {
    const { image } = await uploadPicture(shop, admin, await jpeg(), name)
    expect(image).toMatch(/^\/uploads\/[0-9a-f-]{36}\.webp$/)
    expect(await stored()).toEqual([present(image).slice('/uploads/'.length)])
  })

  it('whose name breaks the form is refused, and the shop serves on', async () => {
    expect(await uploadPicture(shop, admin, await jpeg(), 'a.php\0.jpg')).toMatchObject({
      image: null,
      userErrors: [{ code: 'FILE_UNREADABLE' }],
    })
    expect(await stored()).toEqual([])
    expect((await uploadPicture(shop, admin, await jpeg())).userErrors).toEqual([])
  })
})

describe('refused, with nothing left behind', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'
  const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
  const comment = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), Buffer.from(text)])

  test.each<[string, () => Promise<Uint8Array>, string]>([
    ['an SVG', async () => Buffer.from(svg), 'FILE_UNREADABLE'],
    ['an SVG that says it is XML', async () => Buffer.from(`<?xml version="1.0"?>${svg}`), 'FILE_UNREADABLE'],
    [
      'a GIF',
      () =>
        sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
          .gif()
          .toBuffer(),
      'FILE_UNREADABLE',
    ],
    ['a WebP', () => sharp(pixels).webp().toBuffer(), 'FILE_UNREADABLE'],
    ['a TIFF', () => sharp(pixels).tiff().toBuffer(), 'FILE_UNREADABLE'],
    ['text', async () => Buffer.from('knit one, purl one'), 'FILE_UNREADABLE'],
    ['nothing', async () => new Uint8Array(), 'FILE_UNREADABLE'],
    ['a JPG header with nothing behind it', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'FILE_UNREADABLE'],
    [
      'a JPG cut short',
      async () => {
        const whole = await jpeg()
        return whole.subarray(0, Math.floor(whole.length * 0.6))
      },
      'FILE_UNREADABLE',
    ],
    [
      'a PNG cut short',
      async () => {
        const whole = await png()
        return whole.subarray(0, Math.floor(whole.length * 0.6))
      },
      'FILE_UNREADABLE',
    ],
    [
      'a PNG with spoilt data',
      async () => {
        const whole = await png()
        whole.fill(0x55, 2000, 4000)
        return whole
      },
      'FILE_UNREADABLE',
    ],
    ['a JPG with an archive behind it', async () => Buffer.concat([await jpeg(), zip]), 'FILE_UNREADABLE'],
    ['a PNG with an archive behind it', async () => Buffer.concat([await png(), zip]), 'FILE_UNREADABLE'],
    [
      'a JPG with a page behind it',
      async () => Buffer.concat([await jpeg(), Buffer.from('<html><script>alert(1)</script>')]),
      'FILE_UNREADABLE',
    ],
    [
      'a JPG with a program in a comment',
      async () => {
        const whole = await jpeg()
        return Buffer.concat([whole.subarray(0, 2), comment('<?PHP system($_GET[0]); ?>'), whole.subarray(2)])
      },
      'FILE_UNREADABLE',
    ],
    [
      'a JPG that is a PDF as well',
      async () => {
        const whole = await jpeg()
        return Buffer.concat([whole.subarray(0, 2), comment('%PDF-1.7\n1 0 obj'), whole.subarray(2)])
      },
      'FILE_UNREADABLE',
    ],
    ['more than 5 MB', async () => Buffer.concat([await jpeg(), Buffer.alloc(5 * 1024 * 1024)]), 'FILE_TOO_LARGE'],
    [
      'more than any file may have',
      async () => Buffer.concat([await jpeg(), Buffer.alloc(16 * 1024 * 1024)]),
      'FILE_TOO_LARGE',
    ],
    ['400 megapixels', async () => blankPng(20_000, 20_000), 'FILE_TOO_LARGE'],
    [
      'a PNG that claims 4 gigapixels',
      async () => {
        const small = blankPng(8, 8)
        small.writeUInt32BE(65_535, 16)
        small.writeUInt32BE(65_535, 20)
        return small
      },
      'FILE_TOO_LARGE',
    ],
  ])('%s', async (_what, make, code) => {
    const { image, userErrors } = await uploadPicture(shop, admin, await make(), 'picture.jpg')
    expect(image).toBeNull()
    expect(userErrors).toMatchObject([{ code, message: expect.stringMatching(/^This .*\. Please .*\.$/) }])
    expect(await stored()).toEqual([])
  })

  it('from a visitor or a shopper', async () => {
    const mutation = 'mutation($file: Upload!) { uploadPicture(file: $file) { image } }'
    const file = new Blob([(await jpeg()) as Uint8Array<ArrayBuffer>])
    const shopper = await makeUser(shop.em())
    expect(await upload(shop, null, mutation, 'file', file)).toMatchObject({
      status: 401,
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    })
    expect(await upload(shop, shopper, mutation, 'file', file)).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
    expect(await stored()).toEqual([])
  })

  it("without the header that other sites' forms cannot send", async () => {
    const mutation = 'mutation($file: Upload!) { uploadPicture(file: $file) { image } }'
    const answer = await upload(
      shop,
      admin,
      mutation,
      'file',
      new Blob([(await jpeg()) as Uint8Array<ArrayBuffer>]),
      'x.jpg',
      null,
    )
    expect(answer).toMatchObject({
      status: 400,
      errors: [{ message: expect.stringContaining('apollo-require-preflight') }],
    })
    expect(await stored()).toEqual([])
  })

  test.each([
    ['no fields', []],
    ['no map', [['operations', '{"query":"{ shop { name } }"}']]],
    [
      'a broken operation',
      [
        ['operations', '{'],
        ['map', '{}'],
      ],
    ],
    [
      'a path to the prototype',
      [
        ['operations', '{"query":"{ shop { name } }"}'],
        ['map', '{"0":["__proto__.x"]}'],
        ['0', 'x'],
      ],
    ],
    [
      'a path to nowhere',
      [
        ['operations', '{"query":"{ shop { name } }"}'],
        ['map', '{"0":["variables.a.b.c"]}'],
        ['0', 'x'],
      ],
    ],
    [
      'a mapped file that is not there',
      [
        [
          'operations',
          '{"query":"mutation($file: Upload!) { uploadPicture(file: $file) { image userErrors { code } } }","variables":{"file":null}}',
        ],
        ['map', '{"0":["variables.file"]}'],
      ],
    ],
  ])('a form with %s, with a clear 4xx or error', async (_what, fields) => {
    const form = new FormData()
    for (const [name, value] of fields) form.set(present(name), present(value))
    const answer = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      body: form,
      headers: { 'apollo-require-preflight': 'true', authorization: `Bearer ${admin.token}` },
    })
    expect(answer.status).toBeLessThan(500)
    const { errors, data } = (await answer.json()) as {
      errors?: unknown[]
      data?: { uploadPicture: { userErrors: unknown[] } }
    }
    expect(errors ?? present(data).uploadPicture.userErrors).toHaveLength(1)
    expect(await stored()).toEqual([])
  })

  it('a form that breaks off, and the shop serves on', async () => {
    const mutation = 'mutation($file: Upload!) { uploadPicture(file: $file) { image } }'
    const head = [
      ['operations', JSON.stringify({ query: mutation, variables: { file: null } })],
      ['map', '{"0":["variables.file"]}'],
    ]
      .map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')
    const start = `${head}--b\r\ncontent-disposition: form-data; name="0"; filename="x.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
    await new Promise<void>(resolve => {
      const sending = request(`${shop.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': 1_000_000,
          'apollo-require-preflight': 'true',
          authorization: `Bearer ${admin.token}`,
        },
      })
      sending.on('error', () => resolve())
      sending.write(start)
      sending.write(Buffer.alloc(50_000, 0xff), () => setTimeout(() => sending.destroy(new Error('gone')), 100))
    })
    expect((await uploadPicture(shop, admin, await jpeg())).userErrors).toEqual([])
    expect(await stored()).toHaveLength(1)
    await clear()
  })
})

it('100 hostile uploads over both APIs leave nothing but pictures made anew', async () => {
  await clear()
  const memory = process.memoryUsage().rss
  const figures = await hostileUploads(shop.url, admin, { uploads: join(dataDir, 'uploads') }, 100, 1)
  expect(figures).toMatchObject({ sent: 100, wrong: [], leftovers: [] })
  expect(figures.stored).toBeGreaterThan(0)
  expect(figures.refused).toBeGreaterThan(50)
  expect((process.memoryUsage().rss - memory) / 1e6).toBeLessThan(300)
  await clear()
})

test.each(['/api/uploads', '/graphql'])(
  'who sends a file without end to %s is hung up on',
  { timeout: 10_000 },
  async path => {
    const field = (name: string, content: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
    const operations = JSON.stringify({
      query: 'mutation($image: Upload!) { uploadPicture(file: $image) { image } }',
      variables: { image: null },
    })
    const form = `${field('operations', operations)}${field('map', '{"image":["variables.image"]}')}--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n`
    const inPieces = (data: Buffer) =>
      Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
    const piece = inPieces(Buffer.alloc(64 * 1024, 0xff))
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1').on('error', () => {})
    socket
      .resume()
      .write(
        `POST ${path} HTTP/1.1\r\nhost: shop\r\nauthorization: Bearer ${admin.token}\r\napollo-require-preflight: true\r\ncontent-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n`,
      )
    socket.write(inPieces(Buffer.from(path === '/graphql' ? form : form.slice(form.lastIndexOf('--b')))))
    const more = (): void => {
      if (!socket.destroyed) socket.write(piece, () => setImmediate(more))
    }
    more()
    await new Promise(resolve => socket.on('close', resolve))
    expect(await stored()).toEqual([])
  },
)

describe('where nothing can be written', () => {
  const folders = ['uploads', 'cache/pictures']
  // A file where a folder should be: nobody can write there, not even root.
  beforeAll(async () => {
    await clear()
    for (const folder of folders) {
      await rm(join(dataDir, folder), { recursive: true, force: true })
      await mkdir(join(dataDir, folder, '..'), { recursive: true })
      await writeFile(join(dataDir, folder), '')
    }
  })
  afterAll(() => Promise.all(folders.map(folder => rm(join(dataDir, folder), { force: true }))))

  it('an upload is refused as what it is, over both APIs, and nothing of it is left', async () => {
    const file = new Blob([(await jpeg()) as Uint8Array<ArrayBuffer>])
    const mutation = 'mutation($file: Upload!) { uploadPicture(file: $file) { image } }'
    expect(await upload(shop, admin, mutation, 'file', file)).toMatchObject({
      status: 507,
      errors: [{ message: expect.stringContaining('no room'), extensions: { code: 'STORAGE_FULL' } }],
    })
    const form = new FormData()
    form.set('image', file, 'a.jpg')
    const answer = await fetch(`${shop.url}/api/uploads`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect([answer.status, await answer.json()]).toEqual([
      507,
      { message: expect.stringContaining('no room'), code: 'STORAGE_FULL' },
    ])
    expect((await readdir(dataDir)).toSorted()).toEqual(['cache', 'uploads'])
  })

  it('pictures are shown in every size, and goods are sold', async () => {
    for (const [query, format] of [
      ['', 'webp'],
      ['?w=160', 'webp'],
      ['?w=160', 'webp'],
      ['?w=160&as=png', 'png'],
    ] as const) {
      const answer = await fetch(`${shop.url}/images/tarnbeck-moss.webp${query}`)
      const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect([answer.status, answer.headers.get('content-type'), picture.format]).toEqual([
        200,
        `image/${format}`,
        format,
      ])
    }
    await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
  })
})

describe('an uploaded picture is removed', () => {
  const give = (id: string, image: string) =>
    ask(
      shop,
      admin,
      'mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { userErrors { message } } }',
      { id, input: { image } },
    )
  const fresh = async () => present((await uploadPicture(shop, admin, await jpeg())).image)
  const exists = async (image: string) => (await stored()).includes(image.slice('/uploads/'.length))

  it('with its smaller copies when the product gets another one', async () => {
    const [yarn, first] = [await makeProduct(shop.em()), await fresh()]
    await give(yarn.id, first)
    await Promise.all(['?w=160', '?w=160&as=avif'].map(copy => fetch(`${shop.url}${first}${copy}`)))
    await give(yarn.id, await fresh())
    await picturesDiscarded(shop)
    expect(await exists(first)).toBe(false)
    expect((await readdir(join(dataDir, 'cache', 'pictures'))).filter(name => name.startsWith(first.slice(9)))).toEqual(
      [],
    )
  })

  it('when its product is archived', async () => {
    const [yarn, image] = [await makeProduct(shop.em()), await fresh()]
    await give(yarn.id, image)
    await ask(
      shop,
      admin,
      'mutation($ids: [ID!]!) { bulkUpdateProducts(ids: $ids, change: { archive: true }) { changed } }',
      { ids: [yarn.id] },
    )
    await picturesDiscarded(shop)
    expect(await exists(image)).toBe(false)
  })

  it('but not while another product or a past order shows it', async () => {
    const [yarn, twin, image] = [await makeProduct(shop.em()), await makeProduct(shop.em()), await fresh()]
    await give(yarn.id, image)
    await give(twin.id, image)
    await give(twin.id, '/images/sample.webp')
    await picturesDiscarded(shop)
    expect(await exists(image)).toBe(true)
    await placed(shop, await makeUser(shop.em()), [line(yarn)])
    await give(yarn.id, '/images/sample.webp')
    await picturesDiscarded(shop)
    expect(await exists(image)).toBe(true)
  })

  it('later when it cannot be removed now, and what was saved is answered as saved', async () => {
    const saves = {
      patchProduct:
        '($id: ID!) { saved: patchProduct(id: $id, input: { image: "/images/sample.webp" }) { userErrors { code } } }',
      deleteProduct: '($id: ID!) { saved: deleteProduct(id: $id) { userErrors { code } } }',
      bulkUpdateProducts:
        '($id: ID!) { saved: bulkUpdateProducts(ids: [$id], change: { archive: true }) { userErrors { code } } }',
    }
    for (const save of Object.values(saves)) {
      const [{ id }, image] = [await makeProduct(shop.em()), await fresh()]
      await give(id, image)
      // A folder where the file should be: it cannot be removed as a file.
      await rm(join(dataDir, image))
      await mkdir(join(dataDir, image))
      expect(await ask(shop, admin, `mutation${save}`, { id })).toEqual({ saved: { userErrors: [] } })
      await rm(join(dataDir, image), { recursive: true })
    }
  })

  it('a day after it was uploaded and never used, and no other file of the owner', async () => {
    const [old, young] = [await fresh(), await fresh()]
    const uploads = filesOnDisk(dataDir)
    await writeFile(join(dataDir, 'uploads', 'notes.txt'), 'mine')
    const before = new Date(Date.now() - 2 * 86_400_000)
    for (const name of [old.slice(9), 'notes.txt']) await utimes(join(dataDir, 'uploads', name), before, before)
    await sweepUploads(shop.em(), uploads)
    expect(await exists(old)).toBe(false)
    expect(await exists(young)).toBe(true)
    expect(await stored()).toContain('notes.txt')
    await discardUnused(shop.em(), uploads, ['/uploads/../../secret.webp', '/images/sample.webp'])
  })

  it('minutes after a shop died while it was written', async () => {
    const folder = join(dataDir, 'uploads')
    const [left, inHand] = ['.left.webp.part', '.in-hand.webp.part']
    for (const name of [left, inHand]) await writeFile(join(folder, name), 'RIFF')
    const before = new Date(Date.now() - 6 * 60_000)
    await utimes(join(folder, left), before, before)
    await sweepUploads(shop.em(), filesOnDisk(dataDir))
    expect(await stored()).toContain(inHand)
    expect(await stored()).not.toContain(left)
    await rm(join(folder, inHand))
  })
})
