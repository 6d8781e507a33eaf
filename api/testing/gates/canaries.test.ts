import { setTimeout as delay } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../account/password.ts'
import { connect } from '../../db/config.ts'
import { clock } from '../../kernel/clock.ts'
import { createLog } from '../../kernel/log.ts'
import { connectPaypal } from '../../payment/connect-paypal.ts'
import { ARGUMENTS, documentFor, rootFields, type World } from './operations.ts'
import { mailsTo, tokenIn } from '../mail.ts'
import { ADDRESS, approvedPayment, line, placed } from '../purchase.ts'
import { makeKey, makeProduct, makeUser, openShop, type Account, type TestShop } from '../shop.ts'
import { nth, present } from '#schema/rules/present'

// Everything that people type, or that grants access, contains this word or is one of the secrets.
const CANARY = 'canary7f3a'
const PASSWORD = `${CANARY} password`

let lines = ''
let shop: TestShop
let admin: Account
let world: World
const secrets = new Set([CANARY])

const log = createLog('trace', {
  write: text => {
    lines += text
  },
})
beforeAll(async () => {
  shop = await openShop({ log, mail: { to: 'mailbox' } })
  const em = shop.em()
  admin = await makeUser(em, {
    name: `Nell ${CANARY}`,
    email: `${CANARY}-nell@example.com`,
    isAdmin: true,
    passwordHash: await hashPassword(PASSWORD),
  })
  const key = await makeKey(em, admin, ['ADMIN'])
  const product = await makeProduct(em, { name: `Yarn ${CANARY}`, countInStock: 1_000 })
  const order = await placed(shop, admin, [line(product)])
  world = {
    productId: product.id,
    discontinuedId: (await makeProduct(em, { archivedAt: new Date() })).id,
    orderId: order.id,
    userId: (await makeUser(em)).id,
  }
  for (const secret of [admin.token, key.token, present(admin.user.passwordHash)]) secrets.add(secret)
  await turnOnSecondFactor(em)
})
afterAll(() => shop?.close())

/** Anyone who sees its secret or its recovery codes needs no phone. */
async function turnOnSecondFactor(em: ReturnType<TestShop['em']>) {
  const owner = await makeUser(em, { isAdmin: true, passwordHash: await hashPassword(PASSWORD) })
  const begun = await shop.gql(
    'mutation($password: String!) { beginSecondFactor(password: $password) { secret uri } }',
    { password: PASSWORD },
    owner,
  )
  const { secret, uri } = begun.data.beginSecondFactor
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
  const confirmed = await shop.gql(
    'mutation($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes } }',
    { code },
    owner,
  )
  const codes = confirmed.data.confirmSecondFactor.recoveryCodes as string[]
  expect(codes).toHaveLength(10)
  for (const value of [secret, uri, ...codes, ...codes.map(each => each.replaceAll('-', ''))]) secrets.add(value)
  await shop.gql(
    'mutation($email: String!, $password: String!, $code: String) { login(email: $email, password: $password, code: $code) { token } }',
    { email: owner.user.email, password: PASSWORD, code: codes[0] },
  )
}

const TYPED =
  /^(name|email|password|token|address2?|city|state|country|comment|reason|search|keyword|idempotencyKey|description|url|content|paypalOrderId)$/
let serial = 0

/** The same arguments, with the canary in everything that somebody typed. */
function marked(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => marked(each, name))
  if (value !== null && typeof value === 'object' && !(value instanceof File))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each, key)]))
  if (typeof value !== 'string' || !TYPED.test(name)) return value
  if (name === 'email') return `${CANARY}-${++serial}@example.org`
  return name === 'url' ? `https://example.com/${CANARY}-${++serial}` : `${value} ${CANARY} ${++serial}`
}

const json = { 'content-type': 'application/json' }

/** Sends every operation, every kind of REST call, pages and malformed requests, whatever the results. */
async function everyKindOfRequest(to = shop): Promise<number> {
  const operations = (['Query', 'Mutation'] as const)
    .flatMap(root => rootFields(root).map(({ name }) => [root, name] as const))
    .filter(
      ([, name]) =>
        ![
          'logout',
          'deleteUser',
          'deleteProduct',
          'uploadPicture',
          'uploadReviewPicture',
          'addDownload',
          'importProducts',
        ].includes(name),
    )
  const rest = (method: string, path: string, body: unknown, token = admin.token) =>
    fetch(to.url + path, {
      method,
      headers: { ...json, authorization: `Bearer ${token}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const answers = await Promise.all(
    [
      ...operations.map(([root, name]) =>
        to.gql(documentFor(root, name), marked(present(ARGUMENTS[name])(world)) as object, admin),
      ),
      to.gql(`{ ${CANARY} }`),
      to.gql(`mutation { login(email: "${CANARY}@example.com", password: "${CANARY}") { token } }`),
      to.gql('{ viewer { name } }', {}, { token: `${CANARY}${'x'.repeat(30)}` }),
      to.send(`{"query": "${CANARY}`),
      to.send(JSON.stringify({ query: '{ viewer { id } }', variables: CANARY })),
      rest('POST', '/api/users/login', { email: `${CANARY}-nell@example.com`, password: PASSWORD }),
      rest('POST', '/api/users/login', { email: { $like: CANARY }, password: [CANARY] }),
      rest('POST', '/api/users', marked({ name: 'Purl', email: 'x', password: 'knit one, purl two' })),
      rest('PUT', '/api/users/profile', marked({ name: 'Purl', email: 'x', password: 'knit one, purl two' })),
      rest(
        'POST',
        '/api/orders',
        marked({
          orderItems: [{ product: world.productId, quantity: 1 }],
          shippingAddress: ADDRESS,
          paymentMethod: 'PayPal',
        }),
      ),
      rest('PUT', `/api/orders/${world.orderId}/pay`, { id: CANARY }),
      rest('POST', `/api/products/${world.productId}/reviews`, { rating: 5, comment: CANARY }),
      rest('POST', '/api/users/login', `{"email": "${CANARY}`),
      rest('POST', '/api/webhooks/paypal', { id: CANARY, resource: { payer: CANARY } }),
      ...[
        `/search/${CANARY}`,
        `/login?redirect=${CANARY}`,
        `/reset-password?token=${CANARY}`,
        `/order/${CANARY}`,
        `/%E0%A4%A${CANARY}`,
        `/${CANARY}%00`,
      ].map(path => fetch(to.url + path)),
    ].map(answer => answer.catch(() => null)),
  )
  return answers.length
}

/** The log lines that contain a secret. */
const telling = () => lines.split('\n').filter(text => [...secrets].some(secret => text.includes(secret)))

describe('the log', { timeout: 180_000 }, () => {
  it('tells no secret, nor what people typed, when all is well', async () => {
    await everyKindOfRequest()
    const email = `${CANARY}-purl@example.com`
    await makeUser(shop.em(), { email, passwordHash: await hashPassword(PASSWORD) })
    const { data } = await shop.gql(
      'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token } }',
      { email, password: PASSWORD },
    )
    secrets.add(data.login.token)
    await shop.gql('mutation($email: String!) { requestPasswordReset(email: $email) { userErrors { code } } }', {
      email,
    })
    secrets.add(tokenIn(nth(await mailsTo(shop, email), 0)))
    await shop.gql(
      'mutation($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { userErrors { code } } }',
      { token: [...secrets].at(-1), password: `${PASSWORD} anew` },
    )
    expect(telling()).toEqual([])
  })

  it('nor when PayPal refuses the shop', async () => {
    const before = lines.length
    const bad = connectPaypal(
      { baseUrl: shop.simulator.url, clientId: 'test-client', clientSecret: `${CANARY} secret` },
      {
        log,
      },
    )
    const other = await openShop({
      paypal: bad,
      log,
    })
    const buyer = await makeUser(other.em(), { name: CANARY, email: `${CANARY}-buyer@example.com` })
    const order = await placed(other, buyer, [line(await makeProduct(other.em()))])
    await approvedPayment(other, buyer, order.id).catch(() => null)
    await other.close()
    expect(lines.length).toBeGreaterThan(before)
    expect(telling()).toEqual([])
  })

  it('nor when the database refuses every row', async () => {
    const before = lines.length
    const tables = await shop
      .em()
      .execute<{ name: string }[]>(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      )
    await shop.em().execute(`create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'no row like %', new using errcode = 'XX000', detail = new::text, hint = new::text; end $$`)
    for (const { name } of tables)
      await shop
        .em()
        .execute(`create trigger refuse before insert or update on ${name} for each row execute function refuse()`)
    try {
      await everyKindOfRequest()
    } finally {
      await shop.em().execute('drop function refuse cascade')
    }
    expect(lines.slice(before)).toContain('PostgreSQL: XX000')
    expect(telling()).toEqual([])
  })

  it('nor when rows are locked, and connections used up', async () => {
    const before = lines.length
    // One that gives up soon: whoever waits here keeps the feeds of all other tests' shops waiting.
    const hasty = await openShop({ database: shop.databaseUrl, isHasty: true, log })
    const orm = await connect(shop.databaseUrl)
    await orm.em.fork().transactional(async em => {
      await em.execute('set local idle_in_transaction_session_timeout = 0')
      await em.execute('lock table users, products, orders, reviews, newsletter_subscriptions in exclusive mode')
      await everyKindOfRequest(hasty)
      await delay(100)
    })
    await orm.close()
    await hasty.close()
    expect(lines.slice(before)).toContain('The database cannot be used at the moment')
    expect(telling()).toEqual([])
  })
})
