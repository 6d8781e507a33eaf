import { stored } from '../data/stored.ts'

// Kept in the storage, so that an order whose response got lost is not placed twice after a reload.
const key = stored<string | null>('orderKey', null, raw => (typeof raw === 'string' && raw !== '' ? raw : null))

/** The idempotency key of the order being placed: the same until it is settled. */
export function orderKey(): string {
  const made = key.get() ?? crypto.randomUUID()
  key.set(made)
  return made
}

/** Call when the order is placed or can no longer be placed: the next one gets another key. */
export function forgetOrderKey() {
  key.set(null)
}
