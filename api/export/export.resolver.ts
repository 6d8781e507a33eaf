import type { GraphQLResolveInfo } from 'graphql'
import { Args, Authorized, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql'
import type { Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { cancelExport, findExport, linkExport, listExports, startExport } from './manage-exports.ts'

@Resolver(() => Gql.Export)
export class ExportResolver
  implements Roots<'Query', 'export' | 'exports'>, Roots<'Mutation', 'startExport' | 'cancelExport' | 'linkExport'>
{
  @Authorized('ADMIN')
  @Query(() => Gql.Export, { nullable: true })
  export(@Args(() => Gql.QueryExportArgs) { id }: Gql.QueryExportArgs, @Ctx() context: Context) {
    return findExport(context, id)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ExportPage)
  exports(@Args(() => Gql.QueryExportsArgs) { page }: Gql.QueryExportsArgs, @Ctx() context: Context) {
    return listExports(context, page ?? 1)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ExportPayload)
  startExport(
    @Args(() => Gql.MutationStartExportArgs) { query }: Gql.MutationStartExportArgs,
    @Ctx() context: Context,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    return payload(async () => ({ export: await startExport(context, schema, query) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ExportPayload)
  cancelExport(
    @Args(() => Gql.MutationCancelExportArgs) { id }: Gql.MutationCancelExportArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ export: await cancelExport(context, id) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ExportLinkPayload)
  linkExport(@Args(() => Gql.MutationLinkExportArgs) { id }: Gql.MutationLinkExportArgs, @Ctx() context: Context) {
    return payload(() => linkExport(context, id))
  }
}
