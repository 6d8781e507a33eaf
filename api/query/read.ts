import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'

/** What PostgreSQL is sent for each statement. */
const known = new Map<string, { name: string; text: string }>()

/**
 * The rows of a statement that is asked for again and again: under a name, so that PostgreSQL reads and plans it once for each
 * connection. Its text is a constant or one of a few; lists are one parameter, such as `any (?::uuid[])`.
 */
export async function read<R extends object>(
  em: EntityManager,
  sql: string,
  parameters: readonly (string | number | null)[],
): Promise<R[]> {
  // A transaction has a connection of its own.
  if (em.isInTransaction()) return em.execute<R[]>(sql, [...parameters])
  em.config.getLogger().logQuery({ namespace: 'query', query: sql, params: [...parameters] })
  try {
    const pool = (await em.getConnection().getNativeClient()) as Pool
    const { rows } = await pool.query<R>({ ...named(sql), values: [...parameters] })
    return rows
  } catch (error) {
    throw em.getDriver().convertException(error as Error)
  }
}

function named(sql: string): { name: string; text: string } {
  const statement = known.get(sql)
  if (statement) return statement
  let number = 0
  const text = sql.replaceAll('?', () => `$${++number}`)
  const made = { name: createHash('md5').update(sql).digest('base64url'), text }
  known.set(sql, made)
  return made
}

export const listed = (values: readonly (string | number)[]): string => `{${values.join()}}`
