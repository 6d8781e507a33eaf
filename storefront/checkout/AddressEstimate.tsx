import { useSuspenseQuery } from '@apollo/client/react'
import { countryNamed } from '#schema/rules/countries'
import { type Destination, isDownloadsAlone } from '#schema/rules/pricing'
import { lastDay } from '#schema/rules/preorder'
import { ShopDocument } from '../app/Shop.gql.ts'
import { useCart } from '../cart/cart.ts'
import { DeliveryEstimate } from './DeliveryEstimate.tsx'

/** When all of the cart arrives in the country that was typed, in the shop's own until a known one is; or can be picked up. */
export function AddressEstimate({ to }: { to: Destination }) {
  const own = useSuspenseQuery(ShopDocument).data.shop.delivery.country
  const country = countryNamed(to.country) || own
  const { cartItems } = useCart()
  if (isDownloadsAlone(cartItems)) return null
  const expectedOn = lastDay(cartItems.map(item => item.expectedOn))
  return <DeliveryEstimate abroad={country !== own} to={country} isPickup={to.isPickup} expectedOn={expectedOn} />
}
