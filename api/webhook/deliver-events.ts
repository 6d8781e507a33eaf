import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { present } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import type { Services } from '../context.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { openLine, type Line } from '../http/open-line.ts'
import { sendRequest } from './send-request.ts'
import { signatureHeaders } from './sign-request.ts'
import { WebhookDelivery, type StoredAttempt } from './webhook-delivery.entity.ts'
import { Webhook } from './webhook.entity.ts'

export const WEBHOOK_QUEUE = 'webhooks'

/** To how many webhooks one process sends at a time. */
export const WEBHOOKS_AT_ONCE = 8

/** The job that sends a webhook what is due. */
export interface Turn {
  webhookId: string
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

/** How long one job sends; another one goes on. */
const TURN_MS = 20 * SECOND
/** Deliveries taken by one process are off limits to others for this long, which is longer than a batch takes. */
const LEASE = '45 seconds'
/** A batch begins no request after so long, and each has its ten seconds. */
const BATCH_MS = 5 * SECOND
const BATCH = 96
/** Requests at a time to an address that took the last one; to any other it is one. */
const AT_ONCE = 16

type Delivering = Pick<Services, 'jobs' | 'webhookReach'> & { newEm: () => EntityManager }

/**
 * Sends a webhook all that is due, in the order of events for each thing they happened to. One process does so at a
 * time; what it dies over is sent again: the partner gets every event at least once.
 */
export async function deliverEvents(services: Delivering, { webhookId }: Turn): Promise<void> {
  const begun = performance.now()
  const isLate = () => performance.now() - begun > TURN_MS
  do {
    if (!(await lease(services.newEm(), webhookId))) return
    try {
      while ((await deliverSome(services, webhookId)) > 0 && !isLate());
    } finally {
      await services.newEm().nativeUpdate(Webhook, { id: webhookId }, { leasedUntil: null })
    }
    // Events may have come while no other process could begin.
  } while (!isLate() && (await findDue(services.newEm(), webhookId, 1)).length > 0)
  if (isLate()) await services.jobs.add(services.newEm(), WEBHOOK_QUEUE, { webhookId } satisfies Turn)
}

async function lease(em: EntityManager, webhookId: string): Promise<boolean> {
  const leased = await em.execute<object[]>(
    `update webhooks set leased_until = now() + interval '${LEASE}'
     where id = ? and enabled and (leased_until is null or leased_until < now()) returning id`,
    [webhookId],
  )
  return leased.length > 0
}

/** What is due, oldest events first, without what has to wait for an earlier event of the same thing. */
async function findDue(em: EntityManager, webhookId: string, most: number): Promise<WebhookDelivery[]> {
  const now = clock.now()
  const rows = await em.execute(
    `select d.* from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     where d.webhook_id = ? and w.enabled and d.state = 'PENDING' and d.next_attempt_at <= ?
     and not exists (
       select from webhook_deliveries e where e.webhook_id = d.webhook_id and e.subject_id = d.subject_id
       and e.state = 'PENDING' and e.place < d.place and e.next_attempt_at > ?)
     order by d.place nulls first limit ?`,
    [webhookId, now, now, most],
  )
  return rows.map(row => em.map(WebhookDelivery, row as object))
}

interface Outcome {
  delivery: WebhookDelivery
  made: StoredAttempt
}

/** Sends one batch and writes down what came of it. Returns how many attempts were made. */
async function deliverSome({ newEm, jobs, webhookReach }: Delivering, webhookId: string): Promise<number> {
  const em = newEm()
  const webhook = await em.findOne(Webhook, { id: webhookId, enabled: true })
  if (!webhook) return 0
  const isWell = webhook.lastSuccessAt && !webhook.failingSince
  const due = await findDue(em, webhookId, isWell ? BATCH : 1)
  if (due.length === 0) return 0
  const line = openLine(webhook.url, webhookReach, AT_ONCE)
  const outcomes = await sendBatch(webhook, due, line).finally(() => line.close())
  await newEm().transactional(async tx => {
    // The webhook's row before the deliveries': the order in which they are deleted.
    const current = await tx.findOne(Webhook, { id: webhookId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!current) return
    for (const { made } of outcomes) recordHealth(current, made)
    await tx.flush()
    await tx.execute(`update webhooks set leased_until = now() + interval '${LEASE}' where id = ?`, [webhookId])
    await recordAttempts(tx, jobs, current, outcomes)
  })
  return outcomes.length
}

/** Requests about different things go side by side, those about one thing one after the other, until one fails. */
async function sendBatch(webhook: Webhook, due: readonly WebhookDelivery[], line: Line): Promise<Outcome[]> {
  const begun = performance.now()
  const outcomes: Outcome[] = []
  const waiting = [...Map.groupBy(due, ({ id, subjectId }) => subjectId ?? id).values()]
  async function work() {
    for (let group = waiting.shift(); group; group = waiting.shift())
      for (const delivery of group) {
        if (performance.now() - begun > BATCH_MS) return
        const made = await attempt(webhook, delivery, line)
        outcomes.push({ delivery, made })
        if (made.error) break
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

function attempt(webhook: Webhook, { eventId, body }: WebhookDelivery, line: Line): Promise<StoredAttempt> {
  const now = clock.now()
  return sendRequest(line, signatureHeaders({ id: eventId, body, secrets: webhook.secretsAt(now), now }), body)
}

function recordHealth(webhook: Webhook, { status, error }: StoredAttempt): void {
  const now = clock.now()
  if (!error) return void Object.assign(webhook, { lastSuccessAt: now, failingSince: null })
  Object.assign(webhook, { lastFailureAt: now, lastFailure: error, failingSince: webhook.failingSince ?? now })
  if (status === 410) pause(webhook, 'The address answered 410 Gone: it wants nothing more.')
  else if (now.getTime() - present(webhook.failingSince).getTime() >= PATIENCE_MS)
    pause(webhook, 'Nothing could be delivered for three days.')
}

const pause = (webhook: Webhook, attention: string) => Object.assign(webhook, { enabled: false, attention })

async function recordAttempts(
  em: EntityManager,
  jobs: Jobs,
  { id: webhookId }: Webhook,
  outcomes: readonly Outcome[],
): Promise<void> {
  const now = clock.now().getTime()
  const rows = outcomes.map(({ delivery: { id, turn, attempt }, made }) => {
    const wait = made.error && made.status !== 410 ? DELAYS[attempt] : undefined
    return {
      id,
      turn,
      made,
      state: wait !== undefined ? 'PENDING' : made.error ? 'FAILED' : 'DELIVERED',
      // Not everything that failed together is tried again together.
      next: wait === undefined ? null : new Date(now + wait * (1 + Math.random() / 5)).toISOString(),
    }
  })
  await em.execute(
    `update webhook_deliveries d set attempts = d.attempts || r.made,
       -- Sent again by hand in the meantime: what comes next is up to that.
       state = case when d.turn = r.turn then r.state else d.state end,
       next_attempt_at = case when d.turn = r.turn then r.next else d.next_attempt_at end,
       attempt = case when d.turn = r.turn then d.attempt + 1 else d.attempt end
     from jsonb_to_recordset(?::jsonb) as r(id uuid, turn integer, made jsonb, state text, next timestamptz) where d.id = r.id`,
    [JSON.stringify(rows)],
  )
  const next = rows.flatMap(({ next }) => next ?? []).toSorted()[0]
  if (next) await jobs.add(em, WEBHOOK_QUEUE, { webhookId } satisfies Turn, { startAfter: new Date(next) })
}

/** Sends on what is due and nobody has in hand: its process died. */
export async function deliverWhatWaits(em: EntityManager, jobs: Jobs): Promise<void> {
  const waiting = await em.execute<{ id: string }[]>(
    `select id from webhooks w where enabled and (leased_until is null or leased_until < now()) and exists (
       select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'PENDING' and d.next_attempt_at <= now())`,
  )
  for (const { id } of waiting) await jobs.add(em, WEBHOOK_QUEUE, { webhookId: id } satisfies Turn)
}
