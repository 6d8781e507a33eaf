import type { z } from 'zod'
import { Problem } from '../http/problem.ts'

/** What an agent sent, checked. */
export function read<Shape extends z.ZodType>(shape: Shape, given: unknown): z.output<Shape> {
  const { success, data, error } = shape.safeParse(given)
  if (success) return data
  const [{ path, message }] = error.issues as [z.core.$ZodIssue]
  throw new Problem(400, 'BAD_USER_INPUT', `${path.join('.') || 'The body'} is wrong: ${message}.`)
}
