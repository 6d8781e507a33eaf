/** What is there, whatever its type says. Where it may be missing in earnest, say so instead of calling this. */
export function present<T>(thing: T): NonNullable<T> {
  if (thing === null || thing === undefined) throw new TypeError('There is nothing where something must be')
  return thing
}

/** What stands at a place that the list has. */
export function nth<T>(list: { readonly [place: number]: T; readonly length: number }, place: number): T {
  const found = list[place]
  if (found === undefined) throw new RangeError(`There is nothing at ${place} of ${list.length}`)
  return found
}

/** What stands alone in a list. Undefined when the list has nothing, or several. */
export const onlyOf = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

/** The last of a list that has something in it. */
export const lastOf = <T>(list: readonly T[]): T => nth(list, list.length - 1)

/** What a map has for a key that it knows. */
export function valueAt<Key, Value>(map: { get(key: Key): Value | undefined }, key: Key): Value {
  const found = map.get(key)
  if (found === undefined) throw new RangeError(`There is nothing for ${String(key)}`)
  return found
}
