import type { EntityManager } from '@mikro-orm/postgresql'

/** Deletes deliveries that are 30 days old, a part at a time, and secrets that sign no longer. */
export async function forgetDeliveries(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from webhook_deliveries where id in (select id from webhook_deliveries where created_at < now() - interval '30 days' limit 1000)`,
  )
  await em.execute(
    'update webhooks set previous_secret = null, previous_secret_until = null where previous_secret_until < now()',
  )
}
