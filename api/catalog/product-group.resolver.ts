import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { isManager, signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { MutationUpdateProductGroupArgs } from '../generated/types.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { batched } from '../query/batch.ts'
import { readAsked } from '../review/list-reviews.ts'
import { updateGroup } from './group-products.ts'
import {
  findGroups,
  groupsById,
  idsInGroup,
  listGroupReviews,
  summarizeGroupReviews,
  type GroupOnSale,
} from './list-groups.ts'
import { productsInOrder } from './list-products.ts'

@Resolver(() => Gql.ProductGroup)
export class ProductGroupResolver
  implements
    Fields<'ProductGroup', GroupOnSale>,
    Roots<'Query', 'productGroup' | 'productGroups'>,
    Roots<'Mutation', 'updateProductGroup'>
{
  @FieldResolver(() => [Gql.Product])
  async products(@Root() { id }: GroupOnSale, @Ctx() { em }: Context) {
    return productsInOrder(em, await idsInGroup(em, id))
  }

  @Authorized('ADMIN')
  @FieldResolver(() => [Gql.Product])
  async members(@Root() { id }: GroupOnSale, @Ctx() { em }: Context) {
    return productsInOrder(em, await idsInGroup(em, id, { drafts: true }))
  }

  @FieldResolver(() => Gql.ReviewPage)
  reviews(
    @Root() group: GroupOnSale,
    @Args(() => Gql.ProductGroupReviewsArgs) asked: Gql.ProductGroupReviewsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listGroupReviews(em, group, { ...readAsked(asked), pageSize })
  }

  @FieldResolver(() => Gql.ReviewSummary)
  reviewSummary(@Root() group: GroupOnSale, @Ctx() { em }: Context) {
    return summarizeGroupReviews(em, group)
  }

  @Query(() => Gql.ProductGroup, { nullable: true })
  async productGroup(
    @Args(() => Gql.QueryProductGroupArgs) { id }: Gql.QueryProductGroupArgs,
    @Ctx() context: Context,
  ) {
    const group = isId(id) ? await batched(context.em, groupsById, id) : null
    return group && (group.total > 0 || isManager(context, 'WRITE_PRODUCTS')) ? group : null
  }

  @Authorized('ADMIN')
  @Query(() => [Gql.ProductGroup])
  async productGroups(
    @Args(() => Gql.QueryProductGroupsArgs) { search }: Gql.QueryProductGroupsArgs,
    @Ctx() { em }: Context,
  ) {
    const ids = await findGroups(em, search ?? null)
    return (await Promise.all(ids.map(id => batched(em, groupsById, id)))).filter(group => group !== null)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductGroupPayload)
  updateProductGroup(
    @Args(() => Gql.MutationUpdateProductGroupArgs) { id, input }: MutationUpdateProductGroupArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      const { em } = context
      await updateGroup(em, signedIn(context), id, input)
      return { productGroup: await batched(em, groupsById, id) }
    })
  }
}
