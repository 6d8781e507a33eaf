import { stored } from '../data/stored.ts'

/** What opens the orders that were placed here without an account, or came by a letter's link: by order, the newest last. */
type Tokens = Readonly<Record<string, string>>

const NONE: Tokens = {}
/** Letters lead back to older ones. */
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

/** What opens this order; undefined for an account's, and while hydrating. */
export const useOrderToken = (orderId: string | undefined): string | undefined => tokens.use()[orderId ?? '']
export const orderTokenOf = (orderId: string): string | undefined => tokens.get()[orderId]

/** The token that a letter's link has behind its `#`. Null for any other place on the page. */
export const tokenInHash = (hash: string): string | null => (TOKEN.test(hash.slice(1)) ? hash.slice(1) : null)
