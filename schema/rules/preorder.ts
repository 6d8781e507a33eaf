import { dayWords } from './day.ts'

/** What is ordered, and how many units of it still have to be sent. */
interface Expected {
  expectedOn?: string | null | undefined
  quantity: number
  fulfilledQuantity: number
}

/** "Pre-order, expected Thu, Dec 24", and once that day has passed "Pre-order, expected any day". */
export const preorderWords = (expectedOn: string, today: string): string =>
  `Pre-order, expected ${isLate(expectedOn, today) ? 'any day' : dayWords(expectedOn)}`

/** Whether a delivery should be here by now. */
export const isLate = (expectedOn: string, today: string): boolean => expectedOn < today

const HOUR_MS = 3_600_000

/** What is wrong with a day that a delivery is to be expected from now on; null when it has not passed everywhere on Earth. */
export const dayProblem = (expectedOn: string, now: Date): string | null =>
  isLate(expectedOn, new Date(now.getTime() - 12 * HOUR_MS).toISOString().slice(0, 10))
    ? 'Expected on must not be a day that has passed.'
    : null

/** The day a line of an order still waits for; null when its units are here, or sent. */
export const awaitedOf = ({ expectedOn, quantity, fulfilledQuantity }: Expected): string | null =>
  (fulfilledQuantity < quantity && expectedOn) || null

/** The last of these days; null when there is none. */
export const lastDay = (days: readonly (string | null)[]): string | null =>
  days.reduce((last, day) => (day !== null && (last === null || day > last) ? day : last), null)
