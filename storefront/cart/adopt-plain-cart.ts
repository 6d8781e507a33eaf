import type { ApolloClient } from '@apollo/client'
import { cart, type CartItem } from './cart.ts'
import { cookieOf, readPlainCart } from './plain-cart.ts'
import { quotePlainCart } from './quote-plain-cart.ts'

/** Moves what was put into the cart without our script from its cookie to this browser's storage. */
export function adopt(items: readonly CartItem[]): void {
  // Another tab may have been faster.
  if (readPlainCart(document.cookie).length === 0) return
  document.cookie = cookieOf([], location.protocol === 'https:')
  for (const item of items) cart.add(item, item.quantity)
}

/** For pages that do not show the cart. */
export async function adoptPlainCart(client: ApolloClient): Promise<void> {
  const lines = readPlainCart(document.cookie)
  if (lines.length > 0) adopt((await quotePlainCart(client, lines)).items)
}
