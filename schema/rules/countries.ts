/** ISO 3166-1 alpha-2 codes. */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA ' +
  'CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA ' +
  'GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS ' +
  'MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS ' +
  'RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW ' +
  'TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

const names = new Intl.DisplayNames('en', { type: 'region' })
const byCode = new Map(CODES.split(' ').map(code => [code, names.of(code) ?? code]))

/** Names of countries in English, sorted. */
export const COUNTRIES: readonly string[] = [...byCode.values()].sort((a, b) => a.localeCompare(b, 'en'))

/** The ISO 3166-1 alpha-2 code of a country spelled as in `COUNTRIES`. */
export const codeOfCountry = (name: string): string | undefined => [...byCode].find(([, known]) => known === name)?.[0]

/** Names that people write and ISO does not have. */
const ALSO: Record<string, string> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  usa: 'US',
  'u.s.': 'US',
  'u.s.a.': 'US',
  america: 'US',
  'the netherlands': 'NL',
  holland: 'NL',
}

/** A country as `COUNTRIES` spells it: "usa", "us" and "united states" are the same. Anything else stays as typed. */
export function countryNamed(typed: string): string {
  const word = typed.trim()
  const lower = word.toLowerCase()
  const code = ALSO[lower] ?? word.toUpperCase()
  return byCode.get(code) ?? COUNTRIES.find(name => name.toLowerCase() === lower) ?? word
}
