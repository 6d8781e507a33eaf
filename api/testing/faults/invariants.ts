import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Sql } from './ground.ts'

/** What must be true of the database at every moment: its name, and a query for whatever contradicts it, as `what`. */
const INVARIANTS: readonly (readonly [name: string, query: string])[] = [
  [
    'I1 the stock ledger adds up to the stock',
    `
    select name || ': ' || initial || ' - ' || sold || ' sold + ' || released || ' released + ' || returned || ' returned + ' || adjusted || ' adjusted, but ' || count_in_stock || ' left' as what
    from products p, lateral (
      select coalesce(sum(delta) filter (where reason = 'initial'), 0) as initial, coalesce(-sum(delta) filter (where reason = 'sold'), 0) as sold,
             coalesce(sum(delta) filter (where reason = 'released'), 0) as released, coalesce(sum(delta) filter (where reason = 'returned'), 0) as returned,
             coalesce(sum(delta) filter (where reason = 'adjusted'), 0) as adjusted
      from stock_movements m where m.product_id = p.id) ledger
    where initial - sold + released + returned + adjusted <> count_in_stock or initial < 0 or sold < 0 or released < 0 or returned < 0 or released + returned > sold`,
  ],
  [
    'I1 orders hold the stock they should',
    `
    select '#' || o.number || ' holds ' || -coalesce(sum(m.delta), 0) || ' of ' || i.quantity as what
    from orders o join order_items i on i.order_id = o.id left join stock_movements m on m.order_id = o.id and m.product_id = i.product_id and m.reason <> 'returned'
    group by o.id, i.id having -coalesce(sum(m.delta), 0) <> case when o.lapsed_at is null then i.quantity else 0 end
      -- Money that came when the stock was gone is recorded all the same, and the administrator told.
      and not (o.paid_at is not null and exists (select 1 from order_incidents n where n.order_id = o.id and n.code = 'PAID_WITHOUT_STOCK') and coalesce(sum(m.delta), 0) = 0)`,
  ],
  [
    'I1 what came back for sale is on the shelf again',
    `
    select '#' || o.number || ': ' || coalesce(back.units, 0) || ' came back for sale, ' || coalesce(shelf.units, 0) || ' are on the shelf again' as what
    from orders o join order_items i on i.order_id = o.id
    left join (select l.item_id, sum(r.quantity) as units from fulfilment_return_lines r join fulfilment_lines l on l.id = r.line_id
      where r.is_restocked group by l.item_id) back on back.item_id = i.id
    left join (select order_id, product_id, sum(delta) as units from stock_movements where reason = 'returned' group by order_id, product_id) shelf
      on shelf.order_id = o.id and shelf.product_id = i.product_id
    where coalesce(back.units, 0) <> coalesce(shelf.units, 0)`,
  ],
  [
    'I1 lots add up to the stock',
    `
    select name || ': ' || coalesce(lots.units, 0) || ' in lots, but ' || count_in_stock || ' left' as what
    from products p left join lateral (select count(*) as count, sum(quantity) as units, min(quantity) as least from product_lots l where l.product_id = p.id) lots on true
    where case when kept_by_lot then coalesce(lots.units, 0) <> count_in_stock or lots.least < 0 else lots.count > 0 end`,
  ],
  [
    'I1 lines are filled from lots that add up',
    `select '#' || o.number || ': ' || i.lots || ' for ' || i.quantity as what from orders o join order_items i on i.order_id = o.id
     where i.lots <> '[]' and i.quantity <> (select sum((lot ->> 'quantity')::int) from jsonb_array_elements(i.lots) lot)`,
  ],
  [
    'I2 totals are the sum of their parts',
    `
    select '#' || o.number || ' is over ' || o.total_price as what from orders o
    where o.total_price <> o.items_price - o.discount + o.shipping_price + o.tax_price
       or (o.included_tax > 0 and o.tax_price > 0)
       or o.items_price <> (select coalesce(sum(price * quantity), 0) from order_items where order_id = o.id)
       or o.discount <> (select coalesce(sum(discount), 0) from order_items where order_id = o.id)`,
  ],
  [
    'I3 an order is paid once',
    `
    select '#' || o.number || ' is ' || case when o.paid_at is null then 'unpaid' else 'paid' end || ' with ' || count(p.id) || ' payments' as what
    from orders o left join payments p on p.order_id = o.id group by o.id
    having count(p.id) filter (where method <> 'GIFT_CARD') <> case when o.paid_at is null or total_price = gift_card_amount then 0 else 1 end
       or (o.paid_at is null and count(p.id) > 0)`,
  ],
  [
    'I3 a capture pays once',
    `select capture_id || ' pays ' || count(*) || ' orders' as what from payments group by capture_id having count(*) > 1`,
  ],
  [
    'I3 what was paid is the total, and no more goes back',
    `
    select '#' || o.number || ': ' || p.amount || ' of ' || o.total_price - o.unpaid_amount || ' paid, ' || o.refunded_amount || ' back' as what
    from orders o join (select order_id, sum(amount) as amount from payments group by order_id) p on p.order_id = o.id
    where p.amount <> o.total_price - o.unpaid_amount
       or o.refunded_amount > p.amount
       or o.refunded_amount <> (select coalesce(sum(amount), 0) from refunds r where r.order_id = o.id and r.state <> 'FAILED')`,
  ],
  [
    'I3 what is on a gift card is what it did not pay',
    `
    select 'a card over ' || initial_amount || ' has ' || balance as what from gift_cards c
    where balance <> initial_amount
      - (select coalesce(sum(amount), 0) from gift_card_uses where gift_card_id = c.id and given_back_at is null)
      + (select coalesce(sum(r.amount), 0) from refunds r join payments p on p.capture_id = r.capture_id
         where p.gift_card_id = c.id and r.state = 'COMPLETED')`,
  ],
  [
    'I3 orders have taken from gift cards what they should',
    `
    select '#' || o.number || ' takes ' || gift_card_amount || ', but ' || coalesce(u.taken, 0) || ' was taken' as what
    from orders o left join (
      select order_id, sum(amount) as asked, coalesce(sum(amount) filter (where given_back_at is null), 0) as taken from gift_card_uses group by order_id
    ) u on u.order_id = o.id
    where gift_card_amount + unpaid_amount <> coalesce(u.asked, 0)
       or coalesce(u.taken, 0) <> case when lapsed_at is null then gift_card_amount else 0 end`,
  ],
  [
    'I3 who paid for gift cards has them, once',
    `
    select '#' || o.number || ' is for ' || o.gift_cards_sold || ' of gift cards, and has ' || c.count || ' over ' || c.amount as what
    from orders o
    join lateral (select coalesce(sum(quantity), 0) as count, coalesce(sum(price * quantity), 0) as amount
      from order_items where order_id = o.id and is_gift_card) i on true
    join lateral (select count(*) as count, coalesce(sum(initial_amount), 0) as amount from gift_cards where order_id = o.id) c on true
    where o.gift_cards_sold <> i.amount
       or (c.count <> case when o.paid_at is null then 0 else i.count end
         -- A part of it was paid by a card that was spent elsewhere: the administrator decides.
         and not (c.count = 0 and o.unpaid_amount > 0))
       or (c.count > 0 and c.amount <> i.amount)`,
  ],
  [
    'I4 what is delivered is paid',
    `select '#' || number as what from orders where delivered_at is not null and paid_at is null`,
  ],
  [
    'I5 there is an administrator',
    `select 'none is left' as what where not exists (select 1 from users where is_admin and closed_at is null)`,
  ],
  [
    'I6 ratings are those of the reviews shown',
    `
    select p.name || ': ' || p.num_reviews || ' reviews, sum ' || p.rating_sum as what from products p
    left join reviews r on r.product_id = p.id and r.hidden_at is null
    group by p.id having p.num_reviews <> count(r.id) or p.rating_sum <> coalesce(sum(r.rating), 0)`,
  ],
  [
    'I7 one review for each shopper and product',
    `select product_id || ' by ' || user_id as what from reviews group by product_id, user_id having count(*) > 1`,
  ],
  [
    'I8 one account for each confirmed address',
    `select email_key as what from users where closed_at is null and email_verified_at is not null group by email_key having count(*) > 1`,
  ],
  [
    'I9 no order is empty',
    `select '#' || number as what from orders o where not exists (select 1 from order_items where order_id = o.id)`,
  ],
]

const UNFINISHED_MS = 10 * 60_000

/** Everything that contradicts the invariants I1 to I10, one sentence each; none when all is well. */
export async function brokenInvariants(sql: Sql, uploads: string): Promise<string[]> {
  const found: string[] = []
  for (const [name, query] of INVARIANTS) {
    for (const { what } of await sql<{ what: string }>(query)) found.push(`${name}: ${what}`)
  }
  for (const what of await brokenPictures(sql, uploads)) found.push(`I10 every picture is whole: ${what}`)
  return found
}

async function brokenPictures(sql: Sql, uploads: string): Promise<string[]> {
  const files: string[] = await readdir(uploads).catch(() => [])
  const used = await sql<{ name: string }>(
    `select distinct substr(shown.image, 10) as name
     from products p, lateral (select p.image union select picture ->> 'image' from jsonb_array_elements(p.pictures) picture) as shown(image)
     where shown.image like '/uploads/%' and p.archived_at is null`,
  )
  const missing = used.filter(({ name }) => !files.includes(name)).map(({ name }) => `${name} is missing`)
  const broken = await Promise.all(
    files.map(async name => {
      const path = join(uploads, name)
      if (name.endsWith('.part'))
        return Date.now() - (await stat(path)).mtimeMs > UNFINISHED_MS ? `${name} was left behind` : null
      return sharp(path)
        .stats()
        .then(
          () => null,
          () => `${name} cannot be read`,
        )
    }),
  )
  return [...missing, ...broken.filter(what => what !== null)]
}
