import type { EntityManager } from '@mikro-orm/postgresql'
import { likeWords } from '../query/search-words.ts'
import type { AuditEntity, AuditFilter } from '../generated/types.ts'
import { pageOf, type Condition, type Page } from '../query/paging.ts'
import { isId } from '../kernel/validation.ts'
import { AuditEntry } from './audit-entry.entity.ts'
import { AUDIT_PAGE } from '../query/page-sizes.ts'

/** The audit log, newest first. */
export function listAudit(em: EntityManager, filter: AuditFilter, page: number): Promise<Page<AuditEntry>> {
  const { entity, entityId, actorId, actor, action, from, to } = filter
  const words = likeWords(actor)
  const nobody = [entityId, actorId].some(id => id != null && !isId(id))
  return pageOf(em, AuditEntry, {
    from: 'audit_entries',
    where: nobody
      ? null
      : [
          entity && ['entity = ?', entity],
          entityId && ['entity_id = ?', entityId],
          actorId && ['actor_id = ?', actorId],
          action && ['action = ?', action],
          from && ['at >= ?', from],
          to && ['at < ?', to],
        ],
    search: words && words.map((word): Condition => ['lower(actor_name) like ?', word]),
    order: 'at desc, id desc',
    page,
    pageSize: AUDIT_PAGE,
  })
}

/** What was done with one thing. */
export function historyOf(
  em: EntityManager,
  entity: AuditEntity,
  entityId: string,
  page: number,
): Promise<Page<AuditEntry>> {
  return listAudit(em, { entity, entityId }, page)
}
