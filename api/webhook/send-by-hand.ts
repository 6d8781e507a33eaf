import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { v7 } from 'uuid'
import { present } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import { isId } from '../kernel/validation.ts'
import { WEBHOOK_QUEUE, type Turn } from './deliver-events.ts'
import { startDeliveries } from './start-deliveries.ts'
import { WebhookDelivery } from './webhook-delivery.entity.ts'
import { Webhook } from './webhook.entity.ts'

type Sending = Pick<Context, 'em' | 'jobs'>

/** An event that nothing happened for, to see whether it arrives. */
export async function sendTestEvent({ em, jobs }: Sending, webhookId: string): Promise<WebhookDelivery> {
  const [delivery] = await em.transactional(async tx => {
    const webhook = await enabledWebhook(tx, webhookId)
    const data = { webhook: { id: webhook.id } }
    return startDeliveries(tx, jobs, webhookId, [
      { id: v7(), type: 'webhook.test', sequence: null, createdAt: clock.now(), data },
    ])
  })
  jobs.wake(WEBHOOK_QUEUE)
  return present(delivery)
}

/** One more attempt right now, and the whole patience again should it fail. An attempt that was to come is dropped. */
export async function replayDelivery({ em, jobs }: Sending, id: string): Promise<WebhookDelivery> {
  const known = isId(id) ? await em.findOne(WebhookDelivery, { id }) : null
  if (!known) throw notThere()
  const delivery = await em.transactional(async tx => {
    await enabledWebhook(tx, known.webhookId)
    const locked = await tx.findOne(WebhookDelivery, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    if (!locked) throw notThere()
    // By hand it goes at once, whatever others about the same thing wait for.
    tx.assign(locked, {
      state: 'PENDING',
      turn: locked.turn + 1,
      attempt: 0,
      subjectId: null,
      place: null,
      nextAttemptAt: clock.now(),
    })
    await tx.flush()
    await jobs.add(tx, WEBHOOK_QUEUE, { webhookId: locked.webhookId } satisfies Turn)
    return locked
  })
  jobs.wake(WEBHOOK_QUEUE)
  return delivery
}

const notThere = () => refuse('NOT_FOUND', 'There is no such delivery.')

async function enabledWebhook(em: EntityManager, id: string): Promise<Webhook> {
  const webhook = isId(id) ? await em.findOne(Webhook, { id }) : null
  if (!webhook) throw refuse('NOT_FOUND', 'There is no such webhook.')
  if (!webhook.enabled) throw refuse('WEBHOOK_PAUSED', 'This webhook is paused. Let it go on first.')
  return webhook
}
