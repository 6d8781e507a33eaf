import { Money } from '../ui/Money.tsx'
import { PriceSummary } from '../ui/PriceSummary.tsx'
import { useCartPrices } from './cart.ts'

/** Shipping, tax and total as the cart stands; the shop decides when the order is placed. */
export function CartEstimate() {
  const { shippingPrice, isPickup, totalPrice, ...tax } = useCartPrices()
  return (
    <PriceSummary
      rows={[
        {
          label: isPickup ? 'Pickup' : 'Shipping',
          value: shippingPrice === 0 ? 'Free' : <Money cents={shippingPrice} />,
        },
      ]}
      tax={tax}
      total={{ label: 'Estimated total', value: <Money cents={totalPrice} /> }}
    />
  )
}
