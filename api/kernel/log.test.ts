import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../db/config.ts'
import { createLog } from './log.ts'
import {
  ADDRESS,
  approvedPayment,
  bought,
  createPaypalOrder,
  line,
  placed,
  plan,
  reconcile,
} from '../testing/purchase.ts'
import { makeKey, makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

let logged = ''
let shop: TestShop
beforeAll(async () => {
  const log = createLog('trace', {
    write: (text: string) => {
      logged += text
    },
  })
  shop = await openShop({ log })
})
afterAll(() => shop?.close())

// Words that appear nowhere else.
const SECRET = { password: 'canary-password-4711', wrong: 'canary-wrong-4712', next: 'canary-next-4713' }
const PERSONAL = { name: 'Canary Nameless', email: 'canary.mail@example.com', street: '12 Canary Row' }

it('what goes wrong is logged without what is secret or personal', async () => {
  const rest = (method: string, path: string, body?: unknown, authorization = '') =>
    fetch(shop.url + path, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const registration = { name: PERSONAL.name, email: PERSONAL.email, password: SECRET.password }
  const registered = (await (await rest('POST', '/api/users', registration)).json()) as { token: string; _id: string }
  const bearer = `Bearer ${registered.token}`
  const nell = { token: registered.token, id: registered._id } as Parameters<typeof placed>[1]
  const admin = await makeUser(shop.em(), { isAdmin: true, passwordHash: 'canary-hash-4714' })
  const key = await makeKey(shop.em(), admin, ['ADMIN'])
  const address = { ...ADDRESS, address: PERSONAL.street }

  // Requests that succeed, and requests that are refused.
  await rest('POST', '/api/users', registration)
  await rest('POST', '/api/users/login', { email: PERSONAL.email, password: SECRET.wrong })
  await rest('POST', '/api/users/login', `{"email":"${PERSONAL.email}","password":"${SECRET.password}",`)
  await shop.gql('mutation($email: EmailAddress!) { requestPasswordReset(email: $email) { userErrors { code } } }', {
    email: PERSONAL.email,
  })
  await shop.gql(`mutation { login(email: "${PERSONAL.email}", password: "${SECRET.wrong}") { secret } }`)
  await rest('GET', '/api/users', undefined, `Bearer ${key.token}`)
  await rest('GET', `/api/users?token=${registered.token}`, undefined, bearer)
  const product = await makeProduct(shop.em(), { countInStock: 100 })
  await rest(
    'POST',
    '/api/orders',
    { orderItems: [{ product: product.id, quantity: 1 }], shippingAddress: address },
    bearer,
  )

  // PayPal, succeeding and failing; its answers contain the payer's name and address.
  await bought(shop, nell, [line(product)])
  for (const capture of ['wrong-amount', 'nonsense', 'PENDING', 'DECLINED']) {
    const order = await placed(shop, nell, [line(product)])
    const paypalId = await approvedPayment(shop, nell, order.id)
    await plan(shop, { capture })
    await rest('POST', `/api/orders/${order.id}/paypal/${paypalId}/capture`, {}, bearer)
    await rest('PUT', `/api/orders/${order.id}/pay`, { id: paypalId, payer: { email_address: PERSONAL.email } }, bearer)
  }
  await createPaypalOrder(shop, nell, (await placed(shop, nell, [line(product)])).id)
  await reconcile(shop, 60)
  await rest(
    'POST',
    '/api/webhooks/paypal',
    { id: 'WH-1', payer: { email_address: PERSONAL.email } },
    `Bearer ${registered.token}`,
  )

  // The database times out while all of it is being written.
  const elsewhere = await connect(shop.databaseUrl)
  await elsewhere.em.fork().transactional(async tx => {
    await tx.execute('lock table users, sessions, orders, rate_limits in access exclusive mode')
    await Promise.all([
      rest('POST', '/api/users', { ...registration, email: `x${PERSONAL.email}` }),
      rest('POST', '/api/users/login', { email: PERSONAL.email, password: SECRET.password }),
      rest('PUT', '/api/users/profile', { ...registration, password: SECRET.next }, bearer),
      rest(
        'POST',
        '/api/orders',
        { orderItems: [{ product: product.id, quantity: 1 }], shippingAddress: address },
        bearer,
      ),
      rest('GET', '/api/users', undefined, `Bearer ${key.token}`),
      shop.gql('{ viewer { id } }', {}, nell),
    ])
  })
  await elsewhere.em.fork().transactional(async tx => {
    // Only writing has to wait.
    await tx.execute('lock table users, orders in share mode')
    await Promise.all([
      rest('POST', '/api/users', { ...registration, email: `x${PERSONAL.email}` }),
      rest('PUT', '/api/users/profile', { ...registration, password: SECRET.next }, bearer),
      rest(
        'POST',
        '/api/orders',
        { orderItems: [{ product: product.id, quantity: 1 }], shippingAddress: address },
        bearer,
      ),
    ])
  })
  // A bug of ours: the database puts everything into its error message.
  await shop.em().execute('alter table orders add constraint canary check (total_price < 0) not valid')
  await shop.em().execute('alter table users add constraint canary check (email is null) not valid')
  await rest(
    'POST',
    '/api/orders',
    { orderItems: [{ product: product.id, quantity: 1 }], shippingAddress: address },
    bearer,
  )
  await rest('POST', '/api/users', { ...registration, email: `y${PERSONAL.email}` })
  await shop.gql('mutation($input: RegisterInput!) { register(input: $input) { token } }', {
    input: { ...registration, email: `z${PERSONAL.email}` },
  })
  await delay(200)
  await elsewhere.close()

  expect(logged).toContain('PostgreSQL: 23514')
  const found = [
    ...Object.values(SECRET),
    ...Object.values(PERSONAL),
    registered.token,
    key.token,
    admin.token,
    'canary-hash',
    '$argon2',
    'payer',
    'email_address',
    'buyer@',
  ]
    .filter(word => logged.includes(word))
    .map(word => [word, logged.slice(Math.max(0, logged.indexOf(word) - 300), logged.indexOf(word) + 60)])
  expect(found).toEqual([])
})
