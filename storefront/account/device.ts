import { stored } from '../data/stored.ts'

/** What tells this browser from others when its owner signs in again: strangers' guesses do not keep it out. Logging out wipes it. */
export const device = stored('device', '', raw => (typeof raw === 'string' ? raw : ''))

/** Keeps what a sign-in answered; nothing when the browser was known. */
export function rememberDevice(token: string | null | undefined) {
  if (token) device.set(token)
}
