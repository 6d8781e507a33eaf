import { Args, Authorized, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { annotatedType } from '../annotation/annotated-type.ts'
import { historyOf } from '../audit/list-audit.ts'
import { batched } from '../query/batch.ts'
import { awaitedOf, lastDay } from '#schema/rules/preorder'
import { taxLines } from '#schema/rules/tax-lines'
import { forSale } from '../catalog/for-sale.ts'
import { signedIn, type Context } from '../context.ts'
import { downloadsOf } from '../download/read-downloads.ts'
import { boughtWith } from '../gift-card/bought-gift-cards.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { Cents, DateTime } from '../kernel/scalars.ts'
import { fulfilmentsOf } from '../fulfilment/list-fulfilments.ts'
import { lastChangeOfOrder } from '../query/last-change.ts'
import * as Gql from '../generated/classes.ts'
import { paymentsOf } from '../payment/list-payments.ts'
import { refundsOf } from '../payment/list-refunds.ts'
import { underWay } from '../payment/under-way.ts'
import { check, isId } from '../kernel/validation.ts'
import { cancelOrder } from './cancel-order.ts'
import { destination, resolveAddress } from './destination.ts'
import { deliverOrder, deliverOrders } from './deliver-orders.ts'
import { incidentsOf } from './list-incidents.ts'
import { connectOrders, countOrders, listOrders, orderStats, type ConnectedOrders } from './list-orders.ts'
import { estimateArrival } from './estimate-arrival.ts'
import { Order, type OrderItem } from './order.entity.ts'
import { canPay, canView } from './order.policy.ts'
import { placeOrder } from './place-order.ts'
import { placeOrderFor, quoteOrderFor } from './place-order-for.ts'
import { mergeLines, quoteCart } from './quote-cart.ts'
import { resolveIncident, resolveIncidents } from './record-incident.ts'
import { releaseHold } from './release-hold.ts'
import { resendLetter } from './resend-letter.ts'

const linesOf = (order: Order) => order.items.loadItems({ dataloader: true })

const quotable = ({ lines, code, to, giftCards }: Gql.QueryQuoteCartArgs, delivery: Context['delivery']) => ({
  lines: mergeLines(lines),
  code,
  to: to && resolveAddress({ delivery }, check(destination, to)),
  giftCards,
})

@Resolver(() => Gql.OrderItem)
export class OrderItemResolver implements Fields<'OrderItem', OrderItem> {
  @FieldResolver(() => String, { nullable: true })
  expectedOn(@Root() item: OrderItem) {
    return awaitedOf(item)
  }

  @FieldResolver(() => Boolean)
  isForSale(@Root() item: OrderItem, @Ctx() { em }: Context) {
    return batched(em, forSale, item.productId)
  }

  @FieldResolver(() => [Gql.Download])
  async downloads(@Root() { order, productId }: OrderItem, @Ctx() { em }: Context) {
    return downloadsOf(em, await order.loadOrFail(), productId)
  }
}

@Resolver(() => Gql.OrderConnection)
export class OrderConnectionResolver implements Fields<'OrderConnection', ConnectedOrders> {
  @FieldResolver(() => Int)
  totalCount(@Root() connection: ConnectedOrders, @Ctx() { mostCounted }: Context) {
    return connection.countAll(mostCounted)
  }
}

/** What one answer holds at most. */
const MOST = 500
const NEWEST = { createdAt: 'desc', id: 'desc' } as const

@Resolver(() => Gql.Order)
export class OrderResolver
  extends annotatedType(Gql.Order, 'ORDER')
  implements
    Fields<'Order', Order>,
    Roots<
      'Query',
      | 'quoteCart'
      | 'quoteOrderFor'
      | 'order'
      | 'myOrders'
      | 'orders'
      | 'ordersConnection'
      | 'orderCounts'
      | 'orderStats'
    >,
    Roots<
      'Mutation',
      | 'placeOrder'
      | 'placeOrderFor'
      | 'cancelOrder'
      | 'releaseHold'
      | 'resendOrderLetter'
      | 'deliverOrder'
      | 'deliverOrders'
      | 'resolveAttention'
      | 'resolveIncident'
    >
{
  @FieldResolver(() => Gql.OrderUser)
  user(@Root() order: Order) {
    const { id, userId, userName, userEmail, isGuests } = order
    return { userId: userId ?? id, name: userName, email: userEmail, isGuest: isGuests }
  }

  @FieldResolver(() => Cents)
  amountDue(@Root() order: Order) {
    return order.isPaid ? order.unpaidAmount : order.charge
  }

  @FieldResolver(() => [Gql.BoughtGiftCard])
  boughtGiftCards(@Root() order: Order, @Ctx() context: Context) {
    const isToldOf = order.giftCardsSold > 0 && order.isPaid && canPay(context, order)
    return isToldOf ? batched(context.em, boughtWith, order.id) : []
  }

  @FieldResolver(() => [Gql.OrderItem])
  items(@Root() order: Order) {
    return linesOf(order)
  }

  @FieldResolver(() => Gql.DayRange, { nullable: true })
  async deliveryEstimate(@Root() order: Order, @Ctx() context: Context) {
    return estimateArrival(context, order, await linesOf(order))
  }

  @FieldResolver(() => String, { nullable: true })
  async expectedOn(@Root() order: Order) {
    return lastDay((await linesOf(order)).map(awaitedOf))
  }

  @FieldResolver(() => DateTime)
  async updatedAt(@Root() order: Order, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfOrder, order.id)).updatedAt
  }

  @FieldResolver(() => Int)
  async version(@Root() order: Order, @Ctx() { em }: Context) {
    return (await batched(em, lastChangeOfOrder, order.id)).version
  }

  @FieldResolver(() => Boolean)
  isPaymentUnderWay(@Root() order: Order, @Ctx() { em }: Context) {
    return batched(em, underWay, order.id)
  }

  @FieldResolver(() => String, { nullable: true })
  async attention(@Root() order: Order, @Ctx() { em, user }: Context) {
    const incidents = user?.manages('READ_ORDERS') ? await batched(em, incidentsOf, order.id) : []
    return incidents.find(({ resolvedAt }) => !resolvedAt)?.message ?? null
  }

  @Authorized('ADMIN')
  @FieldResolver(() => [Gql.OrderIncident])
  incidents(@Root() order: Order, @Ctx() { em }: Context) {
    return batched(em, incidentsOf, order.id)
  }

  @FieldResolver(() => [Gql.TaxLine])
  taxes(@Root() order: Order) {
    return taxLines(order)
  }

  @FieldResolver(() => [Gql.Refund])
  refunds(@Root() order: Order, @Ctx() { em }: Context) {
    return batched(em, refundsOf, order.id)
  }

  @FieldResolver(() => [Gql.Payment])
  payments(@Root() order: Order, @Ctx() { em }: Context) {
    return batched(em, paymentsOf, order.id)
  }

  @FieldResolver(() => [Gql.Fulfilment])
  fulfilments(@Root() order: Order, @Ctx() { em }: Context) {
    return batched(em, fulfilmentsOf, order.id)
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Gql.AuditPage)
  history(
    @Root() order: Order,
    @Args(() => Gql.OrderHistoryArgs) { page }: Gql.OrderHistoryArgs,
    @Ctx() { em }: Context,
  ) {
    return historyOf(em, 'ORDER', order.id, page ?? 1)
  }

  @Query(() => Gql.CartQuote)
  quoteCart(
    @Args(() => Gql.QueryQuoteCartArgs) asked: Gql.QueryQuoteCartArgs,
    @Ctx() { em, policy, delivery, user }: Context,
  ) {
    const buyer = user && { userId: user.id, guestKey: null }
    return quoteCart(em, policy, { ...quotable(asked, delivery), buyer })
  }

  @Authorized('ADMIN')
  @Query(() => Gql.CartQuote)
  quoteOrderFor(
    @Args(() => Gql.QueryQuoteOrderForArgs) { customerEmail, ...cart }: Gql.QueryQuoteOrderForArgs,
    @Ctx() { em, policy, delivery }: Context,
  ) {
    return quoteOrderFor(em, policy, customerEmail, quotable(cart, delivery))
  }

  @Authorized('GUEST')
  @Query(() => Gql.Order, { nullable: true })
  async order(@Args(() => Gql.QueryOrderArgs) { id }: Gql.QueryOrderArgs, @Ctx() context: Context) {
    const order = isId(id) ? await context.em.findOne(Order, { id }) : null
    return order && canView(context, order) ? order : null
  }

  @Authorized()
  @Query(() => [Gql.Order])
  myOrders(@Ctx() context: Context) {
    return context.em.find(Order, { userId: signedIn(context).id }, { orderBy: NEWEST, limit: MOST })
  }

  @Authorized('ADMIN')
  @Query(() => Gql.OrderPage)
  orders(
    @Args(() => Gql.QueryOrdersArgs) { filter, sort, page }: Gql.QueryOrdersArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listOrders(em, filter ?? {}, sort ?? null, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.OrderConnection)
  ordersConnection(
    @Args(() => Gql.QueryOrdersConnectionArgs) { filter, sort, ...range }: Gql.QueryOrdersConnectionArgs,
    @Ctx() { em }: Context,
  ) {
    return connectOrders(em, filter ?? {}, sort ?? null, range)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.OrderCounts)
  orderCounts(@Args(() => Gql.QueryOrderCountsArgs) filter: Gql.QueryOrderCountsArgs, @Ctx() { em }: Context) {
    return countOrders(em, filter)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.OrderStats)
  orderStats(@Ctx() { em }: Context) {
    return orderStats(em)
  }

  @Mutation(() => Gql.PlaceOrderPayload)
  placeOrder(@Args(() => Gql.MutationPlaceOrderArgs) { input }: Gql.MutationPlaceOrderArgs, @Ctx() context: Context) {
    return payload(() => placeOrder(context.em, context, input))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.PlaceOrderPayload)
  placeOrderFor(
    @Args(() => Gql.MutationPlaceOrderForArgs) { input }: Gql.MutationPlaceOrderForArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => placeOrderFor(context.em, context, signedIn(context), input))
  }

  @Authorized('GUEST')
  @Mutation(() => Gql.OrderPayload)
  cancelOrder(@Args(() => Gql.MutationCancelOrderArgs) { id }: Gql.MutationCancelOrderArgs, @Ctx() context: Context) {
    return payload(async () => ({ order: await cancelOrder(context.em, context, id) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.OrderPayload)
  releaseHold(
    @Args(() => Gql.MutationReleaseHoldArgs) { orderId }: Gql.MutationReleaseHoldArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ order: await releaseHold(context.em, signedIn(context), orderId) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.OrderPayload)
  resendOrderLetter(
    @Args(() => Gql.MutationResendOrderLetterArgs) { orderId, ...input }: Gql.MutationResendOrderLetterArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ order: await resendLetter(context.em, signedIn(context), orderId, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.OrderPayload)
  deliverOrder(
    @Args(() => Gql.MutationDeliverOrderArgs) { id }: Gql.MutationDeliverOrderArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ order: await deliverOrder(context.em, signedIn(context), id) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.BulkOrderPayload)
  async deliverOrders(
    @Args(() => Gql.MutationDeliverOrdersArgs) { ids }: Gql.MutationDeliverOrdersArgs,
    @Ctx() context: Context,
  ) {
    return Object.assign(
      { orders: [], changed: 0 },
      await payload(() => deliverOrders(context.em, signedIn(context), ids)),
    )
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.OrderPayload)
  resolveAttention(
    @Args(() => Gql.MutationResolveAttentionArgs) { orderId }: Gql.MutationResolveAttentionArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ order: await resolveIncidents(context.em, signedIn(context), orderId) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.OrderPayload)
  resolveIncident(
    @Args(() => Gql.MutationResolveIncidentArgs) { id }: Gql.MutationResolveIncidentArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ order: await resolveIncident(context.em, signedIn(context), id) }))
  }
}
