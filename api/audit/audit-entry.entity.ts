import { defineEntity, p } from '@mikro-orm/postgresql'
import type { AuditAction, AuditEntity, FieldChange } from '../generated/types.ts'

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    id: p.bigint('string').primary(),
    at: p.datetime(),
    actorId: p.uuid(),
    /** As the actor was called at that time. */
    actorName: p.text(),
    /** Of the key it was done with, as it was called at that time. */
    apiKeyName: p.text().nullable(),
    entity: p.text().$type<AuditEntity>(),
    entityId: p.uuid(),
    label: p.text(),
    action: p.text().$type<AuditAction>(),
    changes: p.json<FieldChange[]>(),
    importId: p.uuid().nullable(),
  },
})

/** Who changed what and when. Only record-audit.ts writes it, and nothing ever changes it. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry)
