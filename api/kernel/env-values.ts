import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { z } from 'zod'
import { fromDecimal } from '#schema/rules/money'
import { COUNTRIES, countryNamed } from '#schema/rules/countries'
import type { Days } from '#schema/rules/delivery'
import { present } from '#schema/rules/present'
import { DEFAULT_POLICY, type ShippingTerms, type TaxRate } from '#schema/rules/pricing'
import { nameOfState } from '#schema/rules/states'

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
}

/** How many there may be; 0 is any number. */
export function limit(usual: number) {
  return wholeNumber(0, 1_000_000).default(usual).describe('a whole number from 0 to 1000000, 0 for any number')
}

/** "2-4", or "3" for both. */
export function businessDays(usual: Days) {
  return z
    .string()
    .regex(/^\d{1,2}(?:-\d{1,2})?$/)
    .transform((text): Days => {
      const [min = 0, max = min] = text.split('-').map(Number)
      return { min, max }
    })
    .refine(({ min, max }) => min <= max)
    .default(usual)
    .describe('a number of business days from 0 to 99, or two, such as 2-4')
}

/** A decimal with at most two places, times one hundred: dollars to cents, percent to basis points. */
export function decimal(min: number, max: number) {
  return z
    .string()
    .transform(text => fromDecimal(text) ?? NaN)
    .pipe(
      z
        .number()
        .min(min * 100)
        .max(max * 100),
    )
}

/** As `COUNTRIES` spells it, from its name or code. */
export function country() {
  return z
    .string()
    .transform(countryNamed)
    .refine(name => COUNTRIES.includes(name))
}

/** Countries, separated by commas. */
export function countries() {
  return z
    .string()
    .transform(list => list.split(',').filter(part => part.trim() !== ''))
    .pipe(z.array(country()).min(1))
    .transform(names => COUNTRIES.filter(name => names.includes(name)))
}

/** "12 Mill Lane, Portland, ME, 04101": street, city, state and postal code, of which the last two may be empty. */
export function pickupAddress() {
  return z
    .string()
    .max(200)
    .regex(/^[^\p{C}]+$/u)
    .transform(text => {
      const parts = text.split(',').map(part => part.trim())
      const [city = '', state = '', postalCode = ''] = parts.slice(-3)
      return { street: parts.slice(0, -3).join(', '), city, state, postalCode }
    })
    .refine(({ street, city }) => street !== '' && city !== '')
}

/** From how much shipping is free. The most that can be set, which is what "never" means, no order can come to. */
export function freeShippingFrom() {
  return z.preprocess(text => (text === 'never' ? '1000000' : text), decimal(0, 1_000_000))
}

/** "weight" and "flat", or with what they charge: "weight:1.50:18", "flat:10". */
export function shippingRate() {
  return z
    .string()
    .regex(/^(?:weight(?::\d{1,5}(?:\.\d{1,2})?){2}|flat:\d{1,5}(?:\.\d{1,2})?|weight|flat)$/)
    .transform((text): Omit<ShippingTerms, 'freeShippingFrom'> => {
      const { shippingPer100Grams, shippingCap, flatShipping } = DEFAULT_POLICY
      const [kind, ...amounts] = text.split(':')
      const [first, most] = amounts.map(fromDecimal)
      return kind === 'flat'
        ? { shippingRate: 'FLAT', flatShipping: first ?? flatShipping, shippingPer100Grams, shippingCap }
        : {
            shippingRate: 'WEIGHT',
            flatShipping,
            shippingPer100Grams: first ?? shippingPer100Grams,
            shippingCap: most ?? shippingCap,
          }
    })
    .refine(({ flatShipping, shippingPer100Grams, shippingCap }) =>
      [flatShipping, shippingPer100Grams, shippingCap].every(amount => amount <= 10_000_00),
    )
}

/**
 * "US-NJ:6.625+shipping,US-PA:6/0,US-PA-191+150-152:8/0": the rate of a country, a state or what postal codes there begin with, that of what is
 * taxed less, and whether shipping is taxed, too.
 */
export function taxRates() {
  return z
    .string()
    .transform(list => list.split(',').map(part => part.trim()))
    .pipe(z.array(z.string().transform(taxRate).pipe(z.custom<TaxRate>(Boolean))).max(100))
    .refine(rates => {
      const places = rates.flatMap(({ country, state, postalCodes }) =>
        (postalCodes.length > 0 ? postalCodes : ['']).map(codes => `${country}/${state}/${codes}`),
      )
      return new Set(places).size === places.length && places.length <= MOST_PLACES
    })
}

/** Every page brings them all. */
const MOST_PLACES = 500

function taxRate(text: string): TaxRate | null {
  const [, code = '', state, codes, percent, reduced, shipping] =
    /^([A-Z]{2})(?:-([A-Z]{2}))?(?:-(\d{1,5}(?:-\d{1,5})?(?:\+\d{1,5}(?:-\d{1,5})?)*))?:(\d{1,2}(?:\.\d{1,3})?)(?:\/(\d{1,2}(?:\.\d{1,3})?))?(\+shipping)?$/i.exec(
      text,
    ) ?? []
  const country = countryNamed(code)
  const stateName = state && nameOfState(country, state.toUpperCase())
  const postalCodes = codes?.split('+') ?? []
  const isRange = (each: string) => {
    const [from = '', to = from] = each.split('-')
    return from.length === to.length && from <= to
  }
  if (!COUNTRIES.includes(country) || (state && !stateName) || !postalCodes.every(isRange)) return null
  return {
    country,
    state: state?.toUpperCase() ?? null,
    stateName: stateName ?? null,
    postalCodes,
    basisPoints: rate(percent),
    reducedBasisPoints: reduced === undefined ? null : rate(reduced),
    onShipping: shipping !== undefined,
  }
}

/** 6.625 is 662.5, and nothing beyond a tenth. */
const rate = (percent: string | undefined) => Math.round(Number(percent) * 1_000) / 10

export function origin() {
  return z
    .url({ protocol: /^https?$/ })
    .refine(text => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`)
    .transform(text => new URL(text).origin)
}

export function origins() {
  return z
    .string()
    .transform(list => list.split(',').map(part => part.trim()))
    .pipe(z.array(origin()))
}

/** Programs' names at a provider, separated by commas. */
export function clientIds() {
  return z
    .string()
    .default('')
    .transform(list =>
      list
        .split(',')
        .map(part => part.trim())
        .filter(Boolean),
    )
}

/** Who signs what people are known by: over TLS, or on this machine for a test. */
export function providerOrigin() {
  return origin()
    .refine(text => /^https:|^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|$)/.test(text))
    .describe('the https:// origin of an OpenID provider, or an http:// one on this machine')
}

/** A P-256 key in PEM, as Apple hands it out. */
export function appleKey() {
  return z
    .string()
    .transform(text => text.replaceAll('\\n', '\n'))
    .refine(text => {
      try {
        return createPrivateKey(text).asymmetricKeyDetails?.namedCurve === 'prime256v1'
      } catch {
        return false
      }
    })
}

export function isTimeZone(name: string) {
  return Intl.supportedValuesOf('timeZone').includes(name) || name === 'UTC'
}

export function areAddresses(list: string) {
  return list
    .split(',')
    .map(part => part.trim())
    .every(part => {
      const [address = '', prefix = '0', ...more] = part.split('/')
      return (
        more.length === 0 &&
        /^\d{1,3}$/.test(prefix) &&
        Number(prefix) <= present({ 0: -1, 4: 32, 6: 128 }[isIP(address)])
      )
    })
}

export function postgresUrl() {
  return z.string().refine(text => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''))
}

export function postgresUrls() {
  return z
    .string()
    .transform(list => list.split(',').map(part => part.trim()))
    .pipe(z.array(postgresUrl()).max(10))
}

export function smtpUrl() {
  return z
    .string()
    .refine(text => /^smtps?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.hostname !== '')
}
