import { cpuOf, databaseCpu } from './process-figures.ts'
import type { Sql } from '../faults/ground.ts'
import { lastOf, nth } from '#schema/rules/present'

const RUNS = 3
const WARM_UP = 0.5

/** What was done in one run. */
export interface Run {
  seconds: number
  /** Milliseconds of each that was served. */
  took: number[]
  /** Answered with 503 or 429: the shop had no place for them. */
  refused: number
  /** Answered in any other way. */
  failed: number
  /** Of all answers as they were sent, perhaps compressed. */
  bytes: number
}

export interface Measured {
  /** Served per second: the middle of the runs, the slowest and the fastest. */
  rate: number
  slowest: number
  fastest: number
  /** Milliseconds of those served, in all runs. */
  p50: number
  p95: number
  p99: number
  /** Of each answer: kilobytes, milliseconds of processor time, and what the database was asked. */
  kilobytes: number
  cpu: number
  databaseCpu: number
  statements: number
  refused: number
  failed: number
}

/** What has been used so far, with what the shop does by itself. */
export interface Meters {
  /** Milliseconds of processor time. */
  shop(): number
  database(): number
  statements(): Promise<number>
}

/** The database counts its statements with pg_stat_statements. */
export async function metersOf(pid: number | undefined, sql: Sql): Promise<Meters> {
  return {
    shop: () => cpuOf(pid),
    database: await databaseCpu(sql),
    statements: async () => {
      const [{ calls }] = (await sql(
        `select sum(calls)::float8 as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
      )) as [{ calls: number }]
      return calls
    },
  }
}

/** Warms up, then runs three times. */
export async function measure(
  run: (seconds: number) => Promise<Run>,
  seconds: number,
  meters: Meters,
): Promise<Measured> {
  await run(seconds * WARM_UP)
  const before = await read(meters)
  const runs: Run[] = []
  for (let turn = 0; turn < RUNS; turn++) runs.push(await run(seconds))
  const after = await read(meters)
  const sum = (of: (run: Run) => number) => runs.reduce((all, each) => all + of(each), 0)
  const answers = sum(({ took, refused, failed }) => took.length + refused + failed)
  const rates = runs.map(({ took, seconds }) => took.length / seconds).toSorted((a, b) => a - b)
  const took = runs.flatMap(({ took }) => took).toSorted((a, b) => a - b)
  const within = (share: number) => took[Math.floor(took.length * share)] ?? NaN
  return {
    rate: nth(rates, Math.floor(RUNS / 2)),
    slowest: nth(rates, 0),
    fastest: lastOf(rates),
    p50: within(0.5),
    p95: within(0.95),
    p99: within(0.99),
    kilobytes: sum(({ bytes }) => bytes) / 1_000 / answers,
    cpu: (after.shop - before.shop) / answers,
    databaseCpu: (after.database - before.database) / answers,
    statements: (after.statements - before.statements) / answers,
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
  }
}

const read = async (meters: Meters) => ({
  shop: meters.shop(),
  database: meters.database(),
  statements: await meters.statements(),
})
