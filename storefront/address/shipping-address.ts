import { countryNamed } from '#schema/rules/countries'
import type { CartAddress } from '../cart/cart.ts'
import type { SavedAddressFragment } from './Address.gql.ts'
import type { AddressValues } from './AddressFields.tsx'

/** An address as it is printed on a parcel, without empty lines. */
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

/** One line for an address from the address book: its name, or the address itself. */
export function addressTitle({ label, shippingAddress }: SavedAddressFragment): string {
  return label || addressLines(shippingAddress).join(', ')
}

/** A stored address as a form's values. */
export function addressValues(read: CartAddress, label = ''): AddressValues {
  const { name, address, address2, city, state, postalCode, country, phone } = read
  return { name, address, address2, city, state, postalCode, country, phone, label }
}

/** What was typed, in the form that the cart and the API take. */
export function typedAddress({ label: _, ...address }: AddressValues): CartAddress {
  return { ...address, country: countryNamed(address.country) }
}
