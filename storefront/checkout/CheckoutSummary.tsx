import { useState } from 'react'
import { styled } from 'styled-components'
import type { Destination } from '#schema/rules/pricing'
import { unitsOf, useCart, useCartPrices } from '../cart/cart.ts'
import { useCartCode } from '../cart/cart-code.ts'
import { OrderLines } from '../order/OrderLines.tsx'
import { OrderPrices } from '../order/OrderSections.tsx'
import { from, space, weight } from '../theme/tokens.ts'
import { Fold } from '../ui/Fold.tsx'
import { ChevronDownIcon } from '../ui/icons.tsx'
import { Money } from '../ui/Money.tsx'
import { AddressEstimate } from './AddressEstimate.tsx'

/** What is about to be ordered and goes to the address that is being typed, beside the form; on phones collapsed above it. */
export function CheckoutSummary({ to }: { to: Destination }) {
  const current = useCart()
  const prices = useCartPrices(to)
  const code = useCartCode()
  const units = unitsOf(current)
  const [isWide] = useState(() => matchMedia('(min-width: 60rem)').matches)
  return (
    <Summary open={isWide}>
      <summary>
        <span>
          Order summary <small>{units === 1 ? '1 item' : `${units} items`}</small>
        </span>
        <Money cents={prices.totalPrice} />
        <ChevronDownIcon size={18} />
      </summary>
      <OrderLines lines={current.cartItems.map(({ id, lots: _, ...item }) => ({ productId: id, ...item }))} />
      <OrderPrices {...prices} discountCode={prices.saved > 0 ? code?.code : null} />
      <AddressEstimate to={to} />
    </Summary>
  )
}

const Summary = styled(Fold)`
  summary {
    font-weight: ${weight.strong};
  }
  &[open] {
    padding-bottom: ${space[5]};
  }
  > ul {
    margin: ${space[2]} 0 ${space[5]};
  }
  ${from.desktop} {
    padding: ${space[3]} ${space[5]} 0;
  }
`
