import { Args, Authorized, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { MAILBOX_PATH } from '../mail/mailbox.ts'
import { connectSubscribers, type ConnectedSubscribers } from './list-subscribers.ts'
import { askForNewsletter, confirmNewsletter, unsubscribe } from './subscribe.ts'

@Resolver(() => Gql.NewsletterSubscriberConnection)
export class NewsletterResolver
  implements
    Fields<'NewsletterSubscriberConnection', ConnectedSubscribers>,
    Roots<'Query', 'newsletterSubscribers'>,
    Roots<'Mutation', 'subscribeToNewsletter' | 'confirmNewsletter' | 'unsubscribeFromNewsletter'>
{
  @FieldResolver(() => Int)
  totalCount(@Root() connection: ConnectedSubscribers, @Ctx() { mostCounted }: Context) {
    return connection.countAll(mostCounted)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.NewsletterSubscriberConnection)
  newsletterSubscribers(
    @Args(() => Gql.QueryNewsletterSubscribersArgs) range: Gql.QueryNewsletterSubscribersArgs,
    @Ctx() { em }: Context,
  ) {
    return connectSubscribers(em, range)
  }

  @Mutation(() => Gql.NewsletterPayload)
  async subscribeToNewsletter(
    @Args(() => Gql.MutationSubscribeToNewsletterArgs) { email }: Gql.MutationSubscribeToNewsletterArgs,
    @Ctx() context: Context,
  ) {
    const { userErrors } = await payload(async () => {
      await askForNewsletter(context, email)
      return {}
    })
    return { subscribed: userErrors.length === 0, mailbox: mailboxOf(context), userErrors }
  }

  @Mutation(() => Gql.NewsletterConfirmationPayload)
  async confirmNewsletter(
    @Args(() => Gql.MutationConfirmNewsletterArgs) { token }: Gql.MutationConfirmNewsletterArgs,
    @Ctx() context: Context,
  ) {
    const { userErrors } = await payload(async () => {
      await confirmNewsletter(context.em, token)
      return {}
    })
    return { confirmed: userErrors.length === 0, mailbox: mailboxOf(context), userErrors }
  }

  @Mutation(() => Gql.UnsubscribePayload)
  async unsubscribeFromNewsletter(
    @Args(() => Gql.MutationUnsubscribeFromNewsletterArgs) { token }: Gql.MutationUnsubscribeFromNewsletterArgs,
    @Ctx() { em }: Context,
  ) {
    const { userErrors } = await payload(async () => {
      await unsubscribe(em, token)
      return {}
    })
    return { unsubscribed: userErrors.length === 0, userErrors }
  }
}

const mailboxOf = ({ mailTo }: Context) => (mailTo === 'mailbox' ? MAILBOX_PATH : null)
