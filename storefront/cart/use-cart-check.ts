import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useCallback, useEffect, useState } from 'react'
import { limits } from '#schema/rules/limits'
import { isRefused, messageOf } from '../data/errors.ts'
import { cart, currentCart, useCart } from './cart.ts'
import { type CartChange, checkCart, latestChanges, shippingWords } from './check-cart.ts'
import { QuoteCartDocument, type QuotedLineFragment } from './QuoteCart.gql.ts'

interface CartCheck {
  /** What is different from what the shopper put into the cart. */
  changes: CartChange[]
  /** How that affects free shipping, in words; null when it does not. */
  shipping: string | null
  /** Why the cart could not be checked. */
  problem: string | null
  /** Checks again; null when that could not help. */
  retry: (() => void) | null
  /** Applies a quote that was fetched elsewhere. */
  apply: (lines: readonly QuotedLineFragment[]) => void
}

/** Checks the stored cart with the API when the page opens: prices, stock, and whether things are still for sale. */
export function useCartCheck(known: CartChange[] = []): CartCheck {
  const client = useApolloClient()
  const { cartItems } = useCart()
  const [changes, setChanges] = useState(known)
  const [shipping, setShipping] = useState<string | null>(null)
  const [problem, setProblem] = useState<{ message: string; final: boolean } | null>(null)
  const [attempt, setAttempt] = useState(0)

  const apply = useCallback((lines: readonly QuotedLineFragment[]) => {
    const before = currentCart()
    const checked = checkCart(before.cartItems, lines)
    cart.replaceItems(checked.items)
    setShipping(said => shippingWords(before, currentCart()) ?? said)
    setChanges(earlier => latestChanges(earlier, checked.changes, checked.items))
  }, [])

  useEffect(() => {
    let gone = false
    async function check() {
      try {
        const lines = await quote(client)
        // A shopper who has left the page would not see what changes, so nothing is changed.
        if (gone) return
        setProblem(null)
        apply(lines)
      } catch (error) {
        setProblem({ message: messageOf(error), final: isRefused(error) })
      }
    }
    void check()
    return () => void (gone = true)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt is another check
  }, [client, apply, attempt])

  return {
    changes: latestChanges(changes, [], cartItems),
    shipping: cartItems.length > 0 ? shipping : null,
    problem: problem?.message ?? null,
    retry: problem?.final ? null : () => setAttempt(attempt + 1),
    apply,
  }
}

/** A cart from another tab or an earlier time may hold more products than one order can, so it is quoted in parts. */
async function quote(client: ApolloClient): Promise<readonly QuotedLineFragment[]> {
  const lines = currentCart().cartItems.map(({ id, quantity }) => ({ productId: id, quantity }))
  const parts = Array.from({ length: Math.ceil(lines.length / limits.linesPerOrder) }, (_, index) =>
    lines.slice(index * limits.linesPerOrder, (index + 1) * limits.linesPerOrder),
  )
  const quotes = await Promise.all(
    parts.map(part => client.query({ query: QuoteCartDocument, variables: { lines: part }, fetchPolicy: 'no-cache' })),
  )
  return quotes.flatMap(({ data }) => data?.quoteCart.lines ?? [])
}
