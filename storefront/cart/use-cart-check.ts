import { useApolloClient } from '@apollo/client/react'
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '../errors.ts'
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

  const apply = useCallback((lines: readonly QuotedLineFragment[]) => {
    const checked = checkCart(currentCart().cartItems, lines)
    cart.replaceItems(checked.items)
    setChanges(earlier => [...new Set([...earlier, ...checked.changes])])
  }, [])

  const check = useCallback(async () => {
    const lines = currentCart().cartItems.map(({ _id, quantity }) => ({ productId: _id, quantity }))
    if (lines.length === 0) return
    try {
      const { data } = await client.query({ query: QuoteCartDocument, variables: { lines }, fetchPolicy: 'no-cache' })
      setProblem(null)
      apply(data!.quoteCart.lines)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }, [client, apply])

  useEffect(() => void check(), [check])
  return { changes, problem, retry: check, apply }
}
