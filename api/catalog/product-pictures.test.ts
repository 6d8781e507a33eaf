import { access, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { limits } from '#schema/rules/limits'
import { ask, auditOf, REFUSED, upload, uploadPicture } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop, picturesDiscarded } from '../testing/shop.ts'
import { filesOnDisk } from '../kernel/files.ts'
import { keepUploads, sweepUploads } from './uploads.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-gallery-'))
  shop = await openShop({ dataDir })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(async () => {
  await shop?.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Uploads a new picture, 60 by 40 pixels. */
async function fresh(): Promise<string> {
  const file = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  return present((await uploadPicture(shop, admin, file)).image)
}

const PICTURES = 'image alt width height'
const PRODUCT = `id image version pictures { ${PICTURES} }`

interface Wanted {
  image: string
  alt?: string | null
}

async function patch(id: string, input: { image?: string; pictures?: Wanted[]; version?: number }) {
  const { patchProduct } = await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: ProductPatch!) { patchProduct(id: $id, input: $input) { product { ${PRODUCT} } ${REFUSED} } }`,
    { id, input },
  )
  return patchProduct
}

const shown = async (id: string) =>
  (await ask(shop, null, `query($id: ID!) { product(id: $id) { ${PRODUCT} } }`, { id })).product

const addresses = async (id: string): Promise<string[]> =>
  (await shown(id)).pictures.map(({ image }: { image: string }) => image)

describe('the pictures of a product', () => {
  it('are its image alone until more are added', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/moss.webp' })
    expect((await shown(id)).pictures).toEqual([{ image: '/images/moss.webp', alt: '', width: null, height: null }])
  })

  it('are shown to everyone in the order they were saved in, with words and sizes', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/moss.webp' })
    const [swatch, ply] = [await fresh(), await fresh()]
    const wanted = [
      { image: ply, alt: ' The ply from close by ' },
      { image: '/images/moss.webp' },
      { image: swatch, alt: 'A swatch under a ruler' },
    ]
    const { product, userErrors } = await patch(id, { pictures: wanted })
    expect(userErrors).toEqual([])
    expect(product).toMatchObject({
      image: ply,
      version: 2,
      pictures: [
        { image: ply, alt: 'The ply from close by', width: 60, height: 40 },
        { image: '/images/moss.webp', alt: '', width: null, height: null },
        { image: swatch, alt: 'A swatch under a ruler', width: 60, height: 40 },
      ],
    })
    expect(await shown(id)).toEqual(product)

    await patch(id, { pictures: wanted.toReversed() })
    expect(await addresses(id)).toEqual([swatch, '/images/moss.webp', ply])
  })

  it('keep their places when the image alone is replaced, by hand or by an import that is undone', async () => {
    const { id, sku } = await makeProduct(shop.em(), { image: '/images/moss.webp', sku: 'GALLERY-1' })
    const swatch = await fresh()
    const all = [
      { image: '/images/moss.webp', alt: 'The skein' },
      { image: swatch, alt: 'The swatch' },
    ]
    await patch(id, { pictures: all })

    const { importProducts } = (
      await upload(
        shop,
        admin,
        `mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id } ${REFUSED} } }`,
        'csv',
        new Blob([`sku,image\n${sku},/images/fern.webp`]),
      )
    ).data
    const step = (field: string) =>
      ask(shop, admin, `mutation($id: ID!) { ${field}(id: $id) { ${REFUSED} } }`, {
        id: importProducts.productImport.id,
      })
    expect(await step('applyImport')).toEqual({ applyImport: { userErrors: [] } })
    expect((await shown(id)).pictures).toMatchObject([
      { image: '/images/fern.webp', alt: '' },
      { image: swatch, alt: 'The swatch' },
    ])
    expect(await step('undoImport')).toEqual({ undoImport: { userErrors: [] } })
    expect((await shown(id)).pictures).toMatchObject(all)

    await patch(id, { image: '/images/heath.webp' })
    expect(await addresses(id)).toEqual(['/images/heath.webp', swatch])
    // A picture from further back moves to the front, and is not listed twice.
    await patch(id, { image: swatch })
    expect(await addresses(id)).toEqual([swatch])
  })

  it('stay when a product is saved by someone who knows of one picture alone', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/moss.webp' })
    const swatch = await fresh()
    await patch(id, { pictures: [{ image: '/images/moss.webp' }, { image: swatch }] })
    const texts = 'name description weight length gauge knittingNeedle crochetHook recommendedCare content category'
    const { product } = await ask(shop, null, `query($id: ID!) { product(id: $id) { ${texts} image } }`, { id })
    const { updateProduct } = await ask(
      shop,
      admin,
      `mutation($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { ${REFUSED} } }`,
      { id, input: { ...product, price: 2000, countInStock: 3 } },
    )
    expect(updateProduct.userErrors).toEqual([])
    expect(await addresses(id)).toEqual(['/images/moss.webp', swatch])
  })

  it('are left behind when a product is copied for another colourway', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/moss.webp' })
    await patch(id, { pictures: [{ image: '/images/moss.webp' }, { image: await fresh() }] })
    const { copyProduct } = await ask(
      shop,
      admin,
      `mutation($id: ID!) { copyProduct(id: $id) { product { isDraft ${PRODUCT} } ${REFUSED} } }`,
      { id },
    )
    expect(copyProduct.product).toMatchObject({ isDraft: true, pictures: [{ image: '/images/sample.webp', alt: '' }] })
    expect(await shown(copyProduct.product.id)).toBeNull()
  })

  it('are named in the history when they change, and not when they do not', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/moss.webp' })
    const swatch = await fresh()
    const pictures = [{ image: '/images/moss.webp', alt: 'A skein' }, { image: swatch }]
    await patch(id, { pictures })
    await patch(id, { pictures })
    expect(await auditOf(shop, admin, id)).toMatchObject([
      { changes: [{ field: 'pictures', before: '', after: `A skein, ${swatch}` }] },
    ])
  })

  it('are in the product of the REST calls, which takes them too', async () => {
    const { id } = await makeProduct(shop.em(), { image: '/images/moss.webp' })
    const swatch = await fresh()
    const call = (method: string, body?: object) =>
      fetch(`${shop.url}/api/products/${id}`, {
        method,
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }).then(answer => answer.json() as Promise<Record<string, unknown>>)
    const before = await call('GET')
    expect(before['pictures']).toEqual([{ image: '/images/moss.webp', alt: '', width: null, height: null }])
    const saved = await call('PUT', {
      ...before,
      pictures: [{ image: '/images/moss.webp', alt: 'A skein' }, { image: swatch }],
    })
    expect(saved).toMatchObject({
      image: '/images/moss.webp',
      pictures: [{ alt: 'A skein' }, { image: swatch, alt: '', width: 60, height: 40 }],
    })
    expect((await call('GET'))['pictures']).toEqual(saved['pictures'])
  })
})

describe('refused, with everything left as it was, are', () => {
  const own = '/images/moss.webp'
  test.each<[string, (uploaded: string) => object, RegExp]>([
    ['none at all', () => ({ pictures: [] }), /at least one picture/],
    [
      'more than 12',
      uploaded => ({ pictures: Array.from({ length: 13 }, (_, n) => ({ image: n === 0 ? own : `${uploaded}?${n}` })) }),
      /at most 12/,
    ],
    [
      'one picture twice, however it is written',
      uploaded => ({
        pictures: [{ image: own }, { image: uploaded }, { image: `backend${uploaded}` }],
      }),
      /twice/,
    ],
    [
      'a picture of another site behind the first',
      () => ({ pictures: [{ image: own }, { image: 'https://elsewhere.example/x.png' }] }),
      /Picture 2 is not one that was uploaded/,
    ],
    [
      "another product's picture of the sample",
      () => ({ pictures: [{ image: own }, { image: '/images/fern.webp' }] }),
      /Picture 2 is not one/,
    ],
    [
      'a file that is not there',
      () => ({ pictures: [{ image: own }, { image: '/uploads/0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c.webp' }] }),
      /Picture 2 is not one/,
    ],
    [
      'a way out of the folder',
      () => ({ pictures: [{ image: own }, { image: '/uploads/../../etc/passwd' }] }),
      /Picture 2 is not one/,
    ],
    ['a script', () => ({ pictures: [{ image: 'javascript:alert(1)' }] }), /web address or a path/],
    [
      'words without end',
      () => ({ pictures: [{ image: own, alt: 'x'.repeat(limits.pictureAlt + 1) }] }),
      /What a picture shows/,
    ],
    [
      'a first one that is not the image',
      uploaded => ({ image: '/images/fern.webp', pictures: [{ image: own }, { image: uploaded }] }),
      /first of the pictures/,
    ],
  ])('%s', async (_what, input, message) => {
    const { id } = await makeProduct(shop.em(), { image: own })
    const { userErrors } = await patch(id, input(await fresh()))
    expect(userErrors).toMatchObject([{ code: 'INVALID', message: expect.stringMatching(message) }])
    expect(await shown(id)).toMatchObject({ version: 1, pictures: [{ image: own, alt: '' }] })
  })

  it('those of whoever edited an older version', async () => {
    const { id } = await makeProduct(shop.em(), { image: own })
    await patch(id, { pictures: [{ image: own, alt: 'New' }] })
    const { userErrors } = await patch(id, { pictures: [{ image: own, alt: 'Old' }], version: 1 })
    expect(userErrors).toMatchObject([{ code: 'CONFLICT' }])
    expect((await shown(id)).pictures).toMatchObject([{ alt: 'New' }])
  })
})

describe('the file of a picture', () => {
  const exists = (image: string) =>
    access(join(dataDir, image)).then(
      () => true,
      () => false,
    )
  const sweepAll = async (images: string[]) => {
    const before = new Date(Date.now() - 2 * 86_400_000)
    for (const image of images) await utimes(join(dataDir, image), before, before)
    await sweepUploads(shop.em(), filesOnDisk(dataDir))
  }

  it('is never cleared away while a product shows it in any place', async () => {
    const [one, other] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    const [first, second, unused] = [await fresh(), await fresh(), await fresh()]
    await patch(one.id, { pictures: [{ image: first }, { image: second }] })
    await patch(other.id, { image: second })
    await sweepAll([first, second, unused])
    expect([await exists(first), await exists(second), await exists(unused)]).toEqual([true, true, false])

    await patch(other.id, { image: '/images/sample.webp' })
    await picturesDiscarded(shop)
    expect(await exists(second)).toBe(true)
    expect((await fetch(`${shop.url}${second}?w=160`)).status).toBe(200)
  })

  it('stays while an import that replaced it can be undone', async () => {
    const { id, sku } = await makeProduct(shop.em(), { sku: 'GALLERY-2' })
    const [first, second] = [await fresh(), await fresh()]
    await patch(id, { pictures: [{ image: first }, { image: second }] })
    const { importProducts } = (
      await upload(
        shop,
        admin,
        'mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id } } }',
        'csv',
        new Blob([`sku,image\n${sku},/images/fern.webp`]),
      )
    ).data
    const run = { id: importProducts.productImport.id }
    await ask(shop, admin, `mutation($id: ID!) { applyImport(id: $id) { ${REFUSED} } }`, run)
    await sweepAll([first, second])
    await ask(shop, admin, `mutation($id: ID!) { undoImport(id: $id) { ${REFUSED} } }`, run)
    await sweepAll([first, second])
    expect(await addresses(id)).toEqual([first, second])
    expect([await exists(first), await exists(second)]).toEqual([true, true])
  })

  it('stays from when an import has fetched it until a product shows it', async () => {
    const [fetched, other] = [await fresh(), await fresh()]
    await upload(
      shop,
      admin,
      'mutation($csv: Upload!) { importProducts(csv: $csv) { productImport { id } } }',
      'csv',
      new Blob(['Handle,Title,Variant Price,Image Src\nwillet,Willet,12,https://cdn.example.com/willet.jpg']),
    )
    await shop
      .em()
      .execute(`update product_import_pictures set stored_as = ? where address like '%/willet.jpg'`, [fetched])
    await sweepAll([fetched, other])
    expect([await exists(fetched), await exists(other)]).toEqual([true, false])
  })

  it('is removed with its smaller copies once it is taken out, and all of them with the product', async () => {
    const { id } = await makeProduct(shop.em())
    const [first, second, third] = [await fresh(), await fresh(), await fresh()]
    await patch(id, { pictures: [{ image: first }, { image: second }, { image: third }] })
    await patch(id, { pictures: [{ image: first }, { image: third }] })
    await picturesDiscarded(shop)
    expect([await exists(first), await exists(second), await exists(third)]).toEqual([true, false, true])
    await ask(shop, admin, 'mutation($id: ID!) { deleteProduct(id: $id) { userErrors { code } } }', { id })
    await picturesDiscarded(shop)
    expect([await exists(first), await exists(third)]).toEqual([false, false])

    const twin = await makeProduct(shop.em())
    const [fourth, fifth] = [await fresh(), await fresh()]
    await patch(twin.id, { pictures: [{ image: fourth }, { image: fifth }] })
    await ask(
      shop,
      admin,
      'mutation($ids: [ID!]!) { bulkUpdateProducts(ids: $ids, change: { archive: true }) { changed } }',
      { ids: [twin.id] },
    )
    await picturesDiscarded(shop)
    expect([await exists(fourth), await exists(fifth)]).toEqual([false, false])
  })

  it('is not cleared away between the look that finds it and the save that shows it', async () => {
    const image = await fresh()
    let swept: Promise<void> | undefined
    let isSwept = false
    const sweep = async () => {
      await sweepAll([image])
      isSwept = true
    }
    await shop.em().transactional(async em => {
      await keepUploads(em)
      swept = sweep()
      await vi.waitFor(async () => {
        const waiting = await shop
          .em()
          .execute(`select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted`)
        expect(waiting.length).toBe(1)
      }, 20_000)
      expect([await exists(image), isSwept]).toEqual([true, false])
    })
    await swept
    expect(await exists(image)).toBe(false)
  })
})
