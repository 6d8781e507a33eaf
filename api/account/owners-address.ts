import type { EntityManager } from '@mikro-orm/postgresql'
import type { ShopContact } from '../mail/template.ts'
import { selectOften } from '../query/batch.ts'

/** Where the shop writes to its owner: its own address, or that of the first administrator who may do everything. Null without either. */
export async function ownersAddress(em: EntityManager, { email }: ShopContact): Promise<string | null> {
  if (email) return email
  const [owner] = await selectOften<{ email: string }>(
    em,
    'select email from users where is_admin and limited_to is null and closed_at is null order by created_at, id limit 1',
    [],
  )
  return owner?.email ?? null
}
