// Days of the calendar, written as 2026-11-24.

const DAY = /^\d{4}-\d\d-\d\d$/

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && Date.parse(text) > 0 && new Date(text).toISOString().startsWith(text)

const weekdayFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
/** "Tue, Nov 24". */
export const dayWords = (day: string): string => weekdayFormat.format(new Date(day))
