/** A list that has so many things or more, so that the first of them need no second look. */
export type AtLeast<Count extends number, Thing, Found extends Thing[] = []> = number extends Count
  ? Thing[]
  : Found['length'] extends Count
    ? [...Found, ...Thing[]]
    : AtLeast<Count, Thing, [...Found, Thing]>
