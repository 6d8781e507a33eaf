import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findViewable } from './find-viewable.ts'
import type { ShippingAddress } from './order.entity.ts'
import { Refund } from '../payment/refund.entity.ts'
import type { Stationery } from '../pdf/paper.ts'

/** `GET /api/orders/:id/invoice.pdf`, for the order's owner and administrators; to anyone else it is not there. */
export async function invoices(
  app: FastifyInstance,
  { contextOf, ...stationery }: Stationery & { contextOf: (request: FastifyRequest) => Promise<Context> },
): Promise<void> {
  app.get<{ Params: { id: string } }>('/api/orders/:id/invoice.pdf', async (request, reply) => {
    const context = await contextOf(request)
    const order = await findViewable(context, request.params.id)
    // Of an account that was deleted, kept for this alone.
    const [kept] = await context.em.execute<{ recipient: ShippingAddress }[]>(
      'select recipient from invoice_recipients where order_id = ?',
      [order.id],
    )
    const refunds = await context.em.find(
      Refund,
      { orderId: order.id, state: { $ne: 'FAILED' } },
      { orderBy: { createdAt: 'asc', id: 'asc' } },
    )
    // What draws is loaded for the first invoice.
    const { drawInvoice } = await import('./draw-invoice.ts')
    return reply
      .type('application/pdf')
      .headers({
        'content-disposition': `attachment; filename="invoice-${order.number}.pdf"`,
        'cache-control': 'private, no-store',
      })
      .send(await drawInvoice({ order, recipient: kept?.recipient, refunds, ...stationery }))
  })
}
