import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupsNamed } from './group-products.ts'
import { Product } from './product.entity.ts'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-feed-'))
  shop = await openShop({ dataDir, rateLimit: 30_000 })
})
afterAll(async () => {
  await shop?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function readFeed() {
  const answer = await fetch(`${shop.url}/feeds/products.tsv`)
  const [head, ...rows] = (await answer.text()).trimEnd().split('\n')
  const names = head!.split('\t')
  return {
    answer,
    rows: rows.map(row => Object.fromEntries(row.split('\t').map((cell, place) => [names[place]!, cell]))),
  }
}

it('the feed has every product on sale in the attributes of merchants, and is made anew after a quarter of an hour', async () => {
  const em = shop.em()
  const yarn = await makeProduct(em, { name: 'Mérino\tMoss', description: 'Soft\nand "round".', price: 1905 })
  await em.execute(`update products set pictures = ? where id = ?`, [
    JSON.stringify(['/images/yarn.webp', '/uploads/a.webp', '/uploads/b.webp'].map(image => ({ image, alt: '' }))),
    yarn.id,
  ])
  const groupId = (await groupsNamed(em, [{ name: 'Mérino', variesBy: 'COLOUR' }])).get('Mérino')!
  await em.nativeUpdate(Product, { id: yarn.id }, { groupId, groupPosition: 1 })
  await makeProduct(em, { name: 'Gone', countInStock: 0 })
  await makeProduct(em, { publishedAt: null })
  await makeProduct(em, { archivedAt: new Date() })
  const { answer, rows } = await readFeed()
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/tab-separated-values; charset=utf-8',
    'public, max-age=900',
  ])
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    id: yarn.id,
    title: 'Mérino Moss',
    description: 'Soft and "round".',
    link: `http://127.0.0.1/product/${yarn.id}/merino-moss`,
    image_link: 'http://127.0.0.1/images/yarn.webp',
    additional_image_link: 'http://127.0.0.1/uploads/a.webp,http://127.0.0.1/uploads/b.webp',
    availability: 'in_stock',
    price: '19.05 USD',
    condition: 'new',
    item_group_id: groupId,
    material: 'Wool',
    shipping_weight: '100 g',
    custom_label_0: yarn.sku,
  })
  expect(rows[1]).toMatchObject({
    title: 'Gone',
    availability: 'out_of_stock',
    item_group_id: '',
    additional_image_link: '',
  })

  await makeProduct(em, { name: 'New' })
  expect((await readFeed()).rows).toHaveLength(2)
  const before = new Date(Date.now() - 16 * 60_000)
  await utimes(join(dataDir, 'cache', 'feeds', 'products.tsv'), before, before)
  await vi.waitFor(async () => expect((await readFeed()).rows).toHaveLength(3), { interval: 300, timeout: 2_000 })
})

it('one client may ask for it a few times a minute', async () => {
  await vi.waitFor(async () => expect((await readFeed()).answer.status).toBe(429), { timeout: 10_000 })
})
