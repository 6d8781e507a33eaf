import type { ApolloClient } from '@apollo/client'
import { cart, type CartItem } from './cart.ts'
import { cookieOf, readPlainCart } from './plain-cart.ts'
import { quotePlainCart } from './quote-plain-cart.ts'

/** What was put into the cart without our script goes on in this browser's storage, and its cookie ends. */
export function adopt(items: readonly CartItem[]): void {
  // Another tab may have been faster.
  if (readPlainCart(document.cookie).length === 0) return
  document.cookie = cookieOf([], location.protocol === 'https:')
  for (const item of items) cart.add(item, item.quantity)
}

/** On a page that does not show it. */
export async function adoptPlainCart(client: ApolloClient): Promise<void> {
  const lines = readPlainCart(document.cookie)
  if (lines.length > 0) adopt((await quotePlainCart(client, lines)).items)
}
