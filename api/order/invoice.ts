import type { MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { authenticate } from '../account/authenticate.ts'
import { Problem } from '../http/problem.ts'
import { missingScopes, SCOPES } from '../partner/scopes.ts'
import { isId } from '../kernel/validation.ts'
import { drawInvoice } from './draw-invoice.ts'
import { Order } from './order.entity.ts'
import { canView } from './order.policy.ts'

/** `GET /api/orders/:id/invoice.pdf`, for the order's owner and administrators; to anyone else it is not there. */
export async function invoices(
  app: FastifyInstance,
  { orm, timeZone }: { orm: MikroORM; timeZone: string },
): Promise<void> {
  app.get<{ Params: { id: string } }>('/api/orders/:id/invoice.pdf', async (request, reply) => {
    const em = orm.em.fork()
    const { user, scopes } = await authenticate(em, request.headers.authorization)
    const { id } = request.params
    const order =
      user && isId(id) && missingScopes(scopes, SCOPES['order']!).length === 0
        ? await em.findOne(Order, { id }, { populate: ['items'] })
        : null
    if (!user || !order || !canView(user, order)) throw new Problem(404, 'NOT_FOUND', 'There is no such order.')
    return reply
      .type('application/pdf')
      .headers({
        'content-disposition': `attachment; filename="skein-invoice-${order.number}.pdf"`,
        'cache-control': 'private, no-store',
      })
      .send(await drawInvoice(order, timeZone))
  })
}
