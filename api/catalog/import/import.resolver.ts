import { Args, Authorized, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { megabytes } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { present } from '#schema/rules/present'
import { signedIn, type Context } from '../../context.ts'
import type { Fields, Roots } from '../../kernel/contract.ts'
import { payload, refuse } from '../../kernel/errors.ts'
import * as Gql from '../../generated/classes.ts'
import { openUpload, readUpTo } from '../../http/multipart.ts'
import { pageOf } from '../../query/paging.ts'
import { isId } from '../../kernel/validation.ts'
import { applyImport, canUndo, undoImport } from './apply-import.ts'
import { exportProducts, importTemplate } from './export-products.ts'
import { countNotFetched, countToFetch, fetchPicturesAgain } from './fetch-pictures.ts'
import { countErasures, listRows } from './list-rows.ts'
import { previewImport } from './preview-import.ts'
import { ProductImport } from './product-import.entity.ts'

@Resolver(() => Gql.ProductImport)
export class ImportResolver
  implements
    Fields<'ProductImport', ProductImport>,
    Roots<'Query', 'exportProducts' | 'productImportTemplate' | 'productImport' | 'productImports'>,
    Roots<'Mutation', 'importProducts' | 'applyImport' | 'undoImport' | 'fetchPicturesAgain'>
{
  @FieldResolver(() => Boolean)
  canUndo(@Root() productImport: ProductImport, @Ctx() { em }: Context) {
    return canUndo(em, productImport)
  }

  @FieldResolver(() => Int)
  erases(@Root() productImport: ProductImport, @Ctx() { em }: Context) {
    return countErasures(em, productImport)
  }

  @FieldResolver(() => Int)
  picturesToFetch(@Root() productImport: ProductImport, @Ctx() { em }: Context) {
    return countToFetch(em, productImport)
  }

  @FieldResolver(() => Int)
  picturesNotFetched(@Root() productImport: ProductImport, @Ctx() { em }: Context) {
    return countNotFetched(em, productImport)
  }

  @FieldResolver(() => Gql.ImportRowPage)
  rows(
    @Root() productImport: ProductImport,
    @Args(() => Gql.ProductImportRowsArgs) { action, pictureNotFetched, page }: Gql.ProductImportRowsArgs,
    @Ctx() { em }: Context,
  ) {
    return listRows(em, productImport, { action, pictureNotFetched }, page ?? 1)
  }

  @Authorized('ADMIN')
  @Query(() => String)
  exportProducts(
    @Args(() => Gql.QueryExportProductsArgs) { filter }: Gql.QueryExportProductsArgs,
    @Ctx() { em }: Context,
  ) {
    return exportProducts(em, filter ?? {})
  }

  @Authorized('ADMIN')
  @Query(() => String)
  productImportTemplate() {
    return importTemplate()
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ProductImport, { nullable: true })
  productImport(@Args(() => Gql.QueryProductImportArgs) { id }: Gql.QueryProductImportArgs, @Ctx() { em }: Context) {
    return isId(id) ? em.findOne(ProductImport, { id }) : null
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ProductImportPage)
  productImports(
    @Args(() => Gql.QueryProductImportsArgs) { page }: Gql.QueryProductImportsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return pageOf(em, ProductImport, {
      from: 'product_imports',
      where: [],
      order: 'created_at desc, id desc',
      page: page ?? 1,
      pageSize,
    })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductImportPayload)
  importProducts(
    @Args(() => Gql.MutationImportProductsArgs) { csv }: Gql.MutationImportProductsArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      const { name, content } = await openUpload(csv)
      const file = await readUpTo(content, ownerLimits.csvBytes)
      if (!file)
        throw refuse('FILE_TOO_LARGE', `The file is larger than ${megabytes(ownerLimits.csvBytes)}. Please split it.`, {
          field: ['csv'],
        })
      return { productImport: await previewImport(context.em, signedIn(context), file, shortName(name)) }
    })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductImportPayload)
  applyImport(@Args(() => Gql.MutationApplyImportArgs) { id }: Gql.MutationApplyImportArgs, @Ctx() context: Context) {
    return payload(async () => ({
      productImport: await applyImport(context.em, context.jobs, signedIn(context), id),
    }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductImportPayload)
  undoImport(@Args(() => Gql.MutationUndoImportArgs) { id }: Gql.MutationUndoImportArgs, @Ctx() context: Context) {
    return payload(async () => ({
      productImport: await undoImport(context.em, context.jobs, signedIn(context), id),
    }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductImportPayload)
  fetchPicturesAgain(
    @Args(() => Gql.MutationFetchPicturesAgainArgs) { id }: Gql.MutationFetchPicturesAgainArgs,
    @Ctx() { em, jobs }: Context,
  ) {
    return payload(async () => ({ productImport: await fetchPicturesAgain(em, jobs, id) }))
  }
}

/** A file's own name for people to read; it never names a file of ours. */
function shortName(name: string | undefined): string {
  const last = present((name ?? '').toWellFormed().split(/[\\/]/).pop())
  return last.replace(/\p{C}/gu, '').slice(0, 200) || 'products.csv'
}
