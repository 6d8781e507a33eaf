import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupsNamed } from './group-products.ts'
import { Product } from './product.entity.ts'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

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
  const names = present(head).split('\t')
  return {
    answer,
    rows: rows.map(row => Object.fromEntries(row.split('\t').map((cell, place) => [names[place], cell]))),
  }
}

/** Makes a product on sale for 18.00 dollars instead of 24.00. */
async function onSale(name: string, isOn: boolean, from: Date | null, until: Date | null) {
  const { id } = await makeProduct(shop.em(), { name })
  await shop
    .em()
    .execute(
      `update products set price = case when ? then 1800 else 2400 end, regular_price = case when ? then 2400 end, sale_price = 1800, sale_from = ?, sale_until = ? where id = ?`,
      [isOn, isOn, from, until, id],
    )
}

it('the feed has every product on sale in the attributes of merchants, and is made anew after a quarter of an hour', async () => {
  const em = shop.em()
  const yarn = await makeProduct(em, { name: 'Mérino\tMoss', description: 'Soft\nand "round".', price: 1905 })
  await em.execute(`update products set pictures = ? where id = ?`, [
    JSON.stringify(['/images/yarn.webp', '/uploads/a.webp', '/uploads/b.webp'].map(image => ({ image, alt: '' }))),
    yarn.id,
  ])
  const groupId = (await groupsNamed(em, [{ name: 'Mérino', variesBy: 'COLOUR' }])).get('Mérino')
  await em.nativeUpdate(Product, { id: yarn.id }, { groupId, groupPosition: 1 })
  await em.execute('update product_groups set maker = ? where id = ?', ['Fellwright', groupId])
  await makeProduct(em, { name: 'Gone', countInStock: 0 })
  await makeProduct(em, { publishedAt: null })
  await makeProduct(em, { archivedAt: new Date() })
  const [from, until] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)]
  await onSale('Bounded', true, from, until)
  await onSale('Endless', true, null, null)
  await onSale('Planned', false, until, new Date(until.getTime() + 3_600_000))
  await onSale('Planned for ever', false, until, null)
  const { answer, rows } = await readFeed()
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/tab-separated-values; charset=utf-8',
    'public, max-age=900',
  ])
  expect(rows).toHaveLength(6)
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
    brand: 'Fellwright',
    item_group_id: groupId,
    material: 'Wool',
    shipping_weight: '100 g',
    custom_label_0: yarn.sku,
  })
  expect(rows[1]).toMatchObject({
    title: 'Gone',
    availability: 'out_of_stock',
    brand: 'Skein',
    item_group_id: '',
    additional_image_link: '',
    sale_price: '',
    sale_price_effective_date: '',
  })
  expect(
    rows
      .slice(2)
      .map(({ title, price, sale_price, sale_price_effective_date: date }) => [title, price, sale_price, date]),
  ).toEqual([
    ['Bounded', '24.00 USD', '18.00 USD', `${from.toISOString()}/${until.toISOString()}`],
    ['Endless', '24.00 USD', '18.00 USD', ''],
    ['Planned', '24.00 USD', '18.00 USD', expect.stringMatching(`^${until.toISOString()}/`)],
    ['Planned for ever', '24.00 USD', '', ''],
  ])

  await makeProduct(em, { name: 'New' })
  expect((await readFeed()).rows).toHaveLength(6)
  const before = new Date(Date.now() - 16 * 60_000)
  await utimes(join(dataDir, 'cache', 'feeds', 'products.tsv'), before, before)
  await vi.waitFor(async () => expect((await readFeed()).rows).toHaveLength(7), { interval: 300, timeout: 20_000 })
})

it('one client may ask for it a few times a minute', async () => {
  await vi.waitFor(async () => expect((await readFeed()).answer.status).toBe(429), { timeout: 10_000 })
})
