import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface Flood {
  /** Milliseconds of each request that was served. */
  served: number[]
  turnedAway: number[]
  /** Broken connections, and answers other than 2xx and 503. */
  failed: number
}

export interface Overload extends Flood {
  /** How long a health check took in the middle of the flood, in milliseconds. */
  healthCheck: number
  /** How long after the flood a page was as fast as normal again, in milliseconds. */
  normalAfter: number
}

const flood = fileURLToPath(new URL('./flood.ts', import.meta.url))
/** A page counts as normal below this: generous for a shop that has nothing else to do. */
const NORMAL_MS = 300

/** Asks for far more pages than can be rendered. Returns what became of them, and how soon the shop was back to normal. */
export async function overload(url: string, perSecond: number, seconds: number): Promise<Overload> {
  const flooding = promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', flood, url, String(perSecond), String(seconds)],
    { maxBuffer: 1e9 },
  )
  await delay(seconds * 500)
  const asked = performance.now()
  await fetch(`${url}/livez`)
  const healthCheck = performance.now() - asked
  const result = JSON.parse((await flooding).stdout) as Flood
  const over = performance.now()
  for (let turn = 0; performance.now() - over < 60_000; turn++) {
    const begun = performance.now()
    const { ok } = await fetch(`${url}/?after=${turn}`)
    if (ok && performance.now() - begun < NORMAL_MS) break
    await delay(50)
  }
  return { ...result, healthCheck, normalAfter: performance.now() - over }
}
