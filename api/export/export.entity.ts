import { defineEntity, p, type OptionalProps } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { User } from '../account/user.entity.ts'
import type { ApiScope, ExportStatus } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'

/** How long a file is kept, and every link to it good. */
export const KEPT_MS = 24 * 3_600_000

const ExportSchema = defineEntity({
  name: 'Export',
  tableName: 'exports',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => v7()),
    accountId: () => p.manyToOne(User).mapToPk().fieldName('account_id'),
    /** Of the key it was asked for with; what it lacks is not exported. Null without one. */
    scopes: p.array<ApiScope>().nullable(),
    connection: p.text(),
    query: p.text(),
    status: p.text().$type<ExportStatus>().default('RUNNING').fieldName('state'),
    rows: p.integer().default(0).fieldName('row_count'),
    bytes: p.bigint('number').default(0),
    /** Names of what it was written in, in their order. */
    parts: p.array<string>().default([]),
    /** Of the last thing written. */
    cursor: p.text().nullable(),
    total: p.integer().nullable(),
    problem: p.text().nullable(),
    tokenHash: p.text().nullable(),
    /** When its file was first fetched by the link there is. */
    downloadedAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => clock.now()),
    endedAt: p.datetime().nullable(),
  },
})

/** All of a connection on its way into a file. */
export class Export extends ExportSchema.class {
  declare [OptionalProps]?: 'keptUntil'

  get keptUntil(): Date | null {
    if (this.status !== 'DONE' || !this.endedAt) return null
    const until = new Date(this.endedAt.getTime() + KEPT_MS)
    return until > clock.now() ? until : null
  }
}
ExportSchema.setClass(Export)
