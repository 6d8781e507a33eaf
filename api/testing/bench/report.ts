import { styleText } from 'node:util'
import type { Measured } from './measure.ts'
import type { Question } from './questions.ts'
import { nth } from '#schema/rules/present'

/** The most that anything may take of the most products and orders, as a multiple of what it takes of the fewest. */
const BUDGET_RATIO = 1.25
const TITLE = 50

export type Budgets = Pick<Question, 'perSecond' | 'withinMs'>

export interface Result extends Measured {
  part: string
  /** So many products there are, and so many orders. */
  size: number
  title: string
  budgets: Budgets
}

export const held = (isHeld: boolean, text: string) => styleText(isHeld ? 'green' : 'red', text)

export function lineOf({ title, budgets: { perSecond, withinMs }, ...measured }: Result): string {
  const { rate, slowest, fastest, p50, p95, p99, kilobytes, cpu, databaseCpu, statements, refused, failed } = measured
  const spread = `(${slowest.toFixed(0)} to ${fastest.toFixed(0)})`
  return [
    `${title.padEnd(TITLE)} ${rate.toFixed(0).padStart(6)}/s ${spread.padEnd(16)}`,
    `${p50.toFixed(1).padStart(6)} ms, 95% ${p95.toFixed(1)}, 99% ${p99.toFixed(1)}`.padEnd(36),
    `${kilobytes.toFixed(0).padStart(3)} kB`,
    `CPU ${cpu.toFixed(2)} ms and ${databaseCpu.toFixed(2)} of the database, ${statements.toFixed(1)} statements`,
    perSecond !== undefined && held(rate >= perSecond, `budget ${perSecond}/s`),
    withinMs !== undefined && held(p95 <= withinMs, `budget ${withinMs} ms`),
    refused > 0 && styleText('yellow', `${refused} refused`),
    failed > 0 && styleText('red', `${failed} failed`),
  ]
    .filter(Boolean)
    .join('   ')
}

/** Every kind of question in one line: what it takes of each size, and how much more of each than of the smallest. */
export function sideBySide(results: readonly Result[], sizes: readonly number[]): string {
  const head = sizes.map(size => `${size.toLocaleString('en-US')}`.padStart(size === sizes[0] ? 22 : 36)).join('')
  const lines = [...Map.groupBy(results, ({ part, title }) => `${part}: ${title}`)].map(([title, all]) => {
    const least = nth(all, 0)
    return `${title.padEnd(TITLE + 10)}${all.map(each => columnOf(each, least)).join('')}`
  })
  return [
    `Half of them within so many ms; ms of the shop's and the database's CPU; statements. Beside it how much more ms and CPU than of ${nth(sizes, 0).toLocaleString('en-US')}, budget ${BUDGET_RATIO}×`,
    `${' '.repeat(TITLE + 10)}${head}`,
    ...lines,
  ].join('\n')
}

const cpuOf = ({ cpu, databaseCpu }: Result) => cpu + databaseCpu

function columnOf(result: Result, least: Result): string {
  const figures = [result.p50.toFixed(1), cpuOf(result).toFixed(1), result.statements.toFixed(1)]
  const own = figures.map((figure, at) => figure.padStart(at === 0 ? 8 : 7)).join('')
  if (result === least) return own
  const ratios = [result.p50 / least.p50, cpuOf(result) / cpuOf(least)]
  return own + ratios.map(ratio => held(ratio <= BUDGET_RATIO, `${ratio.toFixed(2)}×`.padStart(7))).join('')
}
