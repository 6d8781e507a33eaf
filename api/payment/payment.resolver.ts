import { Args, Authorized, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { signedIn, type Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { recordPayment } from './record-payment.ts'
import { refundOrder } from './refund-order.ts'
import { capture, confirmPayment, openPaypalOrder } from './pay-order.ts'

@Resolver()
export class PaymentResolver
  implements
    Roots<'Query', 'paypalConfig'>,
    Roots<'Mutation', 'createPaypalOrder' | 'capturePaypalOrder' | 'payOrder' | 'recordPayment' | 'refundOrder'>
{
  @Query(() => Gql.PaypalConfig)
  paypalConfig(@Ctx() { paypalConfig }: Context) {
    return paypalConfig
  }

  @Authorized('GUEST')
  @Mutation(() => Gql.PaypalOrderPayload)
  createPaypalOrder(
    @Args(() => Gql.MutationCreatePaypalOrderArgs) { orderId }: Gql.MutationCreatePaypalOrderArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => openPaypalOrder(context, orderId))
  }

  @Authorized('GUEST')
  @Mutation(() => Gql.PaymentPayload)
  capturePaypalOrder(
    @Args(() => Gql.MutationCapturePaypalOrderArgs) args: Gql.MutationCapturePaypalOrderArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => capture(context, args.orderId, args.paypalOrderId))
  }

  @Authorized('GUEST')
  @Mutation(() => Gql.PaymentPayload)
  payOrder(@Args(() => Gql.MutationPayOrderArgs) args: Gql.MutationPayOrderArgs, @Ctx() context: Context) {
    return payload(() => confirmPayment(context, args.orderId, args.paypalOrderId))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.PaymentPayload)
  recordPayment(
    @Args(() => Gql.MutationRecordPaymentArgs) args: Gql.MutationRecordPaymentArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => recordPayment(context.em, signedIn(context), args))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.RefundPayload)
  refundOrder(@Args(() => Gql.MutationRefundOrderArgs) args: Gql.MutationRefundOrderArgs, @Ctx() context: Context) {
    return payload(async () => ({ order: await refundOrder(context, signedIn(context), args) }))
  }
}
