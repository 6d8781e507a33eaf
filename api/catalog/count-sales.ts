import type { EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'

const DAYS = 90
const BATCH = 250

/** Writes down how many units of each product were paid for lately, by which lists are sorted. Answers how many changed. */
export async function countSales(em: EntityManager): Promise<number> {
  const rows = await em.execute<{ id: string; units: number }[]>(
    `with sold as (
       select i.product_id as id, least(sum(i.quantity), 2147483647)::int as units
       from orders o join order_items i on i.order_id = o.id where o.paid_at >= ? group by i.product_id
     )
     select s.id, s.units from sold s join products p on p.id = s.id where p.sold_last_90_days <> s.units
     union all
     select p.id, 0 from products p where p.sold_last_90_days > 0 and not exists (select 1 from sold s where s.id = p.id)
     order by id`,
    [new Date(clock.now().getTime() - DAYS * 86_400_000)],
  )
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = JSON.stringify(rows.slice(from, from + BATCH))
    // Locked in the order in which buyers lock them, so that nobody waits in a circle.
    await em.execute(
      `with counted as (select * from jsonb_to_recordset(?::jsonb) as r(id uuid, units integer)),
            locked as (select id from products where id in (select id from counted) order by id for no key update)
       update products p set sold_last_90_days = c.units from counted c join locked l on l.id = c.id where p.id = c.id`,
      [batch],
    )
  }
  return rows.length
}
