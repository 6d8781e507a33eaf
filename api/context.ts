import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import type { HoldLimits } from '#schema/rules/hold-limits'
import type { PricingPolicy } from '#schema/rules/pricing'
import type { User } from './account/user.entity.ts'
import type { Replicas } from './db/replicas.ts'
import type { Paypal } from './payment/paypal.ts'
import type { CodeThrottle } from './account/second-factor-throttle.ts'
import type { Providers } from './account/providers.ts'
import type { AddressThrottle, LoginThrottle, ProofThrottle, Throttle, Try } from './account/throttle.ts'
import type { FacetIndex } from './catalog/search/facet-index.ts'
import type { SearchLog } from './catalog/search/search-log.ts'
import { unauthenticated } from './kernel/errors.ts'
import type { Files } from './kernel/files.ts'
import type { Events } from './event/listen.ts'
import type { ApiScope } from './generated/types.ts'
import type { KeyUse, KeyUses } from './partner/count-uses.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Change } from './live/changes.ts'
import type { MailRoute } from './mail/post-office.ts'
import type { DeliveryTerms } from '#schema/rules/delivery'
import type { ShopContact } from './mail/template.ts'
import type { Purse } from './http/rate-limit.ts'
import type { Sources } from './http/shared-cache.ts'

/** Settings and outside parts that rules depend on; made once by createServer. */
export interface Services {
  policy: PricingPolicy
  pageSize: number
  stockHoldMinutes: number
  /** How much stock unpaid orders may hold at a time. */
  holdLimits: HoldLimits
  paypal: Paypal
  /** What the browser needs to know about PayPal. */
  paypalConfig: { clientId: string; mode: 'SIMULATOR' | 'SANDBOX' | 'LIVE'; sdkBaseUrl: string | null }
  /** Which of PayPal's events the shop believes: those for this webhook, none without; certificates from this origin alone. */
  paypalWebhook: { id: string | null; certificateOrigin: string }
  /** Where webhooks may go, and how a host name is looked up. Private addresses are for trying webhooks out. */
  webhookReach: { allowPrivate: boolean; addressesOf: (host: string) => Promise<string[]> }
  /** Whom people can sign in with beside a password. */
  providers: Providers
  codeThrottle: CodeThrottle
  loginThrottle: LoginThrottle
  resetThrottle: Throttle<Try>
  newsletterThrottle: Throttle<Try>
  bellThrottle: Throttle<Try>
  /** For messages to the owner. */
  messageThrottle: Throttle<Try>
  contact: ShopContact
  /** Where customers find the shop. Null while its address is one of this machine. */
  publicUrl: string | null
  delivery: DeliveryTerms
  /** See `Shop.returnDays`. */
  returnDays: number
  /** How many years invoices name whom they are for, after these have deleted their account. */
  invoiceYears: number
  registerThrottle: Throttle<string>
  /** For signing in with a provider. */
  providerThrottle: AddressThrottle
  /** For orders of guests. */
  guestThrottle: Throttle<Try>
  /** For carts of no account. */
  cartThrottle: Throttle<string>
  proofThrottle: ProofThrottle
  /** For links to copies of accounts. */
  exportThrottle: Throttle<string>
  mailTo: MailRoute['to']
  /** Where uploaded pictures lie, and the smaller copies that are served of them. */
  uploads: Files
  searchLog: SearchLog
  keyUses: KeyUses
  facetIndex: FacetIndex
  jobs: Jobs
  events: Events
  /** Where what everyone may see is read. Null where the primary is alone. */
  replicas: Replicas | null
  /**
   * Drops the pages and answers cached for visitors, because something they show has changed. Resolves when every
   * process has.
   */
  forgetShown: () => Promise<void>
  /** Resolves when every process has dropped what is out of date by the events and stock moves committed so far. */
  eventsHeard: () => Promise<void>
  /** IANA name; the owner's days, weeks and months are cut in it. */
  timeZone: string
  log: Logger
}

/** What every resolver gets: one unit of work and who is asking. */
export interface Context extends Services {
  /** Connected to the primary; to a replica for a query that asks only for public data (graphql/read-from-replicas.ts). */
  em: EntityManager
  user: User | null
  /** SHA-256 of the bearer token of the request's session. */
  sessionHash: string | null
  /** What the request's API key may be used for. Null when it came without one. */
  scopes: readonly ApiScope[] | null
  /** What is counted of a request that came with an API key. Null when it came without one. */
  keyUse: KeyUse | null
  /** The guest's order that its `X-Order-Token` opens, if it opens one. Null when it came without. */
  orderToken: { orderId: string | null } | null
  ip: string
  /** The request's budget of points. Undefined where nothing is counted. */
  purse?: Purse | undefined
  /** Whether the client has gone away. */
  hasLeft: () => boolean
  /** Throws when a query is out of time, or its client has gone. Undefined for operations that must not be cut off. */
  stop?: (() => void) | undefined
  /** Collects which products the answer shows. Undefined when the answer is not cached. */
  sources?: Sources
  /** The change a stream is about to tell its subscriber. Undefined for every other request. */
  change?: Change
  /** How far the rows of a connection are counted; the usual limit when undefined. */
  mostCounted?: number
}

/** What decides who may see a thing. */
export type Asker = Pick<Context, 'user' | 'scopes'>

/**
 * Whether the request sees what those see who do what this scope is for: an administrator who may do it; with a key, one
 * that has the scope ADMIN.
 */
export const isManager = ({ user, scopes }: Asker, scope: ApiScope): boolean =>
  Boolean(user?.manages(scope) && (scopes === null || scopes.includes('ADMIN')))

/** The signed-in user, for fields behind `@Authorized()`. */
export function signedIn({ user }: Pick<Context, 'user'>): User {
  if (!user) throw unauthenticated()
  return user
}
