import { whyNotThere } from '#schema/rules/destinations'
import type { Env } from './env.ts'
import type { Variables } from './env-variables.ts'

/** What is wrong with variables that are each right by itself, one sentence each. */
export function contradictions(values: Variables, env: Env): string[] {
  return [
    ...payPalProblems(values, env),
    ...portProblems(env),
    ...mailProblems(env),
    ...pickupProblems(values, env),
    ...providerProblems(values),
  ]
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

/** What is picked up is taxed where it is picked up. */
function pickupProblems(
  values: Variables,
  { delivery: { country, pickup }, pricingPolicy: { taxRates } }: Env,
): string[] {
  if (!pickup)
    return values.PICKUP_HOURS
      ? ['PICKUP_ADDRESS is not set, but must be where orders are picked up when PICKUP_HOURS is set.']
      : []
  const why = whyNotThere({ shipsTo: [], taxRates }, { country, ...pickup })
  return why
    ? [
        `PICKUP_ADDRESS names no ${why.line === 'state' ? 'state' : 'postal code'} of SHOP_COUNTRY, but has to: by TAX_RATES its tax depends on it.`,
      ]
    : []
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
