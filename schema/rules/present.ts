/**
 * A value that is known to be there although its type allows null. Throws otherwise; if it can really be missing,
 * handle that instead.
 */
export function present<T>(thing: T): NonNullable<T> {
  if (thing === null || thing === undefined) throw new TypeError('There is nothing where something must be')
  return thing
}

/** The element at a place that the list is known to have. Throws otherwise. */
export function nth<T>(list: { readonly [place: number]: T; readonly length: number }, place: number): T {
  const found = list[place]
  if (found === undefined) throw new RangeError(`There is nothing at ${place} of ${list.length}`)
  return found
}

/** The only element of a list. Undefined when the list is empty or has several. */
export const onlyOf = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

/** The last element of a list that is known not to be empty. Throws otherwise. */
export const lastOf = <T>(list: readonly T[]): T => nth(list, list.length - 1)

/** The value for a key that the map is known to have. Throws otherwise. */
export function valueAt<Key, Value>(map: { get(key: Key): Value | undefined }, key: Key): Value {
  const found = map.get(key)
  if (found === undefined) throw new RangeError(`There is nothing for ${String(key)}`)
  return found
}
