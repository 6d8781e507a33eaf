import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '#schema/rules/limits'
import type { User } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import { Cart } from './cart.entity.ts'

/** Takes away the cart of an account that is closed. */
export async function forgetCart(em: EntityManager, { id: userId }: User): Promise<void> {
  await em.nativeDelete(Cart, { userId })
}

/** Deletes carts that are out of date, a part at a time. */
export async function forgetCarts(em: EntityManager): Promise<void> {
  const { guest, account } = limits.cartDays
  await em.execute(
    `delete from carts where id in (
       select id from carts
       where changed_at <= ?::timestamptz - case when user_id is null then ? else ? end * interval '1 day'
         and changed_at <= ?::timestamptz - ? * interval '1 day'
       order by changed_at limit 1000)`,
    [clock.now(), guest, account, clock.now(), guest],
  )
}
