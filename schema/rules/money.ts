import type { Currency } from './currency.ts'

/** An amount in hundredths of the shop's currency, always a whole number. */
export type Cents = number

/** `part` basis points (1/100 of a percent), or tenths of them, of an amount, rounded half up to a whole cent. */
export function basisPoints(amount: Cents, part: number): Cents {
  // In whole tenths: 471.2 of them is no number that a computer can keep.
  return Math.floor((amount * Math.round(part * 10) + 50_000) / 100_000)
}

/** 662.5 -> "6.625%", for people. */
export const percent = (rate: number): string => `${Math.round(rate * 10) / 1000}%`

/** What of an amount is a tax of `rate` basis points that it already has in it, rounded half up to a whole cent. */
export function taxWithin(amount: Cents, rate: number): Cents {
  const tenths = Math.round(rate * 10)
  const whole = 100_000 + tenths
  return Math.floor((2 * amount * tenths + whole) / (2 * whole))
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
export function readAmount(typed: string): Cents | null {
  return fromDecimal(typed.replaceAll(/[\p{Sc},\s]/gu, ''))
}

let traded: Currency
let shown: Intl.NumberFormat

/** Says what the shop trades in. A process and a page are of one shop, and told once, before any amount is shown. */
export function tradeIn(currency: Currency): void {
  traded = currency
  shown = new Intl.NumberFormat('en-US', { style: 'currency', currency })
}
tradeIn('USD')

/** What the shop trades in. */
export const shopCurrency = (): Currency => traded

/** 123456 -> "$1,234.56", for people, in the shop's currency. */
export function formatCents(amount: Cents): string {
  return shown.format(amount / 100)
}
