import { Args, Authorized, Ctx, Mutation, Resolver } from 'type-graphql'
import { User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { Order } from '../order/order.entity.ts'
import { annotate } from './annotate.ts'

@Resolver()
export class AnnotationResolver implements Roots<'Mutation', 'annotateOrder' | 'annotateProduct' | 'annotateUser'> {
  @Authorized('ADMIN')
  @Mutation(() => Gql.OrderPayload)
  annotateOrder(
    @Args(() => Gql.MutationAnnotateOrderArgs) { id, input }: Gql.MutationAnnotateOrderArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await annotate(context.em, signedIn(context), 'ORDER', id, input)
      return { order: await context.em.findOneOrFail(Order, { id }) }
    })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ProductPayload)
  annotateProduct(
    @Args(() => Gql.MutationAnnotateProductArgs) { id, input }: Gql.MutationAnnotateProductArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await annotate(context.em, signedIn(context), 'PRODUCT', id, input)
      return { product: await context.em.findOneOrFail(Product, { id }) }
    })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.UserPayload)
  annotateUser(
    @Args(() => Gql.MutationAnnotateUserArgs) { id, input }: Gql.MutationAnnotateUserArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await annotate(context.em, signedIn(context), 'USER', id, input)
      return { user: await context.em.findOneOrFail(User, { id }) }
    })
  }
}
