import type { CartAddress } from '../cart/cart.ts'

/** Whether an order could be sent there: name and country are required. SPEC §5. */
export function hasAddress({ name, country }: CartAddress): boolean {
  return name.trim() !== '' && country.trim() !== ''
}

/** An address as it stands on a parcel, without the lines that are empty. */
export function addressLines({ name, address, address2, city, state, postalCode, country }: CartAddress): string[] {
  const place = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, address, address2, place, country].filter(line => line.trim() !== '')
}
