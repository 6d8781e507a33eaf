import { Readable } from 'node:stream'
import type { MikroORM } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../http/problem.ts'
import { oneAfterTheOther, type Files } from '../kernel/files.ts'
import { hashOf } from '../kernel/tokens.ts'
import { Export } from './export.entity.ts'
import { recordDownload } from './manage-exports.ts'
import { partOf } from './write-export.ts'

/** The files of exports, for anyone with the link. */
export async function exportFiles(
  app: FastifyInstance,
  { orm, files }: { orm: MikroORM; files: Files },
): Promise<void> {
  app.get<{ Params: { token: string } }>('/exports/:token', async (request, reply) => {
    const em = orm.em.fork()
    const made = await em.findOne(Export, { tokenHash: hashOf(request.params.token) })
    if (!made?.keptUntil) throw new Problem(404, 'NOT_FOUND', 'There is no such file, or not any more.')
    await recordDownload(em, made)
    const day = made.createdAt.toISOString().slice(0, 10)
    return reply
      .type('application/jsonl; charset=utf-8')
      .headers({
        'content-disposition': `attachment; filename="skein-${made.connection.replace(/Connection$/, '')}-${day}.jsonl"`,
        'content-length': made.bytes,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      })
      .send(
        Readable.from(
          oneAfterTheOther(
            files,
            made.parts.map(part => partOf(made.id, part)),
          ),
        ),
      )
  })
}
