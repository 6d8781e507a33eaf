import { Args, Authorized, Ctx, Resolver, Subscription } from 'type-graphql'
import type { Context } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import type { EventType } from '../generated/types.ts'
import { Order } from './order.entity.ts'
import { canView } from './order.policy.ts'
import { isId } from '../kernel/validation.ts'
import { changes } from '../live/changes.ts'

/** How many changes of orders may wait for a slow reader. */
const MOST_WAITING = 100

interface Subscribing<Arguments> {
  args: Arguments
  context: Context
}

/** Every change is answered like a request of its own, with a context of its own: see stream.ts. */
@Resolver()
export class LiveResolver {
  @Authorized('GUEST')
  @Subscription(() => Gql.Order, {
    // One that waits stands for all that come before it is read: the order is read then.
    subscribe: ({ args, context }: Subscribing<Gql.SubscriptionOrderChangedArgs>) =>
      changes(context.events, ({ subjectId }) => subjectId === args.id.toLowerCase(), 1),
  })
  async orderChanged(
    @Args(() => Gql.SubscriptionOrderChangedArgs) { id }: Gql.SubscriptionOrderChangedArgs,
    @Ctx() context: Context,
  ): Promise<Order> {
    const order = isId(id) ? await context.em.findOne(Order, { id }) : null
    if (!order || !canView(context, order)) throw notFound('There is no such order.')
    return order
  }

  @Authorized('ADMIN')
  @Subscription(() => Gql.OrderChange, {
    subscribe: ({ context }: Subscribing<object>) =>
      changes(context.events, ({ type }) => type.startsWith('ORDER_'), MOST_WAITING),
  })
  async ordersChanged(@Ctx() { em, change }: Context): Promise<{ type: EventType | null; order: Order | null }> {
    if (!change) return { type: null, order: null }
    return { type: change.type, order: await em.findOneOrFail(Order, { id: change.subjectId }) }
  }
}
