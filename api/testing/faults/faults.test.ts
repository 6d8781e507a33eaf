import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGround, type Ground } from './ground.ts'
import { SCENARIOS } from './scenarios.ts'
import { chance } from './scenario.ts'
import { present } from '#schema/rules/present'

// The short form of `npm run faults`: the same trouble and the same goals, with smaller crowds, against a shop process.

let ground: Ground
beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close(), 60_000)

test.each(SCENARIOS.filter(({ short }) => short).map(scenario => [scenario.name, scenario] as const))(
  '%s',
  { timeout: 120_000 },
  async (_name, scenario) => {
    const figures = await scenario.run(ground, { ...present(scenario.short), random: chance(1) })
    // Timed goals depend on the machine; `npm run faults` measures them.
    expect(figures.filter(({ ok, timed }) => !ok && !timed)).toEqual([])
    expect(await ground.broken()).toEqual([])
  },
)
