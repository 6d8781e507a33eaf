import { Args, Authorized, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { batched } from '../query/batch.ts'
import { cancelFulfilment } from './cancel-fulfilment.ts'
import { deliverFulfilment } from './deliver-fulfilment.ts'
import { fulfilOrder } from './fulfil-order.ts'
import type { Fulfilment } from './fulfilment.entity.ts'
import type { FulfilmentReturn } from './fulfilment-return.entity.ts'
import { returnsOf } from './list-returns.ts'
import { returnFulfilment } from './return-fulfilment.ts'
import { sendFulfilment } from './send-fulfilment.ts'
import { trackFulfilment } from './track-fulfilment.ts'

@Resolver(() => Gql.Fulfilment)
export class FulfilmentResolver
  implements
    Fields<'Fulfilment', Fulfilment>,
    Roots<
      'Mutation',
      | 'fulfilOrder'
      | 'sendFulfilment'
      | 'cancelFulfilment'
      | 'deliverFulfilment'
      | 'trackFulfilment'
      | 'returnFulfilment'
    >
{
  @FieldResolver(() => [Gql.FulfilmentLine])
  lines(@Root() fulfilment: Fulfilment) {
    return fulfilment.lines.getItems()
  }

  @FieldResolver(() => [Gql.FulfilmentReturn])
  returns(@Root() fulfilment: Fulfilment, @Ctx() { em }: Context) {
    return batched(em, returnsOf, fulfilment.id)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.FulfilmentPayload)
  fulfilOrder(@Args(() => Gql.MutationFulfilOrderArgs) args: Gql.MutationFulfilOrderArgs, @Ctx() context: Context) {
    return payload(() => fulfilOrder(context.em, signedIn(context), args))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.FulfilmentPayload)
  sendFulfilment(
    @Args(() => Gql.MutationSendFulfilmentArgs) { id }: Gql.MutationSendFulfilmentArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => sendFulfilment(context.em, signedIn(context), id))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.FulfilmentPayload)
  cancelFulfilment(
    @Args(() => Gql.MutationCancelFulfilmentArgs) { id }: Gql.MutationCancelFulfilmentArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => cancelFulfilment(context.em, signedIn(context), id))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.FulfilmentPayload)
  deliverFulfilment(
    @Args(() => Gql.MutationDeliverFulfilmentArgs) { id }: Gql.MutationDeliverFulfilmentArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => deliverFulfilment(context.em, signedIn(context), id))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.FulfilmentPayload)
  trackFulfilment(
    @Args(() => Gql.MutationTrackFulfilmentArgs) args: Gql.MutationTrackFulfilmentArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => trackFulfilment(context.em, signedIn(context), args))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.ReturnPayload)
  returnFulfilment(
    @Args(() => Gql.MutationReturnFulfilmentArgs) args: Gql.MutationReturnFulfilmentArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => returnFulfilment(context.em, signedIn(context), args))
  }
}

@Resolver(() => Gql.FulfilmentReturn)
export class FulfilmentReturnResolver implements Fields<'FulfilmentReturn', FulfilmentReturn> {
  @FieldResolver(() => [Gql.FulfilmentReturnLine])
  lines(@Root() returned: FulfilmentReturn) {
    return returned.lines.getItems()
  }
}
