import { useApolloClient } from '@apollo/client/react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../data/errors.ts'
import { invalidate } from '../data/invalidate.ts'
import { paths } from '../paths.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { AddToBasketIcon } from '../ui/page-icons.tsx'
import { notify } from '../ui/toast.ts'
import { tellAdded } from './added.ts'
import { cart, currentCart, FULL_CART } from './cart.ts'
import { QuickAddDocument } from './QuickAdd.gql.ts'

interface QuickAddProps {
  id: string
  name: string
  className?: string
}

/**
 * Puts one more of a product into the cart from wherever it is listed. Its price and stock are fetched again. A form,
 * which works without our script.
 */
export function QuickAdd({ id, name, className }: QuickAddProps) {
  const client = useApolloClient()
  const [adding, setAdding] = useState(false)

  async function add(event: FormEvent) {
    event.preventDefault()
    if (adding) return
    setAdding(true)
    try {
      const { data } = await client.query({
        query: QuickAddDocument,
        variables: { id },
        fetchPolicy: 'network-only',
      })
      const product = data?.product
      if (!product) {
        invalidate(client, field => field === 'products' || field === 'topRatedProducts')
        return notify.warning(`“${name}” is no longer for sale.`)
      }
      if (product.countInStock < 1) return notify.warning(`“${name}” is sold out.`)
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
    <form className={className} method="post" action={paths.cart()} onSubmit={event => void add(event)}>
      <input type="hidden" name="product" value={id} />
      <input type="hidden" name="more" value="1" />
      <IconButton type="submit" label={`Add ${name} to cart`} aria-busy={adding || undefined}>
        <AddToBasketIcon size={22} />
      </IconButton>
    </form>
  )
}

const itemOf = (id: string) => currentCart().cartItems.find(item => item.id === id) ?? null
