import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { emailKey } from '../account/user.entity.ts'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { refuse } from '../kernel/errors.ts'
import { check, email } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { lockOrder } from '../payment/record-refund.ts'
import { OrderLink } from './order-link.entity.ts'
import type { Order } from './order.entity.ts'

const given = z.object({ email: email.nullish() })

/** Sends the letter that leads to an order once more; to another address where a guest's was wrong. */
export function resendLetter(
  em: EntityManager,
  actor: Actor,
  id: string,
  input: { email?: string | null | undefined },
): Promise<Order> {
  const { email: address } = check(given, input)
  return em.transactional(async tx => {
    const order = await lockOrder(tx, id)
    if (!order?.userEmail) throw refuse('NOT_FOUND', 'There is no such order, or nobody to write to about it.')
    if (order.status === 'CANCELLED') throw refuse('ORDER_CANCELLED', 'This order was cancelled.')
    if (address && address !== order.userEmail) await correctAddress(tx, order, address)
    queueMail(tx, 'ORDER_PLACED', { orderId: order.id })
    await recordAudit(tx, actor, {
      entity: 'ORDER',
      entityId: order.id,
      label: order.reference,
      action: 'LETTER_SENT',
    })
    return order
  })
}

async function correctAddress(em: EntityManager, order: Order, address: string): Promise<void> {
  if (!order.isGuests)
    throw refuse('INVALID', 'This order belongs to an account, whose owner can change the address in their profile.', {
      field: ['email'],
    })
  order.userEmail = address
  order.guestKey = emailKey(address)
  // Whoever has the old letters must not read or pay it.
  await em.nativeDelete(OrderLink, { orderId: order.id })
  await em.execute('update code_uses set guest_key = ? where order_id = ?', [order.guestKey, order.id])
}
