import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { present } from '#schema/rules/present'
import { openShop } from '../testing/shop.ts'
import { drawIcons, type ShopIcons } from './shop-icons.ts'

const PAPER = [0xfa, 0xf7, 0xf0]
const GREEN = [0, 128, 0]

let dir: string
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), 'icons-'))))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function picture(name: string, content: string | Buffer): string {
  const path = join(dir, name)
  writeFileSync(path, content)
  return path
}
/** A green disc of 600 pixels on nothing, as wide as its square. */
async function disc(): Promise<string> {
  const ink = Buffer.alloc(600 * 600 * 4)
  for (let y = 0; y < 600; y++)
    for (let x = 0; x < 600; x++)
      if ((x - 300) ** 2 + (y - 300) ** 2 < 300 ** 2) ink.set([...GREEN, 255], (y * 600 + x) * 4)
  return picture(
    'disc.png',
    await sharp(ink, { raw: { width: 600, height: 600, channels: 4 } })
      .png()
      .toBuffer(),
  )
}
const green = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 0, g: 128, b: 0 } } })

const bodyOf = (icons: ShopIcons, address: `/${string}`) => present(icons.get(address)).body

async function pixel(image: Buffer, left: number, top: number): Promise<number[]> {
  const { data, info } = await sharp(image)
    .ensureAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, info.channels)]
}

describe('the icons of a shop', () => {
  it('are its owner’s picture in the sizes that browsers, phones and letters ask for', async () => {
    const icons = await drawIcons(await disc())
    for (const [address, size] of [
      ['/favicon.ico', 32],
      ['/apple-touch-icon.png', 180],
      ['/icon-192.png', 192],
      ['/icon-512.png', 512],
      ['/icon-maskable-512.png', 512],
    ] as const) {
      const { format, width, height } = await sharp(bodyOf(icons, address)).metadata()
      expect({ address, format, width, height }).toEqual({ address, format: 'png', width: size, height: size })
      expect((await pixel(bodyOf(icons, address), size / 2, size / 2)).slice(0, 3)).toEqual(GREEN)
    }
  })

  it('have the shop’s paper behind them where phones want a ground, or the one the picture has', async () => {
    const onNothing = await drawIcons(await disc())
    const onGreen = await drawIcons(picture('full.webp', await green(512, 512).webp({ lossless: true }).toBuffer()))
    for (const address of ['/apple-touch-icon.png', '/icon-maskable-512.png'] as const) {
      expect((await pixel(bodyOf(onNothing, address), 0, 0)).slice(0, 3)).toEqual(PAPER)
      expect((await pixel(bodyOf(onGreen, address), 0, 0)).slice(0, 3)).toEqual(GREEN)
    }
    expect((await pixel(bodyOf(onNothing, '/icon-512.png'), 0, 0))[3]).toBe(0)
    // Whatever shape the phone cuts, the picture is inside.
    expect((await pixel(bodyOf(onNothing, '/icon-maskable-512.png'), 256, 45)).slice(0, 3)).toEqual(PAPER)
  })

  it('show all of a picture that is no square', async () => {
    const icons = await drawIcons(picture('wide.jpg', await green(600, 200).jpeg().toBuffer()))
    expect((await pixel(bodyOf(icons, '/icon-192.png'), 1, 96))[3]).toBe(255)
    expect((await pixel(bodyOf(icons, '/icon-192.png'), 96, 20))[3]).toBe(0)
  })

  it.each([
    ['is not there', () => join(dir, 'none.png')],
    ['is a folder', () => dir],
    ['is no picture', () => picture('notes.png', 'sheep')],
    ['is a drawing', () => picture('sheep.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['is empty', () => picture('empty.png', '')],
  ])('stop the start of a shop, with a sentence, when the file %s', async (_case, pathOf) => {
    await expect(drawIcons(pathOf())).rejects.toThrow(
      /^SHOP_ICON is ".+", but must be the path of a PNG, JPEG or WebP picture, at best a square of 512 pixels\.$/,
    )
  })

  it('are where the storefront’s own are without them', async () => {
    const icons = await drawIcons(await disc())
    const [own, usual] = await Promise.all([openShop({ icons }), openShop({})])
    try {
      expect([...icons.keys()].toSorted()).toEqual(
        [
          'apple-touch-icon.png',
          'favicon.ico',
          'favicon.svg',
          'icon-192.png',
          'icon-512.png',
          'icon-maskable-512.png',
        ].map(name => `/${name}`),
      )
      for (const [url, { type, body }] of icons) {
        const [its, usually] = await Promise.all([own, usual].map(shop => present(shop).app.inject({ url })))
        expect({ url, status: present(its).statusCode, ours: present(its).rawPayload.equals(body) }).toEqual({
          url,
          status: 200,
          ours: true,
        })
        expect(present(its).headers).toMatchObject({
          'content-type': expect.stringContaining(type),
          'cache-control': 'public, max-age=3600',
        })
        expect(present(usually).statusCode).toBe(200)
        expect(present(usually).rawPayload.equals(body)).toBe(false)
        const head = await own.app.inject({ method: 'HEAD', url })
        expect(head.statusCode).toBe(200)
      }
      expect((await own.app.inject({ url: '/manifest.webmanifest' })).json().icons).toHaveLength(4)
    } finally {
      await Promise.all([own.close(), usual.close()])
    }
  })
})
