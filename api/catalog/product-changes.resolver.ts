import { Args, Authorized, Ctx, Mutation, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import type { MutationBulkUpdateProductsArgs } from '../generated/types.ts'
import { openUpload } from '../http/multipart.ts'
import { demandOfAdmin } from '../partner/scopes.ts'
import { adjustStocks } from './adjust-stocks.ts'
import { bulkUpdateProducts } from './bulk-update.ts'
import {
  archiveProduct,
  copyProduct,
  createPlaceholder,
  createProduct,
  patchProduct,
  saveProduct,
} from './save-product.ts'
import { areOfPrices, setProducts } from './set-products.ts'
import { storePicture } from './uploads.ts'

/** What administrators change about products. */
@Resolver()
export class ProductChangesResolver implements Roots<
  'Mutation',
  | 'createProduct'
  | 'copyProduct'
  | 'updateProduct'
  | 'patchProduct'
  | 'bulkUpdateProducts'
  | 'adjustStock'
  | 'setProducts'
  | 'deleteProduct'
  | 'uploadPicture'
> {
  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  createProduct(
    @Args(() => Gql.MutationCreateProductArgs) { input }: Gql.MutationCreateProductArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({
      product: input
        ? await createProduct(context, signedIn(context), input)
        : await createPlaceholder(context.em, signedIn(context)),
    }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  copyProduct(@Args(() => Gql.MutationCopyProductArgs) { id }: Gql.MutationCopyProductArgs, @Ctx() context: Context) {
    return payload(async () => ({ product: await copyProduct(context.em, signedIn(context), id) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  updateProduct(
    @Args(() => Gql.MutationUpdateProductArgs) { id, input }: Gql.MutationUpdateProductArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ product: await saveProduct(context, signedIn(context), id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  patchProduct(
    @Args(() => Gql.MutationPatchProductArgs) { id, input }: Gql.MutationPatchProductArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ product: await patchProduct(context, signedIn(context), id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.BulkProductPayload)
  async bulkUpdateProducts(
    @Args(() => Gql.MutationBulkUpdateProductsArgs) args: MutationBulkUpdateProductsArgs,
    @Ctx() context: Context,
  ) {
    return Object.assign(
      { products: [], changed: 0 },
      await payload(() => bulkUpdateProducts(context, signedIn(context), args)),
    )
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductLinesPayload)
  async adjustStock(
    @Args(() => Gql.MutationAdjustStockArgs) args: Gql.MutationAdjustStockArgs,
    @Ctx() context: Context,
  ) {
    return Object.assign(
      { lines: [], changed: 0 },
      await payload(() => adjustStocks(context.em, signedIn(context), args)),
    )
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductLinesPayload)
  async setProducts(
    @Args(() => Gql.MutationSetProductsArgs) args: Gql.MutationSetProductsArgs,
    @Ctx() context: Context,
  ) {
    return Object.assign(
      { lines: [], changed: 0 },
      await payload(() => {
        if (!areOfPrices(args.lines)) demandOfAdmin(context, ['WRITE_PRODUCTS'])
        return setProducts(context.em, signedIn(context), args)
      }),
    )
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  deleteProduct(
    @Args(() => Gql.MutationDeleteProductArgs) { id, version }: Gql.MutationDeleteProductArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ product: await archiveProduct(context, signedIn(context), id, version) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.PicturePayload)
  uploadPicture(
    @Args(() => Gql.MutationUploadPictureArgs) { file }: Gql.MutationUploadPictureArgs,
    @Ctx() { uploads }: Context,
  ) {
    return payload(async () => storePicture(uploads, (await openUpload(file)).content))
  }
}
