import { z } from 'zod'
import { limits } from '../limits.ts'
import { email, requiredText } from './text.ts'

/** A message to the owner of the shop. */
export const message = z.object({
  name: requiredText('Name', limits.name),
  email,
  message: requiredText('Message', limits.message),
})
