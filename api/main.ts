import cluster from 'node:cluster'
import { parseArgs } from 'node:util'
import { startPostgres } from '../tools/local-postgres/start-postgres.ts'
import { makeDataDir } from './kernel/data-dir.ts'
import { readEnv, type Env } from './kernel/env.ts'
import { EnvError } from './kernel/env-variables.ts'
import { inOneSentence } from './kernel/in-one-sentence.ts'
import { startTracing } from './kernel/tracing.ts'
import { keepWorkers, MOST_WORKERS } from './kernel/workers.ts'

/** Of several processes: the pool, the listener, and some for administrators. */
const CONNECTIONS_EACH = 12
const CONNECTIONS = 20

const say = (line: string) => console.log(line)

/** What to undo, newest first, when the shop stops or cannot start. */
const undo: (() => Promise<unknown>)[] = []

async function start(env: Env, { dev, processes }: Arguments): Promise<void> {
  makeDataDir(env.dataDir)
  const isAlone = processes === 1
  // Before anything is logged or served.
  if (env.traces && (isAlone || cluster.isWorker)) undo.unshift(await startTracing(env.traces.to, env.traces.as))
  const isFirst = (cluster.worker?.id ?? 1) === 1
  if (cluster.isPrimary && env.databaseUrl) say('Connecting to PostgreSQL …')
  const databaseUrl = env.databaseUrl ?? (await embedded(env, processes))
  const { paypal } = env
  const simulatorUrl = paypal.mode === 'simulator' ? (paypal.simulatorUrl ?? (await ownSimulator(env))) : undefined

  if (!isAlone && cluster.isPrimary) {
    undo.unshift(
      await keepWorkers(
        processes,
        { DATABASE_URL: databaseUrl, ...(simulatorUrl && { PAYPAL_SIMULATOR_URL: simulatorUrl }) },
        line => console.error(line),
      ),
    )
    say(`  Processes ${processes}`)
  } else {
    // For packages, which otherwise check what only developers get wrong: a third of what graphql does for a list. What the shop itself
    // makes of it has been read.
    if (!dev) Object.assign(process.env, { NODE_ENV: 'production' })
    // Imported only now: the process that only supervises others needs none of it.
    const { openShop } = await import('./open-shop.ts')
    undo.unshift(await openShop(env, { databaseUrl, simulatorUrl, dev, isFirst, handsOver: () => handsOver, say }))
  }
  if (cluster.isPrimary) say('\nPress Ctrl-C to stop.')
}

interface Arguments {
  dev: boolean
  processes: number
}

function readArguments(): Arguments {
  const { dev, processes } = parseArgs({
    options: { dev: { type: 'boolean', default: false }, processes: { type: 'string', default: '1' } },
  }).values
  const count = Number(processes)
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS)
    throw new EnvError([`--processes is "${processes}", but must be a whole number from 1 to ${MOST_WORKERS}.`])
  if (dev && count > 1) throw new EnvError(['--processes goes without --dev: under development there is one process.'])
  return { dev, processes: count }
}

async function embedded(env: Env, processes: number): Promise<string> {
  say('Starting PostgreSQL …')
  const postgres = await startPostgres({
    dataDir: env.dataDir,
    log: say,
    ...(processes > 1 && { settings: { max_connections: String(CONNECTIONS + CONNECTIONS_EACH * processes) } }),
  })
  undo.unshift(() => postgres.stop())
  return postgres.socketUrl
}

async function ownSimulator({ paypal, host, port }: Env): Promise<string> {
  const { SIMULATED_ACCOUNT, startSimulator } = await import('../tools/paypal-simulator/simulator.ts')
  const webhookUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/api/webhooks/paypal`
  const simulator = await startSimulator({ port: paypal.simulatorPort, host, webhookUrl, ...SIMULATED_ACCOUNT })
  undo.unshift(() => simulator.close())
  return simulator.url
}

async function stop(): Promise<void> {
  for (const step of undo.splice(0)) await step().catch(error => console.error(String(error)))
}

let stopping = false
let handsOver = false
async function end(): Promise<void> {
  // A second signal stops at once.
  if (stopping) process.exit(1)
  stopping = true
  if (cluster.isPrimary) say('\nStopping …')
  await stop()
  process.exit(0)
}
if (cluster.isWorker) {
  // Ctrl-C reaches every process of a terminal; the first of them stops the others.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {
    handsOver = true
    void end()
  })
  process.on('message', message => {
    if (message === 'stop') void end()
  })
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
  if (process.env['npm_lifecycle_event'] === 'start') endWithParent()
}

/** Stopping npm stops the shell that npm started the shop in; shells do not hand the signal on. */
function endWithParent(): void {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    void end()
  }, 500)
  look.unref()
}

/**
 * What was used and freed goes back to the system, and threads share two heaps: a shop that has seen to pictures and
 * passwords keeps a fifth less. glibc asks for its settings when a program begins, so this one begins again with them.
 */
function beginAgain(): void {
  const malloc = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' }
  if (process.platform !== 'linux' || Object.keys(malloc).some(name => name in process.env)) return
  const { execPath, execArgv, argv, env } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...malloc, ...env })
}

async function begin(): Promise<void> {
  try {
    const given = readArguments()
    // Where sources are watched, the watcher holds on to the process.
    if (!given.dev) beginAgain()
    await start(readEnv(), given)
  } catch (error) {
    console.error(inOneSentence(error))
    await stop()
    process.exit(1)
  }
}
// Not awaited: what is loaded later is built so that it waits for this file.
void begin()
