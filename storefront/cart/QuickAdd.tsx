import { useApolloClient } from '@apollo/client/react'
import { useState } from 'react'
import { messageOf } from '../data/errors.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { AddToBasketIcon } from '../ui/icons.tsx'
import { notify } from '../ui/toast.ts'
import { tellAdded } from './added.ts'
import { cart, currentCart, FULL_CART } from './cart.ts'
import { QuickAddDocument } from './QuickAdd.gql.ts'

interface QuickAddProps {
  id: string
  name: string
  className?: string
}

/** Puts one more of a product into the cart from wherever it is listed. Its price and stock are asked for afresh. */
export function QuickAdd({ id, name, className }: QuickAddProps) {
  const client = useApolloClient()
  const [adding, setAdding] = useState(false)

  async function add() {
    if (adding) return
    setAdding(true)
    try {
      const { data } = await client.query({
        query: QuickAddDocument,
        variables: { id },
        fetchPolicy: 'network-only',
      })
      const product = data?.product
      if (!product || product.countInStock < 1) return notify.warning(`“${name}” is sold out.`)
      const before = itemOf(id)
      if (!cart.add(product, (before?.quantity ?? 0) + 1)) return notify.error(FULL_CART)
      const item = itemOf(id)
      if (item) tellAdded({ item, before })
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setAdding(false)
    }
  }

  return (
    <IconButton
      className={className}
      label={`Add ${name} to cart`}
      aria-busy={adding || undefined}
      onClick={() => void add()}
    >
      <AddToBasketIcon size={22} />
    </IconButton>
  )
}

const itemOf = (id: string) => currentCart().cartItems.find(item => item.id === id) ?? null
