import { z } from 'zod'
import { limits } from '../limits.ts'
import { email, requiredText } from './text.ts'

/** Name and email of an account. How good a password is, the server alone tells. */
export const namedAccount = z.object({ name: requiredText('Name', limits.name), email })
