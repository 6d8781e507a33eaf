import { addressLines } from '#schema/rules/address-lines'
import { countryNamed } from '#schema/rules/countries'
import type { CartAddress } from '../cart/cart.ts'
import type { SavedAddressFragment } from './Address.gql.ts'
import type { AddressValues } from './AddressFields.tsx'

/** One line for an address from the address book: its name, or the address itself. */
export function addressTitle({ label, shippingAddress }: SavedAddressFragment): string {
  return label || addressLines(shippingAddress).join(', ')
}

/** A stored address as a form's values. */
export function addressValues(read: Omit<CartAddress, 'isPickup'>, label = ''): AddressValues {
  const { name, address, address2, city, state, postalCode, country, phone } = read
  return { name, address, address2, city, state, postalCode, country, phone, label }
}

/** What was typed, in the form that the cart and the API take. */
export function typedAddress({ label: _, ...address }: AddressValues): CartAddress {
  return { ...address, country: countryNamed(address.country), isPickup: false }
}
