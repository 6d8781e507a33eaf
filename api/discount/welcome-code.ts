import type { EntityManager } from '@mikro-orm/postgresql'
import { FIRST_ORDER_CODE } from '#schema/rules/discount'
import { present } from '#schema/rules/present'
import { DiscountCode } from './discount-code.entity.ts'
import { makeSeriesCodes, standsNow } from './manage-codes.ts'

/** The series of Migration020Codes that welcomes readers of the newsletter. */
const WELCOME = 'WELCOME'

/**
 * What readers of the newsletter are promised, in basis points: by the code for a first order, and by one of their own.
 * Null unless both work now.
 */
export async function newsletterDiscount(em: EntityManager): Promise<number | null> {
  const [isActive, ...moments] = standsNow('ACTIVE')
  const [row] = await em.execute<{ promised: number | null }[]>(
    `select case when count(*) = 2 then min(basis_points) end as promised from discount_codes
     where code in (?, ?) and kind = 'PERCENT' and ${isActive}`,
    [FIRST_ORDER_CODE, WELCOME, ...moments],
  )
  return present(row).promised
}

/** A code for one order of the address's owner, inside the caller's transaction. Null while the series does not work. */
export async function makeWelcomeCode(
  em: EntityManager,
  { emailKey, userId }: { emailKey: string; userId: string | null },
): Promise<string | null> {
  const [isActive, ...moments] = standsNow('ACTIVE')
  const [row] = await em.execute<object[]>(
    `select * from discount_codes where code = ? and is_series and ${isActive}`,
    [WELCOME, ...moments],
  )
  if (!row) return null
  const [code] = await makeSeriesCodes(em, em.map(DiscountCode, row), 1)
  await em.execute('update series_codes set email_key = ?, user_id = ? where code = ?', [
    emailKey,
    userId,
    present(code),
  ])
  return present(code)
}

/** What a code gives in words, while it works and nobody has used it. */
export async function unusedCode(em: EntityManager, code: string): Promise<string | null> {
  const [isActive, ...moments] = standsNow('ACTIVE')
  const [row] = await em.execute<object[]>(
    `select discount_codes.* from series_codes s join discount_codes on discount_codes.id = s.discount_code_id
     where s.code = ? and ${isActive}
       and not exists (select from code_uses u where u.series_code = s.code and u.given_back_at is null)`,
    [code, ...moments],
  )
  return row ? em.map(DiscountCode, row).description : null
}
