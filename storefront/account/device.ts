import { stored } from '../data/stored.ts'

/**
 * The token that identifies this browser at sign-in, so that strangers' failed tries do not lock its owner out. Logging
 * out deletes it.
 */
export const device = stored('device', '', raw => (typeof raw === 'string' ? raw : ''))

/** Keeps the token that a sign-in returned; it returns none when the browser was known. */
export function rememberDevice(token: string | null | undefined) {
  if (token) device.set(token)
}
