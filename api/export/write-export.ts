import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { User } from '../account/user.entity.ts'
import type { Context } from '../context.ts'
import { runOperation } from '../graphql/run-operation.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { clock } from '../kernel/clock.ts'
import { Export } from './export.entity.ts'
import { readExportQuery } from './read-export-query.ts'

export const EXPORT_QUEUE = 'exports'

/** A job writes for so long; another one goes on. */
const TURN_MS = 20_000
/** What has been written is noted so often: so much at most is written again after a crash. */
const NOTE_MS = 500
/** No export is larger, so that none fills the disk. */
const MOST_BYTES = 10_000_000_000
/** Counted so far, to tell how far it has come. */
const MOST_LINES = 10_000_000

export interface Writing {
  exportId: string
}

interface Desk {
  schema: GraphQLSchema
  longestMs: number
  /** Where files lie. */
  folder: string
  /** Nobody's, with a unit of work of its own. */
  newContext: () => Context
  jobs: Jobs
}

export const fileOf = (folder: string, id: string) => join(folder, `${id}.jsonl`)

/** Writes an export on, from where it was left; leaves the rest to another job when its time is over. */
export async function writeExport(desk: Desk, { exportId }: Writing): Promise<void> {
  const { em } = desk.newContext()
  const made = await em.findOne(Export, { id: exportId, status: 'RUNNING' })
  if (!made) return
  await mkdir(desk.folder, { recursive: true, mode: 0o700 })
  const file = await open(fileOf(desk.folder, made.id), made.bytes > 0 ? 'r+' : 'w', 0o600)
  let outcome: Outcome
  try {
    // What was written behind the last note is written again.
    await file.truncate(made.bytes)
    outcome = await writeOn(desk, made, file)
  } finally {
    await file.close()
  }
  if (outcome === 'LEFT') return desk.jobs.add(em, EXPORT_QUEUE, { exportId } satisfies Writing)
  if (outcome === 'STOPPED') await discard(desk.newContext().em, desk.folder, exportId)
}

/** LEFT when there is more to do, STOPPED when somebody or something ended it. */
type Outcome = 'DONE' | 'LEFT' | 'STOPPED'

async function writeOn(desk: Desk, made: Export, file: FileHandle): Promise<Outcome> {
  const begun = performance.now()
  const { document, first } = readExportQuery(desk.schema, made.query)
  let { rows, bytes } = made
  let total = made.total ?? null
  let cursor = made.cursor ?? null
  let noted = { at: begun, bytes }
  for (;;) {
    // A unit of work for each page, so that none keeps what earlier ones have read.
    const context = await contextOf(desk, made)
    if (!context) return stop(desk, made.id, 'The account may not export this any more.')
    const variables = { first, after: cursor, counts: total === null }
    const { data, errors } = await runOperation<Part, typeof variables>(desk, {
      document: document as never,
      variables,
      context,
    })
    if (errors) {
      const [error] = errors
      // What is no answer to the query goes wrong for a while: the job is tried again.
      if (error!.originalError && !(error!.originalError instanceof GraphQLError)) throw error!.originalError
      return stop(desk, made.id, error!.message)
    }
    const { edges, pageInfo, totalCount } = data!.part
    total ??= totalCount ?? null
    const text = edges.map(({ node }) => `${JSON.stringify(node)}\n`).join('')
    const written = await file.write(text, bytes)
    bytes += written.bytesWritten
    rows += edges.length
    cursor = pageInfo.endCursor ?? cursor
    if (bytes > MOST_BYTES) return stop(desk, made.id, 'The file has become too large: narrow the query by a filter.')
    const now = performance.now()
    const isDone = !pageInfo.hasNextPage
    const isLate = now - begun > TURN_MS
    if (!isDone && !isLate && now - noted.at < NOTE_MS) continue
    if (isDone) await file.sync()
    const isMine = await context.em.nativeUpdate(
      Export,
      // Another process may have gone on with it, or somebody cancelled it.
      { id: made.id, status: 'RUNNING', bytes: noted.bytes },
      { rows, bytes, cursor, total, ...(isDone && { status: 'DONE' as const, endedAt: clock.now() }) },
    )
    if (!isMine) return 'STOPPED'
    noted = { at: now, bytes }
    if (isDone) return 'DONE'
    if (isLate) return 'LEFT'
  }
}

interface Part {
  part: {
    edges: { node: object }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
    totalCount?: number
  }
}

/** Whoever asked for it, as they may at this moment. Null when their account may not any more. */
async function contextOf({ newContext }: Desk, { accountId, scopes }: Export): Promise<Context | null> {
  const context = newContext()
  const user = await context.em.findOne(User, { id: accountId, closedAt: null, isAdmin: true })
  return user && { ...context, user, scopes: scopes ?? null, mostCounted: MOST_LINES }
}

async function stop({ newContext }: Desk, id: string, problem: string): Promise<Outcome> {
  await newContext().em.nativeUpdate(
    Export,
    { id, status: 'RUNNING' },
    { status: 'FAILED', problem, endedAt: clock.now() },
  )
  return 'STOPPED'
}

/** The file goes unless another process is at it. */
async function discard(em: EntityManager, folder: string, id: string): Promise<void> {
  if ((await em.count(Export, { id, status: ['RUNNING', 'DONE'] })) === 0) await rm(fileOf(folder, id), { force: true })
}
