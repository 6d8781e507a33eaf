import { makeDataDir } from '../kernel/data-dir.ts'
import type { Env } from '../kernel/env.ts'
import { findRunning, startPostgres } from '../../tools/local-postgres/start-postgres.ts'
import { DataDirInUse } from '../../tools/local-postgres/errors.ts'

export interface OpenDatabase {
  url: string
  close(): Promise<void>
}

/** The shop’s database: the external one, or its own, which is started for the moment unless a shop runs beside it. */
export async function openDatabase(
  { databaseUrl, dataDir }: Env,
  whileRunning: 'allowed' | 'refused',
): Promise<OpenDatabase> {
  makeDataDir(dataDir)
  if (databaseUrl) return { url: databaseUrl, close: async () => {} }
  try {
    const postgres = await startPostgres({ dataDir, log: console.log })
    return { url: postgres.url, close: () => postgres.stop() }
  } catch (error) {
    if (whileRunning === 'refused' || !(error instanceof DataDirInUse)) throw error
    return { url: findRunning(dataDir), close: async () => {} }
  }
}
