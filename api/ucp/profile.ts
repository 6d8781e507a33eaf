import { nth } from '#schema/rules/present'

/** Of the protocol; the only one spoken. Every answer says so. */
export const VERSION = '2026-04-08'

const SPEC = `https://ucp.dev/${VERSION}`

interface Capability {
  /** Where the protocol describes it, below its version. */
  spec: string
  schema: string
  extends?: readonly string[]
  /** The field it adds to answers of those. */
  adds?: string
  config?: Record<string, unknown>
}

/** What agents can do here. Those that extend others add fields to theirs. */
const CAPABILITIES = {
  'dev.ucp.shopping.catalog.search': { spec: 'catalog/search', schema: 'catalog_search' },
  'dev.ucp.shopping.catalog.lookup': { spec: 'catalog/lookup', schema: 'catalog_lookup' },
  'dev.ucp.shopping.cart': { spec: 'cart', schema: 'cart' },
  'dev.ucp.shopping.checkout': { spec: 'checkout', schema: 'checkout' },
  'dev.ucp.shopping.discount': {
    spec: 'discount',
    schema: 'discount',
    adds: 'discounts',
    extends: ['dev.ucp.shopping.cart', 'dev.ucp.shopping.checkout'],
  },
  'dev.ucp.shopping.fulfillment': {
    spec: 'fulfillment',
    schema: 'fulfillment',
    adds: 'fulfillment',
    extends: ['dev.ucp.shopping.checkout'],
    config: { allows_multi_destination: { shipping: false }, allows_method_combinations: [['shipping']] },
  },
  'dev.ucp.shopping.order': { spec: 'order', schema: 'order' },
} satisfies Record<string, Capability>

export type CapabilityName = keyof typeof CAPABILITIES

const known = Object.entries(CAPABILITIES) as [CapabilityName, Capability][]

export const EVERYTHING: ReadonlySet<CapabilityName> = new Set(known.map(([name]) => name))

/** What the shop has in common with an agent; what extends others is nothing without one of them. */
export function shared(isKnown: (name: CapabilityName) => boolean): ReadonlySet<CapabilityName> {
  const both = known.filter(([name]) => isKnown(name))
  const roots = new Set<string>(both.map(([name]) => name))
  return new Set(
    both.flatMap(([name, { extends: parents }]) => (!parents || parents.some(each => roots.has(each)) ? [name] : [])),
  )
}

/** What an answer says of itself: its version, and what was agreed on that has a part in it. */
export const speaks = (
  root: CapabilityName,
  agreed: ReadonlySet<CapabilityName>,
  status: 'success' | 'error' = 'success',
) => ({
  version: VERSION,
  status,
  capabilities: Object.fromEntries(
    known
      .filter(([name, capability]) => agreed.has(name) && (name === root || capability.extends?.includes(root)))
      .map(([name]) => [name, [{ version: VERSION }]]),
  ),
  ...(root === 'dev.ucp.shopping.checkout' && { payment_handlers: {} }),
})

/** An answer without the fields of what was not agreed on. */
export function within(agreed: ReadonlySet<CapabilityName>, root: CapabilityName, answer: object): object {
  const strange = known.filter(([name, { extends: parents }]) => parents?.includes(root) && !agreed.has(name))
  const fields = new Set(strange.map(([, { adds }]) => adds))
  return Object.fromEntries(Object.entries(answer).filter(([field]) => !fields.has(field)))
}

/** The shop's profile, by which agents find what it can do and where. Payment is the buyer's own, so that there are no handlers. */
export const profileOf = (shopUrl: string) => ({
  ucp: {
    version: VERSION,
    services: {
      'dev.ucp.shopping': [
        {
          version: VERSION,
          spec: `${SPEC}/specification/overview`,
          transport: 'mcp',
          schema: `${SPEC}/services/shopping/mcp.openrpc.json`,
          endpoint: `${shopUrl}/api/ucp/mcp`,
        },
        {
          version: VERSION,
          spec: `${SPEC}/specification/overview`,
          transport: 'rest',
          schema: `${SPEC}/services/shopping/rest.openapi.json`,
          endpoint: `${shopUrl}/api/ucp`,
        },
      ],
    },
    capabilities: Object.fromEntries(
      known.map(([name, { spec, schema, extends: parents, config }]) => [
        name,
        [
          {
            version: VERSION,
            spec: `${SPEC}/specification/${spec}`,
            schema: `${SPEC}/schemas/shopping/${schema}.json`,
            ...(parents && { extends: parents.length === 1 ? nth(parents, 0) : parents }),
            ...(config && { config }),
          },
        ],
      ]),
    ),
    payment_handlers: {},
  },
})
