import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { nth } from '#schema/rules/present'
import { freePort } from './free-port.ts'

export interface ShopProcess {
  url: string
  child: ChildProcess
  /** What it has printed so far. */
  output: () => string
  /** Sends a signal. Returns how the process ended, and after how many milliseconds. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null; ms: number }>
}

/** Environment variables that make a process run a script before anything else. */
export const preloaded = (script: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
})

/** Runs it in a shell, as npm does. */
const SHELL = ['sh', '-c', '"$0" "$@"; exit $?']

/** The shop as `npm start` runs it, as a process of its own on free ports or on PORT. Resolves when it answers. */
export async function startProcess(
  env: Record<string, string>,
  args: string[] = [],
  { inShell = false } = {},
): Promise<ShopProcess> {
  const [port, simulatorPort] = [env['PORT'] ?? String(await freePort()), String(await freePort())]
  const flags = ['--max-old-space-size=1024', '--max-semi-space-size=8']
  const command = [...(inShell ? SHELL : []), process.execPath, ...flags, 'dist/api/main.js', ...args]
  const child = spawn(nth(command, 0), command.slice(1), {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: port,
      PAYPAL_SIMULATOR_PORT: simulatorPort,
      SEED: 'none',
      RATE_LIMIT: '0',
      HOLD_ORDERS_PER_ACCOUNT: '0',
      HOLD_UNITS_PER_ACCOUNT: '0',
      HOLD_ORDERS_PER_ADDRESS: '0',
      HOLD_UNITS_PER_ADDRESS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let output = ''
  const ready = new Promise<void>(resolve => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Press Ctrl-C to stop.')) resolve()
      })
    }
  })
  await Promise.race([
    ready,
    ended.then(() => {
      throw new Error(`The shop ended:\n${output}`)
    }),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    output: () => output,
    async end(signal = 'SIGTERM') {
      const start = performance.now()
      child.kill(signal)
      const [code, by] = await ended
      return { code, signal: by, ms: Math.round(performance.now() - start) }
    },
  }
}
