import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import pino from 'pino'
import { describe, expect, it, type TestContext } from 'vitest'
import { hashOf, newToken } from './tokens.ts'
import { clock, followClock } from './clock.ts'
import { connect } from '../db/config.ts'
import type { DataOf } from '../generated/answers.ts'
import { preloaded, startProcess, type ShopProcess } from '../testing/process.ts'
import { ADDRESS } from '../testing/purchase.ts'
import { makeProduct, makeUser, ownDatabase, type Account } from '../testing/shop.ts'

/** Makes the clock of a process wrong by so many hours, and by twice as many after SIGUSR2. */
const hoursOff = (hours: number) =>
  preloaded(`
  const Real = Date, begun = performance.timeOrigin
  let off = ${hours} * 3600000
  process.on('SIGUSR2', () => { off *= 2; console.log('The time was set.') })
  globalThis.Date = new Proxy(Real, {
    construct: (target, given, as) => Reflect.construct(target, given.length > 0 ? given : [Real.now() + off], as),
    get: (target, name) => name === 'now' ? () => Real.now() + off : Reflect.get(target, name),
  })
  Object.defineProperty(performance, 'timeOrigin', { get: () => begun + off })
`)

async function openShopThatIsOff(hours: number, { onTestFinished }: TestContext) {
  const [{ url, drop }, dataDir] = [await ownDatabase(), await mkdtemp(join(tmpdir(), 'skein-data-'))]
  const orm = await connect(url)
  const shop = await startProcess({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    STOCK_HOLD_MINUTES: '60',
    ...hoursOff(hours),
  })
  onTestFinished(async () => {
    await shop.end('SIGKILL')
    await orm.close()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { shop, em: orm.em.fork() }
}

async function gql<const Document extends string>(
  { url }: ShopProcess,
  query: Document,
  variables: object,
  identity?: Account,
) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(identity && { authorization: `Bearer ${identity.token}` }) },
    body: JSON.stringify({ query, variables }),
  })
  return ((await response.json()) as { data: DataOf<Document> }).data
}

async function placeOrder(shop: ShopProcess, buyer: Account, productId: string): Promise<string> {
  const { placeOrder } = await gql(
    shop,
    'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } userErrors { message } } }',
    { input: { lines: [{ productId, quantity: 1 }], shippingAddress: ADDRESS } },
    buyer,
  )
  expect(placeOrder.userErrors).toEqual([])
  return placeOrder.order.id
}

/** How many minutes an order is held for, as the database sees it. */
async function minutesHeld(em: EntityManager, id: string): Promise<number> {
  const [{ minutes }] = await em.execute<[{ minutes: number }]>(
    'select (extract(epoch from held_until - now()) / 60)::float8 as minutes from orders where id = ?',
    [id],
  )
  return minutes
}

const hasLapsed = async (em: EntityManager, id: string) =>
  (await em.execute('select 1 from orders where id = ? and lapsed_at is not null', [id])).length > 0

/** The token of a link that was mailed so many minutes ago. */
async function linkFor(em: EntityManager, { id }: Account, minutesOld: number): Promise<string> {
  const token = newToken()
  await em.execute(
    `insert into password_resets (token_hash, user_id, mail_id, created_at) values (?, ?, gen_random_uuid(), now() - ? * interval '1 minute')`,
    [hashOf(token), id, minutesOld],
  )
  return token
}

async function resetCode(shop: ShopProcess, token: string): Promise<string> {
  const { resetPassword } = await gql(
    shop,
    'mutation($token: String!) { resetPassword(token: $token, password: "knit one, purl two") { userErrors { code } } }',
    { token },
  )
  return resetPassword.userErrors[0]?.code ?? 'ok'
}

/** Whether the session still works. An expired one is refused, and its answer has no data. */
const signedIn = async (shop: ShopProcess, identity: Account) =>
  (await gql(shop, '{ viewer { id } }', {}, identity))?.viewer?.id === identity.id

it('follows the database’s clock', async () => {
  const { url, drop } = await ownDatabase()
  const name = new URL(url).pathname.slice(1)
  const before = await connect(url)
  await before.em.execute(`create schema odd`)
  await before.em.execute(`create table odd.clock as select interval '3 hours' as ahead`)
  await before.em.execute(
    `create function odd.clock_timestamp() returns timestamptz language sql as 'select pg_catalog.clock_timestamp() + ahead from odd.clock'`,
  )
  await before.em.execute(`alter database ${name} set search_path = odd, public, pg_catalog`)
  const orm = await connect(url)
  const hoursAhead = () => (clock.now().getTime() - Date.now()) / 3_600_000
  const leave = await followClock(orm, pino({ level: 'silent' }), 20)
  expect(hoursAhead()).toBeCloseTo(3, 2)
  await before.em.execute(`update odd.clock set ahead = interval '0'`)
  await expect.poll(hoursAhead).toBeCloseTo(0, 2)
  leave()
  await Promise.all([before.close(), orm.close()])
  await drop()
})

it('takes the database’s time from the reading that took least', async () => {
  const { url, drop } = await ownDatabase()
  const before = await connect(url)
  await before.em.execute(`create schema slow; create sequence slow.readings`)
  await before.em.execute(
    `create function slow.clock_timestamp() returns timestamptz language plpgsql as $$
     declare read timestamptz = pg_catalog.clock_timestamp();
     begin if nextval('slow.readings') = 1 then perform pg_sleep(1); end if; return read; end $$`,
  )
  await before.em.execute(`alter database ${new URL(url).pathname.slice(1)} set search_path = slow, public, pg_catalog`)
  const orm = await connect(url)
  const leave = await followClock(orm, pino({ level: 'silent' }))
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(250)
  leave()
  await Promise.all([before.close(), orm.close()])
  await drop()
})

describe.concurrent.each([
  ['two hours ahead', 2],
  ['two hours behind', -2],
])('a shop whose machine is %s', (_, hours) => {
  it('holds stock, keeps sessions and takes links for as long as any other', { timeout: 120_000 }, async context => {
    const { shop, em } = await openShopThatIsOff(hours, context)
    const [buyer, other, yarn] = [await makeUser(em), await makeUser(em), await makeProduct(em)]

    const held = await placeOrder(shop, buyer, yarn.id)
    expect(await minutesHeld(em, held)).toBeCloseTo(15, 0)

    // A session expires thirty days after it was last used.
    await em.execute(
      `update sessions set used_at = now() - interval '30 days' + ? * interval '1 minute' where user_id = ?`,
      [1, buyer.id],
    )
    await em.execute(
      `update sessions set used_at = now() - interval '30 days' + ? * interval '1 minute' where user_id = ?`,
      [-1, other.id],
    )
    expect(await signedIn(shop, buyer)).toBe(true)
    expect(await signedIn(shop, other)).toBe(false)

    expect(await resetCode(shop, await linkFor(em, other, 61))).toBe('RESET_LINK_SPENT')
    expect(await resetCode(shop, await linkFor(em, other, 59))).toBe('ok')

    // The clock is changed while the process runs: after this, it is four hours off.
    shop.child.kill('SIGUSR2')
    while (!shop.output().includes('The time was set.')) await delay(10)
    const heldToo = await placeOrder(shop, buyer, yarn.id)
    expect(await minutesHeld(em, heldToo)).toBeCloseTo(15, 0)

    // The sweep gives back holds that are due, and leaves the others alone.
    const due = await placeOrder(shop, buyer, yarn.id)
    await em.execute(`update orders set held_until = now() - interval '1 minute' where id = ?`, [due])
    await em.execute(`update orders set held_until = now() + interval '1 minute' where id in (?)`, [[held, heldToo]])
    await expect.poll(() => hasLapsed(em, due), { timeout: 30_000 }).toBe(true)
    expect([await hasLapsed(em, held), await hasLapsed(em, heldToo)]).toEqual([false, false])
  })
})
