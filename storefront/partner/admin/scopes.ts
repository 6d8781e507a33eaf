import type { ApiScope } from '../../generated/types.ts'

/** The scopes as people read them, from the least to the most. */
export const scopeWords: Record<ApiScope, string> = {
  READ_CATALOGUE: 'Read catalogue',
  READ_ORDERS: 'Read orders',
  WRITE_ORDERS: 'Write orders',
  ADMIN: 'Everything',
}

export const scopes = Object.keys(scopeWords) as ApiScope[]

const everyones: Record<ApiScope, string> = {
  READ_CATALOGUE: 'See the shop, its products and reviews, and what a cart costs.',
  READ_ORDERS: 'See the orders of its account.',
  WRITE_ORDERS: 'Place and pay orders for its account.',
  ADMIN: 'Do whatever its account may do.',
}
const administrators: Record<ApiScope, string> = {
  READ_CATALOGUE: everyones.READ_CATALOGUE,
  READ_ORDERS: 'See the orders of all shoppers, because the account is an administrator’s.',
  WRITE_ORDERS: 'Place and pay orders, and mark those of all shoppers delivered.',
  ADMIN: 'Do whatever an administrator may do: change products, refund orders, delete users.',
}

/** What a scope lets a key do that acts for such an account. */
export const scopeMeaning = (scope: ApiScope, { isAdmin }: { isAdmin: boolean }) =>
  (isAdmin ? administrators : everyones)[scope]

/** "Read orders, write orders" of the names programs use, as the audit log keeps them. */
export function scopesInWords(text: string): string {
  const words = text
    .split(' ')
    .map(scope => scopeWords[scope as ApiScope] ?? scope)
    .join(', ')
  return words.charAt(0) + words.slice(1).toLowerCase()
}

/** A query that a key with these scopes may ask. */
export function exampleQuery(granted: readonly ApiScope[]): string {
  const may = (scope: ApiScope) => granted.includes(scope) || granted.includes('ADMIN')
  if (may('READ_CATALOGUE')) return '{ products { total items { name price } } }'
  if (may('READ_ORDERS')) return '{ myOrders { reference status } }'
  return '{ __typename }'
}
