import { useSuspenseQuery } from '@apollo/client/react'
import { countryNamed } from '#schema/rules/countries'
import type { Destination } from '#schema/rules/pricing'
import { ShopDocument } from '../app/Shop.gql.ts'
import { DeliveryEstimate } from './DeliveryEstimate.tsx'

/** When a parcel arrives in the country that was typed, in the shop's own until a known one is; or can be picked up. */
export function AddressEstimate({ to }: { to: Destination }) {
  const own = useSuspenseQuery(ShopDocument).data.shop.delivery.country
  const country = countryNamed(to.country) || own
  return <DeliveryEstimate abroad={country !== own} to={country} isPickup={to.isPickup} />
}
