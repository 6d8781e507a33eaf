import { Args, Authorized, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { addDownload, removeDownload, renameDownload } from './change-downloads.ts'
import { listBoughtDownloads } from './list-bought-downloads.ts'

/** The files that come with products. */
@Resolver()
export class DownloadResolver
  implements Roots<'Query', 'myDownloads'>, Roots<'Mutation', 'addDownload' | 'renameDownload' | 'removeDownload'>
{
  @Authorized()
  @Query(() => [Gql.BoughtDownload])
  myDownloads(@Ctx() context: Context) {
    return listBoughtDownloads(context.em, signedIn(context).id)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  addDownload(
    @Args(() => Gql.MutationAddDownloadArgs) { productId, file }: Gql.MutationAddDownloadArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ product: await addDownload(context, signedIn(context), productId, file) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  renameDownload(
    @Args(() => Gql.MutationRenameDownloadArgs) { productId, id, title }: Gql.MutationRenameDownloadArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({
      product: await renameDownload(context.em, signedIn(context), productId, id, title),
    }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  removeDownload(
    @Args(() => Gql.MutationRemoveDownloadArgs) { productId, id }: Gql.MutationRemoveDownloadArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ product: await removeDownload(context.em, signedIn(context), productId, id) }))
  }
}
