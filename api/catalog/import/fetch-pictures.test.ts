import { once } from 'node:events'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { nth } from '#schema/rules/present'
import { ask, auditOf, REFUSED, upload, uploadPicture } from '../../testing/admin.ts'
import { openReceiver } from '../../testing/receiver.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../../testing/shop.ts'

let shop: TestShop
let admin: Account
let jpeg: Buffer
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true, name: 'Ada Admin' })
  jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#7a2e3a' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => shop?.close())

const IMPORT = 'id status picturesToFetch picturesNotFetched creates updates unchanged'

async function preview(csv: string, [at, who] = [shop, admin]) {
  const { data } = await upload(
    at,
    who,
    `mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { ${IMPORT} } ${REFUSED} } }`,
    'csv',
    new Blob([csv]),
    'products_export.csv',
  )
  return data.importProducts.productImport
}
const step =
  (field: 'applyImport' | 'undoImport') =>
  async (id: string, at = shop, who = admin) =>
    (
      await ask(
        at,
        who,
        `mutation($id: ID!) { done: ${field}(id: $id) { productImport { ${IMPORT} } userErrors { message } } }`,
        { id },
      )
    ).done
const [apply, undo] = [step('applyImport'), step('undoImport')]
const read = async (id: string, at = shop, who = admin) =>
  (
    await ask(
      at,
      who,
      `query($id: ID!) { productImport(id: $id) { ${IMPORT} rows { items { line productId pictureProblem } } notFetched: rows(pictureNotFetched: true) { total } } }`,
      { id },
    )
  ).productImport

async function productOf(sku: string) {
  const { adminProducts } = await ask(
    shop,
    admin,
    'query($search: String) { adminProducts(filter: { search: $search }) { items { id sku image version pictures { image alt width height } } } }',
    { search: sku },
  )
  return nth(adminProducts.items, 0)
}

/** A file of Shopify's with a product for each address of a picture. */
const fileOf = (mark: string, ...pictures: string[]) =>
  [
    'Handle,Title,Variant Price,Image Src',
    ...pictures.map((picture, index) => `${mark}-${index},${mark} ${index},12.00,${picture}`),
  ].join('\n')

const settled = (id: string) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject({ picturesToFetch: 0 }), 20_000)

const picture = (response: import('node:http').ServerResponse) =>
  response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg)

describe('pictures of an export from Shopify', () => {
  it('are fetched into the shop, each once, and the import can be undone all the same', async () => {
    const { url, received } = await openReceiver(picture)
    const csv = fileOf('WREN', `${url}/a.jpg`, `${url}/a.jpg`, `${url}/b.jpg`)
    const { id, picturesToFetch } = await preview(csv)
    expect(picturesToFetch).toBe(3)
    expect(received).toEqual([])
    expect((await apply(id)).userErrors).toEqual([])
    await settled(id)
    expect(await read(id)).toMatchObject({ picturesNotFetched: 0, notFetched: { total: 0 } })

    expect(received.map(({ path }) => path).sort()).toEqual(['/hook/a.jpg', '/hook/b.jpg'])
    expect(nth(received, 0).headers).toMatchObject({ accept: 'image/jpeg, image/png' })
    const [first, second, third] = [await productOf('WREN-0'), await productOf('WREN-1'), await productOf('WREN-2')]
    expect(first).toMatchObject({
      image: expect.stringMatching(/^\/uploads\/[\w-]+\.webp$/),
      pictures: [{ image: first.image, alt: '', width: 60, height: 40 }],
    })
    expect(second.image).toBe(first.image)
    expect(third.image).not.toBe(first.image)
    expect((await fetch(shop.url + first.image)).status).toBe(200)
    expect(nth(await auditOf(shop, admin, first.id), 0)).toMatchObject({
      action: 'UPDATED',
      changes: [{ field: 'image', before: `${url}/a.jpg`, after: first.image }],
    })

    // The file still says where they were.
    expect(await preview(csv)).toMatchObject({ unchanged: 3, updates: 0, picturesToFetch: 0 })
    const moved = await preview(csv.replaceAll('b.jpg', 'c.jpg'))
    expect(moved).toMatchObject({ unchanged: 2, updates: 1, picturesToFetch: 1 })

    expect((await undo(id)).userErrors).toEqual([])
  })

  it('come with their words and in their order, however late one is, and go when the import is undone', async () => {
    let isBusy = true
    const { url, received } = await openReceiver((response, { path }) => {
      if (path.endsWith('gone.jpg')) return response.writeHead(404).end()
      return isBusy && path.endsWith('late.jpg') ? response.writeHead(503).end() : picture(response)
    })
    const image = '/images/sample.webp'
    const asItWas = { image, alt: 'As it was', width: null, height: null }
    await makeProduct(shop.em(), { sku: 'JAY', image, storedPictures: [asItWas] })
    const names = ['first', 'late', 'gone', 'last']
    const csv = [
      'Handle,Title,Variant SKU,Variant Price,Image Src,Image Alt Text',
      `jay,Jay,JAY,12.00,${url}/first.jpg,A skein`,
      ...names.slice(1).map(name => `jay,,,,${url}/${name}.jpg,The ${name} one`),
    ].join('\n')
    const { id, picturesToFetch } = await preview(csv)
    expect(picturesToFetch).toBe(4)
    await apply(id)
    const alts = async () => (await productOf('JAY')).pictures.map(({ alt }: { alt: string }) => alt)
    await vi.waitFor(async () => expect(await alts()).toEqual(['A skein', 'The last one']), 20_000)
    expect(await read(id)).toMatchObject({
      picturesToFetch: 1,
      picturesNotFetched: 1,
      notFetched: { total: 1 },
      rows: { items: [{ pictureProblem: 'Picture 3: The picture’s host answered 404.' }] },
    })
    isBusy = false
    await shop.em().execute(`update pgboss.job set start_after = now() where name = 'fetch-pictures'`)
    await settled(id)
    expect(await alts()).toEqual(['A skein', 'The late one', 'The last one'])
    expect(received.filter(({ path }) => path.endsWith('first.jpg')).length).toBe(1)

    expect(await preview(csv)).toMatchObject({ unchanged: 0, updates: 1, picturesToFetch: 1 })
    expect((await undo(id)).userErrors).toEqual([])
    expect((await productOf('JAY')).pictures).toEqual([asItWas])
    expect(await preview(csv)).toMatchObject({ updates: 1, picturesToFetch: 4 })
  })

  it('are added to what is there when the file has more of them, as far as there is room', async () => {
    const { url } = await openReceiver(picture)
    const file = (...names: string[]) =>
      [
        'Handle,Title,Variant Price,Image Src,Image Alt Text',
        ...names.map((name, n) => `rail,${n ? '' : 'Rail'},${n ? '' : 12},${url}/${name}.jpg,${name}`),
      ].join('\n')
    const { id } = await preview(file('a', 'b'))
    await apply(id)
    await settled(id)
    const many = file('a', 'b', ...'cdefghijklm')
    const { id: second } = await preview(many)
    const { productImport } = await ask(
      shop,
      admin,
      'query($id: ID!) { productImport(id: $id) { rows { items { action changes { field before after } } } } }',
      { id: second },
    )
    expect(productImport.rows.items).toEqual([
      { action: 'UPDATE', changes: [{ field: 'pictures', before: null, after: '10 more' }] },
    ])
    const { id: productId } = await productOf('rail')
    const { pictures: before } = await productOf('rail')
    const { image } = await uploadPicture(shop, admin, jpeg)
    await ask(
      shop,
      admin,
      'mutation($id: ID!, $pictures: [ProductPictureInput!]) { patchProduct(id: $id, input: { pictures: $pictures }) { userErrors { message } } }',
      {
        id: productId,
        pictures: [
          ...before.map(({ image, alt }: { image: string; alt: string }) => ({ image, alt })),
          { image, alt: 'Mine' },
        ],
      },
    )
    const { id: third } = await preview(many)
    await apply(third)
    await settled(third)
    const shown = await productOf('rail')
    expect(shown.pictures.map(({ alt }: { alt: string }) => alt)).toEqual([...'ab', 'Mine', ...'cdefghijk'])
    expect((await undo(third)).userErrors).toEqual([])
    expect((await productOf('rail')).pictures.map(({ alt }: { alt: string }) => alt)).toEqual([...'ab', 'Mine'])
  })

  test.each<[string, Parameters<typeof openReceiver>[0], RegExp]>([
    ['is not there', response => response.writeHead(404).end(), /answered 404/],
    ['is somewhere else', response => response.writeHead(302, { location: '/b.jpg' }).end(), /answered 302/],
    ['is a page', response => response.writeHead(200).end('<html>'), /not a JPG or PNG/],
    ['is too large', response => response.writeHead(200).end(Buffer.alloc(11_000_000, 1)), /larger than/],
  ])('stay where they are when one %s, and its row says why', async (_what, answer, problem) => {
    const { url } = await openReceiver(answer)
    const mark = `FINCH${Math.random().toString(36).slice(2, 8)}`.toUpperCase()
    const { id } = await preview(fileOf(mark, `${url}/a.jpg`))
    await apply(id)
    await settled(id)
    const found = await read(id)
    expect(found).toMatchObject({ picturesNotFetched: 1, notFetched: { total: 1 } })
    expect(nth(found.rows.items, 0).pictureProblem).toMatch(problem)
    expect(await productOf(mark)).toMatchObject({ image: `${url}/a.jpg`, version: 1 })
  })

  it('are not read to their end when they have none', async () => {
    let sent = 0
    const { url } = await openReceiver(async response => {
      response.writeHead(200)
      const megabyte = Buffer.alloc(1_000_000, 1)
      while (!response.closed && sent < 200) {
        sent++
        if (!response.write(megabyte)) await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
    })
    const { id } = await preview(fileOf('SWIFT', `${url}/a.jpg`))
    await apply(id)
    await settled(id)
    expect(nth((await read(id)).rows.items, 0).pictureProblem).toMatch(/larger than/)
    expect(sent).toBeLessThan(100)
  })

  it('are tried again when their host has no time', async () => {
    let isBusy = true
    const { url, received } = await openReceiver(response =>
      isBusy ? response.writeHead(503).end() : picture(response),
    )
    const { id } = await preview(fileOf('STORK', `${url}/a.jpg`))
    await apply(id)
    const waiting = () =>
      shop
        .em()
        .execute<object[]>(
          `select data from pgboss.job where name = 'fetch-pictures' and state = 'created' and start_after > now()`,
        )
    await vi.waitFor(async () => expect(await waiting()).toEqual([{ data: { importId: id, tries: 2 } }]), 20_000)
    expect(await read(id)).toMatchObject({ picturesToFetch: 1, picturesNotFetched: 0 })
    expect(received.length).toBe(1)
    isBusy = false
    await shop.em().execute(`update pgboss.job set start_after = now() where name = 'fetch-pictures'`)
    await settled(id)
    expect((await productOf('STORK')).image).toMatch(/^\/uploads\//)
  })

  it('are fetched again when somebody asks for it, of an import that is applied', async () => {
    const again = async (id: string) =>
      (
        await ask(
          shop,
          admin,
          `mutation($id: ID!) { fetchPicturesAgain(id: $id) { productImport { ${IMPORT} } ${REFUSED} } }`,
          { id },
        )
      ).fetchPicturesAgain
    let isGone = true
    const seen = Promise.withResolvers<void>()
    const { url } = await openReceiver(async response => {
      if (isGone) return response.writeHead(404).end()
      await seen.promise
      return picture(response)
    })
    const { id } = await preview(fileOf('TEAL', `${url}/a.jpg`))
    expect(await again(id)).toMatchObject({ userErrors: [{ code: 'IMPORT_STATE' }] })
    await apply(id)
    await settled(id)
    expect(await read(id)).toMatchObject({ picturesNotFetched: 1 })
    isGone = false
    expect(await again(id)).toMatchObject({
      productImport: { picturesToFetch: 1, picturesNotFetched: 0 },
      userErrors: [],
    })
    seen.resolve()
    await settled(id)
    expect((await productOf('TEAL')).image).toMatch(/^\/uploads\//)
  })

  it('do not take the place of what somebody has chosen meanwhile', async () => {
    const asked = Promise.withResolvers<void>()
    const chosen = Promise.withResolvers<void>()
    const { url } = await openReceiver(async response => {
      asked.resolve()
      await chosen.promise
      picture(response)
    })
    const { id } = await preview(fileOf('HERON', `${url}/a.jpg`))
    await apply(id)
    await asked.promise
    const { id: productId } = await productOf('HERON')
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { image: "/images/sample.webp" }) { userErrors { message } } }',
      { id: productId },
    )
    chosen.resolve()
    await settled(id)
    expect(await productOf('HERON')).toMatchObject({ image: '/images/sample.webp' })
    expect(await read(id)).toMatchObject({ picturesNotFetched: 0, rows: { items: [{ pictureProblem: null }] } })
  })

  it('are fetched after an undo that is refused, which their job may have met', async () => {
    const { url } = await openReceiver(picture)
    const { id } = await preview(fileOf('PLOVER', `${url}/a.jpg`))
    await apply(id)
    await settled(id)
    const { id: productId } = await productOf('PLOVER')
    await ask(
      shop,
      admin,
      'mutation($id: ID!) { patchProduct(id: $id, input: { content: "Wool" }) { userErrors { message } } }',
      { id: productId },
    )
    await shop.em().execute('update product_import_pictures set is_given = false where import_id = ?', [id])
    expect((await undo(id)).userErrors).toMatchObject([{ message: expect.stringContaining('nothing was undone') }])
    await settled(id)
  })

  it('are left alone once the import is undone', async () => {
    const { url, received } = await openReceiver(response => response.writeHead(503).end())
    const { id } = await preview(fileOf('CRANE', `${url}/a.jpg`))
    await apply(id)
    await vi.waitFor(() => expect(received.length).toBe(1), 20_000)
    expect((await undo(id)).userErrors).toEqual([])
    expect(await read(id)).toMatchObject({ picturesToFetch: 0, picturesNotFetched: 0 })
    await shop.em().execute(`update pgboss.job set start_after = now() where name = 'fetch-pictures'`)
    await vi.waitFor(async () => {
      const [left] = await shop
        .em()
        .execute(`select count(*)::int as jobs from pgboss.job where name = 'fetch-pictures' and state < 'completed'`)
      expect(left).toEqual({ jobs: 0 })
    }, 20_000)
    expect(received.length).toBe(1)
  })
})

it('leaves the pictures of the shop’s own files where they are', async () => {
  const { url, received } = await openReceiver(picture)
  const { id } = await preview(`sku,name,price,image\nROBIN,Robin,12.00,${url}/a.jpg`)
  expect(await apply(id)).toMatchObject({ productImport: { picturesToFetch: 0 } })
  expect(await productOf('ROBIN')).toMatchObject({ image: `${url}/a.jpg` })
  expect(received).toEqual([])
})

it('asks nothing of the shop’s own network', async () => {
  const strict = await openShop({
    webhookReach: { allowPrivate: false, addressesOf: async host => [host === 'cdn.example.com' ? '10.0.0.7' : host] },
  })
  try {
    const owner = await makeUser(strict.em(), { isAdmin: true })
    const { url, received } = await openReceiver(picture)
    const secure = url.replace('http:', 'https:')
    const { id } = await preview(fileOf('OWL', `${url}/a.jpg`, `${secure}/a.jpg`, 'https://cdn.example.com/a.jpg'), [
      strict,
      owner,
    ])
    await apply(id, strict, owner)
    await vi.waitFor(async () => expect(await read(id, strict, owner)).toMatchObject({ picturesNotFetched: 3 }), 20_000)
    expect((await read(id, strict, owner)).rows.items.map(({ pictureProblem }) => pictureProblem)).toEqual([
      'The address must start with https://.',
      '127.0.0.1 is not on the public internet.',
      'cdn.example.com is not on the public internet.',
    ])
    expect(received).toEqual([])
  } finally {
    await strict.close()
  }
})
