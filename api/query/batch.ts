import DataLoader from 'dataloader'
import type { EntityManager } from '@mikro-orm/postgresql'
import { nth, onlyOf, valueAt } from '#schema/rules/present'
import { read, type Parameter } from './read.ts'

/** Answers in the order of the keys. */
export type Load<K, V> = (em: EntityManager, keys: readonly K[]) => Promise<readonly V[]>

const loaders = new WeakMap<EntityManager, Map<unknown, DataLoader<unknown, unknown>>>()

/**
 * One question to the database instead of one for each item of a list: what is asked for at the same moment in one
 * request is loaded together. Nothing is kept, as a change may come between two moments.
 */
export function batched<K, V>(em: EntityManager, load: Load<K, V>, key: K): Promise<V> {
  const known = loaders.get(em) ?? new Map<unknown, DataLoader<unknown, unknown>>()
  loaders.set(em, known)
  const loader = known.get(load) ?? new DataLoader(keys => load(em, keys as readonly K[]), { cache: false })
  known.set(load, loader)
  return loader.load(key) as Promise<V>
}

/** The rows of a select. The same select, asked for at the same moment, goes along with it; with the same parameters it is run once. */
export function select<R extends object>(em: EntityManager, sql: string, parameters: readonly unknown[]): Promise<R[]> {
  return batched(em, runSelects, { sql, parameters }) as Promise<R[]>
}

/** As `select`, of a statement that is asked for again and again and has one of a few texts. */
export const selectOften = <R extends object>(
  em: EntityManager,
  sql: string,
  parameters: readonly Parameter[],
): Promise<R[]> => batched(em, runSelects, { sql, parameters, isOften: true }) as Promise<R[]>

interface Select {
  isOften?: true
  sql: string
  parameters: readonly unknown[]
}

const runSelects: Load<Select, object[]> = async (em, selects) => {
  const answers = new Map<Select, object[]>()
  for (const [sql, alike] of Map.groupBy(selects, each => each.sql)) {
    const asked = [...Map.groupBy(alike, ({ parameters }) => JSON.stringify(parameters)).values()]
    const found = await runEach(
      em,
      sql,
      asked.map(same => nth(same, 0)),
    )
    for (const [place, same] of asked.entries()) for (const each of same) answers.set(each, nth(found, place))
  }
  return selects.map(each => valueAt(answers, each))
}

async function runEach(em: EntityManager, sql: string, selects: readonly Select[]): Promise<object[][]> {
  const only = onlyOf(selects)
  if (!only) return runTogether(em, sql, selects)
  const { parameters, isOften } = only
  return [await (isOften ? read(em, sql, parameters as Parameter[]) : em.execute<object[]>(sql, [...parameters]))]
}

async function runTogether(em: EntityManager, sql: string, alike: readonly Select[]): Promise<object[][]> {
  const parts = alike.map(
    (_, place) => `(select ${place} as batch_place, row_number() over () as batch_row, q.* from (${sql}) q)`,
  )
  const rows = await em.execute<{ batch_place: number; batch_row: unknown }[]>(
    `${parts.join(' union all ')} order by batch_place, batch_row`,
    alike.flatMap(({ parameters }) => parameters),
  )
  const found: object[][] = alike.map(() => [])
  for (const { batch_place: place, batch_row: _, ...row } of rows) nth(found, place).push(row)
  return found
}
