import { FALLBACK_MESSAGE, messageOf, type UserError } from './errors.ts'
import { notify } from '../ui/toast.ts'

interface Payload {
  userErrors: readonly UserError[]
}

/** Carries out an action: its payload if it succeeded; otherwise null, after a toast that says why. SPEC §8. */
export async function attempt<P extends Payload>(action: () => Promise<P | undefined>): Promise<P | null> {
  try {
    const payload = await action()
    if (payload && payload.userErrors.length === 0) return payload
    notify.error(payload?.userErrors[0]?.message ?? FALLBACK_MESSAGE)
  } catch (error) {
    notify.error(messageOf(error))
  }
  return null
}
