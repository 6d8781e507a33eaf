import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { orderCan } from '#schema/rules/order-status'
import { tracking } from '#schema/rules/shapes/tracking'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import type { MutationFulfilOrderArgs, UserError } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { check, requiredText } from '../kernel/validation.ts'
import { OrderItem, type Order } from '../order/order.entity.ts'
import { lockOrder } from '../payment/record-refund.ts'
import { countFulfilled } from './count-fulfilled.ts'
import { Fulfilment, FulfilmentLine } from './fulfilment.entity.ts'
import { refuseRefunded, type Parcel } from './lock-fulfilment.ts'
import { contentsOf, parcelAudit } from './parcel-audit.ts'
import { markSent } from './send-fulfilment.ts'

const shape = tracking.extend({
  lines: z
    .array(
      z.object({
        productId: z.string().transform(id => id.toLowerCase()),
        quantity: z.int().min(1, 'At least one unit has to go.').max(limits.stock),
      }),
    )
    .min(1, 'Please choose what goes into the parcel.')
    .max(limits.linesPerOrder, `An order has at most ${limits.linesPerOrder} lines.`)
    .nullish()
    .transform(lines => lines ?? null),
  isSent: z.boolean().default(true),
  idempotencyKey: requiredText('Idempotency key', 255)
    .nullish()
    .transform(key => key ?? null),
})

type Wanted = z.output<typeof shape>

/** Puts units of a paid order into a parcel. The same idempotency key makes it once. */
export function fulfilOrder(em: EntityManager, actor: Actor, args: MutationFulfilOrderArgs): Promise<Parcel> {
  const { id, ...given } = args
  const wanted = check(shape, given)
  return em.transactional(async tx => {
    // Parcels of one order take turns, so that no unit goes twice.
    const order = await lockOrder(tx, id)
    if (!order) throw refuse('NOT_FOUND', 'There is no such order.')
    const before = await madeBefore(tx, order, wanted)
    if (before) return { fulfilment: before, order }
    if (!order.isPaid) throw refuse('NOT_PAID', 'This order has not been paid yet.')
    refuseRefunded(order)
    const items = await tx.find(OrderItem, { order }, { orderBy: { position: 'asc' }, refresh: true })
    const chosen = orderCan.send(order) ? choose(items, wanted.lines) : []
    if (chosen.length === 0) throw refuse('ALREADY_FULFILLED', 'All of this order is in parcels already.')
    const fulfilment = pack(tx, order, chosen, wanted)
    await countFulfilled(
      tx,
      order,
      chosen.map(({ item, quantity }) => ({ item, delta: quantity })),
    )
    if (wanted.isSent) await markSent(tx, actor, { fulfilment, order })
    else await recordAudit(tx, actor, parcelAudit('PACKED', order, { fulfilments: [null, contentsOf(chosen)] }))
    return { fulfilment, order }
  })
}

interface Chosen {
  item: OrderItem
  quantity: number
}

const leftOf = ({ quantity, fulfilledQuantity }: OrderItem) => quantity - fulfilledQuantity

/** What goes into the parcel: all that is left, or what was asked for as long as it is left. */
function choose(items: readonly OrderItem[], lines: Wanted['lines']): Chosen[] {
  if (!lines) return items.map(item => ({ item, quantity: leftOf(item) })).filter(({ quantity }) => quantity > 0)
  const asked = new Map<string, number>()
  for (const { productId, quantity } of lines) asked.set(productId, (asked.get(productId) ?? 0) + quantity)
  const errors: UserError[] = []
  for (const [productId, quantity] of asked) {
    const item = items.find(each => each.productId === productId)
    if (!item)
      errors.push({ code: 'NOT_FOUND', message: 'The order has no such product.', field: ['lines', productId] })
    else if (quantity > leftOf(item))
      errors.push({
        code: 'ALREADY_FULFILLED',
        message: `Only ${leftOf(item)} of “${item.name}” left to send.`,
        field: ['lines', productId],
        available: leftOf(item),
      })
  }
  if (errors.length > 0) throw new Refusal(errors)
  return items.flatMap(item => {
    const quantity = asked.get(item.productId)
    return quantity ? [{ item, quantity }] : []
  })
}

function pack(em: EntityManager, order: Order, chosen: readonly Chosen[], wanted: Wanted): Fulfilment {
  const { carrier, trackingNumber, trackingUrl, idempotencyKey } = wanted
  const fulfilment = em.create(Fulfilment, {
    orderId: order.id,
    carrier,
    trackingNumber,
    givenUrl: trackingUrl,
    idempotencyKey,
    idempotencyHash: idempotencyKey && hashOf(wanted),
    createdAt: clock.now(),
  })
  for (const { item, quantity } of chosen) em.create(FulfilmentLine, { fulfilment, item, quantity })
  return fulfilment
}

const hashOf = ({ idempotencyKey: _, ...asked }: Wanted) =>
  createHash('sha256').update(JSON.stringify(asked)).digest('hex')

async function madeBefore(em: EntityManager, order: Order, wanted: Wanted): Promise<Fulfilment | null> {
  const { idempotencyKey } = wanted
  const before = idempotencyKey ? await em.findOne(Fulfilment, { orderId: order.id, idempotencyKey }) : null
  if (before && before.idempotencyHash !== hashOf(wanted))
    throw refuse('IDEMPOTENCY_MISMATCH', 'A parcel was already made with this key and other contents.')
  return before
}
