import { useSuspenseQuery } from '@apollo/client/react'
import { countryNamed } from '#schema/rules/countries'
import { ShopDocument } from '../app/Shop.gql.ts'
import { DeliveryEstimate } from './DeliveryEstimate.tsx'

/** When a parcel arrives in the country that was typed; in the shop's own until a known one is. */
export function AddressEstimate({ country: typed }: { country: string }) {
  const own = useSuspenseQuery(ShopDocument).data.shop.delivery.country
  const country = countryNamed(typed) || own
  return <DeliveryEstimate abroad={country !== own} to={country} />
}
