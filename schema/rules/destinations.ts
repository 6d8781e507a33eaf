import { type Destination, isIn, type TaxRate } from './pricing.ts'
import { isState } from './states.ts'

/** What an order's destination is held against. */
export interface Destinations {
  /** The countries the shop sends to, spelled as in `COUNTRIES`; none means every country. */
  shipsTo: readonly string[]
  taxRates: readonly TaxRate[]
}

/** Names with an article in a sentence. */
const THE =
  /^(?:United |Netherlands|Philippines|Bahamas|Maldives|Gambia|Isle of )|(?:Republic|Islands|Territory|Territories)$/

/** "Canada, Mexico and the United States". */
export const countryWords = (countries: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' })
    .format(countries.map(name => (THE.test(name) ? `the ${name}` : name)))
    .replace(/,(?= and )/, '')

/**
 * Why no order can go there, and which line of the address says so; null if one can. The country is spelled as in
 * `COUNTRIES`. Where tax depends on the state or the postal code, an address has to name it. The shop's own, where orders are picked up, does.
 */
export function whyNotThere(
  { shipsTo, taxRates }: Destinations,
  to: Destination,
): { line: 'country' | 'state' | 'postalCode'; message: string } | null {
  const { country, state, postalCode, isPickup } = to
  if (isPickup) return null
  if (shipsTo.length > 0 && !shipsTo.includes(country))
    return { line: 'country', message: `We do not ship there. We ship to ${countryWords(shipsTo)}.` }
  const byState = taxRates.find(rate => rate.country === country && rate.state !== null)
  if (byState && !isState(country, state))
    return {
      line: 'state',
      message: `Please enter the state or province, such as ${byState.state}: tax depends on it.`,
    }
  const codes = taxRates.flatMap(rate => (isIn(rate, to) ? rate.postalCodes : []))
  const digits = Math.max(0, ...codes.map(code => code.split('-')[0]?.length ?? 0))
  if (!new RegExp(`^(?:\\s*\\d){${digits}}`).test(postalCode))
    return { line: 'postalCode', message: 'Please enter the postal code: tax depends on it.' }
  return null
}
