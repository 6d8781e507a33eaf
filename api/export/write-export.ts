import { GraphQLError, type GraphQLSchema } from 'graphql'
import { v7 } from 'uuid'
import { present } from '#schema/rules/present'
import { findOpen } from '../account/open-account.ts'
import type { Context } from '../context.ts'
import { runOperation } from '../graphql/run-operation.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { clock } from '../kernel/clock.ts'
import type { Files } from '../kernel/files.ts'
import { Export } from './export.entity.ts'
import { readExportQuery } from './read-export-query.ts'

export const EXPORT_QUEUE = 'exports'

/** How long one job writes; another one goes on. */
const TURN_MS = 20_000
/** A part is what can be read in this time: at most so much is read again after a crash. */
const PART_MS = 1_000
/** Nor is a part much larger, since it is held in memory until it is written. */
const PART_BYTES = 4_000_000
/** No export is larger, so that none fills a disk. */
const MOST_BYTES = 10_000_000_000
/** Counted so far, to tell how far it has come. */
const MOST_LINES = 10_000_000

export interface Writing {
  exportId: string
}

interface Desk {
  schema: GraphQLSchema
  longestMs: number
  /** Where all processes find what any of them has written. */
  files: Files
  /** A context of no user, with a unit of work of its own. */
  newContext: () => Context
  jobs: Jobs
}

export const FOLDER = 'exports/'
export const partOf = (exportId: string, part: string) => `${FOLDER}${exportId}.${part}.jsonl`

/** Writes an export on, from where it was left; leaves the rest to another job when its time is over. */
export async function writeExport(desk: Desk, { exportId }: Writing): Promise<void> {
  const { em } = desk.newContext()
  const made = await em.findOne(Export, { id: exportId, status: 'RUNNING' })
  if (!made) return
  const outcome = await writeOn(desk, made)
  if (outcome === 'LEFT') return desk.jobs.add(em, EXPORT_QUEUE, { exportId } satisfies Writing)
  if (outcome === 'STOPPED') await discard(desk, exportId)
}

/** LEFT when there is more to do, STOPPED when somebody or something ended it. */
type Outcome = 'DONE' | 'LEFT' | 'STOPPED'

async function writeOn(desk: Desk, made: Export): Promise<Outcome> {
  const begun = performance.now()
  const { document, first } = readExportQuery(desk.schema, made.query)
  let { rows, bytes, parts } = made
  let total = made.total ?? null
  let cursor = made.cursor ?? null
  let part = { since: begun, text: '' }
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
      // A query that fails is taken for a passing fault: the job is tried again.
      if (present(error).originalError && !(present(error).originalError instanceof GraphQLError))
        throw present(error).originalError
      return stop(desk, made.id, present(error).message)
    }
    const { edges, pageInfo, totalCount } = present(data).part
    total ??= totalCount ?? null
    part.text += edges.map(({ node }) => `${JSON.stringify(node)}\n`).join('')
    rows += edges.length
    cursor = pageInfo.endCursor ?? cursor
    const now = performance.now()
    const isDone = !pageInfo.hasNextPage
    const isLate = now - begun > TURN_MS
    if (!isDone && !isLate && now - part.since < PART_MS && part.text.length < PART_BYTES) continue
    const content = Buffer.from(part.text)
    const noted = bytes
    const name = v7()
    if (content.length > 0) {
      await desk.files.write(partOf(made.id, name), content, { personal: true })
      bytes += content.length
      parts = [...parts, name]
    }
    if (bytes > MOST_BYTES) return stop(desk, made.id, 'The file has become too large: narrow the query by a filter.')
    const isMine = await context.em.nativeUpdate(
      Export,
      // Another process may have taken over, or somebody may have cancelled the export.
      { id: made.id, status: 'RUNNING', bytes: noted },
      { rows, bytes, parts, cursor, total, ...(isDone && { status: 'DONE' as const, endedAt: clock.now() }) },
    )
    if (!isMine) {
      await desk.files.remove([partOf(made.id, name)])
      return 'STOPPED'
    }
    part = { since: now, text: '' }
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

/** The account that asked for it, with the rights it has now. Null when it lost them. */
async function contextOf({ newContext }: Desk, { accountId, scopes }: Export): Promise<Context | null> {
  const context = newContext()
  const user = await findOpen(context.em, accountId)
  return user?.isAdmin ? { ...context, user, scopes: scopes ?? null, mostCounted: MOST_LINES } : null
}

async function stop({ newContext }: Desk, id: string, problem: string): Promise<Outcome> {
  await newContext().em.nativeUpdate(
    Export,
    { id, status: 'RUNNING' },
    { status: 'FAILED', problem, endedAt: clock.now() },
  )
  return 'STOPPED'
}

/** What was written goes, unless another process is at it. */
async function discard({ newContext, files }: Desk, id: string): Promise<void> {
  const ended = await newContext().em.findOne(Export, { id, status: { $nin: ['RUNNING', 'DONE'] } })
  await files.remove((ended?.parts ?? []).map(part => partOf(id, part)))
}
