import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { present } from '#schema/rules/present'
import { slugOf } from '#schema/rules/slug'
import type { ProductDownload } from '../catalog/product.entity.ts'
import { signedIn, type Context } from '../context.ts'
import { Problem } from '../http/problem.ts'
import { oneAfterTheOther, type Files } from '../kernel/files.ts'
import { isId } from '../kernel/validation.ts'
import { findViewable } from '../order/find-viewable.ts'
import { demandOfAdmin, SCOPES } from '../partner/scopes.ts'
import { batched } from '../query/batch.ts'
import { partsOf } from './download-files.ts'
import { downloadsByProduct, downloadsOf } from './read-downloads.ts'

interface Options {
  files: Files
  contextOf: (request: FastifyRequest) => Promise<Context>
}

interface Asked {
  Params: { id: string; download: string }
}

/**
 * `GET /api/orders/:id/downloads/:download`, for the order's owner and administrators; to anyone else it is not there.
 * `GET /api/products/:id/downloads/:download`, for administrators who may change it.
 */
export async function sendDownloads(app: FastifyInstance, { files, contextOf }: Options): Promise<void> {
  app.get<Asked>('/api/orders/:id/downloads/:download', async (request, reply) => {
    const context = await contextOf(request)
    const order = await findViewable(context, request.params.id)
    const bought = await Promise.all(
      (await order.items.loadItems()).map(({ productId }) => downloadsOf(context.em, order, productId)),
    )
    return send(reply, files, request.params.download, bought.flat())
  })

  app.get<Asked>('/api/products/:id/downloads/:download', async (request, reply) => {
    const context = await contextOf(request)
    signedIn(context)
    demandOfAdmin(context, present(SCOPES['addDownload']))
    const { id, download } = request.params
    return send(reply, files, download, isId(id) ? await batched(context.em, downloadsByProduct, id) : [])
  })
}

function send(reply: FastifyReply, files: Files, id: string, among: readonly ProductDownload[]): FastifyReply {
  const file = among.find(each => each.id === id)
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
}
