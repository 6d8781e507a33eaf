import { resolve } from 'node:path'
import { z } from 'zod'
import { toDecimal } from '#schema/rules/money'
import { COUNTRIES, countryNamed } from '#schema/rules/countries'
import { DEFAULT_DELIVERY, DEFAULT_RETURN_DAYS, type DeliveryTerms } from '#schema/rules/delivery'
import { DEFAULT_POLICY, type PricingPolicy } from '#schema/rules/pricing'
import { HOLD_LIMITS, type HoldLimits } from '#schema/rules/hold-limits'
import {
  areAddresses,
  businessDays,
  decimal,
  isTimeZone,
  limit,
  origin,
  origins,
  postgresUrl,
  postgresUrls,
  appleKey,
  clientIds,
  providerOrigin,
  smtpUrl,
  wholeNumber,
} from './env-values.ts'

/** What the shop is told by its environment; every value checked, every default filled in. */
export interface Env {
  production: boolean
  host: string
  port: number
  /** Public origin of the shop, without a trailing slash. */
  shopUrl: string
  /** Whether requests for other hosts are refused: where the owner said what the shop's is, and it is not this machine. */
  onlyOwnHost: boolean
  /** An absolute path. */
  dataDir: string
  /** An external PostgreSQL; undefined means the embedded one. */
  databaseUrl: string | undefined
  /** PostgreSQL servers that follow that one, for what everyone may see. */
  replicaUrls: readonly string[]
  /** Where files lie that several machines share; in `dataDir` without it. */
  bucket: { name: string; region: string; endpoint: string | undefined } | undefined
  paypal: PayPalEnv
  mail: MailEnv
  /** Where the shop is reached, as its pages and letters say. */
  contact: { email: string | null; address: string | null; taxId: string | null }
  pricingPolicy: PricingPolicy
  delivery: DeliveryTerms
  returnDays: number
  /** How many years invoices name whom they are for, after these have deleted their account. */
  invoiceYears: number
  stockHoldMinutes: number
  holdLimits: HoldLimits
  pageSize: number
  seed: 'demo' | 'none'
  logLevel: LogLevel
  /** IANA name of the time zone the owner's days are cut in. */
  timeZone: string
  /** Requests a minute that one client may send to the API; 0 is any number. */
  rateLimit: number
  /** Proxies whose X-Forwarded-For is believed: how many stand before the shop, or their addresses; undefined believes none. */
  trustProxy: string | number | undefined
  /** Whether the API tells its schema. */
  introspection: boolean
  /** Whether the API runs only the storefront's operations, except for administrators and partners' keys. */
  persistedOnly: boolean
  /** Origins whose pages may use the API from a browser. */
  corsOrigins: 'any' | readonly string[]
  /** Whether administrators can do nothing without a second factor. */
  adminSecondFactor: 'optional' | 'required'
  /** Whom people can sign in with beside a password. */
  providers: { google: ProviderEnv | null; apple: (ProviderEnv & { teamId: string; keyId: string }) | null }
  /** What whoever reads /metrics has to bring; without it there is no such address. */
  metricsToken: string | undefined
  /** The OpenTelemetry collector that traces are sent to, and the name the shop has there; without it there are none. */
  traces: { to: string; as: string } | undefined
  /** Whether webhooks may go to addresses of this machine and its network, and without TLS. */
  allowPrivateWebhooks: boolean
}

/** What the shop is to a provider that vouches for people. */
export interface ProviderEnv {
  issuer: string
  clientId: string
  /** A password, or the key that Apple wants one signed with. */
  secret: string
  /** What the shop's apps are called there; their ID tokens are taken, too. */
  apps: readonly string[]
}

/** Where mails go: to a mail server, to a page of the shop under development, or nowhere. */
export type MailEnv = { to: 'smtp'; url: string; from: string } | { to: 'mailbox' } | { to: 'nobody' }

export interface PayPalEnv {
  mode: 'simulator' | 'sandbox' | 'live'
  /** Always set in the modes sandbox and live. */
  clientId: string | undefined
  clientSecret: string | undefined
  /** The account that has to be the one that is paid. */
  merchantId: string | undefined
  webhookId: string | undefined
  simulatorPort: number
  /** A simulator that runs already, instead of one of the process's own. */
  simulatorUrl: string | undefined
}

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Everything that is wrong with the environment, one sentence a line. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

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
  SHIPPING_RATE: z.enum(['weight', 'flat']).optional().describe('weight or flat'),
  FREE_SHIPPING_FROM: decimal(0, 1_000_000)
    .default(DEFAULT_POLICY.freeShippingFrom)
    .describe(
      `dollars from 0 to 1000000 with at most two decimals, such as ${toDecimal(DEFAULT_POLICY.freeShippingFrom)}`,
    ),
  TAX_RATE: decimal(0, 100)
    .default(DEFAULT_POLICY.taxBasisPoints)
    .describe('a percentage from 0 to 100 with at most two decimals, such as 15 or 8.25'),
  HANDLING_DAYS: businessDays(DEFAULT_DELIVERY.handling),
  TRANSIT_DAYS: businessDays(DEFAULT_DELIVERY.domestic),
  TRANSIT_DAYS_ABROAD: businessDays(DEFAULT_DELIVERY.elsewhere),
  SHOP_COUNTRY: z
    .string()
    .transform(countryNamed)
    .refine(name => COUNTRIES.includes(name))
    .default(DEFAULT_DELIVERY.country)
    .describe('a country, such as United States or DE'),
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

type Variables = z.output<typeof variables>
type Source = Readonly<Record<string, string | undefined>>

export function readEnv(source: Source = process.env): Env {
  const given = withoutBlanks(source)
  const parsed = variables.safeParse(given)
  if (!parsed.success) throw new EnvError(problemsOf(parsed.error, given))
  const env = toEnv(parsed.data)
  const problems = contradictions(parsed.data, env)
  if (problems.length > 0) throw new EnvError(problems)
  return env
}

function toEnv(values: Variables): Env {
  const production = values.NODE_ENV === 'production'
  return {
    production,
    host: values.HOST,
    port: values.PORT,
    shopUrl: values.SHOP_URL ?? `http://localhost:${values.PORT}`,
    onlyOwnHost: values.SHOP_URL !== undefined && !/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(values.SHOP_URL),
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    replicaUrls: values.DATABASE_REPLICA_URLS,
    bucket: values.S3_BUCKET
      ? { name: values.S3_BUCKET, region: values.S3_REGION, endpoint: values.S3_ENDPOINT }
      : undefined,
    paypal: {
      mode: values.PAYPAL_MODE ?? defaultPayPalMode(values),
      clientId: values.PAYPAL_CLIENT_ID,
      clientSecret: values.PAYPAL_CLIENT_SECRET,
      merchantId: values.PAYPAL_MERCHANT_ID,
      webhookId: values.PAYPAL_WEBHOOK_ID,
      simulatorPort: values.PAYPAL_SIMULATOR_PORT,
      simulatorUrl: values.PAYPAL_SIMULATOR_URL,
    },
    mail: mailOf(values),
    contact: {
      email: values.SHOP_EMAIL ?? null,
      address: values.SHOP_ADDRESS ?? null,
      taxId: values.SHOP_TAX_ID ?? null,
    },
    pricingPolicy: {
      ...DEFAULT_POLICY,
      shippingRate: values.SHIPPING_RATE ? shippingRates[values.SHIPPING_RATE] : DEFAULT_POLICY.shippingRate,
      freeShippingFrom: values.FREE_SHIPPING_FROM,
      taxBasisPoints: values.TAX_RATE,
    },
    delivery: {
      handling: values.HANDLING_DAYS,
      domestic: values.TRANSIT_DAYS,
      elsewhere: values.TRANSIT_DAYS_ABROAD,
      country: values.SHOP_COUNTRY,
    },
    returnDays: values.RETURN_DAYS,
    invoiceYears: values.INVOICE_YEARS,
    stockHoldMinutes: values.STOCK_HOLD_MINUTES,
    holdLimits: {
      ordersPerAccount: values.HOLD_ORDERS_PER_ACCOUNT,
      unitsPerAccount: values.HOLD_UNITS_PER_ACCOUNT,
      ordersPerAddress: values.HOLD_ORDERS_PER_ADDRESS,
      unitsPerAddress: values.HOLD_UNITS_PER_ADDRESS,
    },
    pageSize: values.PAGE_SIZE,
    seed: values.SEED ?? (production ? 'none' : 'demo'),
    logLevel: values.LOG_LEVEL,
    timeZone: values.SHOP_TIME_ZONE,
    // A test shop is there to be measured, so it has no limit.
    rateLimit: values.RATE_LIMIT ?? (production ? 120_000 : 12_000_000),
    trustProxy: values.TRUST_PROXY,
    introspection: values.INTROSPECTION === 'on',
    persistedOnly: values.PERSISTED_ONLY === 'true',
    corsOrigins: values.CORS_ORIGINS,
    adminSecondFactor: values.ADMIN_SECOND_FACTOR,
    providers: { google: googleOf(values), apple: appleOf(values) },
    metricsToken: values.METRICS_TOKEN,
    traces: values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { to: values.OTEL_EXPORTER_OTLP_ENDPOINT, as: values.OTEL_SERVICE_NAME }
      : undefined,
    allowPrivateWebhooks: values.WEBHOOKS_ALLOW_PRIVATE === 'true',
  }
}

const shippingRates = { weight: 'WEIGHT', flat: 'FLAT' } as const

/** Credentials alone mean the sandbox: real money moves only when `live` is written out. */
function defaultPayPalMode(values: Variables): PayPalEnv['mode'] {
  return values.PAYPAL_CLIENT_ID || values.PAYPAL_CLIENT_SECRET ? 'sandbox' : 'simulator'
}

/** Anyone who opens the mailbox can take over every account: a real shop has to ask for it explicitly. */
function mailOf(values: Variables): MailEnv {
  if (values.SMTP_URL) return { to: 'smtp', url: values.SMTP_URL, from: values.MAIL_FROM ?? '' }
  const inEarnest = values.NODE_ENV === 'production' || values.PAYPAL_MODE === 'live'
  return { to: (values.MAILBOX ?? (inEarnest ? 'off' : 'on')) === 'on' ? 'mailbox' : 'nobody' }
}

function googleOf(values: Variables): Env['providers']['google'] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: secret, GOOGLE_ISSUER: issuer } = values
  return clientId && secret ? { issuer, clientId, secret, apps: values.GOOGLE_APP_CLIENT_IDS } : null
}

function appleOf(values: Variables): Env['providers']['apple'] {
  const { APPLE_CLIENT_ID: clientId, APPLE_TEAM_ID: teamId, APPLE_KEY_ID: keyId, APPLE_PRIVATE_KEY: secret } = values
  if (!clientId || !teamId || !keyId || !secret) return null
  return { issuer: values.APPLE_ISSUER, clientId, teamId, keyId, secret, apps: values.APPLE_APP_CLIENT_IDS }
}

const TOGETHER = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
] as const

/** With half of a provider's settings, people would face a button that does nothing. */
function providerProblems(values: Variables): string[] {
  return TOGETHER.flatMap(names => {
    const given = names.find(name => values[name])
    return given === undefined
      ? []
      : names
          .filter(name => !values[name])
          .map(name => `${name} is not set, but must be the value from the provider when ${given} is set.`)
  })
}

function contradictions(values: Variables, env: Env): string[] {
  return [...payPalProblems(values, env), ...portProblems(env), ...mailProblems(env), ...providerProblems(values)]
}

function payPalProblems(values: Variables, env: Env): string[] {
  const { mode, clientId, clientSecret } = env.paypal
  if (mode === 'simulator') {
    // Free goods in a real shop are worse than a shop that does not start. SEED needs no such check: unset means none there.
    return env.production && values.PAYPAL_MODE === undefined
      ? [
          'PAYPAL_MODE is not set and NODE_ENV is "production": set it to sandbox or live with PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET, or to simulator if test payments are all this shop takes.',
        ]
      : []
  }
  const missing = [...(clientId ? [] : ['PAYPAL_CLIENT_ID']), ...(clientSecret ? [] : ['PAYPAL_CLIENT_SECRET'])]
  return missing.map(
    name => `${name} is not set, but must be the value from the PayPal account when PAYPAL_MODE is "${mode}".`,
  )
}

function portProblems({ port, paypal }: Env): string[] {
  return paypal.mode === 'simulator' && !paypal.simulatorUrl && paypal.simulatorPort === port
    ? [`PAYPAL_SIMULATOR_PORT is "${port}", but must be another port than PORT.`]
    : []
}

function mailProblems({ mail, paypal }: Env): string[] {
  return [
    ...(mail.to === 'smtp' && mail.from === ''
      ? [
          'MAIL_FROM is not set, but must be an address to write from, such as Skein <orders@example.com>, when SMTP_URL is set.',
        ]
      : []),
    ...(mail.to === 'mailbox' && paypal.mode === 'live'
      ? [
          'MAILBOX is "on", but must be off when PAYPAL_MODE is "live": everyone could read the links that open accounts. Set SMTP_URL to send mail.',
        ]
      : []),
  ]
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
