import { limits } from '#schema/rules/limits'

// The cart of browsers that run no script: ids and quantities, in a cookie that only the answer to a form sets. Prices and
// stock are always fetched. Decision 037.

export interface PlainLine {
  id: string
  quantity: number
}

const NAME = 'cart'
const WHERE = 'Path=/; SameSite=Lax'
const DAYS = 30

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const QUANTITY = /^\d{1,7}$/

/** Reads the lines from a Cookie header or `document.cookie`, without anything that we would not have written. */
export function readPlainCart(cookies: string | null): PlainLine[] {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([^;]*)`).exec(cookies ?? '')?.[1] ?? ''
  const lines = value.split('~').map(line => line.split('*'))
  return tidy(lines.flatMap(([id = '', quantity = '']) => lineOf(id, quantity) ?? []))
}

/** The cookie for a Set-Cookie header or `document.cookie`; an empty cart deletes it. */
export function cookieOf(lines: readonly PlainLine[], isSecure: boolean): string {
  const value = lines.map(({ id, quantity }) => `${id}*${quantity}`).join('~')
  return `${NAME}=${value}; ${WHERE}; Max-Age=${value ? DAYS * 86_400 : 0}${isSecure ? '; Secure' : ''}`
}

/**
 * The cart after a form, which sets a `product` to a `quantity` (zero removes it), or adds so many `more`. Null for a form
 * that is not ours; the same cart when there is no room for another product.
 */
export function changedBy(lines: readonly PlainLine[], form: FormData): { lines: PlainLine[]; isFull: boolean } | null {
  const asked = lineOf(textOf(form, 'product'), textOf(form, 'quantity') || textOf(form, 'more'))
  if (!asked) return null
  const place = lines.findIndex(({ id }) => id === asked.id)
  const before = lines[place]?.quantity ?? 0
  const quantity = Math.min(form.has('quantity') ? asked.quantity : before + asked.quantity, limits.stock)
  if (place < 0 && lines.length >= limits.linesPerOrder) return { lines: [...lines], isFull: quantity > 0 }
  const line = { ...asked, quantity }
  const changed = place < 0 ? [...lines, line] : lines.with(place, line)
  return { lines: changed.filter(({ quantity }) => quantity > 0), isFull: false }
}

function lineOf(id: string, quantity: string): PlainLine | null {
  return ID.test(id) && QUANTITY.test(quantity) ? { id, quantity: Number(quantity) } : null
}

/** The cookie may have been edited: keeps each product once, and no more products than one order can have. */
function tidy(lines: PlainLine[]): PlainLine[] {
  const sane = lines.filter(({ quantity }) => quantity > 0 && quantity <= limits.stock)
  return [...new Map(sane.map(line => [line.id, line])).values()].slice(0, limits.linesPerOrder)
}

const textOf = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
