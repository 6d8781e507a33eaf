import { codeOfCountry } from '#schema/rules/countries'
import type { ShopFront } from '../mail/template.ts'

export type Paper = 'LETTER' | 'A4'

/** What the shop writes on. */
export interface Stationery {
  seller: ShopFront
  timeZone: string
  paper: Paper
}

/** Where printers hold US letter, as CLDR's territories say; everywhere else they hold A4. */
const LETTER = new Set(['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE'])

/** The paper that shops of a country print on, spelled as in `COUNTRIES`. */
export const paperOf = (country: string): Paper => (LETTER.has(codeOfCountry(country) ?? '') ? 'LETTER' : 'A4')
