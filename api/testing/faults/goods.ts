import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { v7 } from 'uuid'
import type { Sql } from './ground.ts'
import { present } from '#schema/rules/present'

export interface Shopper {
  id: string
  token: string
  email: string
}

export interface Line {
  productId: string
  quantity: number
}

export const line = (productId: string, quantity = 1): Line => ({ productId, quantity })

/** Creates many signed-in accounts at once. */
export async function makeShoppers(
  sql: Sql,
  count: number,
  { isAdmin = false, passwordHash = 'unusable' } = {},
): Promise<Shopper[]> {
  const shoppers = Array.from({ length: count }, () => ({
    id: v7(),
    token: randomBytes(32).toString('base64url'),
    email: `${randomUUID()}@example.com`,
  }))
  const rows = shoppers.map(({ id, token, email }) => ({
    id,
    email,
    hash: createHash('sha256').update(token).digest('hex'),
  }))
  await sql(
    `with people as (select * from jsonb_to_recordset(?::jsonb) as p(id uuid, email text, hash text)),
          made as (insert into users (id, name, email, email_key, email_verified_at, password_hash, is_admin, created_at)
                   select id, 'Nell Knitter', email, email, now(), ?, ?, now() from people returning id)
     insert into sessions (token_hash, user_id, created_at, used_at) select hash, p.id, now(), now() from people p join made on made.id = p.id`,
    [JSON.stringify(rows), passwordHash, isAdmin],
  )
  return shoppers
}

/** Creates a product whose stock is kept in these dye lots. */
export async function makeProductInLots(sql: Sql, lots: Record<string, number>): Promise<string> {
  const [id] = await makeProducts(sql, [Object.values(lots).reduce((sum, units) => sum + units, 0)])
  // In one statement, because the database compares a product's stock with its lots.
  await sql(
    `with kept as (update products set kept_by_lot = true where id = ? returning id)
     insert into product_lots (product_id, code, quantity) select id, key, value::int from kept, jsonb_each_text(?::jsonb)`,
    [id, JSON.stringify(lots)],
  )
  return present(id)
}

/** Creates products on sale. Returns their ids, in the order in which their rows are locked. */
export async function makeProducts(sql: Sql, stocks: readonly number[], price = 2_400): Promise<string[]> {
  const rows = stocks.map(stock => ({ id: v7(), stock }))
  await sql(
    `with shelf as (select * from jsonb_to_recordset(?::jsonb) as p(id uuid, stock integer)),
          made as (insert into products (id, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
                   select id, 'Yarn ' || id, '/images/yarn.webp', 'Soft and round.', '100 g', '210 m', '20 sts', '4.5 mm', '5 mm', 'Hand wash', '100% wool', 'Worsted', ?, stock, now(), now() from shelf returning id)
     insert into stock_movements (product_id, delta, reason) select shelf.id, stock, 'initial' from shelf join made on made.id = shelf.id where stock > 0`,
    [JSON.stringify(rows), price],
  )
  return rows.map(({ id }) => id)
}
