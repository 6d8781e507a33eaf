import type { Ground } from './ground.ts'
import { nth } from '#schema/rules/present'

/** One kind of trouble, caused again and again. */
export interface Scenario {
  name: string
  /** How much of it `npm run faults` does. */
  full: Size
  /** How much of it the tests do; null when it needs a quiet machine or minutes. */
  short: Size | null
  run(ground: Ground, size: Run): Promise<Figure[]>
}

interface Size {
  rounds: number
  /** How many requests at once, or tries in a row: each scenario says which. */
  crowd: number
}

interface Run extends Size {
  /** Returns numbers from 0 to 1, the same ones for the same seed. */
  random: () => number
}

/** A measured value, beside its goal. */
export interface Figure {
  what: string
  goal: string
  measured: string
  ok: boolean
  /** Whether it depends on how fast the machine is. */
  timed?: boolean
}

/** A count that has to be exactly the goal. */
export const exactly = (what: string, goal: number, measured: number): Figure => ({
  what,
  goal: number(goal),
  measured: number(measured),
  ok: measured === goal,
})

/** A count of requests that the shop was too busy for, which should be none. */
export const turnedAway = (measured: number): Figure => ({
  ...exactly('told to come back in a moment (503)', 0, measured),
  timed: true,
})

/** A figure that must not be above the goal. With a unit, it is a time. */
export const atMost = (what: string, goal: number, measured: number, unit = ''): Figure => ({
  what,
  goal: `≤ ${number(goal)}${unit}`,
  measured: number(measured) + unit,
  ok: measured <= goal,
  timed: unit !== '',
})

/** A figure that must not be below the goal. */
export const atLeast = (what: string, goal: number, measured: number): Figure => ({
  what,
  goal: `≥ ${number(goal)}`,
  measured: number(measured),
  ok: measured >= goal,
})

/** Something that must never happen. If it did, a few examples are shown. */
export function none(what: string, found: readonly string[]): Figure {
  const shown = [...new Set(found)].slice(0, 3).join('; ')
  return {
    what,
    goal: '0',
    measured: found.length === 0 ? '0' : `${number(found.length)}: ${shown}`,
    ok: found.length === 0,
  }
}

const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 })

/** A small random generator (mulberry32) that repeats itself for the same seed. */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map(item => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

export const pick = <T>(items: readonly T[], random: () => number): T => nth(items, Math.floor(random() * items.length))

/** The value below which so many percent of all values lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}
