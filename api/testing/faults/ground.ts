import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EntityManager } from '@mikro-orm/postgresql'
import pino from 'pino'
import { connect, migrate } from '../../db/config.ts'
import { startPostgres } from '../../db/postgres.ts'
import { readPidFile } from '../../db/postgres/server.ts'
import { connectPaypal } from '../../payment/paypal.ts'
import { reconcilePayments } from '../../payment/reconcile.ts'
import { SIMULATED_ACCOUNT, startSimulator, type Simulator } from '../../payment/simulator/simulator.ts'
import { makeShoppers, type Shopper } from './goods.ts'
import { brokenInvariants } from './invariants.ts'
import { hangUp } from './requests.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type Sql = <Row extends object = Record<string, unknown>>(query: string, parameters?: readonly unknown[]) => Promise<Row[]>

/** What a run stands on: a PostgreSQL and a PayPal of its own, and as many shop processes as it starts, all on loopback. */
export interface Ground {
  /** The shop most scenarios ask, a process of its own. */
  url: string
  sql: Sql
  admin: Shopper
  /** A unit of work for the shop's own code in this process. */
  em(): EntityManager
  simulator: Simulator
  /** Where uploaded pictures lie; all shops share it. */
  uploads: string
  database: Database
  startShop(environment?: Record<string, string>): Promise<ShopProcess>
  /** Asks PayPal, in this process, about everything that the shops would ask about within a minute. */
  reconcile(): Promise<unknown>
  /** Sentences about what does not add up; none when all is well. */
  broken(): Promise<string[]>
  /** What the shops logged as errors, with how often. */
  complaints(): string[]
  close(): Promise<void>
}

export interface Database {
  url: string
  /** kill -9, and waits until it has started itself again. */
  crash(): Promise<void>
}

export interface ShopProcess {
  url: string
  port: number
  pid: number
  /** kill -9. */
  kill(): Promise<void>
  /** SIGTERM, and by force after 15 seconds. */
  stop(): Promise<void>
}

export async function openGround(environment: Record<string, string> = {}): Promise<Ground> {
  const dir = await mkdtemp(join(tmpdir(), 'skein-faults-'))
  const dataDir = join(dir, 'shop')
  const database = await openDatabase()
  const orm = await connect(database.url)
  await migrate(orm)
  const simulator = await startSimulator({ port: 0, ...SIMULATED_ACCOUNT })
  const paypal = connectPaypal({ baseUrl: simulator.url, ...SIMULATED_ACCOUNT })
  const shops = new Set<ShopProcess>()

  async function startShop(more: Record<string, string> = {}): Promise<ShopProcess> {
    const port = Number(more['PORT'] ?? (await freePort()))
    const shop = await startProcess(join(dir, `shop-${port}.log`), {
      DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(port), PAYPAL_SIMULATOR_URL: simulator.url, ...environment, ...more,
    })
    shops.add(shop)
    return shop
  }

  const sql: Sql = (query, parameters = []) => orm.em.fork().execute(query, [...parameters])
  const uploads = join(dataDir, 'uploads')
  const { url } = await startShop()
  const [admin] = await makeShoppers(sql, 1, { isAdmin: true })
  return {
    url,
    admin: admin!,
    sql,
    em: () => orm.em.fork(),
    simulator,
    uploads,
    database,
    startShop,
    reconcile: () => reconcilePayments({ em: orm.em.fork(), paypal, stockHoldMinutes: 60, log: pino({ level: 'silent' }) }, new Date(Date.now() + 60_000)),
    broken: () => brokenInvariants(sql, uploads),
    complaints: () => complaintsIn(dir),
    async close() {
      await hangUp()
      await Promise.all([...shops].map(shop => shop.stop()))
      await simulator.close()
      await orm.close()
      await database.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function complaintsIn(dir: string): string[] {
  const lines = readdirSync(dir).filter(name => name.endsWith('.log')).flatMap(name => readFileSync(join(dir, name), 'utf8').split('\n'))
  const errors = lines.filter(text => text.startsWith('{')).map(text => {
    const { msg, err } = JSON.parse(text) as { msg: string; err?: { message: string } }
    return err ? `${msg}: ${err.message.split('\n').at(-1)}` : msg
  })
  return [...Map.groupBy(errors, error => error)].map(([error, all]) => `${all.length} × ${error}`)
}

/** Of this process and not of a shop, so that a shop that is killed does not take it along. */
async function openDatabase(): Promise<Database & { stop(): Promise<void> }> {
  // Right below the system's own folder, where the user that PostgreSQL runs as may enter.
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-faults-database-'))
  const { url, stop } = await startPostgres({ dataDir, log: () => {}, settings: { max_connections: '120' } })
  return {
    url,
    async crash() {
      const { pid } = readPidFile(join(dataDir, 'postgres'))
      process.kill(pid!, 'SIGKILL')
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

async function startProcess(log: string, environment: Record<string, string>): Promise<ShopProcess> {
  const output = openSync(log, 'a')
  // Not by way of the program `tsx`, which would be killed in the shop's place.
  const child = spawn(process.execPath, ['--import', 'tsx', 'api/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], TSX_TSCONFIG_PATH: 'api/tsconfig.json', SEED: 'none', LOG_LEVEL: 'error', RATE_LIMIT: '0', ...environment },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${environment['PORT']}`
  await untilReady(child, url, log)
  return {
    url,
    port: Number(environment['PORT']),
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(force)
    },
  }
}

async function untilReady(child: ChildProcess, url: string, log: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (child.exitCode !== null || child.signalCode !== null) break
    if (await fetch(`${url}/readyz`).then(({ ok }) => ok, () => false)) return
    await pause(50)
  }
  throw new Error(`A shop did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
