import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import type { CartChange } from '../cart/check-cart.ts'
import { paths } from '../paths.ts'
import { notify } from '../ui/toast.ts'

/** A checkout without anything to order leads to the cart, which says why. */
export function NothingToOrder({ changes = [] }: { changes?: CartChange[] }) {
  useEffect(() => notify.warning('There is nothing in your cart to order.'), [])
  return <Navigate to={paths.cart()} replace state={{ changes }} />
}
