import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { User } from '../account/user.entity.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { newApiKey } from '../account/authenticate.ts'
import { hashOf } from '../kernel/tokens.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import type { ApiKeyInput, ApiScope } from '../generated/types.ts'
import { paginate, type Page } from '../query/paging.ts'
import { check, isId, requiredText } from '../kernel/validation.ts'
import { ApiKey } from './api-key.entity.ts'

const newKey = z.object({
  name: requiredText('Name', limits.name),
  scopes: z
    .array(z.string() as unknown as z.ZodType<ApiScope, ApiScope>)
    .min(1, 'Choose at least one scope.')
    .transform(scopes => [...new Set(scopes)]),
})

/** How much of a key is kept to recognise it by. */
const START = 8

export async function listKeys(em: EntityManager, asked: number, pageSize: number): Promise<Page<ApiKey>> {
  const total = await em.count(ApiKey)
  const { offset, ...page } = paginate(asked, pageSize, total)
  return {
    ...page,
    total,
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
  const { name, scopes } = check(newKey, input)
  const owner = accountId ?? actor.id
  const account = isId(owner) ? await em.findOne(User, { id: owner, closedAt: null }) : null
  if (!account) throw refuse('NOT_FOUND', 'There is no such account.', { field: ['accountId'] })
  const secret = newApiKey()
  return em.transactional(async tx => {
    const apiKey = tx.create(ApiKey, { name, scopes, account, start: secret.slice(0, START), keyHash: hashOf(secret) })
    await tx.flush()
    const changes = [
      ['name', name],
      ['scopes', scopes.join(' ')],
      ['account', account.email],
    ].map(([field, after]) => ({ field: field!, before: null, after: after! }))
    await recordAudit(tx, actor, { entity: 'API_KEY', entityId: apiKey.id, label: name, action: 'CREATED', changes })
    return { apiKey, secret }
  })
}

export function revokeKey(em: EntityManager, actor: User, id: string): Promise<ApiKey> {
  return em.transactional(async tx => {
    const apiKey = isId(id) ? await tx.findOne(ApiKey, { id }) : null
    if (!apiKey) throw refuse('NOT_FOUND', 'There is no such key.')
    // The account first, as whoever changes that does before its keys: its time of change moves with them.
    await tx.findOneOrFail(User, { id: apiKey.account.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    const revoked = await tx.nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: clock.now() })
    if (revoked > 0)
      await recordAudit(tx, actor, { entity: 'API_KEY', entityId: id, label: apiKey.name, action: 'REVOKED' })
    await tx.refresh(apiKey)
    return apiKey
  })
}
