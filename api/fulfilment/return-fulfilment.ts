import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { firstOfLots, lotsLeft, unitsOf, type LotPortion } from '#schema/rules/lots'
import { valueOfReturn } from '#schema/rules/returns'
import { taxLines } from '#schema/rules/tax-lines'
import { reasonOrNull } from '#schema/rules/shapes/refund'
import { recordAudit, type Actor } from '../audit/record-audit.ts'
import { releaseStock } from '../catalog/stock.ts'
import type { MutationReturnFulfilmentArgs, UserError } from '../generated/types.ts'
import { clock } from '../kernel/clock.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { check, idInLowerCase, keyOrNull } from '../kernel/validation.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { Order } from '../order/order.entity.ts'
import { lots, mergeLines } from '../order/quote-cart.ts'
import { hashOf } from './fulfil-order.ts'
import { FulfilmentReturn, FulfilmentReturnLine } from './fulfilment-return.entity.ts'
import { FulfilmentLine, type Fulfilment } from './fulfilment.entity.ts'
import { lockFulfilment, refuseCancelled, type Parcel } from './lock-fulfilment.ts'
import { contentsOf, parcelAudit } from './parcel-audit.ts'
import { recordParcelEvent } from './parcel-event.ts'

const shape = z.object({
  lines: z
    .array(
      z.object({
        productId: idInLowerCase,
        quantity: z.int().min(1, 'At least one unit has to come back.').max(limits.stock),
        isRestocked: z.boolean().default(true),
        lots: lots.nullish().transform(lots => lots ?? undefined),
      }),
    )
    .min(1, 'Please choose what came back.')
    .max(2 * limits.linesPerOrder, `At most ${2 * limits.linesPerOrder} lines.`)
    .nullish()
    .transform(lines => lines ?? null),
  reason: reasonOrNull,
  idempotencyKey: keyOrNull,
})

type Said = z.output<typeof shape>

/** Takes back what came back of a parcel. The same idempotency key takes it once. */
export function returnFulfilment(
  em: EntityManager,
  actor: Actor,
  args: MutationReturnFulfilmentArgs,
): Promise<Parcel & { returned: FulfilmentReturn }> {
  const { id, ...given } = args
  const said = check(shape, given)
  return em.transactional(async tx => {
    // What comes back of one order is counted by one at a time, so that no unit comes back twice.
    const parcel = await lockFulfilment(tx, id)
    const { fulfilment } = parcel
    const before = await takenBefore(tx, fulfilment, said)
    if (before) return { ...parcel, returned: before }
    refuseCancelled(fulfilment)
    if (!fulfilment.sentAt) throw refuse('FULFILMENT_STATE', 'This parcel has not left yet.')
    const back = choose(await outside(tx, fulfilment), said.lines)
    if (back.length === 0) throw refuse('ALREADY_RETURNED', 'All of this parcel has come back already.')
    const returned = await takeIn(tx, parcel, back, said)
    await tell(tx, actor, parcel, returned)
    return { ...parcel, returned }
  })
}

interface Portion {
  line: FulfilmentLine
  quantity: number
  isRestocked: boolean
  lots: LotPortion[]
}

type Outside = Omit<Portion, 'isRestocked'>

/** What of each line of a parcel has not come back. */
async function outside(em: EntityManager, fulfilment: Fulfilment): Promise<Outside[]> {
  const lines = fulfilment.lines.getItems()
  const back = await em.find(FulfilmentReturnLine, { line: { $in: lines } })
  return lines.map(line => ({
    line,
    quantity: line.quantity - line.returnedQuantity,
    lots: lotsLeft(
      line.lots,
      back.filter(each => each.line.id === line.id).flatMap(({ lots }) => lots),
    ),
  }))
}

/** What came back: everything still out, or the lines given, as long as they are still out. */
function choose(open: readonly Outside[], lines: Said['lines']): Portion[] {
  if (!lines) return open.filter(({ quantity }) => quantity > 0).map(rest => ({ ...rest, isRestocked: true }))
  const said = [true, false].flatMap(isRestocked =>
    mergeLines(lines.filter(line => line.isRestocked === isRestocked)).map(line => ({ ...line, isRestocked })),
  )
  const left = new Map(open.map(rest => [rest.line.item.productId, rest]))
  const errors: UserError[] = []
  const portions: Portion[] = []
  // Lines that name their lots come first; the others get what is left.
  for (const { productId, quantity, isRestocked, lots } of said.toSorted((a, b) => Number(!a.lots) - Number(!b.lots))) {
    const rest = left.get(productId)
    const error = rest ? tooMany(rest, quantity, lots ?? []) : notInside(productId)
    if (error) errors.push(error)
    else if (rest) {
      const taken = lots ?? firstOfLots(rest.lots, quantity)
      portions.push({ line: rest.line, quantity, isRestocked, lots: taken })
      left.set(productId, { ...rest, quantity: rest.quantity - quantity, lots: lotsLeft(rest.lots, taken) })
    }
  }
  if (errors.length > 0) throw new Refusal(errors)
  return portions
}

const notInside = (productId: string): UserError => ({
  code: 'NOT_FOUND',
  message: 'The parcel has no such product.',
  field: ['lines', productId],
})

function tooMany(rest: Outside, quantity: number, chosen: readonly LotPortion[]): UserError | null {
  const { name, productId } = rest.line.item
  const refusal = (what: string, available: number): UserError => ({
    code: 'ALREADY_RETURNED',
    message: `Only ${available} of ${what} can still come back.`,
    field: ['lines', productId],
    available,
  })
  if (quantity > rest.quantity) return refusal(`“${name}”`, rest.quantity)
  for (const { code, quantity } of chosen) {
    const available = unitsOf(rest.lots.filter(lot => lot.code === code))
    if (quantity > available) return refusal(`lot ${code} of “${name}”`, available)
  }
  return null
}

async function takeIn(
  em: EntityManager,
  { fulfilment, order }: Parcel,
  portions: readonly Portion[],
  { reason, idempotencyKey, ...said }: Said,
): Promise<FulfilmentReturn> {
  const returned = em.create(FulfilmentReturn, {
    fulfilmentId: fulfilment.id,
    reason,
    value: await valueOf(em, order, portions),
    idempotencyKey,
    idempotencyHash: idempotencyKey && hashOf({ ...said, reason }),
    createdAt: clock.now(),
  })
  for (const portion of portions) em.create(FulfilmentReturnLine, { return: returned, ...portion })
  // The database refuses what is more than left.
  await em.execute(
    `update fulfilment_lines set returned_quantity = returned_quantity + units
     from (select line, sum(quantity)::int as units from jsonb_to_recordset(?::jsonb) as b(line uuid, quantity integer) group by line) b
     where id = line`,
    [JSON.stringify(portions.map(({ line, quantity }) => ({ line: line.id, quantity })))],
  )
  await em.find(FulfilmentLine, { fulfilment }, { refresh: true })
  await em.flush()
  const restocked = portions.filter(({ isRestocked }) => isRestocked)
  await releaseStock(
    em,
    order,
    restocked.map(({ line: { item }, quantity, lots }) => ({ productId: item.productId, quantity, lots })),
    'returned',
  )
  return returned
}

/** What the shopper paid for what comes back now, with what of the order came back before. */
async function valueOf(em: EntityManager, order: Order, portions: readonly Portion[]): Promise<number> {
  const lines = await em.execute<
    {
      id: string
      price: number
      quantity: number
      discount: number
      reducedTax: boolean
      returnedBefore: number
    }[]
  >(
    `select i.id, i.price, i.quantity, i.discount, i.reduced_tax as "reducedTax", coalesce(sum(l.returned_quantity), 0)::int as "returnedBefore"
     from order_items i left join fulfilment_lines l on l.item_id = i.id where i.order_id = ? group by i.id`,
    [order.id],
  )
  return valueOfReturn(
    {
      itemsPrice: order.itemsPrice,
      giftCardsSold: order.giftCardsSold,
      discount: order.discount,
      taxPrice: order.taxPrice,
      taxes: taxLines(order),
    },
    lines.map(line => ({
      ...line,
      units: portions.reduce((sum, { line: { item }, quantity }) => sum + (item.id === line.id ? quantity : 0), 0),
    })),
  )
}

async function tell(em: EntityManager, actor: Actor, parcel: Parcel, returned: FulfilmentReturn): Promise<void> {
  const { order } = parcel
  const lines = returned.lines.getItems()
  const back = {
    id: returned.id,
    reason: returned.reason ?? null,
    value: returned.value,
    createdAt: returned.createdAt.toISOString(),
    lines: lines.map(({ item: { productId, sku }, quantity, isRestocked, lots }) => ({
      productId,
      sku,
      quantity,
      isRestocked,
      lots,
    })),
  }
  await recordParcelEvent(em, 'ORDER_RETURNED', parcel, { return: back })
  queueMail(em, 'ORDER_RETURNED', { orderId: order.id, returnId: returned.id })
  const contents = (isRestocked: boolean) => contentsOf(lines.filter(line => line.isRestocked === isRestocked)) || null
  await recordAudit(
    em,
    actor,
    parcelAudit('RETURNED', order, {
      restocked: [null, contents(true)],
      writtenOff: [null, contents(false)],
      reason: [null, returned.reason ?? null],
    }),
  )
}

async function takenBefore(em: EntityManager, fulfilment: Fulfilment, said: Said): Promise<FulfilmentReturn | null> {
  const { idempotencyKey, ...rest } = said
  if (!idempotencyKey) return null
  const before = await em.findOne(
    FulfilmentReturn,
    { fulfilmentId: fulfilment.id, idempotencyKey },
    { populate: ['lines.line.item'] },
  )
  if (before && before.idempotencyHash !== hashOf(rest))
    throw refuse('IDEMPOTENCY_MISMATCH', 'A return was already recorded with this key and other contents.')
  return before
}
