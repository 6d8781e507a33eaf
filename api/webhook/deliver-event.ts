import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { clock } from '../kernel/clock.ts'
import type { Services } from '../context.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { sendRequest } from './send-request.ts'
import { signatureHeaders } from './sign-request.ts'
import { WebhookDelivery, type StoredAttempt } from './webhook-delivery.entity.ts'
import { Webhook } from './webhook.entity.ts'

export const WEBHOOK_QUEUE = 'webhooks'

/** How many requests one process has under way, to one webhook one at a time. */
export const WEBHOOKS_AT_ONCE = 8

/** The job of one attempt. */
export interface Turn {
  deliveryId: string
  /** Whose turn it is; see the entity. */
  turn: number
  /** Counts from 1, and from 1 again when an administrator sends it once more. */
  attempt: number
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** How long to wait after each failed attempt: about three days in all, as Standard Webhooks advises. */
const DELAYS = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
]

/** Nothing but failures for so long pauses a webhook. */
const PATIENCE_MS = 72 * HOUR

type Delivering = Pick<Services, 'jobs' | 'webhookReach'> & { em: EntityManager }

/**
 * Makes one attempt and writes down what came of it, with the job of the next one in the same transaction. A process
 * that dies in between repeats the attempt: the partner gets the event at least once.
 */
export async function deliverEvent({ em, jobs, webhookReach }: Delivering, job: Turn): Promise<void> {
  const delivery = await em.findOne(WebhookDelivery, { id: job.deliveryId, turn: job.turn })
  const webhook = delivery && (await em.findOne(Webhook, { id: delivery.webhookId }))
  if (!webhook) return
  const made = webhook.enabled ? await attemptAt(webhook, delivery, webhookReach) : PAUSED()
  await em.fork().transactional(async tx => {
    // The webhook's row before the delivery's: the order in which they are deleted.
    const current = await tx.findOne(Webhook, { id: webhook.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (current && webhook.enabled) recordHealth(current, made)
    if (current) await recordAttempt(tx, jobs, job, current, made)
  })
}

const PAUSED = (): StoredAttempt => ({
  at: clock.now().toISOString(),
  status: null,
  durationMs: 0,
  error: 'The webhook is paused; nothing was sent.',
  responseExcerpt: null,
})

function attemptAt(
  webhook: Webhook,
  { eventId, body }: WebhookDelivery,
  reach: Services['webhookReach'],
): Promise<StoredAttempt> {
  const now = clock.now()
  return sendRequest(
    webhook.url,
    signatureHeaders({ id: eventId, body, secrets: webhook.secretsAt(now), now }),
    body,
    reach,
  )
}

function recordHealth(webhook: Webhook, { status, error }: StoredAttempt): void {
  const now = clock.now()
  if (!error) return void Object.assign(webhook, { lastSuccessAt: now, failingSince: null })
  Object.assign(webhook, { lastFailureAt: now, lastFailure: error, failingSince: webhook.failingSince ?? now })
  if (status === 410) pause(webhook, 'The address answered 410 Gone: it wants nothing more.')
  else if (now.getTime() - webhook.failingSince!.getTime() >= PATIENCE_MS)
    pause(webhook, 'Nothing could be delivered for three days.')
}

const pause = (webhook: Webhook, attention: string) => Object.assign(webhook, { enabled: false, attention })

async function recordAttempt(
  em: EntityManager,
  jobs: Jobs,
  { deliveryId, turn, attempt }: Turn,
  webhook: Webhook,
  made: StoredAttempt,
): Promise<void> {
  const delivery = await em.findOne(WebhookDelivery, { id: deliveryId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!delivery) return
  delivery.attempts = [...delivery.attempts, made]
  // Sent again in the meantime: what comes next is up to that attempt.
  if (delivery.turn !== turn) return
  const wait = made.error && webhook.enabled ? DELAYS[attempt - 1] : undefined
  delivery.turn++
  if (wait === undefined)
    return void Object.assign(delivery, { state: made.error ? 'FAILED' : 'DELIVERED', nextAttemptAt: null })
  // Not everything that failed together is tried again together.
  delivery.nextAttemptAt = new Date(clock.now().getTime() + wait * (1 + Math.random() / 5))
  await jobs.add(em, WEBHOOK_QUEUE, { deliveryId, turn: delivery.turn, attempt: attempt + 1 } satisfies Turn, {
    startAfter: delivery.nextAttemptAt,
    group: webhook.id,
  })
}
