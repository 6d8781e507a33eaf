/** An amount in US cents, always a whole number. */
export type Cents = number

/** `part` basis points (1/100 of a percent) of an amount, rounded half up to a whole cent. */
export function basisPoints(amount: Cents, part: number): Cents {
  return Math.floor((amount * part + 5_000) / 10_000)
}

/** 1250 -> "12.50", the two-decimal string that the stored cart and PayPal use. */
export function toDecimal(amount: Cents): string {
  const sign = amount < 0 ? '-' : ''
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** "12.50" -> 1250. Null for anything that is not a decimal with at most two places. */
export function fromDecimal(text: string): Cents | null {
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return null
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] && cents > 0 ? -cents : cents
}

/** An amount as people type it, "$1,250.5" -> 125050. Null when it is not an amount. */
export function readDollars(typed: string): Cents | null {
  return fromDecimal(typed.replaceAll(/[$,\s]/g, ''))
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** 123456 -> "$1,234.56", for people. */
export function formatCents(amount: Cents): string {
  return dollars.format(amount / 100)
}
