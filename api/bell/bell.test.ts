import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '#schema/rules/limits'
import { nth, present } from '#schema/rules/present'
import type { Product } from '../catalog/product.entity.ts'
import { setLots } from '../catalog/stock.ts'
import type { DataOf } from '../generated/answers.ts'
import { mailsTo, tokenIn } from '../testing/mail.ts'
import { cancelOrder, line, placed } from '../testing/purchase.ts'
import {
  makeProduct,
  makeUser,
  openShop,
  portionsOf,
  type Account,
  type Answer,
  type TestShop,
} from '../testing/shop.ts'
import { ringBells } from './ring-bells.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' }, trustProxy: '127.0.0.1' })
})
afterAll(() => shop?.close())

let serial = 0
const freshEmail = () => `nell.waits${++serial}@example.com`
const REFUSED = 'userErrors { code field }'

/** Sends each request from a new address, unless one is given. */
async function send<const Document extends string>(
  query: Document,
  variables: object,
  who: Account | null,
  from?: string,
) {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': from ?? `10.0.${serial >> 8}.${serial++ & 255}`,
    ...(who && { authorization: `Bearer ${who.token}` }),
  }
  return (await (await shop.send(JSON.stringify({ query, variables }), headers)).json()) as Answer<DataOf<Document>>
}
const asking = (productId: string, email: string | null, who: Account | null = null, from?: string) =>
  send(
    `mutation ($productId: ID!, $email: String) { addBell(productId: $productId, email: $email) { isSet mailbox product { id } ${REFUSED} } }`,
    { productId, email },
    who,
    from,
  )
const add = async (...args: Parameters<typeof asking>) => (await asking(...args)).data.addBell
const confirm = async (token: string) =>
  (
    await shop.gql(`mutation ($token: String!) { confirmBell(token: $token) { isSet product { id } ${REFUSED} } }`, {
      token,
    })
  ).data.confirmBell
const stop = async (token: string) =>
  (await shop.gql(`mutation ($token: String!) { stopBells(token: $token) { stopped ${REFUSED} } }`, { token })).data
    .stopBells
const remove = async (productId: string, who: Account) =>
  (
    await shop.gql(
      `mutation ($productId: ID!) { removeBell(productId: $productId) { isSet product { bell } ${REFUSED} } }`,
      { productId },
      who,
    )
  ).data.removeBell
const bellOf = async ({ id }: Product, who: Account | null) =>
  (await shop.gql('query ($id: ID!) { product(id: $id) { bell } }', { id }, who)).data.product.bell
const waitingFor = async ({ id }: Product) =>
  (await shop.em().execute<{ id: string }[]>('select id from bells where product_id = ?', [id])).length
const soldOut = () => makeProduct(shop.em(), { countInStock: 0 })
const confirmed = () => makeUser(shop.em(), { emailVerifiedAt: new Date() })
const restock = ({ id }: Product) => shop.em().execute('update products set count_in_stock = 5 where id = ?', [id])
const lettersTo = async (email: string) =>
  (
    await shop.em().execute<{ subject: string }[]>('select subject from mails where recipient = ? order by id', [email])
  ).map(({ subject }) => subject)

const addLot = async (productId: string, lot: string, who: Account | null, email: string | null = null) =>
  (
    await send(
      `mutation ($productId: ID!, $lot: String, $email: String) { addBell(productId: $productId, lot: $lot, email: $email) { isSet lot ${REFUSED} } }`,
      { productId, lot, email },
      who,
    )
  ).data.addBell

/** Makes an address wait for a product. */
async function waiting(product: Product, email = freshEmail()) {
  const sent = (await lettersTo(email)).length
  await add(product.id, email)
  await confirm(tokenIn(present((await mailsTo(shop, email, sent + 1))[sent])))
  return email
}

describe('asking', () => {
  it('is one press for whoever is signed in with a confirmed address, and can be taken back', async () => {
    const [nell, moss] = [await confirmed(), await soldOut()]
    expect(await bellOf(moss, null)).toBeNull()
    expect(await bellOf(moss, nell)).toBe(false)
    expect(await add(moss.id, null, nell)).toMatchObject({ isSet: true, product: { id: moss.id }, userErrors: [] })
    expect(await bellOf(moss, nell)).toBe(true)
    const { data } = await shop.gql('{ bells { productId product { id countInStock } } }', {}, nell)
    expect(data.bells).toEqual([{ productId: moss.id, product: { id: moss.id, countInStock: 0 } }])
    expect(await remove(moss.id, await confirmed())).toMatchObject({ userErrors: [] })
    expect(await bellOf(moss, nell)).toBe(true)
    expect(await remove(moss.id, nell)).toEqual({ isSet: false, product: { bell: false }, userErrors: [] })
    expect(await waitingFor(moss)).toBe(0)
  })

  it('takes an address, which nothing is sent to before the link in the mail is pressed', async () => {
    const [email, moss] = [freshEmail(), await soldOut()]
    expect(await add(moss.id, email)).toEqual({
      isSet: false,
      mailbox: '/dev/mailbox',
      product: { id: moss.id },
      userErrors: [],
    })
    const [mail] = await mailsTo(shop, email)
    expect(present(mail).subject).toBe(`Tell you when “${moss.name}” is back?`)
    expect(await waitingFor(moss)).toBe(0)
    expect(await confirm(tokenIn(present(mail)))).toEqual({ isSet: true, product: { id: moss.id }, userErrors: [] })
    expect(await waitingFor(moss)).toBe(1)
    expect((await confirm(tokenIn(present(mail)))).userErrors).toEqual([{ code: 'BELL_LINK_SPENT', field: null }])
  })

  it('needs an address of visitors, and of those who have not confirmed theirs', async () => {
    const moss = await soldOut()
    for (const who of [null, await makeUser(shop.em(), { emailVerifiedAt: null })])
      expect((await add(moss.id, null, who)).userErrors[0]).toEqual({ code: 'INVALID', field: ['email'] })
    for (const email of ['', 'nell', 'nell@exa\0mple.com', `${'n'.repeat(250)}@example.com`])
      expect((await add(moss.id, email)).userErrors[0]).toEqual({ code: 'INVALID', field: ['email'] })
  })

  it('says nothing of who has an account or waits already; the reader of the mailbox is told', async () => {
    const [nell, moss] = [await confirmed(), await soldOut()]
    await add(moss.id, null, nell)
    const email = await waiting(moss)
    const stranger = await add(moss.id, freshEmail())
    expect(await add(moss.id, email)).toEqual(stranger)
    expect(await add(moss.id, nell.user.email)).toEqual(stranger)
    expect(nth(await mailsTo(shop, email, 2), 1).subject).toBe('We will tell you already')
    expect(nth(await mailsTo(shop, nell.user.email), 0).subject).toBe('We will tell you already')
  })

  it('is no use for what is in stock, not on sale or made up', async () => {
    const em = shop.em()
    const nell = await confirmed()
    const [moss, draft] = [await makeProduct(em), await makeProduct(em, { publishedAt: null, countInStock: 0 })]
    expect((await add(moss.id, null, nell)).userErrors).toEqual([{ code: 'IN_STOCK', field: null }])
    for (const id of [draft.id, 'abc', '\0', '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'])
      expect((await add(id, null, nell)).userErrors).toEqual([{ code: 'NOT_FOUND', field: null }])
  })

  it('is one bell of a product, however many are asked for at once', async () => {
    const [nell, moss] = [await confirmed(), await soldOut()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(moss.id, null, nell)))
    expect(answers.every(({ isSet }) => isSet)).toBe(true)
    expect(await waitingFor(moss)).toBe(1)
  })

  it('ends at fifty, for many at once too', async () => {
    const em = shop.em()
    const nell = await confirmed()
    await em.execute(
      `with made as (
         insert into products (id, sku, name, image, description, weight, length, gauge, knitting_needle, crochet_hook, recommended_care, content, category, price, count_in_stock, created_at, published_at)
         select gen_random_uuid(), 'BELL-' || n, 'Yarn', '', '', '', '', '', '', '', '', '', 'DK', 100, 0, now(), now() from generate_series(1, ?) n returning id)
       insert into bells (id, product_id, user_id, stop_token, asked_at) select gen_random_uuid(), id, ?, 'x', now() from made`,
      [limits.bells - 1, nell.user.id],
    )
    const yarns = [await soldOut(), await soldOut(), await soldOut()]
    const answers = await Promise.all(yarns.map(({ id }) => add(id, null, nell)))
    expect(answers.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))).toEqual([
      'BELLS_FULL',
      'BELLS_FULL',
    ])
  })

  it('is answered with five mails an hour to an address, whoever asks, and as often to one asker', async () => {
    const [email, moss, from] = [freshEmail(), await soldOut(), '10.1.1.1']
    for (let asked = 0; asked < 5; asked++) expect((await asking(moss.id, email, null, from)).errors).toBeUndefined()
    expect((await asking(moss.id, email, null, from)).errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
    expect(await add(moss.id, email)).toMatchObject({ userErrors: [] })
    await expect
      .poll(() => shop.em().execute(`select 1 from mails where sent_at is null and about->>'emailKey' = ?`, [email]), {
        timeout: 15_000,
      })
      .toEqual([])
    await mailsTo(shop, email, 5)
  })

  it('keeps no token that confirms, only its hash, and no link longer than a day', async () => {
    const [email, moss] = [freshEmail(), await soldOut()]
    await add(moss.id, email)
    const token = tokenIn(nth(await mailsTo(shop, email), 0))
    const kept = await shop
      .em()
      .execute<{ row: string }[]>(
        `select row_to_json(l)::text as row from bell_links l union all select data::text from pgboss.job union all select about::text from mails`,
      )
    expect(kept.filter(({ row }) => row.includes(token))).toEqual([])
    await shop.em().execute(`update bell_links set created_at = now() - interval '25 hours' where email = ?`, [email])
    expect((await confirm(token)).userErrors).toMatchObject([{ code: 'BELL_LINK_SPENT' }])
  })

  it('by an address that is an account’s rings for the account', async () => {
    const [nell, moss] = [await confirmed(), await soldOut()]
    await waiting(moss, nell.user.email)
    expect(await bellOf(moss, nell)).toBe(true)
  })
})

describe('ringing', () => {
  it('sends one letter to each who waits once the product is back, and forgets them', async () => {
    const [nell, moss, slate] = [await confirmed(), await soldOut(), await soldOut()]
    await add(moss.id, null, nell)
    const email = await waiting(moss)
    await waiting(slate, email)
    await ringBells(shop.em())
    expect(await waitingFor(moss)).toBe(2)
    await restock(moss)
    await ringBells(shop.em())
    const [letter] = (await mailsTo(shop, email, 3)).slice(2)
    expect(letter).toMatchObject({ subject: `“${moss.name}” is back` })
    expect(present(letter).text).toContain(`/product/${moss.id}/`)
    const [own] = await mailsTo(shop, nell.user.email)
    expect(present(own).text).not.toContain('/bell/stop')
    expect(await waitingFor(moss)).toBe(0)
    await ringBells(shop.em())
    expect(await lettersTo(email)).toHaveLength(3)
    // The link in the mail also ends what else the address waits for.
    expect(await waitingFor(slate)).toBe(1)
    expect(await stop(tokenIn(present(letter)))).toEqual({ stopped: true, userErrors: [] })
    expect(await waitingFor(slate)).toBe(0)
    expect((await stop(tokenIn(present(letter)))).userErrors).toEqual([{ code: 'BELL_LINK_SPENT', field: null }])
  })

  it('writes each letter once, however many processes ring at once', async () => {
    const em = shop.em()
    const moss = await soldOut()
    await em.execute(
      `insert into bells (id, product_id, email, email_key, stop_token, asked_at)
       select gen_random_uuid(), ?, 'many' || n || '@example.com', 'many' || n || '@example.com', 't' || n, now() from generate_series(1, 450) n`,
      [moss.id],
    )
    await restock(moss)
    await Promise.all(Array.from({ length: 6 }, () => ringBells(shop.em())))
    // The shop also sends the mails by itself.
    await expect.poll(() => waitingFor(moss), { timeout: 15_000 }).toBe(0)
    const [letters] = await em.execute<[{ all: number; people: number }]>(
      `select count(*)::int as all, count(distinct about->>'email')::int as people from mails where kind = 'BACK_IN_STOCK' and about->>'productId' = ?`,
      [moss.id],
    )
    expect(letters).toEqual({ all: 450, people: 450 })
    await em.execute(`delete from mails where about->>'productId' = ?`, [moss.id])
  })

  it('comes by itself', async () => {
    onTestFinished((await shop.another({ sweeps: true })).stop)
    const [nell, moss] = [await confirmed(), await soldOut()]
    await add(moss.id, null, nell)
    await restock(moss)
    await expect.poll(() => lettersTo(nell.user.email), { timeout: 60_000, interval: 500 }).toHaveLength(1)
  })

  it('forgets what was taken off sale for good, and who closed the account', async () => {
    const em = shop.em()
    const admin = await makeUser(em, { isAdmin: true })
    const [nell, moss, slate] = [await confirmed(), await soldOut(), await soldOut()]
    await add(moss.id, null, nell)
    await add(slate.id, null, nell)
    await em.execute('update products set archived_at = now() where id = ?', [moss.id])
    await ringBells(shop.em())
    expect(await waitingFor(moss)).toBe(0)
    expect(await waitingFor(slate)).toBe(1)
    await shop.gql('mutation ($id: ID!) { deleteUser(id: $id) { userErrors { code } } }', { id: nell.user.id }, admin)
    expect(await waitingFor(slate)).toBe(0)
  })
})

describe('a dye lot', () => {
  const inLots = (lots: Record<string, number>) => makeProduct(shop.em(), { lots })
  const countLots = ({ id }: Product, lots: Record<string, number>) =>
    shop.em().transactional(tx => setLots(tx, id, portionsOf(lots)))
  const bellOfLot = async ({ id }: Product, lot: string, who: Account) =>
    (await shop.gql('query ($id: ID!, $lot: String) { product(id: $id) { bell(lot: $lot) } }', { id, lot }, who)).data
      .product.bell
  const removeLot = (productId: string, lot: string, who: Account) =>
    shop.gql(
      `mutation ($productId: ID!, $lot: String) { removeBell(productId: $productId, lot: $lot) { lot ${REFUSED} } }`,
      { productId, lot },
      who,
    )

  it('that is sold out is waited for while others are left, beside the product itself', async () => {
    const [nell, moss] = [await confirmed(), await inLots({ 4412: 0, 4417: 3 })]
    const { data } = await shop.gql('query ($id: ID!) { product(id: $id) { lots { code } soldOutLots } }', moss)
    expect(data.product).toEqual({ lots: [{ code: '4417' }], soldOutLots: ['4412'] })
    expect(await addLot(moss.id, ' 4412 ', nell)).toMatchObject({ isSet: true, lot: '4412', userErrors: [] })
    expect(await addLot(moss.id, '4412', nell)).toMatchObject({ isSet: true })
    expect(await waitingFor(moss)).toBe(1)
    expect([await bellOfLot(moss, '4412', nell), await bellOfLot(moss, '4417', nell)]).toEqual([true, false])
    expect(await bellOf(moss, nell)).toBe(false)
    expect((await shop.gql('{ bells { productId lot } }', {}, nell)).data.bells).toEqual([
      { productId: moss.id, lot: '4412' },
    ])
    await countLots(moss, { 4412: 0, 4417: 0 })
    await ringBells(shop.em())
    expect(await add(moss.id, null, nell)).toMatchObject({ isSet: true })
    expect(await waitingFor(moss)).toBe(2)
    expect((await removeLot(moss.id, '4412', nell)).data.removeBell).toEqual({ lot: '4412', userErrors: [] })
    expect([await bellOfLot(moss, '4412', nell), await bellOf(moss, nell)]).toEqual([false, true])
  })

  it('rings when it is back itself, once, and the letter names it and leads to it', async () => {
    const [nell, moss, email] = [await confirmed(), await inLots({ 4412: 0, 4417: 0 }), freshEmail()]
    await addLot(moss.id, '4412', nell)
    await addLot(moss.id, '4412', null, email)
    const [asked] = await mailsTo(shop, email)
    expect(present(asked).subject).toBe(`Tell you when lot 4412 of “${moss.name}” is back?`)
    const confirmation = `mutation ($token: String!) { confirmBell(token: $token) { isSet lot product { id } ${REFUSED} } }`
    expect((await shop.gql(confirmation, { token: tokenIn(present(asked)) })).data.confirmBell).toEqual({
      isSet: true,
      lot: '4412',
      product: { id: moss.id },
      userErrors: [],
    })
    await countLots(moss, { 4412: 0, 4417: 5 })
    await ringBells(shop.em())
    expect(await waitingFor(moss)).toBe(2)
    await countLots(moss, { 4412: 1, 4417: 5 })
    await Promise.all(Array.from({ length: 4 }, () => ringBells(shop.em())))
    await ringBells(shop.em())
    const [, letter] = await mailsTo(shop, email, 2)
    expect(present(letter).subject).toBe(`Lot 4412 of “${moss.name}” is back`)
    expect(present(letter).text).toContain(`lot 4412 of “${moss.name}” is in stock again`)
    expect(present(letter).text).toMatch(new RegExp(`/product/${moss.id}/[^ ?]*[?]lot=4412`))
    await expect
      .poll(() => lettersTo(nell.user.email), { timeout: 15_000 })
      .toEqual([`Lot 4412 of “${moss.name}” is back`])
    expect(await waitingFor(moss)).toBe(0)
  })

  it('comes back by an order that is given up, too', async () => {
    const [nell, pearl, moss] = [await confirmed(), await makeUser(shop.em()), await inLots({ 4412: 2, 4417: 9 })]
    const order = await placed(shop, pearl, [{ ...line(moss, 2), lots: portionsOf({ 4412: 2 }) }])
    await addLot(moss.id, '4412', nell)
    await ringBells(shop.em())
    expect(await waitingFor(moss)).toBe(1)
    await cancelOrder(shop, pearl, order.id)
    await ringBells(shop.em())
    expect(nth(await mailsTo(shop, nell.user.email), 0).subject).toBe(`Lot 4412 of “${moss.name}” is back`)
  })

  it('is one the shop has had: of an order, when it was taken off the list since', async () => {
    const [nell, pearl, moss] = [await confirmed(), await makeUser(shop.em()), await inLots({ 4412: 2, 4417: 9 })]
    await placed(shop, pearl, [{ ...line(moss, 2), lots: portionsOf({ 4412: 2 }) }])
    await countLots(moss, { 4417: 9 })
    expect(await addLot(moss.id, '4412', nell)).toMatchObject({ isSet: true })
    const plain = await soldOut()
    for (const [id, lot] of [
      [moss.id, '4499'],
      [moss.id, 'write to evil.example'],
      [plain.id, '4412'],
    ] as const)
      expect((await addLot(id, lot, nell)).userErrors).toEqual([{ code: 'NOT_FOUND', field: ['lot'] }])
    expect((await addLot(moss.id, '4417', nell)).userErrors).toEqual([{ code: 'IN_STOCK', field: null }])
    for (const lot of ['', '\0', 'x'.repeat(41), '1:2']) {
      expect((await addLot(moss.id, lot, nell)).userErrors).toEqual([{ code: 'INVALID', field: ['lot'] }])
      expect(await bellOfLot(moss, lot, nell)).toBe(false)
    }
  })
})

it('tells administrators alone how many wait', async () => {
  const moss = await soldOut()
  const [nell, admin] = [await confirmed(), await makeUser(shop.em(), { isAdmin: true })]
  await add(moss.id, null, nell)
  await waiting(moss)
  const asked = (who: Account | null) =>
    shop.gql('query ($id: ID!) { product(id: $id) { bellsWaiting } }', { id: moss.id }, who)
  expect((await asked(admin)).data.product.bellsWaiting).toBe(2)
  expect((await asked(nell)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  expect((await asked(null)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
})
