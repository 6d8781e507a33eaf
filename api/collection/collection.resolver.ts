import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { productsInOrder } from '../catalog/list-products.ts'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { batched } from '../query/batch.ts'
import {
  findPublished,
  listAllCollections,
  listCollections,
  membersOf,
  readCollection,
  type CollectionShown,
} from './list-collections.ts'
import {
  addToCollection,
  createCollection,
  deleteCollection,
  orderCollections,
  updateCollection,
} from './save-collection.ts'

@Resolver(() => Gql.Collection)
export class CollectionResolver
  implements
    Fields<'Collection', CollectionShown>,
    Roots<'Query', 'collections' | 'collection' | 'adminCollections' | 'adminCollection'>,
    Roots<
      'Mutation',
      'createCollection' | 'updateCollection' | 'addToCollection' | 'deleteCollection' | 'orderCollections'
    >
{
  @FieldResolver(() => [Gql.Product])
  async products(@Root() { id }: CollectionShown, @Ctx() { em }: Context) {
    return productsInOrder(em, (await batched(em, membersOf, id)).onSale)
  }

  @Authorized('ADMIN')
  @FieldResolver(() => [Gql.Product])
  async members(@Root() { id }: CollectionShown, @Ctx() { em }: Context) {
    return productsInOrder(em, (await batched(em, membersOf, id)).all)
  }

  @Query(() => [Gql.Collection])
  collections(@Ctx() { em }: Context) {
    return listCollections(em)
  }

  @Query(() => Gql.Collection, { nullable: true })
  collection(@Args(() => Gql.QueryCollectionArgs) { slug }: Gql.QueryCollectionArgs, @Ctx() { em }: Context) {
    return findPublished(em, slug)
  }

  @Authorized('ADMIN')
  @Query(() => [Gql.Collection])
  adminCollections(@Ctx() { em }: Context) {
    return listAllCollections(em)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.Collection, { nullable: true })
  adminCollection(
    @Args(() => Gql.QueryAdminCollectionArgs) { id }: Gql.QueryAdminCollectionArgs,
    @Ctx() { em }: Context,
  ) {
    return isId(id) ? readCollection(em, id) : null
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.CollectionPayload)
  createCollection(
    @Args(() => Gql.MutationCreateCollectionArgs) { input }: Gql.MutationCreateCollectionArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ collection: await createCollection(context.em, signedIn(context), input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.CollectionPayload)
  updateCollection(
    @Args(() => Gql.MutationUpdateCollectionArgs) { id, input }: Gql.MutationUpdateCollectionArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ collection: await updateCollection(context.em, signedIn(context), id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.CollectionPayload)
  addToCollection(
    @Args(() => Gql.MutationAddToCollectionArgs) { id, productIds }: Gql.MutationAddToCollectionArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({
      collection: await addToCollection(context.em, signedIn(context), id, productIds),
    }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.CollectionPayload)
  deleteCollection(
    @Args(() => Gql.MutationDeleteCollectionArgs) { id }: Gql.MutationDeleteCollectionArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ collection: await deleteCollection(context.em, signedIn(context), id) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.CollectionsPayload)
  async orderCollections(
    @Args(() => Gql.MutationOrderCollectionsArgs) { ids }: Gql.MutationOrderCollectionsArgs,
    @Ctx() { em }: Context,
  ) {
    return Object.assign(
      { collections: [] },
      await payload(async () => ({ collections: await orderCollections(em, ids) })),
    )
  }
}
