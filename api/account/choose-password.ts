import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { nth } from '#schema/rules/present'
import type { Context } from '../context.ts'
import { refuse } from '../kernel/errors.ts'
import { isCommon, isOneOf } from './common-passwords.ts'
import { hashPassword, signingIn } from './password.ts'
import type { User } from './user.entity.ts'

const { min, max } = limits.password

// As people count them: a ball of yarn 🧶 is one character, though it takes two units of UTF-16.
const characters = (text: string) => [...text].length

/** A password of an allowed length, exactly as it was typed. */
export const password = z
  .string()
  // A text of this many UTF-16 units is too long however people count it; counting characters is only for those that may
  // fit.
  .max(2 * max, { error: `Password can have at most ${max} characters.`, abort: true })
  .refine(value => characters(value) >= min, `Password needs at least ${min} characters.`)
  .refine(value => characters(value) <= max, `Password can have at most ${max} characters.`)
  .refine(value => !value.includes('\0') && value.isWellFormed(), 'Password holds characters that cannot be stored.')

/** The hash of a new password for this account, or a refusal because it is too easy to guess. */
export async function hashOfChosen(
  password: string,
  { name, email }: Pick<User, 'name' | 'email'>,
  { contact }: Pick<Context, 'contact'>,
  line = signingIn,
): Promise<string> {
  const field = ['password']
  if (isOneOf([name, email, nth(email.split('@'), 0), contact.name], password)) {
    throw refuse(
      'INVALID',
      'This password is your name, your email or the shop’s name, which is guessed first. Please choose another.',
      { field },
    )
  }
  if (await isCommon(password))
    throw refuse('INVALID', 'This password is one of the most common ones. Please choose another.', { field })
  return hashPassword(password, line)
}
