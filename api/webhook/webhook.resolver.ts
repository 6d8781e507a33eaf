import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { clock } from '../kernel/clock.ts'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { DateTime } from '../kernel/scalars.ts'
import { isId } from '../kernel/validation.ts'
import type { QueryEventsArgs } from '../generated/types.ts'
import { listEvents } from './list-events.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  resumeWebhook,
  rotateSecret,
  updateWebhook,
} from './manage-webhooks.ts'
import { replayDelivery, sendTestEvent } from './send-by-hand.ts'
import type { WebhookDelivery } from './webhook-delivery.entity.ts'
import { Webhook } from './webhook.entity.ts'

@Resolver(() => Gql.Webhook)
export class WebhookResolver
  implements
    Fields<'Webhook', Webhook>,
    Roots<'Query', 'webhooks' | 'webhook' | 'webhookDeliveries' | 'events'>,
    Roots<
      'Mutation',
      | 'createWebhook'
      | 'updateWebhook'
      | 'resumeWebhook'
      | 'rotateWebhookSecret'
      | 'deleteWebhook'
      | 'sendTestEvent'
      | 'replayDelivery'
    >
{
  @FieldResolver(() => Gql.User)
  createdBy(@Root() webhook: Webhook) {
    return webhook.createdBy.loadOrFail()
  }

  @FieldResolver(() => DateTime, { nullable: true })
  previousSecretUntil(@Root() { previousSecretUntil }: Webhook) {
    return previousSecretUntil && previousSecretUntil > clock.now() ? previousSecretUntil : null
  }

  @Authorized('ADMIN')
  @Query(() => Gql.ShopEventConnection)
  events(@Args(() => Gql.QueryEventsArgs) { first, after, types }: QueryEventsArgs, @Ctx() { em }: Context) {
    return listEvents(em, types ?? null, { first, after })
  }

  @Authorized('ADMIN')
  @Query(() => Gql.WebhookPage)
  webhooks(@Args(() => Gql.QueryWebhooksArgs) { page }: Gql.QueryWebhooksArgs, @Ctx() { em, pageSize }: Context) {
    return listWebhooks(em, page ?? 1, pageSize)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.Webhook, { nullable: true })
  webhook(@Args(() => Gql.QueryWebhookArgs) { id }: Gql.QueryWebhookArgs, @Ctx() { em }: Context) {
    return isId(id) ? em.findOne(Webhook, { id }) : null
  }

  @Authorized('ADMIN')
  @Query(() => Gql.WebhookDeliveryPage)
  webhookDeliveries(
    @Args(() => Gql.QueryWebhookDeliveriesArgs) { webhookId, state, page }: Gql.QueryWebhookDeliveriesArgs,
    @Ctx() { em }: Context,
  ) {
    return listDeliveries(em, webhookId, state ?? null, page ?? 1)
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookSecretPayload)
  createWebhook(
    @Args(() => Gql.MutationCreateWebhookArgs) { input }: Gql.MutationCreateWebhookArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => createWebhook(context, signedIn(context), input))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookPayload)
  updateWebhook(
    @Args(() => Gql.MutationUpdateWebhookArgs) { id, input }: Gql.MutationUpdateWebhookArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ webhook: await updateWebhook(context, signedIn(context), id, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookPayload)
  resumeWebhook(
    @Args(() => Gql.MutationResumeWebhookArgs) { id, skipMissed }: Gql.MutationResumeWebhookArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ webhook: await resumeWebhook(context, signedIn(context), id, skipMissed ?? false) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookSecretPayload)
  rotateWebhookSecret(
    @Args(() => Gql.MutationRotateWebhookSecretArgs) { id }: Gql.MutationRotateWebhookSecretArgs,
    @Ctx() context: Context,
  ) {
    return payload(() => rotateSecret(context.em, signedIn(context), id))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookPayload)
  deleteWebhook(
    @Args(() => Gql.MutationDeleteWebhookArgs) { id }: Gql.MutationDeleteWebhookArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ webhook: await deleteWebhook(context.em, signedIn(context), id) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookDeliveryPayload)
  sendTestEvent(
    @Args(() => Gql.MutationSendTestEventArgs) { webhookId }: Gql.MutationSendTestEventArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ delivery: await sendTestEvent(context, webhookId) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.WebhookDeliveryPayload)
  replayDelivery(
    @Args(() => Gql.MutationReplayDeliveryArgs) { id }: Gql.MutationReplayDeliveryArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ delivery: await replayDelivery(context, id) }))
  }
}

@Resolver(() => Gql.WebhookDelivery)
export class WebhookDeliveryResolver implements Fields<'WebhookDelivery', WebhookDelivery> {
  @FieldResolver(() => [Gql.WebhookAttempt])
  attempts(@Root() { attempts }: WebhookDelivery) {
    return attempts.map(attempt => ({ ...attempt, at: new Date(attempt.at) }))
  }

  @FieldResolver(() => String)
  requestBody(@Root() { body }: WebhookDelivery) {
    return body
  }
}
