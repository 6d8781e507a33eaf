import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { groupedGiftCardCode } from '#schema/rules/gift-card'
import { signedIn, type Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import { batched } from '../query/batch.ts'
import type { GiftCard } from './gift-card.entity.ts'
import { sendGiftCard } from './send-gift-card.ts'
import { issueGiftCard, listGiftCards, ordersById, updateGiftCard, usesOf } from './manage-gift-cards.ts'

@Resolver(() => Gql.GiftCard)
export class GiftCardResolver
  implements
    Fields<'GiftCard', GiftCard>,
    Roots<'Query', 'giftCards'>,
    Roots<'Mutation', 'issueGiftCard' | 'updateGiftCard' | 'sendGiftCard'>
{
  @FieldResolver(() => Gql.Order, { nullable: true })
  order(@Root() { orderId }: GiftCard, @Ctx() { em }: Context) {
    return orderId ? batched(em, ordersById, orderId) : null
  }

  @FieldResolver(() => [Gql.GiftCardUse])
  uses(@Root() card: GiftCard, @Ctx() { em }: Context) {
    return batched(em, usesOf, card.id)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.GiftCardPage)
  giftCards(
    @Args(() => Gql.QueryGiftCardsArgs) { search, page }: Gql.QueryGiftCardsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listGiftCards(em, search ?? null, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.IssueGiftCardPayload)
  issueGiftCard(
    @Args(() => Gql.MutationIssueGiftCardArgs) { input }: Gql.MutationIssueGiftCardArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      const giftCard = await issueGiftCard(context.em, signedIn(context), input)
      return { giftCard, code: groupedGiftCardCode(giftCard.code) }
    })
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.GiftCardPayload)
  updateGiftCard(
    @Args(() => Gql.MutationUpdateGiftCardArgs) { id, input }: Gql.MutationUpdateGiftCardArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ giftCard: await updateGiftCard(context.em, signedIn(context), id, input) }))
  }

  @Authorized('GUEST')
  @Mutation(() => Gql.SendGiftCardPayload)
  sendGiftCard(
    @Args(() => Gql.MutationSendGiftCardArgs) { id, input }: Gql.MutationSendGiftCardArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ giftCard: await sendGiftCard(context.em, context, id, input) }))
  }
}
