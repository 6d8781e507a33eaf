import type { EntityManager } from '@mikro-orm/postgresql'
import type { AuditAction, AuditEntity, FieldChange } from '../generated/types.ts'

/** The signed-in user who makes a change. */
export interface Actor {
  id: string
  name: string
  /** Of the API key it is made with. */
  keyName?: string
}

export interface AuditRecord {
  entity: AuditEntity
  entityId: string
  label: string
  action: AuditAction
  changes?: FieldChange[]
  importId?: string
}

const BATCH = 500

/** Writes down what an actor changed, inside the caller's transaction: change and entry stand or fall together. */
export async function recordAudit(em: EntityManager, actor: Actor, ...records: AuditRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += BATCH) {
    const rows = records
      .slice(start, start + BATCH)
      .map(({ entity, entityId, label, action, changes = [], importId = null }) => ({
        entity,
        entity_id: entityId,
        label,
        action,
        changes,
        import_id: importId,
      }))
    await em.execute(
      `insert into audit_entries (actor_id, actor_name, api_key_name, entity, entity_id, label, action, changes, import_id)
       select ?, ?, ?, entity, entity_id, label, action, changes, import_id
       from jsonb_to_recordset(?::jsonb) as r(entity text, entity_id uuid, label text, action text, changes jsonb, import_id uuid)`,
      [actor.id, actor.name, actor.keyName ?? null, JSON.stringify(rows)],
    )
  }
}

/** Calls an account something else, and drops what was changed about it. An administrator keeps the name: others answer for what they did. */
export async function forgetInAudit(
  em: EntityManager,
  { id, isAdmin }: { id: string; isAdmin: boolean },
  instead: string,
): Promise<void> {
  await em.execute(`update audit_entries set label = ?, changes = '[]' where entity = 'USER' and entity_id = ?`, [
    instead,
    id,
  ])
  if (!isAdmin) await em.execute('update audit_entries set actor_name = ? where actor_id = ?', [instead, id])
}

type Values = Readonly<Record<string, unknown>>

/** The fields whose values differ, as text. Null before: everything that is not empty is new. */
export function changesBetween(before: Values | null, after: Values, fields: readonly string[]): FieldChange[] {
  return fields
    .map(field => ({ field, before: before ? asText(before[field]) : null, after: asText(after[field]) }))
    .filter(change => change.before !== change.after && !(before === null && change.after === ''))
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Date ? value.toISOString() : String(value)
}
