import { stored } from '../data/stored.ts'

/** The email of a guest who checks out without an account; null otherwise. */
const guest = stored<string | null>('guestEmail', null, raw => (typeof raw === 'string' && raw !== '' ? raw : null))

export const useGuest = guest.use
export const currentGuest = guest.get
export const continueAsGuest = (email: string) => guest.set(email)
