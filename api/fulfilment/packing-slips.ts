import type { EntityManager } from '@mikro-orm/postgresql'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lotsLeft } from '#schema/rules/lots'
import { orderCan } from '#schema/rules/order-status'
import { MOST_SLIPS } from '#schema/rules/packing'
import { present } from '#schema/rules/present'
import { signedIn, type Context } from '../context.ts'
import { Problem } from '../http/problem.ts'
import { isId } from '../kernel/validation.ts'
import { Order } from '../order/order.entity.ts'
import { demandOfAdmin, SCOPES } from '../partner/scopes.ts'
import type { Stationery } from '../pdf/paper.ts'
import type { Packing } from './draw-packing-slips.ts'
import { FulfilmentLine } from './fulfilment.entity.ts'

interface Options extends Stationery {
  contextOf: (request: FastifyRequest) => Promise<Context>
}

/**
 * `GET /api/orders/packing-slips.pdf?ids=…`, for administrators: what is left to pack, and here, of up to 50 orders, in the order of
 * their ids, which commas separate. Orders of which nothing is left are left out.
 */
export async function packingSlips(app: FastifyInstance, { contextOf, ...stationery }: Options): Promise<void> {
  app.get<{ Querystring: { ids?: string | string[] } }>('/api/orders/packing-slips.pdf', async (request, reply) => {
    const context = await contextOf(request)
    signedIn(context)
    demandOfAdmin(context, present(SCOPES['orders']))
    const ids = String(request.query.ids ?? '')
      .slice(0, 4_000)
      .toLowerCase()
      .split(',')
      .filter(isId)
    if (ids.length === 0 || ids.length > MOST_SLIPS)
      throw new Problem(400, 'BAD_REQUEST', `Name 1 to ${MOST_SLIPS} orders, by their ids.`)
    const [first, ...others] = await packingsOf(context.em, ids)
    if (!first) throw new Problem(404, 'NOT_FOUND', 'There is nothing to pack of these orders now.')
    const name = others.length === 0 ? `packing-slip-${first.order.number}` : 'packing-slips'
    // What draws is loaded for the first of them.
    const { drawPackingSlips } = await import('./draw-packing-slips.ts')
    return reply
      .type('application/pdf')
      .headers({ 'content-disposition': `attachment; filename="${name}.pdf"`, 'cache-control': 'private, no-store' })
      .send(await drawPackingSlips([first, ...others], stationery))
  })
}

async function packingsOf(em: EntityManager, ids: readonly string[]): Promise<Packing[]> {
  const orders = await em.find(Order, { id: { $in: ids } }, { populate: ['items'] })
  const inParcels = await em.find(FulfilmentLine, {
    item: { order: { $in: ids } },
    fulfilment: { cancelledAt: null },
  })
  const packings = orders
    .filter(order => orderCan.send(order))
    .map(order => ({
      order,
      lines: order.items
        .getItems()
        .filter(({ expectedOn }) => !expectedOn)
        .map(({ id, name, sku, quantity, fulfilledQuantity, lots }) => ({
          name,
          sku,
          quantity: quantity - fulfilledQuantity,
          lots: lotsLeft(
            lots,
            inParcels.filter(({ item }) => item.id === id).flatMap(line => line.lots),
          ),
        }))
        .filter(({ quantity }) => quantity > 0),
    }))
    .filter(({ lines }) => lines.length > 0)
  return packings.toSorted((a, b) => ids.indexOf(a.order.id) - ids.indexOf(b.order.id))
}
