import sharp, { type Region } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { Product } from './product.entity.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let product: Product

beforeAll(async () => {
  shop = await openShop()
  product = await makeProduct(shop.em(), {
    name: 'Ninepin Sock in Żółty 毛糸',
    price: 2450,
    image: '/images/sample.webp',
  })
})
afterAll(() => shop.close())

async function picture(path: string) {
  const response = await fetch(`${shop.url}${path}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  return Buffer.from(await response.arrayBuffer())
}
const statusOf = async (path: string) => (await fetch(`${shop.url}${path}`)).status

describe('the picture that others show of a link', () => {
  it.each(['/', '/top-rated', '/collections', '/yarn/dk', '/privacy'])('to %s is opaque and 1200 × 630', async path => {
    expect(await sharp(await picture(`/share/page.jpg?path=${path}`)).metadata()).toMatchObject({
      width: 1200,
      height: 630,
      channels: 3,
    })
  })

  it('to a product shows its picture, its name in any script and its price of today', async () => {
    const path = `/share/product.jpg?id=${product.id}`
    const before = await picture(path)
    expect(await sharp(before).metadata()).toMatchObject({ width: 1200, height: 630, channels: 3 })
    expect(await picture(path)).toEqual(before)

    const em = shop.em()
    await em.nativeUpdate(Product, { id: product.id }, { price: 1950 })
    const after = await picture(path)
    expect(await differs(before, after, { left: 640, top: 480, width: 500, height: 100 })).toBe(true)
    expect(await differs(before, after, { left: 0, top: 0, width: 600, height: 630 })).toBe(false)
  })

  it('never fetches what another host has', async () => {
    const elsewhere = await makeProduct(shop.em(), { image: 'http://127.0.0.1:1/picture.jpg' })
    await picture(`/share/product.jpg?id=${elsewhere.id}`)
    const outside = await makeProduct(shop.em(), { image: '/images/../../../package.json' })
    await picture(`/share/product.jpg?id=${outside.id}`)
  })

  it('is missing where the page is', async () => {
    const draft = await makeProduct(shop.em(), { publishedAt: null })
    expect(await statusOf(`/share/product.jpg?id=${draft.id}`)).toBe(404)
    expect(await statusOf('/share/product.jpg?id=nothing')).toBe(404)
    expect(await statusOf('/share/page.jpg?path=/cart')).toBe(404)
    expect(await statusOf('/share/page.jpg')).toBe(404)
  })
})

/** Whether pixels differ by more than compression changes their neighbours. */
async function differs(one: Buffer, other: Buffer, part: Region) {
  const pixels = (file: Buffer) => sharp(file).extract(part).greyscale().raw().toBuffer()
  const [before, after] = [await pixels(one), await pixels(other)]
  return before.some((value, index) => Math.abs(value - nth(after, index)) > 60)
}
