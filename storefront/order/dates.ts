const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })

// In the shopper's time zone, so only for pages that the server does not render.

/** "Nov 21, 2026" */
export const formatDay = (instant: string) => day.format(new Date(instant))

/** "Nov 21, 2026, 9:30 AM" */
export const formatMoment = (instant: string) => moment.format(new Date(instant))

/** "9:30 AM" */
export const formatClock = (instant: string) => clock.format(new Date(instant))
