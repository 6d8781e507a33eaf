import { z } from 'zod'
import { DEFAULT_DELIVERY, DEFAULT_RETURN_DAYS } from '#schema/rules/delivery'
import { HOLD_LIMITS } from '#schema/rules/hold-limits'
import { CURRENCIES } from '#schema/rules/currency'
import { toDecimal } from '#schema/rules/money'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { SHOP_NAME, SHOP_TAGLINE } from '#schema/rules/shop-name'
import {
  areAddresses,
  businessDays,
  countries,
  country,
  decimal,
  freeShippingFrom,
  isTimeZone,
  limit,
  origin,
  origins,
  postgresUrl,
  postgresUrls,
  appleKey,
  clientIds,
  pickupAddress,
  providerOrigin,
  shippingRate,
  smtpUrl,
  taxRates,
  wholeNumber,
} from './env-values.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Their values never reach a terminal or a log. */
const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'PAYPAL_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
  'GOOGLE_CLIENT_SECRET',
  'APPLE_PRIVATE_KEY',
]

const RATE = 'weight or flat, or with amounts such as weight:1.50:18 (for each 100 g, at most) or flat:10'
const FREE_FROM = `an amount from 0 to 1000000 with at most two decimals, such as ${toDecimal(DEFAULT_POLICY.freeShippingFrom)}, or never`

// The description of each variable is the second half of its error message: "PORT is "x", but must be <description>."
const variables = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/)
    .default('127.0.0.1')
    .describe('an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0'),
  PORT: wholeNumber(1, 65_535).default(4000).describe('a whole number from 1 to 65535'),
  SHOP_URL: origin()
    .optional()
    .describe('an http:// or https:// origin without a path, such as https://shop.example.com'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: postgresUrl().optional().describe('of the form postgres://user:password@host:5432/database'),
  DATABASE_REPLICA_URLS: postgresUrls()
    .default([])
    .describe('at most 10 of the form postgres://user:password@host:5432/database, separated by commas'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe('the name of a bucket, 3 to 63 small letters, digits, dots and hyphens'),
  S3_ENDPOINT: origin()
    .optional()
    .describe(
      'the http:// or https:// origin of an S3-compatible storage, such as https://s3.eu-central-1.example.com',
    ),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .default('us-east-1')
    .describe('a region, such as us-east-1'),
  PAYPAL_MODE: z.enum(['simulator', 'sandbox', 'live']).optional().describe('simulator, sandbox or live'),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_MERCHANT_ID: z
    .string()
    .regex(/^[A-Z0-9]{13}$/)
    .optional()
    .describe('the merchant id of the PayPal account, 13 capitals and digits'),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  PAYPAL_SIMULATOR_PORT: wholeNumber(1, 65_535).default(4001).describe('a whole number from 1 to 65535'),
  PAYPAL_SIMULATOR_URL: origin()
    .optional()
    .describe('the http:// origin of a simulator that is running, such as http://127.0.0.1:4001'),
  SMTP_URL: smtpUrl()
    .optional()
    .describe('of the form smtp://user:password@host:587 or smtps://user:password@host:465'),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>@"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/)
    .optional()
    .describe('an address to write from, such as Skein <orders@example.com>'),
  SHOP_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(/^[^\p{C}<>]+$/u)
    .default(SHOP_NAME)
    .describe('what the shop is called, such as The Wool Room, at most 40 characters'),
  SHOP_TAGLINE: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^\p{C}]+$/u)
    .default(SHOP_TAGLINE)
    .describe('one sentence about the shop, such as Wool from the moor., at most 100 characters'),
  SHOP_ICON: z
    .string()
    .max(1_000)
    .optional()
    .describe('the path of a PNG, JPEG or WebP picture, of at most 1000 characters'),
  SHOP_CURRENCY: z
    .string()
    .toUpperCase()
    .pipe(z.enum(CURRENCIES))
    .default('USD')
    .describe(`one of ${CURRENCIES.join(', ')}`),
  SHOP_EMAIL: z
    .string()
    .regex(/^[^\s<>@"]+@[^\s<>@"]+$/)
    .optional()
    .describe('the address people write to, such as hello@example.com'),
  SHOP_ADDRESS: z
    .string()
    .max(200)
    .optional()
    .describe('a postal address in one line, such as 1 Wool Lane, Fen, VT 05001, at most 200 characters'),
  SHOP_TAX_ID: z
    .string()
    .max(40)
    .optional()
    .describe('the number the shop is taxed under, such as 12-3456789, at most 40 characters'),
  MAILBOX: z.enum(['on', 'off']).optional().describe('on or off'),
  SHIPPING_RATE: shippingRate().prefault('weight').describe(RATE),
  SHIPPING_RATE_ABROAD: shippingRate().optional().describe(RATE),
  FREE_SHIPPING_FROM: freeShippingFrom().default(DEFAULT_POLICY.freeShippingFrom).describe(FREE_FROM),
  FREE_SHIPPING_FROM_ABROAD: freeShippingFrom().optional().describe(FREE_FROM),
  TAX_RATE: decimal(0, 100)
    .default(DEFAULT_POLICY.taxBasisPoints)
    .describe('a percentage from 0 to 100 with at most two decimals, such as 15 or 8.25'),
  TAX_RATES: taxRates()
    .default([])
    .describe(
      'at most 100 percentages below 100 with at most three decimals by country, or by state of the US or Canada, or by what postal codes there begin with, with that of products that are taxed less behind a stroke, and +shipping where shipping is taxed, too, such as US-NJ:6.625+shipping,US-PA:6/0,US-PA-191+150-152:8/0,DE:19/7, each place once, and at most 500 of them',
    ),
  TAX_INCLUDED: z.enum(['true', 'false']).default('false').describe('true or false'),
  HANDLING_DAYS: businessDays(DEFAULT_DELIVERY.handling),
  TRANSIT_DAYS: businessDays(DEFAULT_DELIVERY.domestic),
  TRANSIT_DAYS_ABROAD: businessDays(DEFAULT_DELIVERY.elsewhere),
  SHOP_COUNTRY: country().default(DEFAULT_DELIVERY.country).describe('a country, such as United States or DE'),
  SHIPS_TO: countries().default([]).describe('countries separated by commas, such as US, CA, United Kingdom'),
  PICKUP_ADDRESS: pickupAddress()
    .optional()
    .describe(
      'street, city, state and postal code, separated by commas, such as 12 Mill Lane, Portland, ME, 04101 or Webergasse 3, Berlin, , 10115, at most 200 characters',
    ),
  PICKUP_HOURS: z
    .string()
    .max(100)
    .regex(/^[^\p{C}]+$/u)
    .optional()
    .describe('when the shop is open, such as Tuesday to Saturday, 10 to 6, at most 100 characters'),
  RETURN_DAYS: wholeNumber(0, 365).default(DEFAULT_RETURN_DAYS).describe('a whole number of days from 0 to 365'),
  INVOICE_YEARS: wholeNumber(0, 30).default(7).describe('a whole number of years from 0 to 30'),
  STOCK_HOLD_MINUTES: wholeNumber(1, 43_200).default(60).describe('a whole number of minutes from 1 to 43200'),
  HOLD_ORDERS_PER_ACCOUNT: limit(HOLD_LIMITS.ordersPerAccount),
  HOLD_UNITS_PER_ACCOUNT: limit(HOLD_LIMITS.unitsPerAccount),
  HOLD_ORDERS_PER_ADDRESS: limit(HOLD_LIMITS.ordersPerAddress),
  HOLD_UNITS_PER_ADDRESS: limit(HOLD_LIMITS.unitsPerAddress),
  PAGE_SIZE: wholeNumber(1, 100).default(12).describe('a whole number from 1 to 100'),
  SEED: z.enum(['demo', 'none']).optional().describe('demo or none'),
  SHOP_TIME_ZONE: z
    .string()
    .refine(isTimeZone)
    .default('America/New_York')
    .describe('an IANA time zone, such as America/New_York or Europe/Berlin'),
  RATE_LIMIT: wholeNumber(0, 100_000_000)
    .optional()
    .describe('a whole number of points a minute from 0 to 100000000, 0 for any number'),
  TRUST_PROXY: z
    .union([wholeNumber(1, 9), z.string().refine(areAddresses)])
    .optional()
    .describe(
      'a number of proxies from 1 to 9, or addresses or ranges separated by commas, such as 127.0.0.1,10.0.0.0/8',
    ),
  INTROSPECTION: z.enum(['on', 'off']).default('on').describe('on or off'),
  PERSISTED_ONLY: z.enum(['true', 'false']).default('false').describe('true or false'),
  CORS_ORIGINS: z
    .union([z.literal('any'), origins()])
    .default('any')
    .describe('any, or http:// or https:// origins separated by commas, such as https://app.example.com'),
  ADMIN_SECOND_FACTOR: z.enum(['optional', 'required']).default('optional').describe('optional or required'),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_APP_CLIENT_IDS: clientIds(),
  GOOGLE_ISSUER: providerOrigin().default('https://accounts.google.com'),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  APPLE_PRIVATE_KEY: appleKey()
    .optional()
    .describe('the text of the .p8 file from Apple, line ends written as \\n or as they are'),
  APPLE_APP_CLIENT_IDS: clientIds(),
  APPLE_ISSUER: providerOrigin().default('https://appleid.apple.com'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{20,200}$/)
    .optional()
    .describe('a secret of 20 to 200 letters, digits and -._~+/='),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the http:// or https:// address of an OpenTelemetry collector'),
  OTEL_SERVICE_NAME: z.string().default('skein'),
  WEBHOOKS_ALLOW_PRIVATE: z.enum(['true', 'false']).default('false').describe('true or false'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
})

/** What the variables say, each checked by itself. */
export type Variables = z.output<typeof variables>
export type Source = Readonly<Record<string, string | undefined>>

/** Everything that is wrong with the environment, one sentence a line. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Checks each variable by itself. */
export function readVariables(source: Source): Variables {
  const given = withoutBlanks(source)
  const parsed = variables.safeParse(given)
  if (!parsed.success) throw new EnvError(problemsOf(parsed.error, given))
  return parsed.data
}

/** An empty line in a compose or .env file means "not set". */
function withoutBlanks(source: Source): Record<string, string> {
  const entries = Object.keys(variables.shape).map(name => [name, source[name]?.trim() ?? ''] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

function problemsOf(error: z.ZodError, given: Source): string[] {
  const names = new Set(error.issues.map(issue => String(issue.path[0]) as keyof typeof variables.shape))
  return [...names].map(name => {
    const value = SECRETS.includes(name) ? 'is not usable' : `is ${JSON.stringify(given[name])}`
    return `${name} ${value}, but must be ${variables.shape[name].description}.`
  })
}
