import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { type Cents, shopCurrency } from '#schema/rules/money'
import { present } from '#schema/rules/present'
import { recordAudit } from '../audit/record-audit.ts'
import { refundToGiftCard } from '../gift-card/use-gift-cards.ts'
import { clock } from '../kernel/clock.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { recordOrderEvents } from '../order/order-event.ts'
import type { Incident } from '../order/incident.ts'
import { Order } from '../order/order.entity.ts'
import { recordIncident } from '../order/record-incident.ts'
import { isId } from '../kernel/validation.ts'
import type { PaypalRefund } from './paypal.ts'
import { Refund, type RefundState } from './refund.entity.ts'

/** Locks an order, so that its refunds are counted by one at a time. */
export const lockOrder = (em: EntityManager, id: string): Promise<Order | null> =>
  isId(id) ? em.findOne(Order, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }) : Promise.resolve(null)

/**
 * Writes down what PayPal reports of a refund: by its answer, by a webhook, by looking. However often and from however
 * many sides, it counts once. One the shop did not ask for was made at PayPal, or by the shopper's bank.
 */
export async function recordRefund(
  em: EntityManager,
  orderId: string,
  captureId: string,
  report: PaypalRefund,
  taken = false,
): Promise<void> {
  await em.transactional(async tx => {
    const order = present(await lockOrder(tx, orderId))
    if (report.amount === null || report.currency !== shopCurrency()) {
      return recordIncident(tx, order.id, { code: 'REFUND_UNREADABLE', data: { paypalRefundId: report.id } })
    }
    const known = await findKnown(tx, order.id, captureId, report, report.amount)
    const refund = known ?? tx.create(Refund, { orderId: order.id, captureId, amount: report.amount, state: 'STARTED' })
    const before = refund.state
    if (before === 'COMPLETED' && refund.paypalRefundId === report.id) return
    refund.paypalRefundId = report.id
    refund.amount = report.amount
    refund.state = stateOf(report.status)
    refund.updatedAt = clock.now()
    if (taken)
      await recordIncident(tx, order.id, {
        code: 'MONEY_TAKEN_BACK',
        data: { paypalRefundId: report.id, amount: report.amount },
      })
    await countRefunds(tx, order)
    if (refund.state === 'COMPLETED') await refundToGiftCard(tx, captureId, refund.amount)
    const first = before !== 'PENDING' && before !== 'COMPLETED'
    if (first && refund.state !== 'FAILED') await recordOrderEvents(tx, 'ORDER_REFUNDED', [order])
    // What a bank took back was not sent by the shop, and is no news to the shopper, who asked the bank.
    if (first && refund.state !== 'FAILED' && !taken)
      queueMail(tx, 'ORDER_REFUNDED', { orderId: order.id, refundId: refund.id })
    if (first && refund.state !== 'FAILED' && refund.actorId) {
      await recordAudit(
        tx,
        { id: refund.actorId, name: refund.actorName ?? '' },
        {
          entity: 'ORDER',
          entityId: order.id,
          label: order.reference,
          action: 'REFUNDED',
          changes: [
            {
              field: 'refundedAmount',
              before: String(order.refundedAmount - refund.amount),
              after: String(order.refundedAmount),
            },
            ...(refund.reason ? [{ field: 'reason', before: null, after: refund.reason }] : []),
          ],
        },
      )
    }
  })
}

/** PayPal moved no money: what was reserved is free again. */
export async function dropRefund(em: EntityManager, { id, orderId }: Refund, incident?: Incident): Promise<void> {
  await em.transactional(async tx => {
    const order = present(await lockOrder(tx, orderId))
    const refund = await tx.findOneOrFail(Refund, { id }, { refresh: true })
    if (refund.state !== 'STARTED' && refund.state !== 'UNKNOWN') return
    refund.state = 'FAILED'
    refund.updatedAt = clock.now()
    if (incident) await recordIncident(tx, order.id, incident)
    await countRefunds(tx, order)
  })
}

/** By PayPal's id, by ours, or else the one under way over the same amount: PayPal's event may come before its answer. */
async function findKnown(
  em: EntityManager,
  orderId: string,
  captureId: string,
  { id, reference }: PaypalRefund,
  amount: Cents,
): Promise<Refund | null> {
  const refresh = { refresh: true }
  return (
    (await em.findOne(Refund, { orderId, paypalRefundId: id }, refresh)) ??
    (reference && isId(reference)
      ? await em.findOne(Refund, { orderId, id: reference, paypalRefundId: null }, refresh)
      : null) ??
    (await em.findOne(
      Refund,
      { orderId, captureId, amount, paypalRefundId: null, state: { $in: ['STARTED', 'UNKNOWN'] } },
      { ...refresh, orderBy: { id: 'asc' } },
    ))
  )
}

async function countRefunds(em: EntityManager, order: Order): Promise<void> {
  await em.flush()
  const refunds = await em.find(Refund, { orderId: order.id, state: { $ne: 'FAILED' } })
  order.refundedAmount = refunds.reduce((sum, { amount }) => sum + amount, 0)
}

function stateOf(status: string): RefundState {
  if (status === 'COMPLETED' || status === 'PENDING') return status
  return 'FAILED'
}
