import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { ask } from '../admin.ts'
import { bought, line, placed } from '../purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../shop.ts'
import type { Sql } from './ground.ts'
import { brokenInvariants } from './invariants.ts'

let shop: TestShop
let nell: Account
let ada: Account
let uploads: string
let yarn: { id: string }
let order: { id: string }
let unpaid: { id: string }
beforeAll(async () => {
  shop = await openShop()
  uploads = await mkdtemp(join(tmpdir(), 'skein-uploads-'))
  nell = await makeUser(shop.em())
  ada = await makeUser(shop.em(), { isAdmin: true })
  yarn = await makeProduct(shop.em())
  order = await bought(shop, nell, [line(yarn, 2)])
  unpaid = await placed(shop, nell, [line(yarn, 3)])
  await sendBack(await bought(shop, nell, [line(yarn, 2)]))
  await shop.gql(
    'mutation($id: ID!) { createReview(productId: $id, input: { rating: 4, comment: "Soft." }) { userErrors { code } } }',
    { id: yarn.id },
    nell,
  )
})
afterAll(async () => {
  await shop?.close()
  await rm(uploads, { recursive: true, force: true })
})

/** A unit for sale again, and one written off. */
async function sendBack({ id }: { id: string }) {
  const { fulfilOrder } = await ask(shop, ada, 'mutation($id: ID!) { fulfilOrder(id: $id) { fulfilment { id } } }', {
    id,
  })
  const lines = [true, false].map(isRestocked => ({ productId: yarn.id, quantity: 1, isRestocked }))
  const { returnFulfilment } = await ask(
    shop,
    ada,
    'mutation($id: ID!, $lines: [ReturnLineInput!]) { returnFulfilment(id: $id, lines: $lines) { userErrors { message } } }',
    { id: fulfilOrder.fulfilment.id, lines },
  )
  expect(returnFulfilment.userErrors).toEqual([])
}

const names = (sentences: string[]) => [...new Set(sentences.map(sentence => sentence.split(' ')[0]))]

it('finds nothing in a shop where all is well', async () => {
  expect(await brokenInvariants(sqlOf(), uploads)).toEqual([])
})

const sqlOf =
  (em = shop.em()): Sql =>
  (query, parameters = []) =>
    em.execute(query, [...parameters])

// Some statements drop a constraint first: the check must also find what the database would refuse.
test.each([
  [
    'I1',
    'a unit that is in no ledger',
    () => `update products set count_in_stock = count_in_stock + 1 where id = '${yarn.id}'`,
  ],
  [
    'I1',
    'an order that lapsed and gave nothing back',
    () => `update orders set lapsed_at = now() where id = '${unpaid.id}'`,
  ],
  [
    'I1',
    'a unit that came back for sale and is on no shelf',
    () => `update fulfilment_return_lines set quantity = 2 where is_restocked`,
  ],
  [
    'I1',
    'a stock that is not the sum of its lots',
    () => `update products set kept_by_lot = true where id = '${yarn.id}'`,
  ],
  [
    'I1',
    'lots of a line that are fewer than its units',
    () =>
      `alter table order_items drop constraint order_items_lots_add_up; update order_items set lots = '[{"code": "4412", "quantity": 1}]' where order_id = '${order.id}'`,
  ],
  [
    'I2',
    'a total that is a cent off',
    () =>
      `alter table orders drop constraint orders_total_of_parts; update orders set total_price = total_price + 1 where id = '${unpaid.id}'`,
  ],
  [
    'I2',
    'a line that costs less than the order says',
    () => `update order_items set price = price - 1 where order_id = '${unpaid.id}'`,
  ],
  [
    'I3',
    'a second payment',
    () =>
      `insert into payments select gen_random_uuid(), order_id, paypal_order_id, 'OTHER', amount, now() from payments where order_id = '${order.id}'`,
  ],
  ['I3', 'a payment without a paid order', () => `update orders set paid_at = null where id = '${order.id}'`],
  [
    'I3',
    'a capture that pays two orders',
    () => `
    alter table payments drop constraint payments_capture_id_key;
    update orders set paid_at = now() where id = '${unpaid.id}';
    insert into payments select gen_random_uuid(), '${unpaid.id}', paypal_order_id, capture_id, (select total_price from orders where id = '${unpaid.id}'), now() from payments where order_id = '${order.id}'`,
  ],
  [
    'I3',
    'more money back than came',
    () => `update orders set refunded_amount = total_price + 1 where id = '${order.id}'`,
  ],
  [
    'I3',
    'a gift card that was bought twice',
    () => `
    update order_items set is_download = true, is_gift_card = true, fulfilled_quantity = quantity where order_id = '${order.id}';
    update orders set gift_cards_sold = items_price where id = '${order.id}';
    insert into gift_cards (id, code, initial_amount, balance, order_id, created_at)
    select gen_random_uuid(), 'ABCDEFGHJKMNPQR' || unit, price, price, order_id, now() from order_items, generate_series(2, 4) unit where order_id = '${order.id}'`,
  ],
  [
    'I3',
    'gift cards that nobody was given',
    () => `
    update order_items set is_download = true, is_gift_card = true, fulfilled_quantity = quantity where order_id = '${order.id}';
    update orders set gift_cards_sold = items_price where id = '${order.id}'`,
  ],
  [
    'I4',
    'an unpaid order that is delivered',
    () =>
      `alter table orders drop constraint orders_check1; update orders set delivered_at = now() where id = '${unpaid.id}'`,
  ],
  ['I5', 'no administrator', () => 'update users set is_admin = false'],
  [
    'I6',
    'a rating that no review gave',
    () => `update products set rating_sum = rating_sum + 1 where id = '${yarn.id}'`,
  ],
  ['I6', 'a hidden review that still counts', () => `update reviews set hidden_at = now(), hidden_reason = 'Spam'`],
  [
    'I7',
    'a second review by the same shopper',
    () => `
    alter table reviews drop constraint reviews_product_id_user_id_key;
    insert into reviews (id, product_id, user_id, name, rating, comment, verified_purchase, created_at) select gen_random_uuid(), product_id, user_id, name, rating, comment, verified_purchase, now() from reviews;
    update products set num_reviews = 2, rating_sum = 8 where id = '${yarn.id}'`,
  ],
  [
    'I8',
    'two accounts with one address',
    () => `drop index users_email_key; update users set email_key = 'nell@example.com', email_verified_at = now()`,
  ],
  [
    'I9',
    'an order without lines',
    () => `
    delete from stock_movements where order_id = '${unpaid.id}'; update products set count_in_stock = count_in_stock + 3 where id = '${yarn.id}';
    update orders set items_price = 0, shipping_price = 0, tax_price = 0, total_price = 0 where id = '${unpaid.id}'; delete from order_items where order_id = '${unpaid.id}'`,
  ],
  [
    'I10',
    'a product whose picture is gone',
    () => `update products set image = '/uploads/gone.webp' where id = '${yarn.id}'`,
  ],
  [
    'I10',
    'a product whose second picture is gone',
    () =>
      `update products set pictures = jsonb_build_array(jsonb_build_object('image', image), jsonb_build_object('image', '/uploads/gone.webp')) where id = '${yarn.id}'`,
  ],
])('%s: finds %s', async (name, _what, break_) => {
  const em = shop.em()
  await em.begin()
  try {
    await em.execute(break_())
    expect(names(await brokenInvariants(sqlOf(em), uploads))).toEqual([name])
  } finally {
    await em.rollback()
  }
})

it('I10: finds a picture that cannot be read, and one that was never finished', async () => {
  const folder = join(uploads, 'other')
  await mkdir(folder)
  await writeFile(join(folder, 'broken.webp'), 'RIFF')
  await writeFile(join(folder, '.new.webp.part'), 'RIFF')
  expect(await brokenInvariants(sqlOf(), folder)).toEqual(['I10 every picture is whole: broken.webp cannot be read'])
  await utimes(join(folder, '.new.webp.part'), 0, 0)
  expect(await brokenInvariants(sqlOf(), folder)).toContain(
    'I10 every picture is whole: .new.webp.part was left behind',
  )
})
