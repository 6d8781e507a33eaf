import type { EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import { DiscountCode } from './discount-code.entity.ts'
import { makeSeriesCodes } from './manage-codes.ts'

/** The series of Migration020Codes that welcomes readers of the newsletter. */
const WELCOME = 'WELCOME'

/** A code for one order of the address's owner, inside the caller's transaction. Null while the owner has paused the series. */
export async function makeWelcomeCode(
  em: EntityManager,
  { emailKey, userId }: { emailKey: string; userId: string | null },
): Promise<string | null> {
  const series = await em.findOne(DiscountCode, { code: WELCOME, isSeries: true, pausedAt: null })
  if (!series) return null
  const [code] = await makeSeriesCodes(em, series, 1)
  await em.execute('update series_codes set email_key = ?, user_id = ? where code = ?', [
    emailKey,
    userId,
    present(code),
  ])
  return present(code)
}

/** What a code gives in words, while nobody has used it. */
export async function unusedCode(em: EntityManager, code: string): Promise<string | null> {
  const [row] = await em.execute<object[]>(
    `select d.* from series_codes s join discount_codes d on d.id = s.discount_code_id
     where s.code = ? and d.paused_at is null
       and not exists (select from code_uses u where u.series_code = s.code and u.given_back_at is null)`,
    [code],
  )
  return row ? em.map(DiscountCode, row).description : null
}
