import { randomInt } from 'node:crypto'
import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { codeTerms, inOrder, newCode, OUT_OF_ORDER, seriesCodes } from '#schema/rules/shapes/discount'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import { Product } from '../catalog/product.entity.ts'
import type { DiscountCodeInput, DiscountCodePatch, DiscountCodeStatus } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import { check, isId } from '../kernel/validation.ts'
import { pageOf, type Condition, type Page } from '../query/paging.ts'
import { takenOf } from './code-figures.ts'
import { DiscountCode } from './discount-code.entity.ts'

const patch = z.object({ isPaused: z.boolean().nullish(), ...codeTerms }).partial()

const AUDITED = [
  'code',
  'isSeries',
  'kind',
  'basisPoints',
  'amount',
  'minimum',
  'productIds',
  'categories',
  'startsAt',
  'endsAt',
  'maxUses',
  'maxUsesPerPerson',
  'isForFirstOrder',
  'pausedAt',
] as const
const audited = (discount: DiscountCode) => Object.fromEntries(AUDITED.map(field => [field, discount[field]]))

const TAKEN = takenOf('discount_codes.id')

/** The same as `DiscountCode.statusAt`, for rows. */
const STANDS: Record<DiscountCodeStatus, string> = {
  PAUSED: 'paused_at is not null',
  EXPIRED: 'paused_at is null and ends_at <= ?',
  USED_UP: `paused_at is null and (ends_at > ?) is not false and max_uses <= ${TAKEN}`,
  SCHEDULED: 'paused_at is null and starts_at > ?',
  ACTIVE: `paused_at is null and (ends_at > ?) is not false and (starts_at <= ?) is not false
    and (max_uses > ${TAKEN}) is not false`,
}

/** For rows of `discount_codes`. */
export function standsNow(status: DiscountCodeStatus): Condition {
  const sql = STANDS[status]
  return [sql, ...Array.from(sql.matchAll(/\?/g), () => clock.now())]
}

export function listCodes(
  em: EntityManager,
  status: DiscountCodeStatus | null,
  page: number,
  pageSize: number,
): Promise<Page<DiscountCode>> {
  return pageOf(em, DiscountCode, {
    from: 'discount_codes',
    where: [status && standsNow(status)],
    order: 'created_at desc, id desc',
    page,
    pageSize,
  })
}

export async function createCode(em: EntityManager, actor: Actor, input: DiscountCodeInput): Promise<DiscountCode> {
  const { basisPoints, amount, ...fields } = check(newCode, input)
  await refuseUnknown(em, fields.productIds)
  return em
    .transactional(async tx => {
      const [taken] = await tx.execute<object[]>('select 1 from series_codes where code = ?', [fields.code])
      if (taken) throw nameTaken()
      const discount = tx.create(DiscountCode, { ...fields, basisPoints: basisPoints ?? 0, amount: amount ?? 0 })
      await tx.flush()
      const changes = changesBetween(null, audited(discount), AUDITED)
      await recordAudit(tx, actor, { ...about(discount), action: 'CREATED', changes })
      return discount
    })
    .catch((error: unknown) => {
      throw error instanceof UniqueConstraintViolationException ? nameTaken() : error
    })
}

export function updateCode(
  em: EntityManager,
  actor: Actor,
  id: string,
  input: DiscountCodePatch,
): Promise<DiscountCode> {
  const { isPaused, ...fields } = check(patch, input)
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return em.transactional(async tx => {
    const discount = await lockCode(tx, id)
    const before = audited(discount)
    tx.assign(discount, given)
    if (!inOrder(discount)) throw refuse('INVALID', OUT_OF_ORDER, { field: ['endsAt'] })
    if (isPaused != null && isPaused !== Boolean(discount.pausedAt)) discount.pausedAt = isPaused ? clock.now() : null
    const changes = changesBetween(before, audited(discount), AUDITED)
    if (changes.length > 0) await recordAudit(tx, actor, { ...about(discount), action: 'UPDATED', changes })
    return discount
  })
}

/** Makes codes of a series for the owner to hand out. */
export async function createSeriesCodes(em: EntityManager, actor: Actor, id: string, asked: number): Promise<string[]> {
  const { count } = check(seriesCodes, { count: asked })
  return em.transactional(async tx => {
    const discount = await lockCode(tx, id)
    if (!discount.isSeries)
      throw refuse('INVALID', 'This code is not a series, so no more can be made of it.', { field: ['id'] })
    const codes = await makeSeriesCodes(tx, discount, count)
    const changes = [{ field: 'seriesCodes', before: null, after: String(count) }]
    await recordAudit(tx, actor, { ...about(discount), action: 'UPDATED', changes })
    return codes
  })
}

/** Without I, L, O, 0 and 1, which people mistake for each other. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
/** 49 bits: nobody guesses one. */
const RANDOM_LETTERS = 10

export async function makeSeriesCodes(
  em: EntityManager,
  { id, code }: Pick<DiscountCode, 'id' | 'code'>,
  count: number,
): Promise<string[]> {
  const codes = Array.from(
    { length: count },
    () => `${code}-${Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`,
  )
  await em.execute(
    'insert into series_codes (code, discount_code_id, created_at) select code, ?, ? from unnest(?::text[]) as made(code)',
    [id, clock.now(), `{${codes.join(',')}}`],
  )
  return codes
}

async function lockCode(em: EntityManager, id: string): Promise<DiscountCode> {
  const discount = isId(id)
    ? await em.findOne(DiscountCode, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    : null
  if (!discount) throw refuse('NOT_FOUND', 'There is no such code.')
  return discount
}

async function refuseUnknown(em: EntityManager, productIds: readonly string[]): Promise<void> {
  const known = await em.count(Product, { id: { $in: [...productIds] } })
  if (known < new Set(productIds).size)
    throw refuse('NOT_FOUND', 'There is no such product.', { field: ['productIds'] })
}

const about = ({ id, code }: DiscountCode) => ({ entity: 'DISCOUNT_CODE' as const, entityId: id, label: code })

const nameTaken = () => refuse('CODE_TAKEN', 'There is a code of this name already.', { field: ['code'] })
