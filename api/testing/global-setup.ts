import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, migrate } from '../db/config.ts'
import { startPostgres } from '../../tools/local-postgres/start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster's own database `skein`, migrated and empty: the template of every test's database. */
    templateUrl: string
  }
}

/** Builds the shop for the tests that run it in processes of its own, and starts one real PostgreSQL for the whole run. */
export default async function setup(project: TestProject) {
  const { status } = spawnSync(process.execPath, ['tools/build-when-stale.mjs', 'api'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The shop could not be built.')
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-test-'))
  const postgres = await startPostgres({
    dataDir,
    log: () => {},
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' },
  })
  const orm = await connect(postgres.url)
  await migrate(orm)
  await orm.close()
  project.provide('templateUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
