import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool, QueryConfig } from 'pg'

/** What PostgreSQL is sent for each statement. */
const known = new Map<string, { name: string; text: string }>()

/**
 * The rows of a statement that is asked for again and again: under a name, so that PostgreSQL reads and plans it once for each
 * connection. Its text is a constant or one of a few; lists are one parameter, such as `any (?::uuid[])`.
 */
export async function read<R extends object>(
  em: EntityManager,
  sql: string,
  parameters: readonly Parameter[],
): Promise<R[]> {
  em.config.getLogger().logQuery({ namespace: 'query', query: sql, params: [...parameters] })
  const statement = { ...named(sql), values: [...parameters] }
  try {
    // A transaction has a connection of its own. What it is asked goes to the driver as it is.
    const transaction = em.getTransactionContext<Transaction<R>>()
    if (transaction) return (await transaction.executeQuery({ sql: statement })).rows
    const pool = (await em.getConnection().getNativeClient()) as Pool
    return (await pool.query<R>(statement)).rows
  } catch (error) {
    throw em.getDriver().convertException(error as Error)
  }
}

/** As `read`, of a statement that changes something. It names the columns it returns: new ones would make its plan useless. */
export const write = read

export type Parameter = string | number | boolean | Date | null

interface Transaction<R> {
  executeQuery(statement: { sql: QueryConfig }): Promise<{ rows: R[] }>
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
