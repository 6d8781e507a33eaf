import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { firstOfLots, lotsLeft, unitsOf, type LotPortion } from '#schema/rules/lots'
import { orderCan } from '#schema/rules/order-status'
import { tracking } from '#schema/rules/shapes/tracking'
import { nth } from '#schema/rules/present'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import type { MutationFulfilOrderArgs, UserError } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { check, idInLowerCase, keyOrNull } from '../kernel/validation.ts'
import { OrderItem, type Order } from '../order/order.entity.ts'
import { lots, mergeLines } from '../order/quote-cart.ts'
import { lockOrder } from '../payment/record-refund.ts'
import { countFulfilled } from './count-fulfilled.ts'
import { Fulfilment, FulfilmentLine } from './fulfilment.entity.ts'
import { refuseRefunded, type Parcel } from './lock-fulfilment.ts'
import { contentsOf, parcelAudit } from './parcel-audit.ts'
import { recordParcelEvent } from './parcel-event.ts'
import { markSent } from './send-fulfilment.ts'

const shape = tracking.extend({
  lines: z
    .array(
      z.object({
        productId: idInLowerCase,
        quantity: z.int().min(1, 'At least one unit has to go.').max(limits.stock),
        lots: lots.nullish().transform(lots => lots ?? undefined),
      }),
    )
    .min(1, 'Please choose what goes into the parcel.')
    .max(limits.linesPerOrder, `An order has at most ${limits.linesPerOrder} lines.`)
    .nullish()
    .transform(lines => lines ?? null),
  isSent: z.boolean().default(true),
  idempotencyKey: keyOrNull,
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
    const chosen = orderCan.send(order) ? choose(await left(tx, items), wanted.lines) : []
    if (chosen.length === 0) throw refuse('ALREADY_FULFILLED', 'All of this order is in parcels already.')
    const fulfilment = pack(tx, order, chosen, wanted)
    await countFulfilled(
      tx,
      order,
      chosen.map(({ item, quantity }) => ({ item, delta: quantity })),
    )
    if (wanted.isSent) await markSent(tx, actor, { fulfilment, order })
    else {
      await tx.flush()
      await recordParcelEvent(tx, 'ORDER_PACKED', { fulfilment, order })
      await recordAudit(tx, actor, parcelAudit('PACKED', order, { fulfilments: [null, contentsOf(chosen)] }))
    }
    return { fulfilment, order }
  })
}

interface Portion {
  item: OrderItem
  quantity: number
  lots: LotPortion[]
}

/** What of each line is in no parcel. */
async function left(em: EntityManager, items: readonly OrderItem[]): Promise<Portion[]> {
  const inLots = items.filter(({ lots }) => lots.length > 0).map(({ id }) => id)
  const parcelled =
    inLots.length > 0
      ? await em.execute<{ item_id: string; lots: LotPortion[] }[]>(
          `select item_id, lots from fulfilment_lines l join fulfilments f on f.id = l.fulfilment_id
           where f.order_id = ? and f.cancelled_at is null`,
          [nth(items, 0).order.id],
        )
      : []
  return items.map(item => ({
    item,
    quantity: item.quantity - item.fulfilledQuantity,
    lots: lotsLeft(
      item.lots,
      parcelled.filter(({ item_id }) => item_id === item.id).flatMap(({ lots }) => lots),
    ),
  }))
}

/** What goes into the parcel: all that is left and here, or what was asked for as long as it is left. */
function choose(open: readonly Portion[], lines: Wanted['lines']): Portion[] {
  if (!lines) {
    const unsent = open.filter(({ quantity }) => quantity > 0)
    const here = unsent.filter(({ item }) => !item.expectedOn)
    if (unsent.length > 0 && here.length === 0)
      throw refuse('INVALID', 'Nothing that is left of this order is here yet. Name what goes all the same.', {
        field: ['lines'],
      })
    return here.map(rest => take(rest, rest.quantity))
  }
  const asked = mergeLines(lines)
  const errors = asked.flatMap(({ productId, quantity, lots: chosen = [] }): UserError[] => {
    const field = ['lines', productId]
    const rest = open.find(({ item }) => item.productId === productId)
    if (!rest) return [{ code: 'NOT_FOUND', message: 'The order has no such product.', field }]
    const { name } = rest.item
    const tooMany = (what: string, available: number): UserError => ({
      code: 'ALREADY_FULFILLED',
      message: `Only ${available} of ${what} left to send.`,
      field,
      available,
    })
    if (quantity > rest.quantity) return [tooMany(`“${name}”`, rest.quantity)]
    const available = new Map(rest.lots.map(lot => [lot.code, lot.quantity]))
    return chosen
      .filter(lot => lot.quantity > (available.get(lot.code) ?? 0))
      .map(({ code }) => tooMany(`lot ${code} of “${name}”`, available.get(code) ?? 0))
  })
  if (errors.length > 0) throw new Refusal(errors)
  return open.flatMap(rest => {
    const line = asked.find(({ productId }) => productId === rest.item.productId)
    return line ? [take(rest, line.quantity, line.lots)] : []
  })
}

/** Of the first lots that are left, unless somebody chose; of none, when it is not known which those are. */
function take(rest: Portion, quantity: number, chosen?: LotPortion[]): Portion {
  const known = unitsOf(rest.lots) === rest.quantity ? rest.lots : []
  return { item: rest.item, quantity, lots: chosen ?? firstOfLots(known, quantity) }
}

function pack(em: EntityManager, order: Order, chosen: readonly Portion[], wanted: Wanted): Fulfilment {
  const { idempotencyKey, ...rest } = wanted
  const { carrier, trackingNumber, trackingUrl } = rest
  const fulfilment = em.create(Fulfilment, {
    orderId: order.id,
    carrier,
    trackingNumber,
    givenUrl: trackingUrl,
    idempotencyKey,
    idempotencyHash: idempotencyKey && hashOf(rest),
    createdAt: clock.now(),
  })
  for (const line of chosen) em.create(FulfilmentLine, { fulfilment, ...line })
  return fulfilment
}

/** Hash of what a key was first used for, to tell whether it is used for the same again. */
export const hashOf = (asked: object) => createHash('sha256').update(JSON.stringify(asked)).digest('hex')

async function madeBefore(em: EntityManager, order: Order, wanted: Wanted): Promise<Fulfilment | null> {
  const { idempotencyKey, ...rest } = wanted
  if (!idempotencyKey) return null
  const before = await em.findOne(Fulfilment, { orderId: order.id, idempotencyKey }, { populate: ['lines.item'] })
  if (before && before.idempotencyHash !== hashOf(rest))
    throw refuse('IDEMPOTENCY_MISMATCH', 'A parcel was already made with this key and other contents.')
  return before
}
