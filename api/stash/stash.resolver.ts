import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { productsById } from '../catalog/list-products.ts'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { notFound, payload } from '../kernel/errors.ts'
import { batched } from '../query/batch.ts'
import { addToStash, listStash, removeFromStash } from './keep-stash.ts'
import type { StashItem } from './stash-item.entity.ts'

@Resolver(() => Gql.StashItem)
export class StashResolver
  implements
    Fields<'StashItem', StashItem>,
    Roots<'Query', 'stash'>,
    Roots<'Mutation', 'addToStash' | 'removeFromStash'>
{
  @FieldResolver(() => String)
  async name(@Root() item: StashItem, @Ctx() context: Context) {
    return (await productOf(item, context)).name
  }

  @FieldResolver(() => Gql.Product, { nullable: true })
  async product(@Root() item: StashItem, @Ctx() context: Context) {
    const product = await productOf(item, context)
    return product.isForSale ? product : null
  }

  @FieldResolver(() => Boolean)
  async isDiscontinued(@Root() item: StashItem, @Ctx() context: Context) {
    return (await productOf(item, context)).isDiscontinued
  }

  @Authorized()
  @Query(() => [Gql.StashItem])
  stash(@Ctx() context: Context) {
    return listStash(context.em, signedIn(context))
  }

  @Authorized()
  @Mutation(() => Gql.StashPayload)
  addToStash(
    @Args(() => Gql.MutationAddToStashArgs) { productId }: Gql.MutationAddToStashArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ item: await addToStash(context.em, signedIn(context), productId) }))
  }

  @Authorized()
  @Mutation(() => Gql.StashPayload)
  removeFromStash(
    @Args(() => Gql.MutationRemoveFromStashArgs) { productId }: Gql.MutationRemoveFromStashArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await removeFromStash(context.em, signedIn(context), productId)
      return { item: null }
    })
  }
}

async function productOf({ productId }: StashItem, { em }: Context) {
  const product = await batched(em, productsById, productId)
  if (!product) throw notFound('There is no such product.')
  return product
}
