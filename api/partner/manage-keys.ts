import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { present } from '#schema/rules/present'
import { findOpen } from '../account/open-account.ts'
import { User } from '../account/user.entity.ts'
import { networkIn } from '../kernel/addresses.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { newApiKey } from '../account/authenticate.ts'
import { hashOf } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import type { ApiKeyInput, ApiScope } from '../generated/types.ts'
import { paginate, type Page } from '../query/paging.ts'
import { check, isId, requiredText } from '../kernel/validation.ts'
import { ApiKey } from './api-key.entity.ts'

/** Hours that the secret before goes on working at most. */
const MOST_OVERLAP = 168

const ADDRESS_RULE = 'An address is written like 203.0.113.7 or 2001:db8::1, a network like 203.0.113.0/24.'

const newKey = z.object({
  name: requiredText('Name', limits.name),
  scopes: z
    .array(z.string() as unknown as z.ZodType<ApiScope, ApiScope>)
    .min(1, 'Choose at least one scope.')
    .transform(scopes => [...new Set(scopes)]),
  expiresAt: z
    .date()
    .refine(moment => moment > clock.now(), 'The key must expire later than now.')
    .nullish()
    .transform(moment => moment ?? null),
  allowedAddresses: z
    .array(
      z
        .string()
        .trim()
        .max(50, { error: ADDRESS_RULE, abort: true })
        .refine(text => networkIn(text) !== null, ADDRESS_RULE),
    )
    .max(20, 'A key has at most 20 addresses and networks.')
    .nullish()
    .transform(addresses => [...new Set(addresses)]),
})

/** How many characters of a key are kept to recognise it by. */
const START = 8
const HOUR = 3_600_000

export async function listKeys(em: EntityManager, asked: number, pageSize: number): Promise<Page<ApiKey>> {
  const total = await em.count(ApiKey)
  const { offset, ...page } = paginate(asked, pageSize, total)
  return {
    ...page,
    total,
    totalIsExact: true,
    items: await em.find(
      ApiKey,
      {},
      { populate: ['account'], orderBy: { createdAt: 'desc', id: 'desc' }, limit: pageSize, offset },
    ),
  }
}

/** Makes a key and answers it, once. */
export async function createKey(
  em: EntityManager,
  actor: User,
  { accountId = null, ...input }: ApiKeyInput,
): Promise<{ apiKey: ApiKey; secret: string }> {
  const { name, scopes, expiresAt, allowedAddresses } = check(newKey, input)
  if (accountId === null)
    throw refuse('INVALID', 'Please say whose account the key acts for: your own, or another.', {
      field: ['accountId'],
    })
  const account = await findOpen(em, accountId)
  if (!account) throw refuse('NOT_FOUND', 'There is no such account.', { field: ['accountId'] })
  const secret = newApiKey()
  return em.transactional(async tx => {
    const apiKey = tx.create(ApiKey, {
      name,
      scopes,
      account,
      expiresAt,
      allowedAddresses,
      start: secret.slice(0, START),
      keyHash: hashOf(secret),
    })
    await tx.flush()
    const changes = [
      ['name', name],
      ['scopes', scopes.join(' ')],
      ['account', account.email],
      ...(expiresAt ? [['expiresAt', expiresAt.toISOString()]] : []),
      ...(allowedAddresses.length > 0 ? [['allowedAddresses', allowedAddresses.join(' ')]] : []),
    ].map(([field, after]) => ({ field: present(field), before: null, after: present(after) }))
    await recordAudit(tx, actor, { entity: 'API_KEY', entityId: apiKey.id, label: name, action: 'CREATED', changes })
    return { apiKey, secret }
  })
}

/** Gives a key another secret and answers it, once. The one before works for some hours more. */
export function rotateKey(
  em: EntityManager,
  actor: User,
  id: string,
  overlapHours: number,
): Promise<{ apiKey: ApiKey; secret: string }> {
  if (overlapHours < 0 || overlapHours > MOST_OVERLAP)
    throw refuse('INVALID', `The old secret can go on working for 0 to ${MOST_OVERLAP} hours.`, {
      field: ['overlapHours'],
    })
  return em.transactional(async tx => {
    const apiKey = await lockKey(tx, id)
    if (apiKey.revokedAt) throw refuse('INVALID', 'This key was revoked. Please make another.')
    const secret = newApiKey()
    const until = overlapHours === 0 ? null : new Date(clock.now().getTime() + overlapHours * HOUR)
    tx.assign(apiKey, {
      start: secret.slice(0, START),
      formerHash: until && apiKey.keyHash,
      formerUntil: until,
      keyHash: hashOf(secret),
    })
    const changes = until ? [{ field: 'formerUntil', before: null, after: until.toISOString() }] : []
    await recordAudit(tx, actor, {
      entity: 'API_KEY',
      entityId: id,
      label: apiKey.name,
      action: 'SECRET_ROTATED',
      changes,
    })
    return { apiKey, secret }
  })
}

/** The key while its account is locked. */
async function lockKey(em: EntityManager, id: string): Promise<ApiKey> {
  const known = isId(id) ? await em.findOne(ApiKey, { id }) : null
  if (!known) throw refuse('NOT_FOUND', 'There is no such key.')
  // The account first, as changing an account does before its keys: its time of change moves with them.
  await em.findOneOrFail(User, { id: known.account.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  return em.findOneOrFail(
    ApiKey,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, populate: ['account'] },
  )
}

export function revokeKey(em: EntityManager, actor: User, id: string): Promise<ApiKey> {
  return em.transactional(async tx => {
    const apiKey = await lockKey(tx, id)
    const revoked = await tx.nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: clock.now() })
    if (revoked > 0)
      await recordAudit(tx, actor, { entity: 'API_KEY', entityId: id, label: apiKey.name, action: 'REVOKED' })
    await tx.refresh(apiKey)
    return apiKey
  })
}
