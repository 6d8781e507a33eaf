import type { EntityManager } from '@mikro-orm/postgresql'
import { discountMisfit, normalCode, reductionOf, type DiscountableLine, type Reduction } from '#schema/rules/discount'
import { misfitWords } from '#schema/rules/discount-words'
import { present } from '#schema/rules/present'
import { User } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import { refuse, type Refusal } from '../kernel/errors.ts'
import type { UserErrorCode } from '../generated/types.ts'
import type { Owner } from '../order/order.entity.ts'
import { takenOf } from './code-figures.ts'
import { DiscountCode } from './discount-code.entity.ts'

/** A code that works for a cart, and what it takes off. */
export interface AppliedCode {
  /** As the shop writes it; of a series, the one that was typed. */
  code: string
  discount: DiscountCode
  reduction: Reduction
}

/** The buyer; null for a visitor, whose earlier uses are unknown. */
export type Buyer = Owner | null

/**
 * SQL for what one person did, as a guest or with an account of the same email. Each side is found by an index: that of guests'
 * addresses has the collation of its column, which accounts' addresses have not.
 */
const byPerson = ({ userId, guestKey }: Owner): [sql: string, ...values: string[]] =>
  userId === null
    ? [
        '(guest_key = ? or user_id = any (array(select id from users where email_key = ?)))',
        present(guestKey),
        present(guestKey),
      ]
    : ['(user_id = ? or guest_key = (select email_key collate "default" from users where id = ?))', userId, userId]

const no = (code: UserErrorCode, message: string) => refuse(code, message, { field: ['code'] })

/** What a typed code takes off these lines, or a refusal that says why it does not work. Nothing is taken: `takeCode` decides. */
export async function applyCode(
  em: EntityManager,
  typed: string,
  lines: readonly DiscountableLine[],
  buyer: Buyer,
): Promise<AppliedCode> {
  const code = normalCode(typed)
  const discount = await findCode(em, code)
  if (!discount) throw no('CODE_UNKNOWN', 'We don’t know this code. Please check how it is written.')
  if (discount.pausedAt) throw no('CODE_EXPIRED', 'This code is not in use at the moment.')
  const misfit = discountMisfit(discount.terms, lines, clock.now())
  if (misfit) throw no(misfit.code, misfitWords(misfit, discount))
  const refusal = await usedEnough(em, discount, code, buyer)
  if (refusal) throw refusal
  return { code, discount, reduction: reductionOf(discount.terms, lines) }
}

/** The discount a code stands for: its own, or that of its series. */
async function findCode(em: EntityManager, code: string): Promise<DiscountCode | null> {
  if (!/^[A-Z0-9-]{3,40}$/.test(code)) return null
  const [row] = await em.execute<object[]>(
    `select d.* from discount_codes d
     where (d.code = ? and not d.is_series) or d.id = (select discount_code_id from series_codes where code = ?)`,
    [code, code],
  )
  return row ? em.map(DiscountCode, row) : null
}

/** Why the code may not be used once more; null when it may. Certain only where nobody else takes it meanwhile. */
async function usedEnough(
  em: EntityManager,
  { id, isSeries, maxUses, maxUsesPerPerson, isForFirstOrder }: DiscountCode,
  code: string,
  buyer: Buyer,
): Promise<Refusal | null> {
  const [own, ...whose] = buyer ? byPerson(buyer) : ['false']
  const count = async (what: string, ...values: unknown[]) => {
    const [{ counted }] = await em.execute<[{ counted: number }]>(
      `select count(*)::int as counted from ${what}`,
      values,
    )
    return counted
  }
  const uses = (of: string, ...values: string[]) => count(`code_uses where given_back_at is null and ${of}`, ...values)
  if (isSeries) {
    const isUsed = (await uses('series_code = ?', code)) > 0
    if (buyer && (await isOfAnother(em, code, buyer)))
      return no('CODE_OF_ANOTHER', 'This code was sent to another email than yours.')
    if (isUsed && (await uses(`series_code = ? and ${own}`, code, ...whose)) > 0) return usedByYou()
    if (isUsed) return no('CODE_USED_UP', 'This code has been used before.')
  }
  if (buyer && maxUsesPerPerson != null) {
    const used = await uses(`discount_code_id = ? and ${own}`, id, ...whose)
    if (used >= maxUsesPerPerson) return usedByYou()
  }
  if (buyer && isForFirstOrder && (await count(`orders where ${own} and paid_at is not null`, ...whose)) > 0)
    return no('CODE_FIRST_ORDER', 'This code is for a first order, and you have ordered before.')
  if (maxUses != null) {
    const [{ taken }] = await em.execute<[{ taken: string }]>(`select ${takenOf('?::text')} as taken`, [id])
    if (Number(taken) >= maxUses) return no('CODE_USED_UP', 'This code has been used up.')
  }
  return null
}

/** Whether a code of a series was mailed to somebody else. One made for the owner to hand out is open to anyone. */
async function isOfAnother(em: EntityManager, code: string, { userId, guestKey }: Owner): Promise<boolean> {
  const [row] = await em.execute<object[]>(
    `select 1 from series_codes s
     where s.code = ? and s.email_key is not null and s.email_key is distinct from coalesce(?, (select email_key from users where id = ?))
       and (s.user_id is null or s.user_id is distinct from ?)`,
    [code, guestKey, userId, userId],
  )
  return Boolean(row)
}

const usedByYou = () =>
  no('CODE_USED_BY_YOU', 'You have used this code before. An unpaid order has it, too, until you cancel that one.')

/**
 * Waits for all others who could take the same use, until their transactions end: so none of them counts without the
 * others. Before stock is taken, never after.
 */
async function takeTurns(
  em: EntityManager,
  { id, isSeries, maxUses, maxUsesPerPerson }: DiscountCode,
  code: string,
  { userId, guestKey }: Owner,
) {
  const person =
    maxUsesPerPerson != null && (guestKey ?? (await em.findOneOrFail(User, { id: present(userId) })).emailKey)
  const locks = [
    maxUses != null && `code ${id}`,
    maxUsesPerPerson != null && `code ${id} of ${person}`,
    isSeries && `code ${code}`,
  ]
  for (const lock of locks) if (lock) await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [lock])
}

/** Takes a use of the code for an order, inside the caller's transaction. */
export async function takeCode(
  em: EntityManager,
  { code, discount }: AppliedCode,
  { orderId, buyer, saved }: { orderId: string; buyer: Owner; saved: number },
): Promise<void> {
  await takeTurns(em, discount, code, buyer)
  const refusal = await usedEnough(em, discount, code, buyer)
  if (refusal) throw refusal
  await em.execute(
    'insert into code_uses (order_id, discount_code_id, series_code, user_id, guest_key, saved, taken_at) values (?, ?, ?, ?, ?, ?, ?)',
    [orderId, discount.id, discount.isSeries ? code : null, buyer.userId, buyer.guestKey, saved, clock.now()],
  )
}

/** Gives the use of an order back, inside the caller's transaction. */
export async function giveCodeBack(em: EntityManager, orderId: string): Promise<void> {
  await em.execute('update code_uses set given_back_at = ? where order_id = ? and given_back_at is null', [
    clock.now(),
    orderId,
  ])
}

/**
 * Takes the use that an order gave back once more, whatever became of the code's dates since: its price stands. Returns
 * whether it could.
 */
export async function takeCodeAgain(em: EntityManager, orderId: string): Promise<boolean> {
  const [use] = await em.execute<
    { user_id: string | null; guest_key: string | null; discount_code: string; discount_code_id: string }[]
  >(
    `select u.user_id, u.guest_key, u.discount_code_id, o.discount_code from code_uses u join orders o on o.id = u.order_id
     where u.order_id = ? and u.given_back_at is not null`,
    [orderId],
  )
  if (!use) return true
  const discount = await em.findOneOrFail(DiscountCode, { id: use.discount_code_id })
  const buyer = { userId: use.user_id, guestKey: use.guest_key }
  await takeTurns(em, discount, use.discount_code, buyer)
  if (await usedEnough(em, discount, use.discount_code, buyer)) return false
  await em.execute('update code_uses set given_back_at = null where order_id = ?', [orderId])
  return true
}
