/** A list of at least so many things, so that the first of them can be read without a check. */
export type AtLeast<Count extends number, Thing, Found extends Thing[] = []> = number extends Count
  ? Thing[]
  : Found['length'] extends Count
    ? [...Found, ...Thing[]]
    : AtLeast<Count, Thing, [...Found, Thing]>
