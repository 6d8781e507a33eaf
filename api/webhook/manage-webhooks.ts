import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { webhookFields } from '#schema/rules/shapes/webhook'
import type { User } from '../account/user.entity.ts'
import { changesBetween, recordAudit } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import type { EventType, WebhookDeliveryState, WebhookInput, WebhookPatch } from '../generated/types.ts'
import { pageOf, type Page } from '../query/paging.ts'
import { check, isId, nullAsLeftOut } from '../kernel/validation.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { WEBHOOK_QUEUE, type Turn } from './deliver-events.ts'
import { ForbiddenAddress, publicAddresses } from '../http/public-address.ts'
import { newSecret } from './sign-request.ts'
import { WebhookDelivery } from './webhook-delivery.entity.ts'
import { Webhook } from './webhook.entity.ts'
import { DELIVERIES_PAGE } from '../query/page-sizes.ts'

type Managing = Pick<Context, 'em' | 'webhookReach'>

/** How long the secret before a rotation signs along. */
const OVERLAP_MS = 24 * 3_600_000

const fields = z.object({
  ...webhookFields,
  events: z
    .array(z.string() as unknown as z.ZodType<EventType, EventType>)
    .min(1, 'Choose at least one event.')
    .transform(events => [...new Set(events)]),
})
const newWebhook = nullAsLeftOut(
  fields.extend({
    description: fields.shape.description.default(''),
    skus: fields.shape.skus.default([]),
    tags: fields.shape.tags.default([]),
  }),
)
const patch = nullAsLeftOut(fields.extend({ enabled: z.boolean() }).partial())

const AUDITED = ['url', 'description', 'events', 'skus', 'tags', 'enabled'] as const
const audited = (webhook: Webhook) => ({
  ...Object.fromEntries(AUDITED.map(field => [field, webhook[field]])),
  events: webhook.events.join(' '),
  skus: webhook.skus.join(', '),
  tags: webhook.tags.join(', '),
})

export function listWebhooks(em: EntityManager, page: number, pageSize: number): Promise<Page<Webhook>> {
  return pageOf(em, Webhook, { from: 'webhooks', where: [], order: 'created_at desc, id desc', page, pageSize })
}

export function listDeliveries(
  em: EntityManager,
  webhookId: string,
  state: WebhookDeliveryState | null,
  page: number,
): Promise<Page<WebhookDelivery>> {
  return pageOf(em, WebhookDelivery, {
    from: 'webhook_deliveries',
    where: isId(webhookId) ? [['webhook_id = ?', webhookId], state && ['state = ?', state]] : null,
    order: 'created_at desc, id desc',
    page,
    pageSize: DELIVERIES_PAGE,
  })
}

/** Makes a webhook and answers its secret, once. */
export async function createWebhook(
  { em, webhookReach }: Managing,
  actor: User,
  input: WebhookInput,
): Promise<{ webhook: Webhook; secret: string }> {
  const values = check(newWebhook, input)
  await checkReach(values.url, webhookReach)
  const secret = newSecret()
  return em.transactional(async tx => {
    const [{ last }] = await tx.execute<[{ last: number }]>(
      'select coalesce(max(place), 0)::float8 as last from events',
    )
    const webhook = tx.create(Webhook, { ...values, secret, createdBy: actor, heardUntil: last })
    await tx.flush()
    await recordAudit(tx, actor, {
      entity: 'WEBHOOK',
      entityId: webhook.id,
      label: webhook.url,
      action: 'CREATED',
      changes: changesBetween(null, audited(webhook), ['url', 'description', 'events', 'skus', 'tags']),
    })
    return { webhook, secret }
  })
}

/** Changes the given fields only. One that goes on after a pause goes on from where it stopped. */
export async function updateWebhook(
  { em, jobs, webhookReach }: Managing & Pick<Context, 'jobs'>,
  actor: User,
  id: string,
  input: WebhookPatch,
): Promise<Webhook> {
  const values = check(patch, input)
  if (values.url) await checkReach(values.url, webhookReach)
  return em.transactional(async tx => {
    const webhook = await findForUpdate(tx, id)
    const before = audited(webhook)
    if (values.enabled && !webhook.enabled) await sendOn(tx, jobs, webhook)
    tx.assign(webhook, {
      ...values,
    })
    const changes = changesBetween(before, audited(webhook), AUDITED)
    if (changes.length > 0)
      await recordAudit(tx, actor, { entity: 'WEBHOOK', entityId: id, label: webhook.url, action: 'UPDATED', changes })
    return webhook
  })
}

/** Lets a paused webhook go on: from where it stopped, or with what happens from now on. */
export function resumeWebhook(
  { em, jobs }: Pick<Context, 'em' | 'jobs'>,
  actor: User,
  id: string,
  skipMissed: boolean,
): Promise<Webhook> {
  return em.transactional(async tx => {
    const webhook = await findForUpdate(tx, id)
    if (webhook.enabled) return webhook
    if (skipMissed) await skip(tx, webhook)
    await sendOn(tx, jobs, webhook)
    await recordAudit(tx, actor, {
      entity: 'WEBHOOK',
      entityId: id,
      label: webhook.url,
      action: 'UPDATED',
      changes: [{ field: 'enabled', before: 'false', after: 'true' }],
    })
    return webhook
  })
}

/** What waited when it was paused goes first; what happened since follows. */
async function sendOn(em: EntityManager, jobs: Jobs, webhook: Webhook): Promise<void> {
  em.assign(webhook, { enabled: true, attention: null, failingSince: null })
  await em.flush()
  await jobs.add(em, WEBHOOK_QUEUE, { webhookId: webhook.id } satisfies Turn)
}

async function skip(em: EntityManager, webhook: Webhook): Promise<void> {
  await em.execute(
    `update webhook_deliveries set state = 'FAILED', next_attempt_at = null where webhook_id = ? and state = 'PENDING'`,
    [webhook.id],
  )
  const [{ last }] = await em.execute<[{ last: number }]>('select coalesce(max(place), 0)::float8 as last from events')
  webhook.heardUntil = last
}

/** A new secret, answered once; the old one signs along for a day, so that a partner can change over at leisure. */
export function rotateSecret(
  em: EntityManager,
  actor: User,
  id: string,
  now = clock.now(),
): Promise<{ webhook: Webhook; secret: string }> {
  return em.transactional(async tx => {
    const webhook = await findForUpdate(tx, id)
    const secret = newSecret()
    tx.assign(webhook, {
      secret,
      previousSecret: webhook.secret,
      previousSecretUntil: new Date(now.getTime() + OVERLAP_MS),
    })
    await recordAudit(tx, actor, { entity: 'WEBHOOK', entityId: id, label: webhook.url, action: 'SECRET_ROTATED' })
    return { webhook, secret }
  })
}

export function deleteWebhook(em: EntityManager, actor: User, id: string): Promise<Webhook> {
  return em.transactional(async tx => {
    const webhook = await findForUpdate(tx, id)
    await tx.nativeDelete(Webhook, { id })
    await recordAudit(tx, actor, { entity: 'WEBHOOK', entityId: id, label: webhook.url, action: 'DELETED' })
    return webhook
  })
}

async function findForUpdate(em: EntityManager, id: string): Promise<Webhook> {
  const webhook = isId(id)
    ? await em.findOne(Webhook, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
    : null
  if (!webhook) throw refuse('NOT_FOUND', 'There is no such webhook.')
  return webhook
}

async function checkReach(url: string, reach: Context['webhookReach']): Promise<void> {
  try {
    await publicAddresses(new URL(url), reach)
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw refuse('INVALID', error.message, { field: ['url'] })
    throw error
  }
}
