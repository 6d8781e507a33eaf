import { Money } from '../ui/Money.tsx'
import { PriceSummary } from '../ui/PriceSummary.tsx'
import { useCartPrices } from './cart.ts'
import { shippingRows } from './shipping-rows.tsx'

/** Shipping, tax and total as the cart stands; the shop decides when the order is placed. */
export function CartEstimate() {
  const { shippingPrice, isPickup, isDownload, totalPrice, ...tax } = useCartPrices()
  return (
    <PriceSummary
      rows={shippingRows({ shippingPrice, isPickup, isDownload })}
      tax={tax}
      total={{ label: 'Estimated total', value: <Money cents={totalPrice} /> }}
    />
  )
}
