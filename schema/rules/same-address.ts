const LINES = ['name', 'address', 'address2', 'city', 'state', 'postalCode', 'country'] as const

type Lines = { [line in (typeof LINES)[number]]?: string | undefined }

/** Whether a parcel would go to the same place, whatever the capitals and blanks around. */
export function isSameAddress(one: Lines, other: Lines): boolean {
  const plain = (line = '') => line.trim().toLowerCase()
  return LINES.every(line => plain(one[line]) === plain(other[line]))
}
