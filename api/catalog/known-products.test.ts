import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { makeProduct, openShop, type TestShop } from '../testing/shop.ts'
import { knownProducts } from './known-products.ts'
import { productsById } from './list-products.ts'
import { Product } from './product.entity.ts'
import { nth, present } from '#schema/rules/present'

let shop: TestShop
let id: string
beforeAll(async () => {
  shop = await openShop()
  ;({ id } = await makeProduct(shop.em(), { countInStock: 50 }))
})
afterAll(() => shop?.close())

const read = async (em: EntityManager = shop.em()) => present(nth(await productsById(em, [id]), 0))
const set = (sql: string, em: EntityManager = shop.em()) => em.execute(`update products set ${sql} where id = ?`, [id])

it('is read once while nothing changes it', async () => {
  const product = await read()
  expect(await read()).toBe(product)
  await set('price = price + 1')
  const changed = await read()
  expect(changed).not.toBe(product)
  expect(await read()).toBe(changed)
})

test('nobody can change what others are shown', async () => {
  const product = await read()
  expect(() => {
    product.price = 1
  }).toThrow(TypeError)
})

test('by its place it is the same, and gone from there when it is off sale', async () => {
  const onSale = 'published_at is not null and archived_at is null and id = ?'
  const product = await read()
  const [found] = await knownProducts(shop.em(), onSale, [id], [])
  const { place } = present(found)
  expect((await knownProducts(shop.em(), onSale, [id], [place]))[0]?.product.id).toBe(product.id)
  await set('archived_at = now()')
  expect(await knownProducts(shop.em(), onSale, [id], [place])).toEqual([])
  expect((await read()).isDiscontinued).toBe(true)
  await set('archived_at = null')
})

/** Other values, whatever a column has. */
const OTHERS: Record<string, string> = {
  date: `coalesce($, current_date) + 1`,
  boolean: 'not coalesce($, false)',
  integer: 'coalesce($, 0) + 1',
  jsonb: `jsonb_build_array(jsonb_build_object('image', '/images/' || gen_random_uuid()))`,
  text: `$ || 'X'`,
  'timestamp with time zone': `coalesce($, now()) + interval '1 second'`,
}
/** Ratings and sales are more than one column each, and in an order. */
const TOGETHER: Record<string, string> = {
  num_reviews: 'num_reviews = 2, rating_sum = 6',
  rating_sum: 'rating_sum = 7',
  regular_price: 'regular_price = price, sale_price = price - 1, price = price - 1',
  sale_price: 'sale_price = price - 2, price = price - 2',
  sale_from: 'sale_from = now()',
  sale_until: `sale_until = now() + interval '1 day'`,
}

test('whatever changes of what is shown is there for the next one to read', async () => {
  // Those that other tables have to agree with, and what follows from the others.
  const besides = new Set(['id', 'group_id', 'group_position', 'kept_by_lot', 'score'])
  const types = await shop
    .em()
    .execute<{ name: string; type: string }[]>(
      `select column_name as name, data_type as type from information_schema.columns where table_name = 'products'`,
    )
  const columns = shop
    .em()
    .getMetadata(Product)
    .props.map(({ fieldNames }) => nth(fieldNames, 0))
    .filter(column => !besides.has(column))
    .toSorted((one, other) => Number(one in TOGETHER) - Number(other in TOGETHER))
  expect(columns.length).toBeGreaterThan(20)
  for (const column of columns) {
    const before = await read()
    const { type } = present(types.find(({ name }) => name === column))
    await set(TOGETHER[column] ?? `${column} = ${present(OTHERS[type]).replaceAll('$', column)}`)
    expect(await read(), column).not.toEqual(before)
  }
  await set('regular_price = null, sale_price = null, sale_from = null, sale_until = null')
})

test('what a transaction makes of a product is remembered once it is committed', async () => {
  const { price } = await read()
  const rollBack = new Error('no')
  await shop
    .em()
    .transactional(async em => {
      await set('price = price + 10', em)
      expect((await read(em)).price).toBe(price + 10)
      throw rollBack
    })
    .catch(error => expect(error).toBe(rollBack))
  expect((await read()).price).toBe(price)
  await shop.em().transactional(async em => {
    await set('price = price + 10', em)
    expect((await read(em)).price).toBe(price + 10)
    await set('price = price + 10', em)
    expect((await read(em)).price).toBe(price + 20)
  })
  expect((await read()).price).toBe(price + 20)
})
