import type { EntityManager } from '@mikro-orm/postgresql'
import type { DueMail } from './mail.entity.ts'

const AN_HOUR = 5
const A_DAY = 15

/**
 * Whether an address was sent enough of such mails lately, no matter who asked for them; the answer does not say so. Older mails alone count,
 * sent or about to be, so that of many at once always the same few go out.
 */
export async function isTooMany(em: EntityManager, { id, kind, about }: DueMail): Promise<boolean> {
  const { emailKey, fromKnownDevice = null } = about as { emailKey: string; fromKnownDevice?: boolean }
  const [{ hour, day }] = await em.execute<[{ hour: number; day: number }]>(
    `select count(*)::int as day, (count(*) filter (where older.created_at > mail.created_at - interval '1 hour'))::int as hour
     from mails mail join mails older on older.kind = mail.kind and older.about->>'emailKey' = ? and (older.created_at, older.id) < (mail.created_at, mail.id)
       and older.created_at > mail.created_at - interval '1 day' and older.about->>'fromKnownDevice' is not distinct from ?
     where mail.id = ? and mail.kind = ?`,
    [emailKey, fromKnownDevice === null ? null : String(fromKnownDevice), id, kind],
  )
  return hour >= AN_HOUR || day >= A_DAY
}
