import { on } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { getIntrospectionQuery } from 'graphql'
import { preloaded, type ShopProcess } from '../process.ts'
import { ask } from './requests.ts'
import { atMost, exactly, none, type Scenario } from './scenario.ts'
import { present } from '#schema/rules/present'

const MEGABYTES = 400
/** About the size of the whole schema. A larger answer would cost more points than an operation may. */
const LARGE_BYTES = 250_000
/** A request that is turned away is sent again, on average at most so often for each answer. */
const TRIES = 100

/** Prints the most memory the process ever used, in megabytes, whenever SIGUSR2 comes. */
const OBSERVED = preloaded(`
  process.on('SIGUSR2', () => console.log('peak', process.resourceUsage().maxRSS * 1024 / 1e6))
`)

/** Large answers, each to a different question, so that a cached answer never fits the next question. */
export const answers: Scenario = {
  name: 'answers',
  full: { rounds: 278, crowd: 40 },
  // A few large answers take hardly more memory than the shop uses anyway.
  short: null,
  async run({ startShop }, { rounds, crowd, random }) {
    const shop = await startShop(OBSERVED)
    const before = await peakOf(shop)
    const surprises: string[] = []
    let [asked, answered, tries] = [0, 0, 0]
    await Promise.all(
      Array.from({ length: crowd }, async () => {
        while (asked < rounds) {
          asked++
          const query = `${getIntrospectionQuery()} #${random()}`
          for (;;) {
            const { status, json } = await ask(`${shop.url}/graphql`, { body: { query } })
            if (status === 503 && ++tries < TRIES * rounds) {
              await pause(20)
              continue
            }
            if (status !== 200) surprises.push(`${status}`)
            else if (JSON.stringify(json).length < LARGE_BYTES) surprises.push('a small answer')
            else answered++
            break
          }
        }
      }),
    )
    const after = await peakOf(shop)
    await shop.end()
    return [
      exactly('large answers given', rounds, answered),
      none('other answers', surprises),
      atMost(`memory of the process at its peak, ${Math.round(before)} MB before`, MEGABYTES, after, ' MB'),
    ]
  },
}

/** Asks a shop for its peak, and waits for that line among whatever else it prints. */
async function peakOf({ child }: ShopProcess): Promise<number> {
  child.kill('SIGUSR2')
  for await (const [said] of on(present(child.stdout), 'data')) {
    const peak = /^peak (.*)$/m.exec(said as string)?.[1]
    if (peak) return Number(peak)
  }
  throw new Error('It ended')
}
