import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { cart } from '../cart/cart.ts'
import type { CartProductFragment } from '../cart/CartProduct.gql.ts'
import { paths } from '../paths.ts'

export type Buying = ReturnType<typeof useBuying>

/** How many of a product are wanted, and putting them into the cart. One colourway's quantity does not pass to the next. */
export function useBuying(product: CartProductFragment | null | undefined) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState({ id: '', quantity: 1, isFull: false })
  const id = product?.id ?? ''
  // An old order's link names its lot in the address, to buy more of it.
  const [asked] = useSearchParams()
  const [chosenLot, setChosenLot] = useState<{ id: string; code: string | null } | null>(null)
  const lot = chosenLot?.id === id ? chosenLot.code : asked.get('lot')
  const { quantity, isFull } = chosen.id === id ? chosen : { quantity: 1, isFull: false }
  const most = product?.countInStock ?? 0
  return {
    quantity: Math.max(1, Math.min(quantity, most)),
    /** The cart has no room for another product. */
    isFull,
    /** The dye lot asked for; null for any one. It may be gone. */
    lot,
    setLot: (code: string | null) => setChosenLot({ id, code }),
    setQuantity: (quantity: number) => setChosen({ id, quantity, isFull }),
    add(this: void, quantity: number) {
      if (!product) return
      // A lot that is sold out is passed on, too: in the cart the shopper agrees to another.
      const lots = lot !== null && product.lots.length > 0 ? [{ code: lot, quantity }] : []
      if (cart.add(product, quantity, lots)) void navigate(paths.cart())
      else setChosen({ id, quantity, isFull: true })
    },
  }
}
