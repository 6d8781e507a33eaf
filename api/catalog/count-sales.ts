import type { EntityManager } from '@mikro-orm/postgresql'
import { lastOf, present } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import { listed } from '../query/read.ts'

const DAYS = 90
const BATCH = 250

const DAY_MS = 86_400_000
const startOf = (day: number) => new Date(day * DAY_MS)
export const dateOf = (day: number) => startOf(day).toISOString().slice(0, 10)
/** The number of a day, which is one in UTC. */
export const dayOf = (moment: Date) => Math.floor(moment.getTime() / DAY_MS)
/**
 * A day is counted an hour after its end. A payment whose date lies further back is recorded apart, see
 * Migration078ProductSales.
 */
const OVER_MS = 3_600_000

interface State {
  until: number | null
  counted_since: number | null
  counted_until: number | null
}

/** Up to which day product_sales has what was sold. Null before the first time. */
export async function readSalesState(em: EntityManager): Promise<State> {
  const numbered = (column: string) => `${column} - date '1970-01-01' as ${column}`
  const [state] = await em.execute<[State]>(
    `select ${['until', 'counted_since', 'counted_until'].map(numbered).join(', ')} from product_sales_state`,
  )
  return state
}

/** Writes down how many units of each product were paid for today and in the 90 days before, by which lists are sorted. Returns how many changed. */
export async function countSales(em: EntityManager, now = clock.now()): Promise<number> {
  await addDays(em, now)
  const { counted_since: countedSince, counted_until: countedUntil, ...state } = await readSalesState(em)
  const until = present(state.until)
  const since = dayOf(now) - DAYS
  const recount = (ids: readonly string[]) => recountSales(em, ids, { since, until })
  let changed = 0
  if (countedSince === null)
    for (let ids = await sellingAfter(em, null); ids.length > 0; ids = await sellingAfter(em, lastOf(ids)))
      changed += await recount(ids)
  for (let gone = countedSince ?? since; gone < since; gone++) changed += await recount(await soldOn(em, gone))
  for (let day = Math.max(since, countedUntil ?? since); day <= dayOf(now); day++)
    changed += await recount(await soldOn(em, day))
  changed += await em.transactional(async tx => recountSales(tx, await addLate(tx), { since, until }))
  await em.execute('update product_sales_state set counted_since = ?, counted_until = ?', [
    dateOf(since),
    dateOf(until),
  ])
  return changed
}

const productsOf = async (em: EntityManager, sql: string, parameters: unknown[] = []) =>
  (await em.execute<{ id: string }[]>(sql, parameters)).map(({ id }) => id)

const sellingAfter = (em: EntityManager, id: string | null) =>
  productsOf(
    em,
    `select id from products where sold_last_90_days > 0 ${id ? 'and id > ?' : ''} order by id limit ${BATCH}`,
    id ? [id] : [],
  )

const soldOn = (em: EntityManager, day: number) =>
  productsOf(
    em,
    `select distinct i.product_id as id from orders o join order_items i on i.order_id = o.id
     where o.paid_at >= ? and o.paid_at < ? order by id`,
    [startOf(day), startOf(day + 1)],
  )

async function recountSales(
  em: EntityManager,
  ids: readonly string[],
  { since, until }: { since: number; until: number },
): Promise<number> {
  let changed = 0
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = listed(ids.slice(from, from + BATCH))
    // Locked in id order, as buyers lock them, so that there is no deadlock.
    const { affectedRows } = await em.execute<{ affectedRows: number }>(
      `with sold as (
         select product_id as id, units from product_sales where product_id = any (?::uuid[]) and day >= ? and day < ?
         union all
         select product_id, units from product_sales_late where product_id = any (?::uuid[]) and day >= ? and day < ?
         union all
         select i.product_id, i.quantity from orders o join order_items i on i.order_id = o.id
         where o.paid_at >= ? and i.product_id = any (?::uuid[])
       ),
       counted as (select id, least(sum(units), 2147483647)::int as units from sold group by id),
       locked as (select id from products where id = any (?::uuid[]) order by id for no key update)
       update products p set sold_last_90_days = coalesce(c.units, 0)
       from locked l left join counted c on c.id = l.id where p.id = l.id and p.sold_last_90_days <> coalesce(c.units, 0)`,
      [batch, dateOf(since), dateOf(until), batch, dateOf(since), dateOf(until), startOf(until), batch, batch],
      'run',
    )
    changed += affectedRows
  }
  return changed
}

/** Adds the days that are over since the last time, and takes those out of the sums that have become too old for them. */
export async function addDays(em: EntityManager, now = clock.now()): Promise<void> {
  const anHourAgo = new Date(now.getTime() - OVER_MS)
  await em.execute(
    `update product_sales_state
     set until = (least((select min(paid_at) from orders where paid_at is not null), ?::timestamptz) at time zone 'UTC')::date
     where until is null`,
    [anHourAgo],
  )
  const over = dayOf(anHourAgo)
  const inTurn = (work: (tx: EntityManager) => Promise<boolean>) =>
    em.transactional(async tx => {
      // The second process sees what the first has committed.
      await tx.execute('select 1 from product_sales_state for update')
      return work(tx)
    })
  while (
    await inTurn(async tx => {
      const until = present((await readSalesState(tx)).until)
      if (until < over) await addDay(tx, until)
      return until < over
    })
  );
  while (await inTurn(tx => leaveOldestDay(tx, dayOf(now))));
}

/** Takes a day out of sums for which it has become too old. Returns whether there was one. */
async function leaveOldestDay(em: EntityManager, today: number): Promise<boolean> {
  const [old] = await em.execute<{ days: number }[]>(
    `with old as (
       select days, since from product_sales_windows where since > '-infinity' and since < ?::date - days order by days limit 1
     ),
     moved as (update product_sales_windows w set since = w.since + 1 from old where w.days = old.days),
     gone as (
       delete from product_sales_totals t using old, product_sales s
       where s.day = old.since and t.days = old.days and t.product_id = s.product_id and t.units = s.units
     ),
     less as (
       update product_sales_totals t set units = t.units - s.units from old, product_sales s
       where s.day = old.since and t.days = old.days and t.product_id = s.product_id and t.units <> s.units
     )
     select days from old`,
    [dateOf(today)],
  )
  return old !== undefined
}

/** In one statement. The late sales of that day are deleted, because its orders, which are counted here, contain them. */
async function addDay(em: EntityManager, day: number): Promise<void> {
  const date = dateOf(day)
  await em.execute(
    `with sold as (
       select i.product_id, sum(i.quantity) as units, sum(i.price::bigint * i.quantity - i.discount) as revenue
       from orders o join order_items i on i.order_id = o.id where o.paid_at >= ? and o.paid_at < ? group by i.product_id
     ),
     known as (delete from product_sales_late where day = ?),
     added as (insert into product_sales (product_id, day, units, revenue) select product_id, ?::date, units, revenue from sold),
     summed as (
       insert into product_sales_totals as t (days, product_id, units)
       select w.days, s.product_id, s.units from product_sales_windows w cross join sold s where w.since <= ?
       on conflict (days, product_id) do update set units = t.units + excluded.units
     )
     update product_sales_state set until = ?`,
    [startOf(day), startOf(day + 1), date, date, date, dateOf(day + 1)],
  )
}

/** Adds what was paid, or no longer, on days that were added before. Returns of which products. */
async function addLate(em: EntityManager): Promise<string[]> {
  await em.execute('select 1 from product_sales_state for update')
  return productsOf(
    em,
    `with late as (delete from product_sales_late where day < (select until from product_sales_state) returning *),
     sold as (select product_id, day, sum(units) as units, sum(revenue) as revenue from late group by product_id, day),
     added as (
       insert into product_sales as s (product_id, day, units, revenue) select product_id, day, units, revenue from sold
       on conflict (product_id, day) do update set units = s.units + excluded.units, revenue = s.revenue + excluded.revenue
     ),
     summed as (
       insert into product_sales_totals as t (days, product_id, units)
       select w.days, s.product_id, sum(s.units) from product_sales_windows w join sold s on s.day >= w.since group by 1, 2
       on conflict (days, product_id) do update set units = t.units + excluded.units
     )
     select distinct product_id as id from sold order by id`,
  )
}
