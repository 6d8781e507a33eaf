import { formatCents, shopCurrency } from '#schema/rules/money'
import type { DashboardPeriod } from '../../generated/types.ts'

export const metrics = ['revenue', 'orders', 'averageOrder', 'units'] as const
export type Metric = (typeof metrics)[number]

export const metricWords: Record<Metric, string> = {
  revenue: 'Revenue',
  orders: 'Orders',
  averageOrder: 'Average order',
  units: 'Units sold',
}

const isMoney = (metric: Metric) => metric === 'revenue' || metric === 'averageOrder'

export const figure = (metric: Metric, value: number) =>
  isMoney(metric) ? formatCents(value) : value.toLocaleString('en-US')

/** "$1.2K" on an axis. */
const SHORT = { notation: 'compact', maximumFractionDigits: 1 } as const
export const tick = (metric: Metric, value: number) =>
  isMoney(metric)
    ? (value / 100).toLocaleString('en-US', { style: 'currency', currency: shopCurrency(), ...SHORT })
    : value.toLocaleString('en-US', SHORT)

/** How far back each period looks. */
export const spans: Record<DashboardPeriod, { count: number; word: string; each: string; last: string }> = {
  DAY: { count: 30, word: 'Days', each: 'Day', last: 'last 30 days' },
  WEEK: { count: 12, word: 'Weeks', each: 'Week of', last: 'last 12 weeks' },
  MONTH: { count: 12, word: 'Months', each: 'Month', last: 'last 12 months' },
}

// A bucket's date is a calendar day of the shop, whatever the reader's time zone.
const at = (date: string) => new Date(`${date}T00:00:00Z`)
const dayShort = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const dayLong = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthShort = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
const monthLong = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const shortDate = (period: DashboardPeriod, date: string) =>
  (period === 'MONTH' ? monthShort : dayShort).format(at(date))
export const longDate = (period: DashboardPeriod, date: string) =>
  (period === 'MONTH' ? monthLong : dayLong).format(at(date))

/** "12% more than" of 112 and 100. */
export function comparison(now: number, before: number): { words: string; sign: 'up' | 'down' | 'same' } {
  if (now === before) return { words: 'Same as before', sign: 'same' }
  if (before === 0) return { words: 'None before', sign: 'up' }
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return now > before ? { words: `${percent}% up`, sign: 'up' } : { words: `${percent}% down`, sign: 'down' }
}
