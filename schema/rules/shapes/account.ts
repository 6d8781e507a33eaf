import { z } from 'zod'
import { limits } from '../limits.ts'
import { email, requiredText } from './text.ts'

/** Name and email of an account. Only the server judges how good a password is. */
export const namedAccount = z.object({ name: requiredText('Name', limits.name), email })

/** What an administrator may do; which permissions there are, the contract says. */
const permissions = <Permission>() => z.array(z.custom<Permission>()).min(1, 'Choose at least one thing.')

/** An account as an administrator wants it to be. */
export const managedAccount = <Permission>() =>
  namedAccount.extend({ isAdmin: z.boolean(), permissions: permissions<Permission>().nullish() })

/** Somebody who is invited to work in the shop. */
export const invitedAccount = <Permission>() => namedAccount.extend({ permissions: permissions<Permission>() })

/** A form that opens an account. */
export const newAccount = namedAccount.extend({
  password: z.string().min(1, 'Password is required.'),
  confirmPassword: z.string(),
})

/** A form that asks the shop to send a mail. */
export const emailAlone = z.object({ email })
