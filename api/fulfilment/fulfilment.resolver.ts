import { Args, Authorized, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { cancelFulfilment } from './cancel-fulfilment.ts'
import { deliverFulfilment } from './deliver-fulfilment.ts'
import { fulfilOrder } from './fulfil-order.ts'
import type { Fulfilment } from './fulfilment.entity.ts'
import { sendFulfilment } from './send-fulfilment.ts'
import { trackFulfilment } from './track-fulfilment.ts'

@Resolver(() => Gql.Fulfilment)
export class FulfilmentResolver
  implements
    Fields<'Fulfilment', Fulfilment>,
    Roots<'Mutation', 'fulfilOrder' | 'sendFulfilment' | 'cancelFulfilment' | 'deliverFulfilment' | 'trackFulfilment'>
{
  @FieldResolver(() => [Gql.FulfilmentLine])
  lines(@Root() fulfilment: Fulfilment) {
    return fulfilment.lines.getItems()
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
}
