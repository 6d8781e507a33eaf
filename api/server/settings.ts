import type { MikroORM } from '@mikro-orm/postgresql'
import type { Currency } from '#schema/rules/currency'
import { DEFAULT_DELIVERY, DEFAULT_RETURN_DAYS, type DeliveryTerms } from '#schema/rules/delivery'
import { HOLD_LIMITS, type HoldLimits } from '#schema/rules/hold-limits'
import { SHOP_NAME, SHOP_TAGLINE } from '#schema/rules/shop-name'
import type { Providers } from '../account/providers.ts'
import { ADMISSION, type Admission } from '../http/admission.ts'
import type { ShopIcons } from '../http/shop-icons.ts'
import { filesOnDisk, type Files } from '../kernel/files.ts'
import type { Services } from '../context.ts'
import { LONGEST_MS } from '../graphql/time-limit.ts'
import type { StreamLimits } from '../live/stream.ts'
import type { MailRoute } from '../mail/post-office.ts'
import type { ShopContact } from '../mail/template.ts'

/** What the shop is made with; what is left out has a default. */
export interface ServerOptions extends Pick<
  Services,
  | 'policy'
  | 'pageSize'
  | 'stockHoldMinutes'
  | 'paypal'
  | 'paypalConfig'
  | 'paypalWebhook'
  | 'webhookReach'
  | 'invoiceYears'
  | 'log'
> {
  orm: MikroORM
  /** Servers that follow that of `orm`, for what everyone may see; none when left out. */
  replicaUrls?: readonly string[]
  /** Of this machine alone: what is made again when it is gone, and all files where `files` is left out. */
  dataDir: string
  /** Uploaded pictures and their smaller copies. */
  files?: Files
  /** Public origin, for canonical addresses. */
  shopUrl: string
  /** Whether requests for other hosts than `shopUrl` are refused; they are not when left out. */
  onlyOwnHost?: boolean
  /** Where mails go; nowhere when left out. */
  mail?: MailRoute
  /** Who sells, and where the shop is reached: nowhere but by its form when left out. */
  contact?: ShopContact
  /** One sentence at the foot of the pages; the usual one when left out. */
  tagline?: string
  /** The shop's own icons; those of the storefront when left out. */
  icons?: ShopIcons
  /** What the shop trades in; US dollars when left out. */
  currency?: Currency
  /** How long parcels take; the usual when left out. */
  delivery?: DeliveryTerms
  /** How many days things can be sent back for; the rules' own when left out. */
  returnDays?: number
  /** How much stock unpaid orders may hold at a time; those of a shop in earnest when left out. */
  holdLimits?: HoldLimits
  /** The shop's time zone; New York's when left out. */
  timeZone?: string
  /** Whether the API answers introspection; it does when left out. */
  introspection?: boolean
  /** Runs no operations but the storefront's, except for administrators and partners' keys. */
  persistedOnly?: boolean
  /** Origins whose pages may use the API from a browser; all when left out. */
  corsOrigins?: 'any' | readonly string[]
  /** Whether administrators can do nothing without a second factor; they can when left out. */
  adminSecondFactor?: 'optional' | 'required'
  /** Points a minute that one client may spend over GraphQL, REST and pages; any number when 0 or left out. */
  rateLimit?: number
  /** How long a query may run, in milliseconds. */
  longestMs?: number
  /** Proxies whose X-Forwarded-For says who asks: how many there are, or addresses and ranges, separated by commas. */
  trustProxy?: string | number | undefined
  /** How long one answer serves all visitors who ask the same, in milliseconds, and a page twice as long; 0 asks the database each time. */
  keepAnswersMs?: number
  /** How many streams of live changes may be open, and how often they ask who is listening. */
  streams?: Partial<StreamLimits>
  /** How many requests are worked on at once, and how long others wait. */
  admission?: Admission
  /** Whom people can sign in with beside a password; nobody when left out. */
  providers?: Providers
  /** The token that opens /metrics; without it there is no such address. */
  metricsToken?: string | undefined
  /** Whether another process takes newcomers once this one is stopped; none does when left out. */
  handsOver?: () => boolean
  /** Whether it does, every few seconds, what no request triggers: gives back stock, asks PayPal. It does when left out. */
  sweeps?: boolean
  /** Vite serves and reloads the storefront from source. */
  dev?: boolean
}

const DEFAULTS = {
  replicaUrls: [],
  onlyOwnHost: false,
  mail: { to: 'nobody' },
  contact: { name: SHOP_NAME, email: null, address: null, taxId: null },
  tagline: SHOP_TAGLINE,
  icons: new Map(),
  currency: 'USD' as Currency,
  delivery: DEFAULT_DELIVERY,
  returnDays: DEFAULT_RETURN_DAYS,
  holdLimits: HOLD_LIMITS,
  timeZone: 'America/New_York',
  introspection: true,
  persistedOnly: false,
  corsOrigins: 'any',
  adminSecondFactor: 'optional',
  rateLimit: 0,
  longestMs: LONGEST_MS,
  trustProxy: undefined,
  keepAnswersMs: 1_000,
  streams: {},
  admission: ADMISSION,
  providers: new Map(),
  metricsToken: undefined,
  handsOver: () => false,
  sweeps: true,
  dev: false,
} satisfies Partial<ServerOptions>

export type Settings = ReturnType<typeof withDefaults>

export const withDefaults = (options: ServerOptions) => ({
  ...DEFAULTS,
  files: filesOnDisk(options.dataDir),
  ...options,
})
