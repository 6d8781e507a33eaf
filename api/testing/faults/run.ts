// `npm run faults`: causes trouble on purpose, far more than the tests do, and prints the results beside the goals.
// `npm run faults -- stock crash` runs only those; `--rounds 5` shortens, `--seed 7` repeats.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs, styleText } from 'node:util'
import { openGround } from './ground.ts'
import { atMost, chance, none, type Figure, type Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'
import { present } from '#schema/rules/present'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? 1)
const unknown = positionals.filter(name => !SCENARIOS.some(scenario => scenario.name === name))
if (unknown.length > 0) {
  console.error(
    `There is no scenario ${unknown.join(', ')}. There are: ${SCENARIOS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(1)
}

/** The most minutes that one scenario may take, and that all of them should take. */
const [AT_MOST_MINUTES, ALL_MINUTES] = [20, 40]

const started = Date.now()
const seconds = (from: number) => `${((Date.now() - from) / 1000).toFixed(0)} s`
console.log(`seed ${seed}\n\n${row(['scenario', 'what', 'goal', 'measured', 'ok'])}`)
// Exits normally on a signal, so that nothing is left running.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

let missed = 0
for (const scenario of SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const begun = Date.now()
  const rounds = Number(values.rounds ?? scenario.full.rounds)
  for (const figure of await figuresOf(scenario, rounds)) show(scenario.name, figure)
  console.log(row(['', `${rounds} rounds of ${scenario.full.crowd.toLocaleString('en-US')}`, '', seconds(begun), '']))
}
if (positionals.length === 0 && !values.rounds)
  show('all', atMost('all of them', ALL_MINUTES, (Date.now() - started) / 60_000, ' min'))
console.log(`\n${missed === 0 ? 'Every goal was met' : `${missed} goals were missed`}, in ${seconds(started)}.`)
process.exit(missed === 0 ? 0 : 1)

function show(name: string, { what, goal, measured, ok }: Figure): void {
  if (!ok) missed++
  console.log(row([name, what, goal, measured, ok ? styleText('green', 'yes') : styleText('red', 'NO')]))
}

/** Runs a scenario on a ground of its own, and checks the invariants after it. */
async function figuresOf(scenario: Scenario, rounds: number): Promise<Figure[]> {
  const ground = await openGround()
  try {
    const figures = await Promise.race([
      scenario.run(ground, { ...scenario.full, rounds, random: chance(seed) }),
      pause(AT_MOST_MINUTES * 60_000, null, { ref: false }).then(() => {
        throw new Error(`not over after ${AT_MOST_MINUTES} minutes`)
      }),
    ])
    const all = [...figures, none('invariants I1 to I10 broken', await ground.broken())]
    if (all.some(({ ok }) => !ok))
      for (const complaint of ground.complaints()) console.log(`  the shop logged ${complaint}`)
    return all
  } catch (error) {
    return [{ what: 'ran to its end', goal: 'yes', measured: String((error as Error).stack), ok: false }]
  } finally {
    await ground.close()
  }
}

function row([scenario, what, goal, measured, ok]: string[]): string {
  return `${present(scenario).padEnd(12)} ${present(what).padEnd(58)} ${present(goal).padStart(12)} ${present(measured).padStart(12)}  ${ok}`
}
