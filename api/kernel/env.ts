import { resolve } from 'node:path'
import type { Currency } from '#schema/rules/currency'
import type { DeliveryTerms } from '#schema/rules/delivery'
import type { HoldLimits } from '#schema/rules/hold-limits'
import type { PricingPolicy } from '#schema/rules/pricing'
import { contradictions } from './env-contradictions.ts'
import { EnvError, readVariables, type LogLevel, type Source, type Variables } from './env-variables.ts'

/** The shop's settings from its environment; every value checked, every default filled in. */
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
  /** Who sells, as the shop's pages, letters and invoices say. */
  contact: { name: string; email: string | null; address: string | null; taxId: string | null }
  /** One sentence about the shop, at the foot of its pages. */
  tagline: string
  /** The path of the picture that its icons are drawn from; the storefront has icons of its own. */
  icon: string | undefined
  /** What it trades in. */
  currency: Currency
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
  /** Whether the API answers introspection. */
  introspection: boolean
  /** Whether the API runs only the storefront's operations, except for administrators and partners' keys. */
  persistedOnly: boolean
  /** Origins whose pages may use the API from a browser. */
  corsOrigins: 'any' | readonly string[]
  /** Whether administrators can do nothing without a second factor. */
  adminSecondFactor: 'optional' | 'required'
  /** Whom people can sign in with beside a password. */
  providers: { google: ProviderEnv | null; apple: (ProviderEnv & { teamId: string; keyId: string }) | null }
  /** The token that readers of /metrics send; without it there is no such address. */
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
type MailEnv = { to: 'smtp'; url: string; from: string } | { to: 'mailbox' } | { to: 'nobody' }

interface PayPalEnv {
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

/** Throws an EnvError that names everything that is wrong. */
export function readEnv(source: Source = process.env): Env {
  const values = readVariables(source)
  const env = toEnv(values)
  const problems = contradictions(values, env)
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
      name: values.SHOP_NAME,
      email: values.SHOP_EMAIL ?? null,
      address: values.SHOP_ADDRESS ?? null,
      taxId: values.SHOP_TAX_ID ?? null,
    },
    tagline: values.SHOP_TAGLINE,
    icon: values.SHOP_ICON,
    currency: values.SHOP_CURRENCY,
    pricingPolicy: {
      ...values.SHIPPING_RATE,
      freeShippingFrom: values.FREE_SHIPPING_FROM,
      taxBasisPoints: values.TAX_RATE,
      taxIncluded: values.TAX_INCLUDED === 'true',
      taxRates: values.TAX_RATES,
      country: values.SHOP_COUNTRY,
      abroad: {
        ...(values.SHIPPING_RATE_ABROAD ?? values.SHIPPING_RATE),
        freeShippingFrom: values.FREE_SHIPPING_FROM_ABROAD ?? values.FREE_SHIPPING_FROM,
      },
    },
    delivery: {
      handling: values.HANDLING_DAYS,
      domestic: values.TRANSIT_DAYS,
      elsewhere: values.TRANSIT_DAYS_ABROAD,
      country: values.SHOP_COUNTRY,
      shipsTo: values.SHIPS_TO,
      pickup: values.PICKUP_ADDRESS ? { ...values.PICKUP_ADDRESS, hours: values.PICKUP_HOURS ?? '' } : null,
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
