const LINES = ['name', 'address', 'address2', 'city', 'state', 'postalCode', 'country'] as const

type Lines = { [line in (typeof LINES)[number]]?: string | undefined }

/** Whether a parcel would go to the same place, ignoring upper and lower case and the spaces around each line. */
export function isSameAddress(one: Lines, other: Lines): boolean {
  const plain = (line = '') => line.trim().toLowerCase()
  return LINES.every(line => plain(one[line]) === plain(other[line]))
}
