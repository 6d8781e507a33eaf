import { nth } from '../kernel/present.ts'

/** Of the protocol; the only one spoken. Every answer says so. */
export const VERSION = '2026-04-08'

const SPEC = `https://ucp.dev/${VERSION}`

interface Capability {
  /** Where the protocol describes it, below its version. */
  spec: string
  schema: string
  extends?: readonly string[]
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
    extends: ['dev.ucp.shopping.cart', 'dev.ucp.shopping.checkout'],
  },
  'dev.ucp.shopping.fulfillment': {
    spec: 'fulfillment',
    schema: 'fulfillment',
    extends: ['dev.ucp.shopping.checkout'],
    config: { allows_multi_destination: { shipping: false }, allows_method_combinations: [['shipping']] },
  },
  'dev.ucp.shopping.order': { spec: 'order', schema: 'order' },
} satisfies Record<string, Capability>

export type CapabilityName = keyof typeof CAPABILITIES

const known: [string, Capability][] = Object.entries(CAPABILITIES)

/** What an answer says of itself: its version, and the capabilities that have a part in it. */
export const speaks = (root: CapabilityName, status: 'success' | 'error' = 'success') => ({
  version: VERSION,
  status,
  capabilities: Object.fromEntries(
    known
      .filter(([name, capability]) => name === root || capability.extends?.includes(root))
      .map(([name]) => [name, [{ version: VERSION }]]),
  ),
  ...(root === 'dev.ucp.shopping.checkout' && { payment_handlers: {} }),
})

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
