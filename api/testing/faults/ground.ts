import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import pino from 'pino'
import { connect, migrate } from '../../db/config.ts'
import { startPostgres } from '../../../tools/local-postgres/start-postgres.ts'
import { readPidFile } from '../../../tools/local-postgres/server.ts'
import { connectPaypal } from '../../payment/connect-paypal.ts'
import { reconcilePayments } from '../../payment/reconcile.ts'
import { SIMULATED_ACCOUNT, startSimulator, type Simulator } from '../../../tools/paypal-simulator/simulator.ts'
import { startProcess, type ShopProcess } from '../process.ts'
import { makeShoppers, type Shopper } from './goods.ts'
import { brokenInvariants } from './invariants.ts'
import { hangUp } from './requests.ts'
import { present } from '#schema/rules/present'

export type Sql = <Row extends object = Record<string, unknown>>(
  query: string,
  parameters?: readonly unknown[],
) => Promise<Row[]>

/** What a run uses: its own PostgreSQL and PayPal simulator, and as many shop processes as it starts, all on loopback. */
export interface Ground {
  /** The address of the shop most scenarios use, a process of its own. */
  url: string
  pid: number | undefined
  sql: Sql
  admin: Shopper
  /** A unit of work for the shop's own code in this process. */
  em(): EntityManager
  simulator: Simulator
  /** The folder of uploaded pictures, which all shops share. */
  uploads: string
  database: Database
  startShop(environment?: Record<string, string>): Promise<ShopProcess>
  /** So many shops beside the first one. Those that already run are reused. */
  others(count: number): Promise<ShopProcess[]>
  /** Asks PayPal, from this process, about what the shops would ask about in half a minute; another half minute later each time. */
  reconcile(): Promise<unknown>
  /** Sentences about what is inconsistent; none when all is well. */
  broken(): Promise<string[]>
  /** What the shops logged as errors, and how often. */
  complaints(): string[]
  close(): Promise<void>
}

interface Database {
  url: string
  /** kill -9, then waits until the database has restarted itself. */
  crash(): Promise<void>
}

export async function openGround(): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-faults-'))
  const database = await openDatabase()
  const orm = await connect(database.url)
  await migrate(orm)
  const simulator = await startSimulator({ port: 0, ...SIMULATED_ACCOUNT })
  const paypal = connectPaypal({ baseUrl: simulator.url, ...SIMULATED_ACCOUNT })
  const shops = new Set<ShopProcess>()
  const killAll = () => shops.forEach(({ child }) => child.kill('SIGKILL'))
  process.once('exit', killAll)

  async function startShop(more: Record<string, string> = {}): Promise<ShopProcess> {
    const shop = await startProcess({
      LOG_LEVEL: 'error',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PAYPAL_SIMULATOR_URL: simulator.url,
      ...more,
    })
    shops.add(shop)
    return shop
  }

  const sql: Sql = (query, parameters = []) => orm.em.fork().execute(query, [...parameters])
  const uploads = join(dataDir, 'uploads')
  const { url, child } = await startShop()
  const [admin] = await makeShoppers(sql, 1, { isAdmin: true })
  let ahead = 0
  return {
    url,
    pid: child.pid,
    admin: present(admin),
    sql,
    em: () => orm.em.fork(),
    simulator,
    uploads,
    database,
    startShop,
    async others(count) {
      const running = [...shops]
        .slice(1)
        .filter(({ child }) => child.exitCode === null && child.signalCode === null)
        .slice(0, count)
      return [...running, ...(await Promise.all(Array.from({ length: count - running.length }, () => startShop())))]
    },
    reconcile: () =>
      reconcilePayments(
        { em: orm.em.fork(), paypal, stockHoldMinutes: 60, log: pino({ level: 'silent' }) },
        new Date(Date.now() + (ahead += 30_000)),
      ),
    broken: () => brokenInvariants(sql, uploads),
    complaints: () => complaintsIn([...shops].map(({ output }) => output()).join('\n')),
    async close() {
      await hangUp()
      await Promise.all([...shops].map(shop => shop.end()))
      process.off('exit', killAll)
      await simulator.close()
      await orm.close()
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function complaintsIn(output: string): string[] {
  const errors = output
    .split('\n')
    .filter(text => text.startsWith('{'))
    .map(text => {
      const { msg, err } = JSON.parse(text) as { msg: string; err?: { message: string } }
      return err ? `${msg}: ${err.message.split('\n').at(-1)}` : msg
    })
  return [...Map.groupBy(errors, error => error)].map(([error, all]) => `${all.length} × ${error}`)
}

/** A child of this process and not of a shop, so that killing a shop does not end it. */
async function openDatabase(): Promise<Database & { stop(): Promise<void> }> {
  // Directly below the system's temporary folder, which the user that PostgreSQL runs as may enter.
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-faults-database-'))
  const { socketUrl, stop } = await startPostgres({ dataDir, log: () => {}, settings: { max_connections: '120' } })
  return {
    url: socketUrl,
    async crash() {
      const { pid } = readPidFile(join(dataDir, 'postgres'))
      process.kill(present(pid), 'SIGKILL')
      for (;;) {
        const next = readPidFile(join(dataDir, 'postgres'))
        if (next.pid !== pid && next.status === 'ready') return
        await pause(10)
      }
    },
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
