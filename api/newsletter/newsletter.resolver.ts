import { Args, Ctx, Mutation, Resolver } from 'type-graphql'
import { z } from 'zod'
import { emailKey } from '../account/user.entity.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import type { Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { check, email } from '../kernel/validation.ts'
import { Subscription } from './subscription.entity.ts'

const subscription = z.object({ email })

@Resolver()
export class NewsletterResolver implements Roots<'Mutation', 'subscribeToNewsletter'> {
  @Mutation(() => Gql.NewsletterPayload)
  async subscribeToNewsletter(
    @Args(() => Gql.MutationSubscribeToNewsletterArgs) args: Gql.MutationSubscribeToNewsletterArgs,
    @Ctx() { em }: Context,
  ) {
    const result = await payload(async () => {
      const { email } = check(subscription, args)
      await em.upsert(
        Subscription,
        { emailKey: emailKey(email), email, createdAt: clock.now() },
        { onConflictAction: 'ignore' },
      )
      return { subscribed: true }
    })
    return { ...result, subscribed: result.userErrors.length === 0 }
  }
}
