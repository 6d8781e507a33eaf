import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Client } from 'pg'
import pino from 'pino'
import { expect, inject, vi } from 'vitest'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { newApiKey, openSession } from '../account/authenticate.ts'
import { hashOf } from '../kernel/tokens.ts'
import { emailKey, User } from '../account/user.entity.ts'
import { Product } from '../catalog/product.entity.ts'
import { indexProducts } from '../catalog/search/index-products.ts'
import { adjustStock, setLots } from '../catalog/stock.ts'
import { connect, PATIENCE } from '../db/config.ts'
import type { DataOf } from '../generated/answers.ts'
import type { ApiScope } from '../generated/types.ts'
import { ApiKey } from '../partner/api-key.entity.ts'
import { connectPaypal } from '../payment/connect-paypal.ts'
import { SIMULATED_ACCOUNT, SIMULATED_WEBHOOK_ID, startSimulator } from '../../tools/paypal-simulator/simulator.ts'
import { createServer } from '../server.ts'
import type { ServerOptions } from '../server/settings.ts'
import { present } from '#schema/rules/present'

const CREDENTIALS = { clientId: 'test-client', clientSecret: 'test-secret' }

export const ANY_HOLD = { ordersPerAccount: 0, unitsPerAccount: 0, ordersPerAddress: 0, unitsPerAddress: 0 }

/** Keeps tests from being turned away, and the database from giving up on them, however slow the machine is. */
const PATIENT = { atOnce: 100, perClient: 100, perAddress: 100, patienceMs: 60_000 }
const PATIENT_DATABASE = {
  connectionTimeoutMillis: 60_000,
  statement_timeout: 60_000,
  lock_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
}

export interface Answer<Data = unknown> {
  status: number
  data: Data
  errors?: { message: string; path?: (string | number)[]; extensions: { code: string; [more: string]: unknown } }[]
}

/** Who a request comes from, and which address a proxy forwards it for. Null is a visitor. */
export type Identity = { token: string; forwardedFor?: string } | null

/**
 * A whole shop with the PayPal simulator, on a database of its own or on a given one, on free ports or on a given one.
 * A hasty one gives up on its database as soon as a shop in production does.
 */
export async function openShop({
  port = 0,
  database,
  isHasty = false,
  ...overrides
}: Partial<ServerOptions> & { port?: number; database?: string; isHasty?: boolean } = {}) {
  const { url: databaseUrl, drop } = database ? { url: database, drop: async () => {} } : await ownDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'skein-data-'))
  const patience = isHasty ? PATIENCE : PATIENT_DATABASE
  const orm = await connect(databaseUrl, { patience })
  const simulator = await startSimulator({ port: 0, ...CREDENTIALS })
  const account = { baseUrl: simulator.url, merchantId: SIMULATED_ACCOUNT.merchantId, ...CREDENTIALS }
  const paypal = connectPaypal(account, { shopName: overrides.contact?.name })
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const options: ServerOptions = {
    orm,
    paypal,
    paypalConfig: { mode: 'SIMULATOR', clientId: CREDENTIALS.clientId, sdkBaseUrl: `${simulator.url}/sdk/js` },
    paypalWebhook: { id: SIMULATED_WEBHOOK_ID, certificateOrigin: simulator.url },
    // What tests send stays on this machine, whatever host it is addressed to.
    webhookReach: { allowPrivate: true, addressesOf: async () => ['127.0.0.1'] },
    policy: DEFAULT_POLICY,
    pageSize: 12,
    stockHoldMinutes: 60,
    invoiceYears: 7,
    // The tests' crowds all come from one address.
    holdLimits: ANY_HOLD,
    dataDir,
    // Tests change the database behind the shop's back.
    keepAnswersMs: 0,
    admission: { visitors: PATIENT, pages: PATIENT, signedIn: PATIENT, uploads: PATIENT },
    streams: { perAddress: 1_000 },
    // On a slow machine they would come between what a test does and what it looks at.
    sweeps: false,
    shopUrl: 'http://127.0.0.1',
    log,
    ...overrides,
  }
  const app = await createServer(options)
  const url = await app.listen({ port, host: '127.0.0.1' })

  /** Sends a request exactly as given, even one that no well-meaning client would send. */
  function send(
    body: string | undefined,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Response> {
    return fetch(`${url}/graphql`, { method: 'POST', headers, ...(body !== undefined && { body }) })
  }

  async function gql<const Document extends string>(
    query: Document,
    variables: object = {},
    identity: Identity = null,
  ): Promise<Answer<DataOf<Document>>> {
    const response = await send(JSON.stringify({ query, variables }), {
      'content-type': 'application/json',
      ...(identity && { authorization: `Bearer ${identity.token}` }),
      ...(identity?.forwardedFor && { 'x-forwarded-for': identity.forwardedFor }),
    })
    return { status: response.status, ...((await response.json()) as Omit<Answer<DataOf<Document>>, 'status'>) }
  }

  return {
    app,
    url,
    databaseUrl,
    orm,
    simulator,
    paypal,
    log,
    gql,
    send,
    /** Another process of this shop, from the database's point of view. */
    async another(more: Partial<ServerOptions> = {}) {
      const own = await connect(databaseUrl, { patience })
      const second = await createServer({ ...options, orm: own, ...more })
      return {
        url: await second.listen({ port: 0, host: '127.0.0.1' }),
        async stop() {
          await second.close()
          await own.close()
        },
      }
    },
    /** Every route, as `GET /path`. */
    routes: () => {
      // Of two routes that end in `*`, the tree of all methods shows only one.
      const trees = [app.printRoutes({ commonPrefix: false }), app.printRoutes({ commonPrefix: false, method: 'GET' })]
      return [...new Set(trees.flatMap(routesOf))]
    },
    /** A new unit of work, as each request has. */
    em: () => orm.em.fork(),
    async close() {
      // A connection on which a client has sent nothing yet would delay closing by a minute.
      const late = setTimeout(() => app.server.closeAllConnections(), 2_000)
      await app.close()
      clearTimeout(late)
      await simulator.close()
      await orm.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Fastify draws its routes as a tree: four characters of indentation per level, and the rest of the path on each line. */
function routesOf(tree: string): string[] {
  const path: string[] = []
  return [...tree.matchAll(/^([│ ]*)[├└]── (\S+) \((.+)\)$/gm)].flatMap(([, indent, part, methods]) => {
    path.splice(present(indent).length / 4, Infinity, part === '*' ? '/*' : present(part))
    return present(methods)
      .split(', ')
      .map(method => `${method} ${path.join('')}`)
  })
}

export type TestShop = Awaited<ReturnType<typeof openShop>>

/** A database without any migration. */
export const blankDatabase = () => ownDatabase('template1')

/** A copy of the empty, migrated database. */
export async function ownDatabase(original?: string) {
  const template = new URL(inject('templateUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const maintenance = new URL(template)
  maintenance.pathname = '/postgres'
  const run = async (sql: string) => {
    const client = new Client(maintenance.href)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run(`create database ${name} template ${original ?? template.pathname.slice(1)}`)
  const own = new URL(template)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => run(`drop database ${name} with (force)`) }
}

let serial = 0

/** The hash of a password that nobody knows. */
const UNUSABLE = '$argon2id$v=19$m=19456,t=2,p=1$uq1pLRBy4ya8/GDX5/vTcg$UDv5XwlIXQII9QddRECVLqfHQ/XfeegWk8mTjxQbaZo'

/** A signed-in account. */
export async function makeUser(
  em: EntityManager,
  fields: Partial<{
    name: string
    email: string
    isAdmin: boolean
    limitedTo: ApiScope[]
    passwordHash: string
    emailVerifiedAt: Date | null
  }> = {},
) {
  const email = fields.email ?? `user${++serial}@example.com`
  const user = em.create(User, {
    name: 'Nell Knitter',
    passwordHash: UNUSABLE,
    emailVerifiedAt: new Date(),
    ...fields,
    email,
    emailKey: emailKey(email),
  })
  const token = openSession(em, user)
  await em.flush()
  return { user, token, id: user.id }
}

/** A partner's API key for an account. */
export async function makeKey(
  em: EntityManager,
  account: Pick<Account, 'id'>,
  scopes: readonly ApiScope[],
  fields: { revokedAt?: Date } = {},
) {
  const token = newApiKey()
  em.create(ApiKey, {
    name: 'Warehouse',
    start: token.slice(0, 8),
    keyHash: hashOf(token),
    scopes: [...scopes],
    account: em.getReference(User, account.id, { wrapped: true }),
    ...fields,
  })
  await em.flush()
  return { token }
}

/** Many signed-in shoppers at once. */
export async function makeUsers(em: EntityManager, count: number) {
  const users = Array.from({ length: count }, () => {
    const email = `user${++serial}@example.com`
    const user = em.create(User, {
      name: `Knitter ${serial}`,
      passwordHash: UNUSABLE,
      emailVerifiedAt: new Date(),
      email,
      emailKey: emailKey(email),
    })
    return { user, token: openSession(em, user) }
  })
  await em.flush()
  return users.map(({ user, token }) => ({ user, token, id: user.id }))
}

export type Account = Awaited<ReturnType<typeof makeUser>>

/** Turns { 4412: 8, 4417: 2 } into portions. */
export const portionsOf = (lots: Record<string, number>) =>
  Object.entries(lots).map(([code, quantity]) => ({ code, quantity }))

/** A product on sale; with `lots`, its stock is kept by dye lot. */
export async function makeProduct(
  em: EntityManager,
  fields: Partial<Product> & { countInStock?: number; lots?: Record<string, number> } = {},
) {
  const { countInStock = 10, lots, ...rest } = fields
  const product = em.create(Product, {
    name: `Yarn ${++serial}`,
    image: '/images/yarn.webp',
    description: 'Soft and round.',
    weight: '100 g',
    length: '210 m',
    gauge: '20 sts',
    knittingNeedle: '4.5 mm',
    crochetHook: '5 mm',
    recommendedCare: 'Hand wash',
    content: '100% wool',
    category: 'Worsted',
    price: 2400,
    publishedAt: new Date(),
    ...rest,
    countInStock: 0,
  })
  await em.flush()
  await indexProducts(em, [product.id])
  if (lots) await em.transactional(tx => setLots(tx, product.id, portionsOf(lots), 'initial'))
  else await adjustStock(em, product.id, countInStock, 'initial')
  await em.refresh(product)
  return product
}

/** Resolves once every picture taken off a product or a review has been checked, and deleted where nothing shows it. */
export const picturesDiscarded = (shop: TestShop) =>
  vi.waitFor(async () => {
    const [{ left }] = await shop
      .em()
      .execute<[{ left: number }]>(
        `select count(*)::int as left from pgboss.job where name = 'discard-pictures' and state < 'completed'`,
      )
    expect(left).toBe(0)
  }, 20_000)
