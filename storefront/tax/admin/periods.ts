/** What a report is asked for by: how many months it has, and how many such spans ago it began. */
const PERIODS = {
  'this-month': { label: 'This month', months: 1, ago: 0 },
  'last-month': { label: 'Last month', months: 1, ago: 1 },
  'this-quarter': { label: 'This quarter', months: 3, ago: 0 },
  'last-quarter': { label: 'Last quarter', months: 3, ago: 1 },
  'this-year': { label: 'This year', months: 12, ago: 0 },
  'last-year': { label: 'Last year', months: 12, ago: 1 },
} as const
export type Period = keyof typeof PERIODS

export const periods = Object.keys(PERIODS) as Period[]
export const periodLabel = (period: Period) => PERIODS[period].label

/** First and last day of it on a day such as 2026-11-30. Quarters begin in January, April, July and October. */
export function daysOf(period: Period, today: string): { from: string; to: string } {
  const { months, ago } = PERIODS[period]
  const month = Number(today.slice(5, 7)) - 1
  const first = month - (month % months) - ago * months
  const at = (monthOfYear: number, day: number) =>
    new Date(Date.UTC(Number(today.slice(0, 4)), monthOfYear, day)).toISOString().slice(0, 10)
  return { from: at(first, 1), to: at(first + months, 0) }
}
