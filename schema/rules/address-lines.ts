interface Address {
  name: string
  address: string
  address2: string
  city: string
  state: string
  postalCode: string
  country: string
  /** Orders from before phone numbers were asked for have none. */
  phone?: string | undefined
}

/** An address as it is printed on a parcel, without empty lines. */
export function addressLines({
  name,
  address,
  address2,
  city,
  state,
  postalCode,
  country,
  phone = '',
}: Address): string[] {
  const place = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, address, address2, place, country, phone].filter(line => line.trim() !== '')
}
