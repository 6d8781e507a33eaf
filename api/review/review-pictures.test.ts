import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { limits } from '#schema/rules/limits'
import { sweepUploads } from '../catalog/uploads.ts'
import { filesOnDisk } from '../kernel/files.ts'
import { ask, auditOf, REFUSED, upload } from '../testing/admin.ts'
import {
  makeProduct,
  makeUser,
  openShop,
  type Account,
  type Identity,
  type TestShop,
  picturesDiscarded,
} from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
let nell: Account
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-review-pictures-'))
  shop = await openShop({ dataDir })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(async () => {
  await shop?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const UPLOAD = `mutation($file: Upload!) { uploadReviewPicture(file: $file) { image width height ${REFUSED} } }`
const blob = (content: Uint8Array | string) => new Blob([content as Uint8Array<ArrayBuffer>])
const send = (who: Identity, content: Uint8Array | string, name = 'hat.jpg') =>
  upload(shop, who, UPLOAD, 'file', blob(content), name)
const jpeg = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#7a3b52' } })
    .jpeg()
    .toBuffer()
const store = async (who: Account): Promise<string> =>
  (await send(who, await jpeg())).data.uploadReviewPicture.image ?? expect.fail('not stored')

const write = async (who: Account, productId: string, pictures: unknown) =>
  (
    await ask(
      shop,
      who,
      `mutation($productId: ID!, $input: ReviewInput!) { createReview(productId: $productId, input: $input) { review { id pictures { image alt width height } } ${REFUSED} } }`,
      { productId, input: { rating: 5, comment: 'Lovely', pictures } },
    )
  ).createReview
const reviewed = async (who: Account, pictures: unknown) => {
  const { id: productId } = await makeProduct(shop.em())
  return { productId, ...(await write(who, productId, pictures)) }
}
const shownAt = async (image: string, query = '') => (await fetch(`${shop.url}${image}${query}`)).status
const stored = () => readdir(join(dataDir, 'uploads')).catch(() => [] as string[])

it('shows up to three pictures with what they show, in their order, over GraphQL and REST', async () => {
  const images = [await store(nell), await store(nell), await store(nell)]
  const { productId, review, userErrors } = await reviewed(nell, [
    { image: images[1], alt: ' A hat on a stone wall ' },
    { image: images[0] },
    { image: images[2], alt: null },
  ])
  expect(userErrors).toEqual([])
  const expected = [
    { image: images[1], alt: 'A hat on a stone wall', width: 60, height: 40 },
    { image: images[0], alt: '', width: 60, height: 40 },
    { image: images[2], alt: '', width: 60, height: 40 },
  ]
  expect(review.pictures).toEqual(expected)
  const { product } = await ask(
    shop,
    null,
    'query($id: ID!) { product(id: $id) { reviews { items { pictures { image alt width height } } } } }',
    { id: productId },
  )
  expect(product.reviews.items).toEqual([{ pictures: expected }])
  expect(await (await fetch(`${shop.url}/api/products/${productId}`)).json()).toMatchObject({
    reviews: [{ pictures: expected }],
  })
  for (const query of ['', '?w=160', '?w=160&as=avif']) expect(await shownAt(nth(images, 0), query)).toBe(200)
  const { headers } = await fetch(`${shop.url}${images[0]}`)
  expect(headers.get('cache-control')).toBe('private, max-age=3600')
})

it('takes pictures over REST too', async () => {
  const form = new FormData()
  form.set('image', blob(await jpeg()), 'hat.jpg')
  const headers = { authorization: `Bearer ${nell.token}` }
  const answer = await fetch(`${shop.url}/api/reviews/pictures`, { method: 'POST', body: form, headers })
  expect(answer.status).toBe(201)
  const { image } = (await answer.json()) as { image: string }
  const { id } = await makeProduct(shop.em())
  const written = await fetch(`${shop.url}/api/products/${id}/reviews`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ rating: 5, comment: 'Soft', pictures: [{ image, alt: 'A hat' }] }),
  })
  expect(written.status).toBe(201)
  expect(await (await fetch(`${shop.url}/api/products/${id}`)).json()).toMatchObject({
    reviews: [{ pictures: [{ image, alt: 'A hat', width: 60, height: 40 }] }],
  })
})

describe('who may', () => {
  test('visitors, guests with an order and whoever’s session has ended upload nothing', async () => {
    const before = await stored()
    for (const who of [null, { token: 'A'.repeat(43) } as Account]) {
      const answer = await send(who, await jpeg())
      expect(answer.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
      const form = new FormData()
      form.set('image', blob(await jpeg()), 'hat.jpg')
      const rest = await fetch(`${shop.url}/api/reviews/pictures`, {
        method: 'POST',
        body: form,
        headers: who ? { authorization: `Bearer ${who.token}` } : { 'x-order-token': 'A'.repeat(43) },
      })
      expect(rest.status).toBe(401)
    }
    expect(await stored()).toEqual(before)
  })

  it('is only the account that uploaded a picture who puts it into a review, and once', async () => {
    const mallory = await makeUser(shop.em())
    const image = await store(nell)
    const missing = { review: null, userErrors: [expect.objectContaining({ code: 'INVALID', field: ['pictures'] })] }
    expect(await reviewed(mallory, [{ image }])).toMatchObject(missing)
    expect((await reviewed(nell, [{ image }])).userErrors).toEqual([])
    expect(await reviewed(nell, [{ image }])).toMatchObject(missing)
  })

  it('is nobody who shows a product’s picture, a page of the shop or another site’s in a review', async () => {
    for (const image of ['/images/sample.webp', '/uploads/../secret.webp', 'https://example.com/a.jpg', '', ' '])
      expect((await reviewed(nell, [{ image }])).userErrors).toMatchObject([{ code: 'INVALID', field: ['pictures'] }])
  })

  it('is one of two who use the same picture at once', async () => {
    const image = await store(nell)
    const both = await Promise.all([reviewed(nell, [{ image }]), reviewed(nell, [{ image }])])
    expect(both.filter(({ review }) => review)).toHaveLength(1)
  })
})

describe('hostile pictures', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const cases: [string, () => Promise<Uint8Array | string>, string][] = [
    ['a drawing that runs script', async () => svg, 'FILE_UNREADABLE'],
    ['a page', async () => '<!doctype html><script>alert(1)</script>', 'FILE_UNREADABLE'],
    ['a moving picture', async () => 'GIF89a\x01\0\x01\0\0\0\0;', 'FILE_UNREADABLE'],
    [
      'a picture with a page behind it',
      async () => Buffer.concat([await jpeg(), Buffer.from('<html><script>alert(1)</script>')]),
      'FILE_UNREADABLE',
    ],
    [
      'a picture with a program in its comment',
      async () => {
        const file = await jpeg()
        const text = Buffer.from('<?php system($_GET[0]); ?>')
        return Buffer.concat([
          file.subarray(0, 2),
          Buffer.from([0xff, 0xfe, 0, text.length + 2]),
          text,
          file.subarray(2),
        ])
      },
      'FILE_UNREADABLE',
    ],
    ['a picture that is cut short', async () => (await jpeg(600, 400)).subarray(0, 900), 'FILE_UNREADABLE'],
    ['a small file of more than fifty megapixels', () => jpeg(10_000, 5_001), 'FILE_TOO_LARGE'],
    ['a file of more than five megabytes', async () => new Uint8Array(limits.pictureBytes + 1), 'FILE_TOO_LARGE'],
    ['nothing', async () => '', 'FILE_UNREADABLE'],
  ]
  test.each(cases)('are refused: %s', async (_, make, code) => {
    const before = await stored()
    const { errors, data } = await send(nell, await make(), 'hat.jpg')
    expect(errors).toBeUndefined()
    expect(data.uploadReviewPicture).toMatchObject({ image: null, userErrors: [{ code, field: ['file'] }] })
    expect(await stored()).toEqual(before)
  })

  it('lose where they were taken, and by whom', async () => {
    const file = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
      .withExif({ IFD0: { Artist: 'Nell Secret' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '54/1 27/1 0/1' } })
      .jpeg()
      .toBuffer()
    expect(file.includes('Nell Secret')).toBe(true)
    const { image } = (await send(nell, file)).data.uploadReviewPicture
    const kept = Buffer.from(await (await fetch(`${shop.url}${image}`)).arrayBuffer())
    const { exif, xmp, iptc, format } = await sharp(kept).metadata()
    expect({ exif, xmp, iptc, format }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined, format: 'webp' })
    expect(kept.includes('Nell Secret')).toBe(false)
  })

  test('a fourth one, one that is there twice and too long a text are refused, and the others can be used again', async () => {
    const who = await makeUser(shop.em())
    const images = [await store(who), await store(who), await store(who), await store(who)]
    const as = (list: string[], alt = '') => list.map(image => ({ image, alt }))
    for (const [pictures, field] of [
      [as(images), ['pictures']],
      [as([nth(images, 0), nth(images, 0)]), ['pictures']],
      [as([nth(images, 0)], 'x'.repeat(201)), ['pictures', '0', 'alt']],
      [as([nth(images, 0)], 'a\0b'), ['pictures', '0', 'alt']],
    ] as const)
      expect((await reviewed(who, pictures)).userErrors).toMatchObject([{ code: 'INVALID', field }])
    expect((await reviewed(who, as(images.slice(0, 3)))).userErrors).toEqual([])
  })

  it('an account keeps a bounded number: few that wait, and so many in all its reviews', async () => {
    const who = await makeUser(shop.em())
    const sent = await Promise.all(Array.from({ length: limits.reviewPictures.waiting + 3 }, () => store(who)))
    await picturesDiscarded(shop)
    const left = (await Promise.all(sent.map(image => shownAt(image)))).filter(status => status === 200)
    expect(left).toHaveLength(limits.reviewPictures.waiting)

    const products = await Promise.all(
      Array.from({ length: limits.reviewPictures.account / 3 }, () => makeProduct(shop.em())),
    )
    await shop.em().execute(
      `insert into reviews (id, product_id, user_id, name, rating, comment, verified_purchase, created_at, pictures)
       select gen_random_uuid(), p.id, ?, 'Nell', 5, 'Round.', false, now(), '[{}, {}, {}]'
       from products p where p.id in (?)`,
      [who.id, products.map(({ id }) => id)],
    )
    expect((await send(who, await jpeg())).data.uploadReviewPicture).toMatchObject({
      image: null,
      userErrors: [{ code: 'TOO_MANY_PICTURES' }],
    })
  })
})

describe('moderation', () => {
  const HIDE = `mutation($id: ID!) { hideReview(id: $id, reason: "Not a hat") { review { pictures { image } } ${REFUSED} } }`
  const RESTORE = `mutation($id: ID!) { restoreReview(id: $id) { review { pictures { image } } ${REFUSED} } }`
  const REMOVE = `mutation($id: ID!, $image: String!) { removeReviewPicture(id: $id, image: $image) { review { pictures { image } } ${REFUSED} } }`
  const picturesSeen = async (who: Identity, id: string) =>
    (await ask(shop, who, 'query($id: ID!) { node(id: $id) { ... on Review { pictures { image } } } }', { id })).node

  test('a hidden review’s pictures are nowhere to be found, in any size, and back when it is restored', async () => {
    const image = await store(nell)
    const { review } = await reviewed(nell, [{ image, alt: 'A hat' }])
    await Promise.all(['', '?w=160', '?w=640&as=avif'].map(query => shownAt(image, query)))

    const hidden = nth((await ask(shop, admin, HIDE, { id: review.id })).hideReview.review.pictures, 0).image
    expect(hidden).not.toBe(image)
    await picturesDiscarded(shop)
    for (const query of ['', '?w=160', '?w=160&as=png', '?w=640&as=avif'])
      expect([query, await shownAt(image, query)]).toEqual([query, 404])
    expect(await picturesSeen(null, review.id)).toBeNull()
    expect(await picturesSeen(nell, review.id)).toEqual({ pictures: [] })
    expect(await picturesSeen(admin, review.id)).toEqual({ pictures: [{ image: hidden }] })
    expect(await shownAt(hidden)).toBe(200)

    expect((await ask(shop, admin, RESTORE, { id: review.id })).restoreReview.review.pictures).toEqual([
      { image: hidden },
    ])
    expect(await picturesSeen(null, review.id)).toEqual({ pictures: [{ image: hidden }] })
    expect(await shownAt(hidden, '?w=160')).toBe(200)
  })

  it('takes one picture out for good, and says so in the log', async () => {
    const images = [await store(nell), await store(nell)]
    const { review } = await reviewed(nell, [{ image: images[0] }, { image: images[1], alt: 'A hat' }])
    const remove = (who: Identity, image: string) => shop.gql(REMOVE, { id: review.id, image }, who)
    expect((await remove(nell, nth(images, 0))).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    const { data } = await remove(admin, nth(images, 0))
    expect(data.removeReviewPicture).toEqual({ review: { pictures: [{ image: images[1] }] }, userErrors: [] })
    await picturesDiscarded(shop)
    expect([await shownAt(nth(images, 0)), await shownAt(nth(images, 1))]).toEqual([404, 200])
    expect((await remove(admin, nth(images, 0))).data.removeReviewPicture).toMatchObject({
      review: null,
      userErrors: [{ code: 'NOT_FOUND' }],
    })
    expect(await auditOf(shop, admin, review.id)).toMatchObject([
      {
        action: 'UPDATED',
        changes: [{ field: 'pictures', before: `${images[0]}, ${images[1]} (A hat)`, after: `${images[1]} (A hat)` }],
      },
    ])
  })
})

it('clears away after a day what nobody put into a review, and nothing else', async () => {
  const [waits, forgotten, used] = [await store(nell), await store(nell), await store(nell)]
  await reviewed(nell, [{ image: used }])
  const before = new Date(Date.now() - 2 * 86_400_000)
  for (const image of [waits, forgotten, used]) await utimes(join(dataDir, image), before, before)
  await shop.em().execute('update review_uploads set created_at = ? where image = ?', [before, forgotten])
  await sweepUploads(shop.em(), filesOnDisk(dataDir))
  expect([await shownAt(waits), await shownAt(forgotten), await shownAt(used)]).toEqual([200, 404, 200])
  expect((await reviewed(nell, [{ image: forgotten }])).userErrors).toMatchObject([{ code: 'INVALID' }])
  expect((await reviewed(nell, [{ image: waits }])).userErrors).toEqual([])
})
