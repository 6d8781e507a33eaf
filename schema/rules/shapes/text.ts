import { z } from 'zod'
import { EMAIL_PATTERN, limits } from '../limits.ts'

/** PostgreSQL cannot store NUL, and a lone surrogate would be stored as something else. */
const storable = (text: string) => !/\0|\p{Surrogate}/u.test(text)

/**
 * A text field: trimmed, storable, at most `max` characters. A text that is too long is not checked against any other
 * rule, least of all a pattern.
 */
export function text(label: string, max: number) {
  return z
    .string()
    .trim()
    .max(max, { error: `${label} can have at most ${max} characters.`, abort: true })
    .refine(storable, `${label} holds characters that cannot be stored.`)
}

export function requiredText(label: string, max: number) {
  return text(label, max).min(1, `${label} is required.`)
}

export const email = requiredText('Email', limits.email).regex(EMAIL_PATTERN, 'Please enter a valid email address.')
