import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../context.ts'
import type { Fields, Roots } from '../contract.ts'
import { payload } from '../errors.ts'
import * as Gql from '../generated/classes.ts'
import { listReviews } from '../review/list-reviews.ts'
import { Review } from '../review/review.entity.ts'
import { isId } from '../validation.ts'
import { listProducts } from './list-products.ts'
import { Product } from './product.entity.ts'
import { archiveProduct, createPlaceholder, saveProduct } from './save-product.ts'
import { WELL_STOCKED } from '#schema/rules/stock'

@Resolver(() => Gql.Product)
export class ProductResolver
  implements
    Fields<'Product', Product>,
    Roots<'Query', 'products' | 'topRatedProducts' | 'customersAlsoViewed' | 'product' | 'productStats' | 'adminProducts'>,
    Roots<'Mutation', 'createProduct' | 'updateProduct' | 'deleteProduct'>
{
  @FieldResolver(() => Gql.ReviewPage)
  reviews(@Root() product: Product, @Args(() => Gql.ProductReviewsArgs) { page }: Gql.ProductReviewsArgs, @Ctx() { em, pageSize }: Context) {
    return listReviews(em, product, page ?? 1, pageSize)
  }

  @FieldResolver(() => Gql.Review, { nullable: true })
  viewerReview(@Root() product: Product, @Ctx() { em, user }: Context) {
    return user ? em.findOne(Review, { productId: product.id, userId: user.id }) : null
  }

  @Query(() => Gql.ProductPage)
  products(@Args(() => Gql.QueryProductsArgs) { keyword, page }: Gql.QueryProductsArgs, @Ctx() { em, pageSize }: Context) {
    return listProducts(em, { keyword, page: page ?? 1, pageSize, order: 'newest' })
  }

  @Query(() => Gql.ProductPage)
  topRatedProducts(@Args(() => Gql.QueryTopRatedProductsArgs) { keyword, page }: Gql.QueryTopRatedProductsArgs, @Ctx() { em, pageSize }: Context) {
    return listProducts(em, { keyword, page: page ?? 1, pageSize, order: 'topRated' })
  }

  @Query(() => [Gql.Product])
  async customersAlsoViewed(@Ctx() { em }: Context) {
    return (await listProducts(em, { page: 1, pageSize: 4, order: 'topRated' })).items
  }

  @Query(() => Gql.Product, { nullable: true })
  async product(@Args(() => Gql.QueryProductArgs) { id }: Gql.QueryProductArgs, @Ctx() { em, user }: Context) {
    const product = isId(id) ? await em.findOne(Product, { id, archivedAt: null }) : null
    return product?.isForSale || user?.isAdmin ? product : null
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ProductStats)
  async productStats(@Ctx() { em }: Context) {
    const [stats] = await em.execute<[{ total: number; low: number; out: number }]>(
      `select count(*)::int as total,
              (count(*) filter (where count_in_stock between 1 and ?))::int as low,
              (count(*) filter (where count_in_stock = 0))::int as out
       from products where archived_at is null`,
      [WELL_STOCKED - 1],
    )
    return { totalProducts: stats.total, lowStockCount: stats.low, outOfStockCount: stats.out }
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ProductPage)
  adminProducts(@Args(() => Gql.QueryAdminProductsArgs) { page }: Gql.QueryAdminProductsArgs, @Ctx() { em, pageSize }: Context) {
    return listProducts(em, { page: page ?? 1, pageSize, order: 'newest', drafts: true })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  createProduct(@Ctx() { em }: Context) {
    return payload(async () => ({ product: await createPlaceholder(em) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  updateProduct(@Args(() => Gql.MutationUpdateProductArgs) { id, input }: Gql.MutationUpdateProductArgs, @Ctx() { em }: Context) {
    return payload(async () => ({ product: await saveProduct(em, id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  deleteProduct(@Args(() => Gql.MutationDeleteProductArgs) { id }: Gql.MutationDeleteProductArgs, @Ctx() { em }: Context) {
    return payload(async () => ({ product: await archiveProduct(em, id) }))
  }
}
