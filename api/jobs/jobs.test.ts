import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startJobs, type Jobs } from './jobs.ts'
import { openShop, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
const running: Jobs[] = []
beforeEach(async () => {
  shop = await openShop()
})
afterEach(async () => {
  for (const jobs of running.splice(0)) await jobs.stop()
  await shop.close()
})

async function process(): Promise<Jobs> {
  const jobs = await startJobs(shop.orm, pino({ level: 'silent' }))
  running.push(jobs)
  return jobs
}

it('does a job once its transaction has committed, and never one that was rolled back', async () => {
  const jobs = await process()
  const wound: string[] = []
  await jobs.work<{ skein: string }>('wind', async ({ skein }) => {
    wound.push(skein)
  })
  await shop.em().transactional(async em => {
    await jobs.add(em, 'wind', { skein: 'merino' })
    await sleep(1_500)
    expect(wound).toEqual([])
  })
  await shop
    .em()
    .transactional(async em => {
      await jobs.add(em, 'wind', { skein: 'tangled' })
      throw new Error('no')
    })
    .catch(() => {})
  await vi.waitFor(() => expect(wound).toEqual(['merino']), 15_000)
  await sleep(1_500)
  expect(wound).toEqual(['merino'])
})

it('does each job once, however many processes there are', async () => {
  const [one, two] = [await process(), await process()]
  const wound: number[] = []
  for (const jobs of [one, two])
    await jobs.work<{ skein: number }>('wind', async ({ skein }) => {
      wound.push(skein)
    })
  const skeins = Array.from({ length: 6 }, (_, index) => index)
  await shop.em().transactional(async em => {
    for (const skein of skeins) await one.add(em, 'wind', { skein })
  })
  await vi.waitFor(() => expect(wound.toSorted()).toEqual(skeins), 10_000)
})

it('keeps no job waiting for one that takes long', async () => {
  const jobs = await process()
  const begun: string[] = []
  const cut = Promise.withResolvers<void>()
  await jobs.work<{ skein: string }>('wind', async ({ skein }) => {
    begun.push(skein)
    if (skein === 'tangled') await cut.promise
  })
  await shop.em().transactional(em => jobs.add(em, 'wind', { skein: 'tangled' }))
  await vi.waitFor(() => expect(begun).toEqual(['tangled']), 10_000)
  for (const skein of ['merino', 'alpaca']) {
    // As from another process, which notifies nobody.
    await shop
      .em()
      .execute(`insert into pgboss.job (name, data) values ('wind', ?::jsonb)`, [JSON.stringify({ skein })])
    await vi.waitFor(() => expect(begun).toContain(skein), 10_000)
  }
  cut.resolve()
})

it('repeats a task in one process at a time, however many there are, and after it failed too', async () => {
  const runs: string[] = []
  const [one, two] = [await process(), await process()]
  for (const [who, jobs] of [
    ['one', one],
    ['two', two],
  ] as const)
    await jobs.repeat('count-skeins', 1, async () => {
      runs.push(who)
      if (runs.length === 2) throw new Error('a skein fell down')
    })
  await vi.waitFor(() => expect(runs.length).toBeGreaterThan(4), 20_000)
  for (const jobs of running.splice(0)) await jobs.stop()
  const spans = await shop
    .em()
    .execute<{ jobs: number }[]>(
      `select count(*)::int as jobs from pgboss.job where name = 'count-skeins' group by singleton_on`,
    )
  expect(new Set(spans.map(({ jobs }) => jobs))).toEqual(new Set([1]))
  expect(runs.length).toBeLessThanOrEqual(spans.length)
})

it('tries a job again later when it failed', async () => {
  const jobs = await process()
  const numbers: number[] = []
  await jobs.work('wind', async (_, { number }) => {
    numbers.push(number)
    if (number === 1) throw new Error('tangled')
  })
  await shop.em().transactional(em => jobs.add(em, 'wind', {}))
  const failed = () =>
    shop
      .em()
      .execute<{ waits: number }[]>(
        `select extract(epoch from start_after - started_on)::float as waits from pgboss.job where state = 'retry'`,
      )
  // The failure is recorded only after the job has ended.
  await expect.poll(failed, { timeout: 10_000 }).toHaveLength(1)
  expect(numbers).toEqual([1])
  expect(nth(await failed(), 0).waits).toBeGreaterThan(2)
  await shop.em().execute(`update pgboss.job set start_after = now() where state = 'retry'`)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), 15_000)
})
