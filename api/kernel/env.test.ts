import { generateKeyPairSync } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY } from '#schema/rules/delivery'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { readEnv } from './env.ts'
import { EnvError } from './env-variables.ts'

const appleKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

describe('readEnv', () => {
  it('has a default for everything', () => {
    expect(readEnv({})).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 4000,
      shopUrl: 'http://localhost:4000',
      onlyOwnHost: false,
      dataDir: resolve('.data'),
      databaseUrl: undefined,
      replicaUrls: [],
      bucket: undefined,
      paypal: {
        mode: 'simulator',
        clientId: undefined,
        clientSecret: undefined,
        merchantId: undefined,
        webhookId: undefined,
        simulatorPort: 4001,
        simulatorUrl: undefined,
      },
      mail: { to: 'mailbox' },
      contact: { name: 'Skein', email: null, address: null, taxId: null },
      tagline: 'A yarn shop for people who read the label.',
      icon: undefined,
      currency: 'USD',
      pricingPolicy: DEFAULT_POLICY,
      delivery: DEFAULT_DELIVERY,
      returnDays: 30,
      invoiceYears: 7,
      stockHoldMinutes: 60,
      holdLimits: { ordersPerAccount: 5, unitsPerAccount: 200, ordersPerAddress: 30, unitsPerAddress: 600 },
      pageSize: 12,
      seed: 'demo',
      logLevel: 'info',
      timeZone: 'America/New_York',
      rateLimit: 12_000_000,
      trustProxy: undefined,
      introspection: true,
      persistedOnly: false,
      corsOrigins: 'any',
      adminSecondFactor: 'optional',
      providers: { google: null, apple: null },
      metricsToken: undefined,
      traces: undefined,
      allowPrivateWebhooks: false,
    })
  })

  it('reads every variable', () => {
    expect(
      readEnv({
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        PORT: '80',
        SHOP_URL: 'https://yarn.example.com/',
        DATA_DIR: '/srv/skein',
        DATABASE_URL: 'postgres://shop:secret@db:5432/skein',
        DATABASE_REPLICA_URLS: 'postgres://shop:secret@one/skein, postgres://shop:secret@two/skein',
        S3_BUCKET: 'yarn-pictures',
        S3_ENDPOINT: 'https://storage.example.com',
        S3_REGION: 'eu-central-1',
        PAYPAL_MODE: 'live',
        PAYPAL_CLIENT_ID: 'id',
        PAYPAL_CLIENT_SECRET: 'secret',
        PAYPAL_MERCHANT_ID: 'TESTMERCHANT2',
        PAYPAL_WEBHOOK_ID: 'hook',
        PAYPAL_SIMULATOR_PORT: '9001',
        PAYPAL_SIMULATOR_URL: 'http://127.0.0.1:9001',
        SMTP_URL: 'smtps://shop:secret@mail.example.com',
        MAIL_FROM: 'Skein <orders@example.com>',
        SHOP_NAME: ' The Wool Room ',
        SHOP_TAGLINE: 'Wool from the moor.',
        SHOP_ICON: '/srv/skein/sheep.png',
        SHOP_CURRENCY: 'gbp',
        SHOP_EMAIL: 'hello@example.com',
        SHOP_ADDRESS: '1 Wool Lane, Fen, VT 05001',
        SHOP_TAX_ID: '12-3456789',
        SHIPPING_RATE: 'flat',
        SHIPPING_RATE_ABROAD: 'weight:4.50:60',
        FREE_SHIPPING_FROM: '75.5',
        FREE_SHIPPING_FROM_ABROAD: 'never',
        SHIPS_TO: 'Netherlands, at,DE',
        TAX_RATES: 'DE:19/7, us-nj:6.625+shipping, DE-27498+78266-78267:0',
        TAX_INCLUDED: 'true',
        HANDLING_DAYS: '3',
        TRANSIT_DAYS: '1-2',
        TRANSIT_DAYS_ABROAD: '0-99',
        SHOP_COUNTRY: 'de',
        PICKUP_ADDRESS: 'Hof 2, Webergasse 3, Berlin, , 10115',
        PICKUP_HOURS: 'Monday to Friday, 9 to 5',
        TAX_RATE: '8.25',
        STOCK_HOLD_MINUTES: '30',
        PAGE_SIZE: '24',
        SEED: 'none',
        LOG_LEVEL: 'warn',
        SHOP_TIME_ZONE: 'Europe/Berlin',
        RATE_LIMIT: '0',
        TRUST_PROXY: '127.0.0.1, fd00::/8',
        INTROSPECTION: 'off',
        HOLD_ORDERS_PER_ACCOUNT: '9',
        HOLD_UNITS_PER_ACCOUNT: '900',
        HOLD_ORDERS_PER_ADDRESS: '0',
        HOLD_UNITS_PER_ADDRESS: '1000000',
        PERSISTED_ONLY: 'true',
        CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
        ADMIN_SECOND_FACTOR: 'required',
        METRICS_TOKEN: 'a-secret-of-the-scraper',
        GOOGLE_CLIENT_ID: 'shop.apps.googleusercontent.com',
        GOOGLE_CLIENT_SECRET: 'GOCSPX-secret',
        GOOGLE_APP_CLIENT_IDS: 'ios.apps.googleusercontent.com, android.apps.googleusercontent.com',
        GOOGLE_ISSUER: 'http://127.0.0.1:5001',
        APPLE_CLIENT_ID: 'com.example.yarn.web',
        APPLE_TEAM_ID: 'TEAM123456',
        APPLE_KEY_ID: 'KEY1234567',
        APPLE_PRIVATE_KEY: appleKey.replaceAll('\n', '\\n'),
        APPLE_APP_CLIENT_IDS: 'com.example.yarn',
        APPLE_ISSUER: 'https://apple.example.com',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_SERVICE_NAME: 'yarn',
        RETURN_DAYS: '14',
        INVOICE_YEARS: '10',
        WEBHOOKS_ALLOW_PRIVATE: 'true',
      }),
    ).toEqual({
      production: true,
      host: '0.0.0.0',
      port: 80,
      shopUrl: 'https://yarn.example.com',
      onlyOwnHost: true,
      dataDir: '/srv/skein',
      databaseUrl: 'postgres://shop:secret@db:5432/skein',
      replicaUrls: ['postgres://shop:secret@one/skein', 'postgres://shop:secret@two/skein'],
      bucket: { name: 'yarn-pictures', region: 'eu-central-1', endpoint: 'https://storage.example.com' },
      paypal: {
        mode: 'live',
        clientId: 'id',
        clientSecret: 'secret',
        merchantId: 'TESTMERCHANT2',
        webhookId: 'hook',
        simulatorPort: 9001,
        simulatorUrl: 'http://127.0.0.1:9001',
      },
      mail: { to: 'smtp', url: 'smtps://shop:secret@mail.example.com', from: 'Skein <orders@example.com>' },
      contact: {
        name: 'The Wool Room',
        email: 'hello@example.com',
        address: '1 Wool Lane, Fen, VT 05001',
        taxId: '12-3456789',
      },
      tagline: 'Wool from the moor.',
      icon: '/srv/skein/sheep.png',
      currency: 'GBP',
      pricingPolicy: {
        ...DEFAULT_POLICY,
        shippingRate: 'FLAT',
        freeShippingFrom: 75_50,
        taxBasisPoints: 825,
        taxIncluded: true,
        taxRates: [
          {
            country: 'Germany',
            state: null,
            stateName: null,
            postalCodes: [],
            basisPoints: 1900,
            reducedBasisPoints: 700,
            onShipping: false,
          },
          {
            country: 'United States',
            state: 'NJ',
            stateName: 'New Jersey',
            postalCodes: [],
            basisPoints: 662.5,
            reducedBasisPoints: null,
            onShipping: true,
          },
          {
            country: 'Germany',
            state: null,
            stateName: null,
            postalCodes: ['27498', '78266-78267'],
            basisPoints: 0,
            reducedBasisPoints: null,
            onShipping: false,
          },
        ],
        country: 'Germany',
        abroad: {
          ...DEFAULT_POLICY.abroad,
          freeShippingFrom: 1_000_000_00,
          shippingPer100Grams: 4_50,
          shippingCap: 60_00,
        },
      },
      delivery: {
        handling: { min: 3, max: 3 },
        domestic: { min: 1, max: 2 },
        elsewhere: { min: 0, max: 99 },
        country: 'Germany',
        shipsTo: ['Austria', 'Germany', 'Netherlands'],
        pickup: {
          street: 'Hof 2, Webergasse 3',
          city: 'Berlin',
          state: '',
          postalCode: '10115',
          hours: 'Monday to Friday, 9 to 5',
        },
      },
      returnDays: 14,
      invoiceYears: 10,
      stockHoldMinutes: 30,
      holdLimits: { ordersPerAccount: 9, unitsPerAccount: 900, ordersPerAddress: 0, unitsPerAddress: 1_000_000 },
      pageSize: 24,
      seed: 'none',
      logLevel: 'warn',
      timeZone: 'Europe/Berlin',
      rateLimit: 0,
      trustProxy: '127.0.0.1, fd00::/8',
      introspection: false,
      persistedOnly: true,
      corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
      adminSecondFactor: 'required',
      metricsToken: 'a-secret-of-the-scraper',
      providers: {
        google: {
          issuer: 'http://127.0.0.1:5001',
          clientId: 'shop.apps.googleusercontent.com',
          secret: 'GOCSPX-secret',
          apps: ['ios.apps.googleusercontent.com', 'android.apps.googleusercontent.com'],
        },
        apple: {
          issuer: 'https://apple.example.com',
          clientId: 'com.example.yarn.web',
          teamId: 'TEAM123456',
          keyId: 'KEY1234567',
          secret: appleKey,
          apps: ['com.example.yarn'],
        },
      },
      traces: { to: 'http://collector:4318', as: 'yarn' },
      allowPrivateWebhooks: true,
    })
  })

  it('charges for a parcel abroad as for any other, unless told otherwise', () => {
    const { pricingPolicy } = readEnv({ SHIPPING_RATE: 'flat:6.50', FREE_SHIPPING_FROM: '50' })
    const { shippingRate, flatShipping, freeShippingFrom, abroad } = pricingPolicy
    expect({ shippingRate, flatShipping, freeShippingFrom }).toEqual({
      shippingRate: 'FLAT',
      flatShipping: 6_50,
      freeShippingFrom: 50_00,
    })
    expect(abroad).toMatchObject({ shippingRate, flatShipping, freeShippingFrom })
  })

  it.each([
    ['SHIPPING_RATE', 'weight:1.50'],
    ['SHIPPING_RATE', 'flat:1.505'],
    ['SHIPPING_RATE', 'flat:10000.01'],
    ['SHIPPING_RATE_ABROAD', 'flat:-1'],
    ['FREE_SHIPPING_FROM_ABROAD', '1000000.01'],
    ['SHIPPING_RATE', 'weight:1:2:3'],
    // Too long to be read as an amount: not the usual charge.
    ['SHIPPING_RATE', 'flat:12345678901234'],
    ['SHIPS_TO', 'US,Ruritania'],
    // Nothing is not everywhere.
    ['SHIPS_TO', ','],
    ['PICKUP_ADDRESS', '12 Mill Lane, Portland, ME 04101'],
    ['PICKUP_ADDRESS', ', Portland, ME, 04101'],
    ['PICKUP_ADDRESS', '12 Mill Lane, , ME, 04101'],
    ['PICKUP_HOURS', 'x'.repeat(101)],
    ['TAX_RATES', 'US-NJ'],
    ['TAX_RATES', 'US-NJ:6.6255'],
    ['TAX_RATES', 'US-NJ:6.625+handling'],
    ['TAX_RATES', 'US-NJ:+shipping'],
    ['TAX_RATES', 'DE:19/'],
    ['TAX_RATES', 'DE:/7'],
    ['TAX_RATES', 'DE:19/100'],
    ['TAX_RATES', 'DE:19/7/5'],
    ['TAX_RATES', 'US-NJ:100'],
    ['TAX_RATES', 'US-XX:5'],
    ['TAX_RATES', 'DE-BY:5'],
    ['TAX_RATES', 'XX:5'],
    ['TAX_RATES', 'DE:19,de:7'],
    ['TAX_RATES', 'DE:19,'],
    ['TAX_RATES', 'US-NY-112:8,us-ny-10+112:7'],
    ['TAX_RATES', 'US-NY-104-100:8'],
    ['TAX_RATES', 'US-NY-100-1049:8'],
    ['TAX_RATES', 'US-NY-112011:8'],
    ['TAX_RATES', 'US-NY-112-:8'],
    ['TAX_RATES', 'US-NY-:8'],
    ['TAX_RATES', 'US-112-NY:8'],
    ['TAX_RATES', `US-NY-${Array.from({ length: 501 }, (_, place) => 10_000 + place).join('+')}:8`],
    ['TAX_RATES', Array.from({ length: 101 }, () => 'DE:19').join()],
  ])('%s cannot be %j', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(`${name} is `)])
  })

  it.each([
    ['US-ME:5.5', '12 Mill Lane, Portland, , 04101', 'state'],
    ['US-ME:5.5,US-ME-041:6', '12 Mill Lane, Portland, ME, 04', 'postal code'],
  ])('%s taxes what is picked up, so %s has to name its %s', (TAX_RATES, PICKUP_ADDRESS, line) => {
    expect(problemsOf({ TAX_RATES, PICKUP_ADDRESS })).toEqual([
      `PICKUP_ADDRESS names no ${line} of SHOP_COUNTRY, but has to: by TAX_RATES its tax depends on it.`,
    ])
  })

  it('takes an empty value for an unset one', () => {
    expect(readEnv({ PORT: '', DATABASE_URL: ' ', PAYPAL_MODE: '', SEED: '' })).toEqual(readEnv({}))
  })

  it.each([
    ['PORT', 'abc', 'PORT is "abc", but must be a whole number from 1 to 65535.'],
    ['PORT', '0', 'PORT is "0", but must be a whole number from 1 to 65535.'],
    ['PORT', '65536', 'PORT is "65536", but must be a whole number from 1 to 65535.'],
    ['PORT', '0x50', 'PORT is "0x50", but must be a whole number from 1 to 65535.'],
    ['HOST', 'a b', 'HOST is "a b", but must be an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0.'],
    [
      'SHOP_URL',
      'example.com',
      'SHOP_URL is "example.com", but must be an http:// or https:// origin without a path, such as https://shop.example.com.',
    ],
    [
      'SHOP_URL',
      'https://example.com/shop',
      'SHOP_URL is "https://example.com/shop", but must be an http:// or https:// origin without a path, such as https://shop.example.com.',
    ],
    [
      'DATABASE_URL',
      'mysql://root:hunter2@db/shop',
      'DATABASE_URL is not usable, but must be of the form postgres://user:password@host:5432/database.',
    ],
    ['PAYPAL_MODE', 'test', 'PAYPAL_MODE is "test", but must be simulator, sandbox or live.'],
    ['PAYPAL_SIMULATOR_PORT', '-1', 'PAYPAL_SIMULATOR_PORT is "-1", but must be a whole number from 1 to 65535.'],
    ['PAYPAL_SIMULATOR_PORT', '4000', 'PAYPAL_SIMULATOR_PORT is "4000", but must be another port than PORT.'],
    [
      'SMTP_URL',
      'http://shop:hunter2@mail',
      'SMTP_URL is not usable, but must be of the form smtp://user:password@host:587 or smtps://user:password@host:465.',
    ],
    [
      'MAIL_FROM',
      'the shop',
      'MAIL_FROM is "the shop", but must be an address to write from, such as Skein <orders@example.com>.',
    ],
    [
      'SHOP_CURRENCY',
      'JPY',
      'SHOP_CURRENCY is "JPY", but must be one of AUD, BRL, CAD, CHF, CZK, DKK, EUR, GBP, HKD, ILS, MXN, MYR, NOK, NZD, PHP, PLN, SEK, SGD, THB, USD.',
    ],
    ...['<b>Wool</b>', 'Wool\nRoom', 'W'.repeat(41)].map((name): [string, string, string] => [
      'SHOP_NAME',
      name,
      `SHOP_NAME is ${JSON.stringify(name)}, but must be what the shop is called, such as The Wool Room, at most 40 characters.`,
    ]),
    [
      'SHIPPING_RATE',
      'Flat',
      'SHIPPING_RATE is "Flat", but must be weight or flat, or with amounts such as weight:1.50:18 (for each 100 g, at most) or flat:10.',
    ],
    [
      'FREE_SHIPPING_FROM',
      '$100',
      'FREE_SHIPPING_FROM is "$100", but must be an amount from 0 to 1000000 with at most two decimals, such as 100.00, or never.',
    ],
    [
      'FREE_SHIPPING_FROM',
      '-1',
      'FREE_SHIPPING_FROM is "-1", but must be an amount from 0 to 1000000 with at most two decimals, such as 100.00, or never.',
    ],
    [
      'TAX_RATE',
      '8.255',
      'TAX_RATE is "8.255", but must be a percentage from 0 to 100 with at most two decimals, such as 15 or 8.25.',
    ],
    [
      'TAX_RATE',
      '101',
      'TAX_RATE is "101", but must be a percentage from 0 to 100 with at most two decimals, such as 15 or 8.25.',
    ],
    [
      'STOCK_HOLD_MINUTES',
      '1.5',
      'STOCK_HOLD_MINUTES is "1.5", but must be a whole number of minutes from 1 to 43200.',
    ],
    ['PAGE_SIZE', '0', 'PAGE_SIZE is "0", but must be a whole number from 1 to 100.'],
    ['SEED', 'yes', 'SEED is "yes", but must be demo or none.'],
    [
      'SHOP_TIME_ZONE',
      'Mars/Olympus',
      'SHOP_TIME_ZONE is "Mars/Olympus", but must be an IANA time zone, such as America/New_York or Europe/Berlin.',
    ],
    [
      'RATE_LIMIT',
      '-1',
      'RATE_LIMIT is "-1", but must be a whole number of points a minute from 0 to 100000000, 0 for any number.',
    ],
    ...['everyone', '0', '10', '10.0.0.0/33', '10.0.0.0/8/8', '127.0.0.1,', '127.0.0.1/'].map(value => [
      'TRUST_PROXY',
      value,
      `TRUST_PROXY is "${value}", but must be a number of proxies from 1 to 9, or addresses or ranges separated by commas, such as 127.0.0.1,10.0.0.0/8.`,
    ]),
    [
      'LOG_LEVEL',
      'verbose',
      'LOG_LEVEL is "verbose", but must be one of trace, debug, info, warn, error, fatal, silent.',
    ],
  ])('refuses %s=%s', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem])
  })

  it('reports all problems at once', () => {
    const problems = problemsOf({ PORT: 'x', SEED: 'y', TAX_RATE: 'z' })
    expect(problems.map(problem => problem.split(' ')[0])).toEqual(['PORT', 'TAX_RATE', 'SEED'])
  })

  it.each(['sandbox', 'live'])('asks for the credentials of PAYPAL_MODE=%s', mode => {
    expect(problemsOf({ PAYPAL_MODE: mode })).toEqual([
      `PAYPAL_CLIENT_ID is not set, but must be the value from the PayPal account when PAYPAL_MODE is "${mode}".`,
      `PAYPAL_CLIENT_SECRET is not set, but must be the value from the PayPal account when PAYPAL_MODE is "${mode}".`,
    ])
  })

  it('goes to the sandbox with credentials and no mode, and refuses half of them', () => {
    expect(readEnv({ PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' }).paypal.mode).toBe('sandbox')
    expect(problemsOf({ PAYPAL_CLIENT_ID: 'id' })).toEqual([
      'PAYPAL_CLIENT_SECRET is not set, but must be the value from the PayPal account when PAYPAL_MODE is "sandbox".',
    ])
  })

  it('sends mail by SMTP_URL from MAIL_FROM', () => {
    const smtp = { SMTP_URL: 'smtp://127.0.0.1:25' }
    expect(problemsOf(smtp)).toEqual([
      'MAIL_FROM is not set, but must be an address to write from, such as Skein <orders@example.com>, when SMTP_URL is set.',
    ])
    expect(readEnv({ ...smtp, MAIL_FROM: 'orders@example.com', MAILBOX: 'on' }).mail).toEqual({
      to: 'smtp',
      url: smtp.SMTP_URL,
      from: 'orders@example.com',
    })
  })

  it('shows mails in a shop that is used in earnest only when that is written out, and never beside real money', () => {
    const production = { NODE_ENV: 'production', PAYPAL_MODE: 'simulator' }
    const live = { PAYPAL_MODE: 'live', PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' }
    for (const shop of [production, live, { MAILBOX: 'off' }]) expect(readEnv(shop).mail).toEqual({ to: 'nobody' })
    expect(readEnv({ ...production, MAILBOX: 'on' }).mail).toEqual({ to: 'mailbox' })
    expect(problemsOf({ ...live, MAILBOX: 'on' })).toEqual([
      'MAILBOX is "on", but must be off when PAYPAL_MODE is "live": everyone could read the links that open accounts. Set SMTP_URL to send mail.',
    ])
  })

  it('takes the simulator and the demo seed in production only when they are written out', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'PAYPAL_MODE is not set and NODE_ENV is "production": set it to sandbox or live with PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET, or to simulator if test payments are all this shop takes.',
    ])
    expect(readEnv({ NODE_ENV: 'production', PAYPAL_MODE: 'simulator' })).toMatchObject({
      seed: 'none',
      paypal: { mode: 'simulator' },
    })
    expect(readEnv({ NODE_ENV: 'production', PAYPAL_MODE: 'simulator', SEED: 'demo' }).seed).toBe('demo')
  })

  it('is stricter with clients in production', () => {
    expect(readEnv({ NODE_ENV: 'production', PAYPAL_MODE: 'simulator' }).rateLimit).toBe(120_000)
  })
})

function problemsOf(source: Record<string, string>): readonly string[] {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof EnvError) return error.problems
    throw error
  }
  return []
}
