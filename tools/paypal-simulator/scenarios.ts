// Scenarios: what tests ask the simulator to do to the next calls.
import { z } from 'zod'
import { toDecimal } from '#schema/rules/money'
import { cents, paypalId, type SimulatedCapture, type SimulatedOrder } from './store.ts'

/** Trouble any call can meet. */
export const TROUBLE = [
  '500',
  '503',
  '429',
  '401',
  /** No answer ever. */
  'timeout',
  /** The usual answer, three seconds late. */
  'slow',
  /** The connection breaks before the answer. */
  'disconnect',
  /** The connection breaks in the middle of the answer. */
  'truncated',
  /** A proxy's page instead of JSON. */
  'nonsense',
  /** A proxy's own 404. */
  'proxy-404',
  'redirect',
  'empty',
  /** JSON about something else. */
  'unrelated',
  /** 409: PayPal says it is still working on an earlier call. */
  'in-progress',
] as const

const CAPTURE = [
  ...TROUBLE,
  /** 422 INSTRUMENT_DECLINED; the order needs approval again. */
  'declined',
  /** Captured, but PayPal holds the money for review. */
  'PENDING',
  /** 201 with a capture that failed. */
  'DECLINED',
  /** The money moves, the answer never comes. */
  'timeout-after-capture',
  /** The money moves, the connection breaks. */
  'disconnect-after-capture',
  /** The money moves, the answer is a 500. */
  '500-after-capture',
  /** The money moves, the answer has no order id. */
  'no-id',
  'wrong-amount',
  'wrong-currency',
  'unreadable-amount',
  /** Captured for another order of the shop's. */
  'foreign-custom-id',
  /** The money went to another PayPal account. */
  'other-payee',
] as const

const REFUND = [
  ...TROUBLE,
  /** PayPal sends the money later. */
  'PENDING',
  /** The money goes back, the answer never comes. */
  'disconnect-after-refund',
  /** The money goes back, the answer is a 500. */
  '500-after-refund',
] as const

export type Trouble = (typeof TROUBLE)[number]
export type CaptureScenario = (typeof CAPTURE)[number]

const list = <const T extends readonly [string, ...string[]]>(names: T) =>
  z
    .union([z.enum(names), z.array(z.enum(names)).max(100)])
    .transform(value => [value].flat() as T[number][])
    .default([])

/** Each call uses up one name; `{ "capture": ["500", "PENDING"] }` means a 500, then a pending capture. */
export const scenarioShape = z.strictObject({
  /** Our order's id: the scenarios are for calls about this order alone, and come before those planned for all. */
  order: z.string().optional(),
  token: list(TROUBLE),
  create: list(TROUBLE),
  get: list(TROUBLE),
  capture: list(CAPTURE),
  refund: list(REFUND),
})

/** How held webhooks are released; see webhooks.ts. */
export const releaseShape = z.strictObject({
  copies: z.int().min(1).max(20).optional(),
  reversed: z.boolean().optional(),
  tamper: z.boolean().optional(),
})

export type Plan = Omit<z.infer<typeof scenarioShape>, 'order'>
export type PlannedCall = keyof Plan

export function emptyPlan(): Plan {
  return { token: [], create: [], get: [], capture: [], refund: [] }
}

export function isTrouble(name: string | undefined): name is Trouble {
  return TROUBLE.some(trouble => trouble === name)
}

/** How a scenario changes a capture that does take place. */
export function twistCapture(scenario: CaptureScenario | undefined, order: SimulatedOrder) {
  return (capture: SimulatedCapture): void => {
    switch (scenario) {
      case 'PENDING':
      case 'DECLINED':
        capture.status = scenario
        return
      case 'wrong-amount':
        capture.amount.value = toDecimal(cents(capture.amount) + 100)
        return
      case 'unreadable-amount':
        capture.amount.value = '12.345'
        return
      case 'wrong-currency':
        capture.amount.currency_code = 'EUR'
        return
      case 'other-payee':
        order.merchantId = 'NTTHESHQPACCT'
        return
      case 'foreign-custom-id': {
        const foreign = `foreign-${paypalId()}`
        Object.assign(order, { customId: foreign, invoiceId: foreign })
        Object.assign(capture, { customId: foreign, invoiceId: foreign })
        return
      }
    }
  }
}
