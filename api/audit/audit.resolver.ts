import { Args, Authorized, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import * as Gql from '../generated/classes.ts'
import type { AuditEntry } from './audit-entry.entity.ts'
import { listAudit } from './list-audit.ts'

@Resolver(() => Gql.AuditEntry)
export class AuditResolver implements Fields<'AuditEntry', AuditEntry>, Roots<'Query', 'auditLog'> {
  @FieldResolver(() => Gql.AuditActor)
  actor(@Root() entry: AuditEntry) {
    return { userId: entry.actorId, name: entry.actorName, apiKeyName: entry.apiKeyName ?? null }
  }

  @Authorized('ADMIN')
  @Query(() => Gql.AuditPage)
  auditLog(@Args(() => Gql.QueryAuditLogArgs) { filter, page }: Gql.QueryAuditLogArgs, @Ctx() { em }: Context) {
    return listAudit(em, filter ?? {}, page ?? 1)
  }
}
