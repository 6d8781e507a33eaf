import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { productsById } from '../catalog/list-products.ts'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { batched } from '../query/batch.ts'
import type { CartLine } from './cart.entity.ts'
import { changeCart, createCart } from './change-cart.ts'
import { mergeCart } from './merge-cart.ts'
import { noticesOf } from './notices.ts'
import { openCart, type OpenCart } from './open-cart.ts'

@Resolver(() => Gql.CartLine)
export class CartLineResolver implements Fields<'CartLine', CartLine> {
  @FieldResolver(() => Gql.Product, { nullable: true })
  async product(@Root() { productId }: CartLine, @Ctx() { em }: Context) {
    const product = await batched(em, productsById, productId)
    return product?.isForSale ? product : null
  }
}

@Resolver(() => Gql.Cart)
export class CartResolver
  implements
    Fields<'Cart', OpenCart>,
    Roots<'Query', 'cart'>,
    Roots<'Mutation', 'createCart' | 'changeCart' | 'mergeCart'>
{
  @FieldResolver(() => Gql.CartQuote)
  quote(@Root() cart: OpenCart, @Ctx() context: Context) {
    return cart.quote(context)
  }

  @FieldResolver(() => [Gql.UserError])
  async notices(@Root() cart: OpenCart, @Ctx() context: Context) {
    return noticesOf(cart.lines, await cart.quote(context))
  }

  @Query(() => Gql.Cart, { nullable: true })
  cart(@Args(() => Gql.QueryCartArgs) { id }: Gql.QueryCartArgs, @Ctx() context: Context) {
    return openCart(context.em, context, id)
  }

  @Mutation(() => Gql.CartPayload)
  createCart(@Args(() => Gql.MutationCreateCartArgs) { input }: Gql.MutationCreateCartArgs, @Ctx() context: Context) {
    return withNotices(async () => ({ cart: await createCart(context.em, context, input ?? {}) }))
  }

  @Mutation(() => Gql.CartPayload)
  changeCart(
    @Args(() => Gql.MutationChangeCartArgs) { id, input }: Gql.MutationChangeCartArgs,
    @Ctx() context: Context,
  ) {
    return withNotices(async () => ({ cart: await changeCart(context.em, context, id, input) }))
  }

  @Authorized()
  @Mutation(() => Gql.CartPayload)
  mergeCart(@Args(() => Gql.MutationMergeCartArgs) { id }: Gql.MutationMergeCartArgs, @Ctx() context: Context) {
    return withNotices(() => mergeCart(context.em, signedIn(context), id))
  }
}

/** Most changes are done as asked, or not at all. */
const withNotices = async <T extends object>(run: () => Promise<T>) => ({ notices: [], ...(await payload(run)) })
