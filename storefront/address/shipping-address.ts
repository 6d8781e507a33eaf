import { countryNamed } from '#schema/rules/countries'
import type { CartAddress } from '../cart/cart.ts'
import type { SavedAddressFragment } from './Address.gql.ts'
import type { AddressValues } from './AddressFields.tsx'

/** An address as it stands on a parcel, without the lines that are empty. */
export function addressLines({
  name,
  address,
  address2,
  city,
  state,
  postalCode,
  country,
  phone,
}: CartAddress): string[] {
  const place = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, address, address2, place, country, phone].filter(line => line.trim() !== '')
}

/** What to call an address of the book in one line: its name, or what stands on the parcel. */
export function addressTitle({ label, shippingAddress }: SavedAddressFragment): string {
  return label || addressLines(shippingAddress).join(', ')
}

/** An address that was read as a form has it. */
export function addressValues(read: CartAddress, label = ''): AddressValues {
  const { name, address, address2, city, state, postalCode, country, phone } = read
  return { name, address, address2, city, state, postalCode, country, phone, label }
}

/** What was typed as the cart and the API take it. */
export function typedAddress({ label: _, ...address }: AddressValues): CartAddress {
  return { ...address, country: countryNamed(address.country) }
}
