import { shopCurrency } from './money.ts'

/** What a shop can trade in, by ISO 4217 codes: currencies of two decimals that PayPal takes. */
export const CURRENCIES = [
  ...([
    'AUD',
    'BRL',
    'CAD',
    'CHF',
    'CZK',
    'DKK',
    'EUR',
    'GBP',
    'HKD',
    'ILS',
    'MXN',
    'MYR',
    'NOK',
    'NZD',
    'PHP',
  ] as const),
  ...(['PLN', 'SEK', 'SGD', 'THB', 'USD'] as const),
] as const
export type Currency = (typeof CURRENCIES)[number]

/** What the shop trades in, in words for several: "US dollars", "euros". */
export const currencyName = (): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: shopCurrency(), currencyDisplay: 'name' })
    .formatToParts(2)
    .filter(({ type }) => type === 'currency')
    .map(({ value }) => value)
    .join('')
