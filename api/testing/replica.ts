import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findPlace, openDataDir } from '../../tools/local-postgres/location.ts'
import { readPidFile } from '../../tools/local-postgres/server.ts'
import { startPostgres } from '../../tools/local-postgres/start-postgres.ts'
import { nth, present } from '#schema/rules/present'

const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '120', wal_keep_size: '512MB' }

/** Files that a base backup leaves out. The server that starts on the copy creates them again. */
const LEFT_OUT =
  /\/postgres\/(?:\.s\.PGSQL\..+|postmaster\.(?:pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+|pgsql_tmp.*)$/

/** A primary and a server that replicates it by streaming, as in a shop on several machines, each on a free port. */
export async function startReplicated() {
  const folder = await mkdtemp(join(tmpdir(), 'skein-replicated-'))
  const place = (name: string) => findPlace(openDataDir(join(folder, name)), () => {})
  const start = (name: string) => startPostgres({ dataDir: join(folder, name), log: () => {}, settings: SETTINGS })
  const primary = await start('primary')
  const asked = new Client(primary.url)
  await asked.connect()
  // Done step by step, because the server comes without pg_basebackup.
  await asked.query(`select pg_backup_start('replica', fast => true)`)
  const follower = place('replica')
  cpSync(place('primary').cluster, follower.cluster, {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => !LEFT_OUT.test(path),
  })
  const { rows } = await asked.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  await asked.end()
  for (const path of ['pg_wal/archive_status', 'pg_wal/summaries'])
    mkdirSync(join(follower.cluster, path), { recursive: true })
  const { hostname, port, username, password } = new URL(primary.url)
  const connection = `host=${hostname} port=${port} user=${username} password=${password}`
  writeFileSync(join(follower.cluster, 'backup_label'), nth(rows, 0).labelfile)
  writeFileSync(join(follower.cluster, 'standby.signal'), '')
  writeFileSync(join(follower.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
  writeFileSync(
    join(folder, 'replica', 'postgres.password'),
    await readFile(join(folder, 'primary', 'postgres.password')),
    { mode: 0o600 },
  )
  const replica = await start('replica')
  const onReplica = async (sql: string) => {
    const client = new Client(replica.url)
    await client.connect()
    const { rows } = await client.query<object>(sql)
    await client.end()
    return rows
  }
  return {
    primary: primary.url,
    replica: replica.url,
    onReplica,
    /** Makes the replica apply each commit only after so many milliseconds. */
    async keepBehind(ms: number) {
      await onReplica(`alter system set recovery_min_apply_delay = ${ms}`)
      await onReplica('select pg_reload_conf()')
    },
    /** Kills the replica; it is started again under the same address. */
    kill: () => process.kill(present(readPidFile(follower.cluster).pid), 'SIGKILL'),
    async stop() {
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
