import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { cart } from '../cart/cart.ts'
import type { CartProductFragment } from '../cart/CartProduct.gql.ts'
import { paths } from '../paths.ts'

export type Buying = ReturnType<typeof useBuying>

/** How many of a product are wanted, and putting them into the cart. One colourway's quantity does not pass to the next. */
export function useBuying(product: CartProductFragment | null | undefined) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState({ id: '', quantity: 1, isFull: false })
  const id = product?.id ?? ''
  const { quantity, isFull } = chosen.id === id ? chosen : { quantity: 1, isFull: false }
  const most = product?.countInStock ?? 0
  return {
    quantity: Math.max(1, Math.min(quantity, most)),
    /** The cart has no room for another product. */
    isFull,
    setQuantity: (quantity: number) => setChosen({ id, quantity, isFull }),
    add(this: void, quantity: number) {
      if (!product) return
      if (cart.add(product, quantity)) void navigate(paths.cart())
      else setChosen({ id, quantity, isFull: true })
    },
  }
}
