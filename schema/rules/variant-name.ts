/**
 * The part of a product's name that distinguishes it from the others of its group: "Marmalade" of "Ninepin Sock in Marmalade",
 * "4.0 mm" of "Rosewood Circular, 4.0 mm". The whole name if it does not begin with the group's.
 */
export function variantName(name: string, group: string): string {
  if (!name.toLowerCase().startsWith(group.toLowerCase())) return name
  const rest = name.slice(group.length).replace(/^[\s,:–—-]+(?:in\s+)?/i, '')
  return rest.trim() || name
}

/** What the names in a group have in common: the words before the last " in ", or before a size. Null for none. */
export function groupNameOf(name: string): string | null {
  const at = name.lastIndexOf(' in ')
  if (at > 0) return name.slice(0, at)
  const size = /[\s,]{1,9}\d[\d.]{0,9}\s?mm$/i.exec(name)
  return size && size.index > 0 ? name.slice(0, size.index) : null
}
