import { z } from 'zod'

/** What somebody types, as `read` understands it; `message` when it answers null. */
export const typed = (read: (text: string) => number | null, message: string) =>
  z.string().transform((text, context) => {
    const value = read(text)
    if (value !== null) return value
    context.addIssue(message)
    return z.NEVER
  })

/** The same where nothing may be typed: null. */
export const typedOrBlank = (read: (text: string) => number | null, message: string) =>
  z.string().transform((text, context) => {
    if (text.trim() === '') return null
    const value = read(text)
    if (value === null) context.addIssue(message)
    return value
  })

/** What is typed with commas between. */
export const separated = z.string().transform(text => text.split(',').filter(part => part.trim() !== ''))

/** A moment in the time zone of the person who types it; null where nothing is typed. */
export const typedInstant = z.string().transform((text, context) => {
  if (text === '') return null
  const instant = new Date(text)
  if (!Number.isNaN(instant.getTime())) return instant
  context.addIssue('Please enter a day and a time.')
  return z.NEVER
})
