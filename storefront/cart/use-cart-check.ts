import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '../data/errors.ts'
import { cart, currentCart } from './cart.ts'
import { checkCart } from './check-cart.ts'
import { QuoteCartDocument, type QuotedLineFragment } from './QuoteCart.gql.ts'

interface CartCheck {
  /** What is different from what the shopper put into the cart, in words. */
  changes: string[]
  /** Why the cart could not be checked. */
  problem: string | null
  retry: () => void
  /** Takes over a quote that came another way. */
  apply: (lines: readonly QuotedLineFragment[]) => void
}

/** Checks the stored cart with the API when the page opens: prices, stock, and whether things are still for sale. */
export function useCartCheck(): CartCheck {
  const client = useApolloClient()
  const [changes, setChanges] = useState<string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)

  const apply = useCallback((lines: readonly QuotedLineFragment[]) => {
    const checked = checkCart(currentCart().cartItems, lines)
    cart.replaceItems(checked.items)
    setChanges(earlier => [...new Set([...earlier, ...checked.changes])])
  }, [])

  useEffect(() => {
    let gone = false
    async function check() {
      try {
        const lines = await quote(client)
        // Whoever has left would not see what changed: then nothing does.
        if (gone) return
        setProblem(null)
        apply(lines)
      } catch (error) {
        setProblem(messageOf(error))
      }
    }
    void check()
    return () => void (gone = true)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt is another check
  }, [client, apply, attempt])

  return { changes, problem, retry: () => setAttempt(attempt + 1), apply }
}

async function quote(client: ApolloClient): Promise<readonly QuotedLineFragment[]> {
  const lines = currentCart().cartItems.map(({ _id, quantity }) => ({ productId: _id, quantity }))
  if (lines.length === 0) return []
  const { data } = await client.query({ query: QuoteCartDocument, variables: { lines }, fetchPolicy: 'no-cache' })
  return data!.quoteCart.lines
}
