import { Args, Authorized, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import { annotatedType } from '../annotation/annotated-type.ts'
import { historyOf } from '../audit/list-audit.ts'
import { bellsOf, bellsWaiting } from '../bell/count-bells.ts'
import { batched } from '../query/batch.ts'
import { isManager, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { refuse } from '../kernel/errors.ts'
import { DateTime } from '../kernel/scalars.ts'
import { lastChangeOfProduct } from '../query/last-change.ts'
import { tallied } from '../query/tallies.ts'
import * as Gql from '../generated/classes.ts'
import { readAsked, reviewPages, writtenReviews } from '../review/list-reviews.ts'
import { summarizeReviews } from '../review/summarize-reviews.ts'
import type { ProductSkeinsForArgs, QueryProductsArgs, QueryTopRatedProductsArgs } from '../generated/types.ts'
import { isId } from '../kernel/validation.ts'
import { preordered } from './count-preordered.ts'
import { countSkeins, type SkeinEstimate } from './count-skeins.ts'
import { companionsOf, MOST_SUBSTITUTES, substitutesOf, sufficientFor } from './find-alike.ts'
import { groupsById } from './list-groups.ts'
import {
  findProduct,
  listBestRated,
  listByColour,
  listCategories,
  listForAdmin,
  listProducts,
} from './list-products.ts'
import { connectProducts, type ConnectedProducts } from './connect-products.ts'
import { Product } from './product.entity.ts'
import { canView } from './product.policy.ts'
import { lotsById, soldOutLotsById } from './lots.ts'
import { readFilter } from './search/product-filter.ts'
import { MOST_METRES } from '#schema/rules/skeins'
import { lotCode } from '#schema/rules/shapes/product'

@Resolver(() => Gql.ProductConnection)
export class ProductConnectionResolver implements Fields<'ProductConnection', ConnectedProducts> {
  @FieldResolver(() => Int)
  totalCount(@Root() connection: ConnectedProducts, @Ctx() { mostCounted }: Context) {
    return connection.countAll(mostCounted)
  }
}

@Resolver(() => Gql.Product)
export class ProductResolver
  extends annotatedType(Gql.Product, 'PRODUCT')
  implements
    Fields<'Product', Product>,
    Roots<
      'Query',
      | 'products'
      | 'productsConnection'
      | 'topRatedProducts'
      | 'customersAlsoViewed'
      | 'wallOfColour'
      | 'product'
      | 'discontinuedProduct'
      | 'productStats'
      | 'adminProducts'
      | 'categories'
    >
{
  @FieldResolver(() => Gql.ProductGroup, { nullable: true })
  group(@Root() { groupId }: Product, @Ctx() { em }: Context) {
    return groupId ? batched(em, groupsById, groupId) : null
  }

  @FieldResolver(() => [Gql.LotPortion])
  lots(@Root() { id, keptByLot }: Product, @Ctx() { em }: Context) {
    return keptByLot ? batched(em, lotsById, id) : []
  }

  @FieldResolver(() => [String])
  soldOutLots(@Root() { id, keptByLot }: Product, @Ctx() { em }: Context) {
    return keptByLot ? batched(em, soldOutLotsById, id) : []
  }

  @FieldResolver(() => Gql.ReviewPage)
  reviews(
    @Root() product: Product,
    @Args(() => Gql.ProductReviewsArgs) asked: Gql.ProductReviewsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return batched(em, reviewPages, { product, ...readAsked(asked), pageSize })
  }

  @FieldResolver(() => Gql.ReviewSummary)
  reviewSummary(@Root() { id }: Product, @Ctx() { em }: Context) {
    return summarizeReviews(em, 'r.product_id = ?', id)
  }

  @FieldResolver(() => Gql.Review, { nullable: true })
  viewerReview(@Root() product: Product, @Ctx() { em, user }: Context) {
    return user ? batched(em, writtenReviews, { productId: product.id, userId: user.id }) : null
  }

  @FieldResolver(() => Boolean, { nullable: true })
  bell(
    @Root() product: Product,
    @Args(() => Gql.ProductBellArgs) { lot }: Gql.ProductBellArgs,
    @Ctx() { em, user }: Context,
  ) {
    if (!user) return null
    const code = lot == null ? '' : lotCode.safeParse(lot).data
    return code === undefined ? false : batched(em, bellsOf, { productId: product.id, lot: code, userId: user.id })
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Gql.ProductSale, { nullable: true })
  sale(@Root() { sale }: Product) {
    return sale
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Int)
  bellsWaiting(@Root() product: Product, @Ctx() { em }: Context) {
    return batched(em, bellsWaiting, product.id)
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Int)
  preordered(@Root() product: Product, @Ctx() { em }: Context) {
    return batched(em, preordered, product.id)
  }

  @FieldResolver(() => Gql.SkeinEstimate, { nullable: true })
  skeinsFor(
    @Root() product: Product,
    @Args(() => Gql.ProductSkeinsForArgs) { project, units }: ProductSkeinsForArgs,
  ): SkeinEstimate | null {
    return countSkeins(product, project, units ?? 'METRIC')
  }

  @FieldResolver(() => [Gql.Substitute])
  substitutes(
    @Root() product: Product,
    @Args(() => Gql.ProductSubstitutesArgs) { first, metres }: Gql.ProductSubstitutesArgs,
    @Ctx() { em }: Context,
  ) {
    const count = first ?? 4
    if (count < 0 || count > MOST_SUBSTITUTES)
      throw refuse('INVALID', `\`first\` is 0 to ${MOST_SUBSTITUTES}.`, { field: ['first'] })
    if (metres != null && !(metres > 0 && metres <= MOST_METRES))
      throw refuse('INVALID', `Please give more than 0 and at most ${MOST_METRES.toLocaleString('en-US')} metres.`, {
        field: ['metres'],
      })
    return substitutesOf(em, product, count, metres ?? null)
  }

  @FieldResolver(() => [Gql.Product])
  goesWith(@Root() product: Product, @Ctx() { em }: Context) {
    return companionsOf(em, product)
  }

  @FieldResolver(() => DateTime)
  async updatedAt(@Root() product: Product, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfProduct, product.id)).updatedAt
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Gql.AuditPage)
  history(
    @Root() product: Product,
    @Args(() => Gql.ProductHistoryArgs) { page }: Gql.ProductHistoryArgs,
    @Ctx() { em }: Context,
  ) {
    return historyOf(em, 'PRODUCT', product.id, page ?? 1)
  }

  @Query(() => Gql.ProductPage)
  async products(
    @Args(() => Gql.QueryProductsArgs) { page, ...asked }: QueryProductsArgs,
    @Ctx() { em, facetIndex, pageSize, ip, searchLog }: Context,
  ) {
    const list = await listProducts(em, facetIndex, { ...asked, page: page ?? 1, pageSize })
    // Turning pages or narrowing a list is not a new search.
    if (asked.keyword && (page ?? 1) === 1 && Object.keys(readFilter(asked.filter) ?? {}).length === 0)
      searchLog.searched(ip, asked.keyword, list.total)
    return list
  }

  @Query(() => Gql.ProductPage)
  topRatedProducts(
    @Args(() => Gql.QueryTopRatedProductsArgs) { page, ...asked }: QueryTopRatedProductsArgs,
    @Ctx() { em, facetIndex, pageSize }: Context,
  ) {
    const sort = { field: 'RATING', direction: 'DESC' } as const
    return listProducts(em, facetIndex, { ...asked, sort, page: page ?? 1, pageSize })
  }

  @Query(() => Gql.ProductConnection)
  productsConnection(
    @Args(() => Gql.QueryProductsConnectionArgs) { keyword, filter, sort, ...range }: Gql.QueryProductsConnectionArgs,
    @Ctx() { em, facetIndex }: Context,
  ) {
    return connectProducts(em, facetIndex, { keyword, ...filter }, sort ?? null, range)
  }

  @Query(() => [Gql.Product])
  wallOfColour(@Ctx() { em }: Context) {
    return listByColour(em)
  }

  @Query(() => [Gql.Product])
  customersAlsoViewed(@Ctx() { em }: Context) {
    return listBestRated(em, 4)
  }

  @Query(() => Gql.Product, { nullable: true })
  async product(@Args(() => Gql.QueryProductArgs) { id, sku }: Gql.QueryProductArgs, @Ctx() context: Context) {
    if ((id == null) === (sku == null)) throw refuse('INVALID', 'Give `id` or `sku`: one, not both.')
    const product = await findProduct(context.em, { id, sku })
    return product && canView(context, product) ? product : null
  }

  @Query(() => Gql.DiscontinuedProduct, { nullable: true })
  async discontinuedProduct(
    @Args(() => Gql.QueryDiscontinuedProductArgs) { id }: Gql.QueryDiscontinuedProductArgs,
    @Ctx() { em }: Context,
  ) {
    const product = isId(id) ? await em.findOne(Product, { id }) : null
    return product?.isDiscontinued ? product : null
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ProductStats)
  async productStats(@Ctx() { em }: Context) {
    const tally = await tallied(em, ['PRODUCTS IN_STOCK', 'PRODUCTS LOW', 'PRODUCTS OUT'])
    const { 'PRODUCTS IN_STOCK': inStock, 'PRODUCTS LOW': lowStockCount, 'PRODUCTS OUT': outOfStockCount } = tally
    return { totalProducts: inStock + lowStockCount + outOfStockCount, lowStockCount, outOfStockCount }
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ProductPage)
  adminProducts(
    @Args(() => Gql.QueryAdminProductsArgs) { filter, sort, page }: Gql.QueryAdminProductsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listForAdmin(em, filter ?? {}, sort ?? null, page ?? 1, pageSize)
  }

  @Query(() => [String])
  categories(@Ctx() context: Context) {
    return listCategories(context.em, { drafts: isManager(context, 'WRITE_PRODUCTS') })
  }
}

@Resolver(() => Gql.SkeinEstimate)
export class SkeinEstimateResolver implements Fields<'SkeinEstimate', SkeinEstimate> {
  @FieldResolver(() => Gql.Substitute, { nullable: true })
  instead(@Root() { yarn, metres, isInStock }: SkeinEstimate, @Ctx() { em }: Context) {
    return isInStock ? null : sufficientFor(em, yarn, metres)
  }
}
