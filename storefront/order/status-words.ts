import type { OrderStatus } from '#schema/rules/order-status'
import type { Tone } from '../ui/tones.ts'

interface StatusWords {
  /** Beside the heading of the order. */
  badges: readonly (readonly [word: string, tone?: Tone])[]
  /** In one short sentence that stays on one line. Null where it depends on who reads it. */
  lead: string | null
  /** How it stands with the payment while there is none, on the order's page. */
  payment: string
  /** The same where a shopper's list would have its day. */
  inList: string
  /** Where the owner's table would have a day. It is marked where somebody has to act, unless `quiet`. */
  missing: { payment: string; delivery: string; quiet?: 'payment' | 'delivery' }
}

const IS_PAID = { payment: '', inList: '' }

/** What shoppers and owners read of an order's status. */
export const STATUS_WORDS: Record<OrderStatus, StatusWords> = {
  UNPAID: {
    badges: [['Unpaid'], ['Not Delivered']],
    lead: null,
    payment: 'Order is unpaid and has not been processed.',
    inList: 'Not paid',
    missing: { payment: 'Not paid yet', delivery: 'Not delivered yet' },
  },
  LAPSED: {
    badges: [['Unpaid'], ['Not Delivered']],
    lead: null,
    payment: 'Order is unpaid and has not been processed.',
    inList: 'Not paid',
    missing: { payment: 'Not paid in time', delivery: 'Not delivered yet' },
  },
  CANCELLED: {
    badges: [['Cancelled']],
    lead: 'Nothing was charged.',
    payment: 'This order was cancelled. Nothing is to be paid.',
    inList: 'Cancelled',
    missing: { payment: 'Cancelled', delivery: 'Not delivered yet', quiet: 'payment' },
  },
  PAID: {
    badges: [['Paid', 'success'], ['Not Delivered']],
    lead: 'We are packing your yarn.',
    ...IS_PAID,
    missing: { payment: '', delivery: 'Not delivered yet' },
  },
  PARTLY_SENT: {
    badges: [['Paid', 'success'], ['Not Delivered'], ['Partly sent']],
    lead: 'A part of your yarn is on its way.',
    ...IS_PAID,
    missing: { payment: '', delivery: 'Partly sent' },
  },
  SENT: {
    badges: [['Paid', 'success'], ['Not Delivered'], ['Sent']],
    lead: 'Your yarn is on its way.',
    ...IS_PAID,
    missing: { payment: '', delivery: 'Sent', quiet: 'delivery' },
  },
  DELIVERED: {
    badges: [
      ['Paid', 'success'],
      ['Delivered', 'success'],
    ],
    lead: 'At your door. Happy knitting!',
    ...IS_PAID,
    missing: { payment: '', delivery: '' },
  },
}
