import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { addAgain } from '../cart/add-again.ts'
import { QuoteCartDocument } from '../cart/QuoteCart.gql.ts'
import { messageOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { notify } from '../ui/toast.ts'
import type { OrderDetailsFragment } from './OrderPage.gql.ts'

/** Puts the lines of an order into the cart again; the cart says what is no longer available. */
export function OrderAgain({ items }: Pick<OrderDetailsFragment, 'items'>) {
  const client = useApolloClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)

  async function again() {
    setAsking(true)
    try {
      const lines = items.map(({ productId, quantity }) => ({ productId, quantity }))
      const { data } = await client.query({ query: QuoteCartDocument, variables: { lines }, fetchPolicy: 'no-cache' })
      const changes = addAgain(items, data?.quoteCart.lines ?? [])
      await navigate(paths.cart(), { state: { changes } })
    } catch (error) {
      notify.error(messageOf(error))
      setAsking(false)
    }
  }

  return (
    <Button variant="quiet" size="sm" loading={asking} onClick={() => void again()}>
      Order again
    </Button>
  )
}
