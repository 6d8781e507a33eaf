import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import { parse, type GraphQLSchema } from 'graphql'
import { exportQuery } from '#schema/rules/shapes/export'
import { signedIn, type Context } from '../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { clock } from '../kernel/clock.ts'
import { refuse } from '../kernel/errors.ts'
import type { Files, Listed } from '../kernel/files.ts'
import { hashOf, newToken } from '../kernel/tokens.ts'
import { check, isId } from '../kernel/validation.ts'
import { demandOfAdmin, scopesOf } from '../partner/scopes.ts'
import { pageOf, type Page } from '../query/paging.ts'
import { Export, KEPT_MS } from './export.entity.ts'
import { readExportQuery } from './read-export-query.ts'
import { EXPORT_QUEUE, FOLDER, type Writing } from './write-export.ts'

/** Begins to write all of a connection into a file. */
export async function startExport(context: Context, schema: GraphQLSchema, given: string): Promise<Export> {
  const { em, jobs, scopes } = context
  const { query } = check(exportQuery, { query: given })
  const { connection, document } = readExportQuery(schema, query)
  demandOfAdmin(context, scopesOf(document))
  const account = signedIn(context)
  try {
    return await em.transactional(async tx => {
      const made = tx.create(Export, {
        accountId: account.id,
        scopes: scopes && [...scopes],
        connection,
        query,
        createdAt: clock.now(),
      })
      await tx.flush()
      // Without the query: it may name people, whom the log would never forget.
      await recordAudit(tx, account, { ...subjectOf(made), action: 'CREATED' })
      await jobs.add(tx, EXPORT_QUEUE, { exportId: made.id } satisfies Writing)
      return made
    })
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw refuse('EXPORT_RUNNING', 'An export of yours is under way. Wait for it, or cancel it.')
    throw error
  }
}

export function findExport(context: Context, id: string): Promise<Export | null> {
  return isId(id) ? context.em.findOne(Export, { id, accountId: signedIn(context).id }) : Promise.resolve(null)
}

export function listExports(context: Context, page: number): Promise<Page<Export>> {
  return pageOf(context.em, Export, {
    from: 'exports',
    where: [['account_id = ?', signedIn(context).id]],
    order: 'created_at desc, id desc',
    page,
    pageSize: context.pageSize,
  })
}

/** Ends an export: the job that writes it notices, and its file is removed. */
export function cancelExport(context: Context, id: string): Promise<Export> {
  return context.em.transactional(async tx => {
    const made = await lock(tx, context, id)
    if (made.status === 'RUNNING' || made.status === 'DONE')
      tx.assign(made, { status: 'CANCELLED', endedAt: clock.now() })
    return made
  })
}

/** A link to the file. The one before ends. */
export function linkExport(context: Context, id: string): Promise<{ path: string; until: Date }> {
  return context.em.transactional(async tx => {
    const made = await lock(tx, context, id)
    // Nobody gets a link to what they could not export now.
    demandOfAdmin(context, scopesOf(parse(made.query)))
    const until = made.keptUntil
    if (!until)
      throw refuse(
        'EXPORT_STATE',
        made.status === 'DONE' ? 'The file is not kept any more.' : 'There is no file of this export yet.',
      )
    const token = newToken()
    tx.assign(made, { tokenHash: hashOf(token), downloadedAt: null })
    return { path: `/exports/${token}`, until }
  })
}

const subjectOf = ({ id, connection }: Export) => ({ entity: 'EXPORT', entityId: id, label: connection }) as const

/** Records that an export's file is fetched, once for each link, however often it is opened. */
export function recordDownload(em: EntityManager, made: Export): Promise<void> {
  return em.transactional(async tx => {
    const [account] = await tx.execute<{ id: string; name: string }[]>(
      `update exports set downloaded_at = ? from users u
       where exports.id = ? and downloaded_at is null and u.id = account_id returning u.id, u.name`,
      [clock.now(), made.id],
    )
    if (account) await recordAudit(tx, account, { ...subjectOf(made), action: 'DOWNLOADED' })
  })
}

async function lock(em: EntityManager, context: Context, id: string): Promise<Export> {
  const found = isId(id)
    ? await em.findOne(
        Export,
        { id, accountId: signedIn(context).id },
        { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
      )
    : null
  if (!found) throw refuse('NOT_FOUND', 'There is no such export.')
  return found
}

/** Takes away the files of exports that ended a day ago, were cancelled or failed, and forgets exports after a week. */
export async function sweepExports(em: EntityManager, files: Files): Promise<void> {
  for await (const listed of files.list(FOLDER)) {
    if (listed.length === 0) continue
    const idOf = ({ name }: Listed) => name.slice(FOLDER.length, name.indexOf('.'))
    const kept = await em.execute<{ id: string }[]>(
      `select id from exports
       where id::text in (?) and (state = 'RUNNING' or (state = 'DONE' and ended_at > ?))`,
      [[...new Set(listed.map(idOf))], new Date(clock.now().getTime() - KEPT_MS)],
    )
    const ids = new Set(kept.map(({ id }) => id))
    await files.remove(listed.filter(each => !ids.has(idOf(each))).map(({ name }) => name))
  }
  await em.execute(
    `delete from exports where id in (select id from exports where state <> 'RUNNING' and ended_at < now() - interval '7 days' limit 1000)`,
  )
}
