import { z } from 'zod'
import { limits } from '../limits.ts'
import { email, requiredText } from './text.ts'

/** Name and email of an account. How good a password is, the server alone tells. */
export const namedAccount = z.object({ name: requiredText('Name', limits.name), email })

/** A form that opens an account. */
export const newAccount = namedAccount.extend({
  password: z.string().min(1, 'Password is required.'),
  confirmPassword: z.string(),
})

/** A form that asks for a mail. */
export const emailAlone = z.object({ email })
