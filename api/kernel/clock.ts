import type { MikroORM } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'

const READ_EVERY = 60_000
const READINGS = 5

/**
 * The time at which this process's monotonic clock stood at zero, in milliseconds: by the machine's clock until the
 * database was asked.
 */
let zero = performance.timeOrigin

/**
 * The shop's one clock is its database's. Processes on several machines agree on when a hold, a session or a link ends,
 * and setting the time of a machine changes nothing, unless it is the database's: between two readings a clock goes on that nobody sets.
 */
export const clock = { now: () => new Date(zero + performance.now()) }

/** Reads the database's clock now and every minute. Returns a function that stops it. */
export async function followClock(orm: MikroORM, log: Logger, every = READ_EVERY): Promise<() => void> {
  async function read() {
    const readings: { took: number; zero: number }[] = []
    while (readings.length < READINGS) {
      const asked = performance.now()
      const [{ ms }] = await orm.em
        .fork()
        .execute<[{ ms: number }]>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms')
      const answered = performance.now()
      // The answer is dated halfway between question and reply, and so is wrong by half of what they took at most.
      readings.push({ took: answered - asked, zero: ms - (asked + answered) / 2 })
    }
    zero = readings.reduce((best, reading) => (reading.took < best.took ? reading : best)).zero
  }
  await read()
  const timer = setInterval(() => read().catch(error => log.warn(error, 'Could not read the database’s clock')), every)
  return () => clearInterval(timer)
}
