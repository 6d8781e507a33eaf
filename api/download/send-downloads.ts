import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { slugOf } from '#schema/rules/slug'
import type { Context } from '../context.ts'
import { Problem } from '../http/problem.ts'
import { oneAfterTheOther, type Files } from '../kernel/files.ts'
import { findViewable } from '../order/find-viewable.ts'
import { partsOf } from './download-files.ts'
import { downloadsOf } from './read-downloads.ts'

/** `GET /api/orders/:id/downloads/:download`, for the order's owner and administrators; to anyone else it is not there. */
export async function sendDownloads(
  app: FastifyInstance,
  { files, contextOf }: { files: Files; contextOf: (request: FastifyRequest) => Promise<Context> },
): Promise<void> {
  app.get<{ Params: { id: string; download: string } }>(
    '/api/orders/:id/downloads/:download',
    async (request, reply) => {
      const context = await contextOf(request)
      const { id, download } = request.params
      const order = await findViewable(context, id)
      const bought = await Promise.all(
        (await order.items.loadItems()).map(({ productId }) => downloadsOf(context.em, order, productId)),
      )
      const file = bought.flat().find(each => each.id === download)
      if (!file) throw new Problem(404, 'NOT_FOUND', 'There is no such file, or not any more.')
      return reply
        .type('application/pdf')
        .headers({
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(slugOf(file.title) || 'pattern')}.pdf`,
          'content-length': file.bytes,
          'cache-control': 'private, no-store',
          'x-robots-tag': 'noindex',
        })
        .send(Readable.from(oneAfterTheOther(files, partsOf(file))))
    },
  )
}
