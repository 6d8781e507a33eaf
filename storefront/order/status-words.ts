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

const STATUS_WORDS: Record<OrderStatus, StatusWords> = {
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

/** What is said otherwise of an order that is picked up. */
const PICKUP_WORDS: Readonly<Record<string, string>> = {
  'Not Delivered': 'Not Picked Up',
  'Not delivered yet': 'Not picked up yet',
  'Partly sent': 'Partly ready',
  Sent: 'Ready',
  Delivered: 'Picked Up',
  'A part of your yarn is on its way.': 'A part of your yarn is ready for you.',
  'Your yarn is on its way.': 'Your yarn is ready. Come and get it.',
  'At your door. Happy knitting!': 'In your hands. Happy knitting!',
}
/** What is said otherwise of an order of which nothing is sent; null: nothing. */
const DOWNLOAD_WORDS: Readonly<Record<string, string | null>> = {
  'Not Delivered': null,
  Delivered: 'Digital',
  'At your door. Happy knitting!': 'All yours. Happy knitting!',
}
const ofDownload = (word: string) => DOWNLOAD_WORDS[word] ?? word

const ofPickup = (word: string) => PICKUP_WORDS[word] ?? word

interface Told {
  status: OrderStatus
  isPickup: boolean
  isDownload?: boolean
}

/** What shoppers and owners read of an order's status. */
export function statusWords({ status, isPickup, isDownload = false }: Told): StatusWords {
  const words = STATUS_WORDS[status]
  if (isDownload)
    return {
      ...words,
      badges: words.badges
        .filter(([word]) => DOWNLOAD_WORDS[word] !== null)
        .map(([word, tone]) => [ofDownload(word), tone]),
      lead: words.lead && ofDownload(words.lead),
    }
  if (!isPickup) return words
  return {
    ...words,
    badges: words.badges.map(([word, tone]) => [ofPickup(word), tone]),
    lead: words.lead && ofPickup(words.lead),
    missing: { ...words.missing, delivery: ofPickup(words.missing.delivery) },
  }
}
