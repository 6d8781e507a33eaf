import { stored } from '../data/stored.ts'

/** Tokens, by order id, for orders placed here without an account or opened from a letter's link; the newest last. */
type Tokens = Readonly<Record<string, string>>

const NONE: Tokens = {}
/** How many tokens are kept. The links in letters open older orders again. */
const KEPT = 20
const TOKEN = /^[\w-]{43}$/

const tokens = stored<Tokens>('orderTokens', NONE, raw => {
  const entries = Object.entries(typeof raw === 'object' && raw !== null ? (raw as Tokens) : NONE)
  const known = entries.filter(([, token]) => typeof token === 'string' && TOKEN.test(token))
  return known.length > 0 ? Object.fromEntries(known) : NONE
})

export function keepOrderToken(orderId: string, token: string) {
  const { [orderId]: _, ...others } = tokens.get()
  tokens.set(Object.fromEntries([...Object.entries(others), [orderId, token]].slice(-KEPT)))
}

/** The token that opens this order; undefined for an account's order, and while hydrating. */
export const useOrderToken = (orderId: string | undefined): string | undefined => tokens.use()[orderId ?? '']
export const orderTokenOf = (orderId: string): string | undefined => tokens.get()[orderId]

/** The token that a letter's link has behind its `#`. Null for any other place on the page. */
export const tokenInHash = (hash: string): string | null => (TOKEN.test(hash.slice(1)) ? hash.slice(1) : null)
