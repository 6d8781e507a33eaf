import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { present } from '#schema/rules/present'
import { clock } from '../kernel/clock.ts'
import { ask, REFUSED, upload } from '../testing/admin.ts'
import { Mail } from '../mail/mail.entity.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, approvedPayment, bought, capturePaypalOrder, line, placed, placeOrder } from '../testing/purchase.ts'
import {
  makeKey,
  makeProduct,
  makeUser,
  openShop,
  picturesDiscarded,
  type Account,
  type TestShop,
} from '../testing/shop.ts'
import { addToStash } from '../stash/keep-stash.ts'
import { cancelEmailChange, confirmEmail } from './confirm-email.ts'
import { SECTIONS } from './export-account.ts'
import { hashPassword } from './password.ts'
import { SecondFactor } from './second-factor.entity.ts'
import { Session } from './session.entity.ts'
import { User } from './user.entity.ts'

const PASSWORD = 'two sleeves and a yoke'
const PROOF = { currentPassword: PASSWORD }

/** Words that appear in a shop only where this person's data is. */
const HER = {
  name: 'Philippa Quillfeather',
  street: '17 Bobbinwinder Row',
  street2: 'Attic of Mrs Threnody',
  city: 'Nether Picklestitch',
  phone: '+1 207 555 0199',
}

let shop: TestShop
let passwordHash: string
let admin: Account
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
  shop = await openShop({ mail: { to: 'mailbox' } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  admin = await makeUser(shop.em(), { isAdmin: true, passwordHash })
})

let serial = 0
const makeHer = () =>
  makeUser(shop.em(), { name: HER.name, email: `philippa.${++serial}@quillfeather.example`, passwordHash })

const remove = async (who: Account, proof: object = PROOF) =>
  (
    await ask(shop, who, `mutation($proof: AccountProofInput!) { deleteAccount(proof: $proof) { ${REFUSED} } }`, {
      proof,
    })
  ).deleteAccount.userErrors
const link = async (who: Account, proof: object = PROOF) =>
  (
    await ask(
      shop,
      who,
      `mutation($proof: AccountProofInput!) { exportAccount(proof: $proof) { path expiresAt ${REFUSED} } }`,
      { proof },
    )
  ).exportAccount
const download = (path: string) => fetch(shop.url + path)
const codes = (errors: readonly { code: string }[]) => errors.map(({ code }) => code)
const isOpen = async ({ id }: Account) => (await shop.em().findOneOrFail(User, { id })).closedAt === null

const herAddress = {
  ...ADDRESS,
  name: HER.name,
  address: HER.street,
  address2: HER.street2,
  city: HER.city,
  phone: HER.phone,
}

/** Makes an account leave a trace wherever a shopper can. */
async function live(who: Account) {
  const em = shop.em()
  const [moss, slate, soldOut] = [
    await makeProduct(em),
    await makeProduct(em),
    await makeProduct(em, { countInStock: 0 }),
  ]
  const order = async (paid: boolean) => {
    const { order } = await placeOrder(shop, who, [line(moss)], {
      shippingAddress: herAddress,
      customerNote: `Leave it with ${HER.street}`,
    })
    if (paid) {
      const done = await capturePaypalOrder(
        shop,
        who,
        present(order).id,
        await approvedPayment(shop, who, present(order).id),
      )
      expect(done.userErrors).toEqual([])
      await ask(shop, admin, `mutation($id: ID!) { deliverOrder(id: $id) { ${REFUSED} } }`, { id: present(order).id })
    }
    return present(order).id
  }
  const [paid, unpaid] = [await order(true), await order(false)]
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#7a3b52' } })
    .jpeg()
    .toBuffer()
  const { data } = await upload(
    shop,
    who,
    'mutation($file: Upload!) { uploadReviewPicture(file: $file) { image } }',
    'file',
    new Blob([picture as Uint8Array<ArrayBuffer>]),
  )
  const { image } = data.uploadReviewPicture
  const { createReview } = await ask(
    shop,
    who,
    `mutation($id: ID!, $input: ReviewInput!) { createReview(productId: $id, input: $input) { review { id } ${REFUSED} } }`,
    { id: moss.id, input: { rating: 5, comment: 'Blooms after washing.', pictures: [{ image }] } },
  )
  await ask(
    shop,
    who,
    `mutation($stashed: ID!, $waited: ID!, $cart: CartInput!, $address: AddressInput!) {
      addToStash(productId: $stashed) { ${REFUSED} }
      addBell(productId: $waited) { ${REFUSED} }
      changeCart(input: $cart) { ${REFUSED} }
      addAddress(input: $address) { ${REFUSED} }
    }`,
    {
      stashed: slate.id,
      cart: { shippingAddress: herAddress },
      waited: soldOut.id,
      address: { label: HER.street2, shippingAddress: herAddress },
    },
  )
  const { user } = who
  await em.execute(
    `insert into newsletter_subscriptions (email_key, email, created_at, confirmed_at) values (?, ?, now(), now())`,
    [user.emailKey, user.email],
  )
  await ask(
    shop,
    admin,
    `mutation($id: ID!, $input: AnnotationInput!) { annotateUser(id: $id, input: $input) { ${REFUSED} } }`,
    { id: who.id, input: { note: `Ring ${HER.phone}`, tags: ['quillfeather'] } },
  )
  await ask(shop, who, `mutation($input: ProfileInput!) { updateProfile(input: $input) { ${REFUSED} } }`, {
    input: { name: `${HER.name} II`, email: user.email },
  })
  const key = await makeKey(em, who, ['READ_ORDERS'])
  return { moss, paid, unpaid, image: present(image), reviewId: present(createReview.review).id, key }
}

/** Every value in every table that contains one of these words. Mails are left out, because they are deleted after a month. */
async function mentions(words: readonly string[]): Promise<string[]> {
  const em = shop.em()
  const tables = await em.execute<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mails'`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await em.execute<{ row: string }[]>(
        `select t::text as row from "${name}" t where t::text ilike any (array[${words.map(() => '?').join(', ')}])`,
        words.map(word => `%${word}%`),
      )
      return rows.map(({ row }) => `${name}: ${row}`)
    }),
  )
  return found.flat()
}

describe('deleting one’s own account', () => {
  it('leaves nothing of the person in the database, but for whom invoices were for', async () => {
    const her = await makeHer()
    const { email } = her.user
    const { moss, paid, unpaid, image, reviewId, key } = await live(her)
    expect(await remove(her)).toEqual([])

    const rest = await mentions(['quillfeather', 'bobbinwinder', 'threnody', 'picklestitch', '555 0199'])
    expect(rest).toEqual([expect.stringMatching(/^invoice_recipients: .*Philippa Quillfeather.*Bobbinwinder/)])
    expect(rest[0]).not.toContain('555 0199')

    // What the books keep.
    const { orders } = await ask(
      shop,
      admin,
      `{ orders { items { id status totalPrice user { name email isGuest }
      shippingAddress { name address city state postalCode country phone } } } }`,
    )
    const nobody = { name: 'Deleted account', email: '', isGuest: false }
    expect(orders.items.find(({ id }) => id === paid)).toMatchObject({
      status: 'DELIVERED',
      user: nobody,
      shippingAddress: {
        name: 'Deleted account',
        address: '',
        city: '',
        state: 'ME',
        postalCode: '04579',
        country: 'United States',
        phone: '',
      },
    })
    expect(orders.items.find(({ id }) => id === unpaid)).toMatchObject({
      status: 'CANCELLED',
      user: nobody,
      shippingAddress: { state: '', postalCode: '', country: 'United States' },
    })
    const stocked = await shop
      .em()
      .execute<{ count_in_stock: number }[]>('select count_in_stock from products where id = ?', [moss.id])
    expect(stocked).toEqual([{ count_in_stock: 9 }])

    // What the reviews keep.
    const { data } = await shop.gql(
      'query($id: ID!) { product(id: $id) { numReviews rating reviews { items { id name comment pictures { image } } } } }',
      { id: moss.id },
    )
    expect(data.product).toMatchObject({
      numReviews: 1,
      rating: 5,
      reviews: { items: [{ id: reviewId, name: 'A former customer', comment: 'Blooms after washing.', pictures: [] }] },
    })
    await picturesDiscarded(shop)
    expect((await fetch(shop.url + image)).status).toBe(404)

    // No way in is left.
    for (const token of [her.token, key.token])
      expect((await shop.gql('{ viewer { id } }', {}, { token })).status).toBe(401)
    const login = await shop.gql(
      `mutation($email: String!, $password: String!) { login(email: $email, password: $password) { ${REFUSED} } }`,
      { email, password: PASSWORD },
    )
    expect(codes(login.data.login.userErrors)).toEqual(['WRONG_CREDENTIALS'])

    // One mail about it, and no other.
    const letters = async () =>
      (await shop.em().find(Mail, { recipient: email, sentAt: { $ne: null } })).map(({ subject }) => subject)
    await expect.poll(letters, { timeout: 15_000 }).toContain('Your account is deleted')
    await sleep(300)
    expect(await mailsTo(shop, '', 0)).toEqual([])

    const { auditLog } = await ask(
      shop,
      admin,
      `query($id: ID!) { auditLog(filter: { entityId: $id }) { items { action label actor { name } changes { field } } } }`,
      { id: her.id },
    )
    expect(auditLog.items[0]).toEqual({
      action: 'DELETED',
      label: 'Deleted account',
      actor: { name: 'Deleted account' },
      changes: [],
    })
    expect(new Set(auditLog.items.map(({ label }) => label))).toEqual(new Set(['Deleted account']))

    // The same person may register again.
    const again = await shop.gql(
      `mutation($input: RegisterInput!) { register(input: $input) { user { id orders { edges { node { id } } } } ${REFUSED} } }`,
      { input: { name: HER.name, email, password: PASSWORD } },
    )
    expect(again.data.register).toMatchObject({ user: { orders: { edges: [] } }, userErrors: [] })
    expect(present(again.data.register.user).id).not.toBe(her.id)
  })

  it('keeps whom an invoice was for as long as the law wants, for the invoice alone', async () => {
    const her = await makeHer()
    const { paid } = await live(her)
    const invoice = async () => {
      const answer = await fetch(`${shop.url}/api/orders/${paid}/invoice.pdf`, {
        headers: { authorization: `Bearer ${admin.token}` },
      })
      expect(answer.status).toBe(200)
      return (await answer.arrayBuffer()).byteLength
    }
    expect(await remove(her)).toEqual([])
    const named = await invoice()
    const rows = () => shop.em().execute('select 1 from invoice_recipients where order_id = ?', [paid])
    expect(await rows()).toHaveLength(1)
    await shop
      .em()
      .execute(`update invoice_recipients set keep_until = now() - interval '1 day' where order_id = ?`, [paid])
    onTestFinished((await shop.another({ sweeps: true })).stop)
    await expect.poll(rows, { timeout: 40_000, interval: 500 }).toHaveLength(0)
    expect(await invoice()).toBeLessThan(named)
  })

  it('takes the password, or having signed in just now where there is none, and no key does for that', async () => {
    const her = await makeHer()
    expect(codes(await remove(her, {}))).toEqual(['CURRENT_PASSWORD'])
    expect(codes(await remove(her, { currentPassword: 'one sleeve' }))).toEqual(['CURRENT_PASSWORD'])
    expect(codes((await link(her, { currentPassword: 'one sleeve' })).userErrors)).toEqual(['CURRENT_PASSWORD'])

    await shop.em().nativeUpdate(User, { id: her.id }, { passwordHash: null })
    await shop
      .em()
      .nativeUpdate(Session, { user: her.id }, { createdAt: new Date(clock.now().getTime() - 16 * 60_000) })
    const key = await makeKey(shop.em(), her, ['ADMIN'])
    for (const token of [her.token, key.token])
      expect(codes(await remove({ ...her, token }, {}))).toEqual(['SIGN_IN_AGAIN'])
    expect(await isOpen(her)).toBe(true)
    await shop.em().nativeUpdate(Session, { user: her.id }, { createdAt: clock.now() })
    expect(await remove(her, {})).toEqual([])
    expect(await isOpen(her)).toBe(false)
  })

  it('takes a code from who has a second factor', async () => {
    const secret = new Secret({ size: 20 }).base32
    await shop.em().transactional(async em => {
      em.create(SecondFactor, { userId: admin.id, secret, createdAt: clock.now() })
      await em.nativeUpdate(User, { id: admin.id }, { secondFactorAt: clock.now() })
    })
    expect(codes(await remove(admin))).toEqual(['SECOND_FACTOR_REQUIRED'])
    expect(codes(await remove(admin, { ...PROOF, code: '000000' }))).toEqual(['SECOND_FACTOR_WRONG'])
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() })
    await makeUser(shop.em(), { isAdmin: true })
    expect(await remove(admin, { ...PROOF, code })).toEqual([])
    expect(await shop.em().count(SecondFactor, { userId: admin.id })).toBe(0)
  })

  it('never takes the last administrator, also when all leave at once', async () => {
    await shop.em().execute('update users set is_admin = false where id <> ?', [admin.id])
    expect(codes(await remove(admin))).toEqual(['LAST_ADMIN'])
    const others = await Promise.all([1, 2, 3].map(() => makeUser(shop.em(), { isAdmin: true, passwordHash })))
    const outcomes = await Promise.all([admin, ...others].map(who => remove(who)))
    expect(outcomes.flat().map(({ code }) => code)).toEqual(['LAST_ADMIN'])
    expect(await shop.em().count(User, { isAdmin: true, closedAt: null })).toBe(1)
  })

  it('waits for a parcel that the shop owes, and for money that is on its way', async () => {
    const her = await makeHer()
    const yarn = await makeProduct(shop.em())
    const order = await bought(shop, her, [line(yarn)])
    const waiting = await placed(shop, her, [line(yarn)])
    const refused = await remove(her)
    expect(refused).toMatchObject([{ code: 'ORDERS_UNDER_WAY', message: expect.stringContaining(order.reference) }])
    const status = async () =>
      present((await ask(shop, her, 'query($id: ID!) { order(id: $id) { status } }', { id: waiting.id })).order).status
    expect(await status()).toBe('UNPAID')
    await ask(shop, admin, `mutation($id: ID!) { deliverOrder(id: $id) { ${REFUSED} } }`, { id: order.id })

    await shop.em().execute(
      `insert into payment_attempts (id, order_id, paypal_order_id, number, request_id, state, created_at, updated_at)
       values (gen_random_uuid(), ?, ?, 1, ?, 'PENDING', now(), now())`,
      [waiting.id, `P-${waiting.id}`, `R-${waiting.id}`],
    )
    expect(codes(await remove(her))).toEqual(['PAYMENT_PENDING'])
    await shop.em().execute(`update payment_attempts set state = 'FAILED' where order_id = ?`, [waiting.id])
    expect(await remove(her)).toEqual([])
  })

  it('lets no order slip in that names the person', async () => {
    const her = await makeHer()
    const yarn = await makeProduct(shop.em(), { countInStock: 100 })
    const asked = Array.from({ length: 6 }, (_, index) =>
      index === 3
        ? remove(her)
        : shop.gql(
            `mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }`,
            { input: { lines: [line(yarn)], shippingAddress: herAddress } },
            her,
          ),
    )
    await Promise.all(asked)
    expect(await isOpen(her)).toBe(false)
    expect(
      await shop
        .em()
        .execute(`select 1 from orders where user_id = ? and (user_email <> '' or cancelled_at is null)`, [her.id]),
    ).toEqual([])
    expect(await shop.em().execute('select count_in_stock from products where id = ?', [yarn.id])).toEqual([
      { count_in_stock: 100 },
    ])
  })

  it('lets nothing be written down of the person any more that was asked for before', async () => {
    const her = await makeHer()
    const yarn = await makeProduct(shop.em())
    const asked = await shop.em().findOneOrFail(User, { id: her.id })
    expect(await remove(her)).toEqual([])
    const refused = { extensions: { code: 'UNAUTHENTICATED' } }
    await expect(addToStash(shop.em(), asked, yarn.id)).rejects.toMatchObject(refused)
    await expect(cancelEmailChange(shop.em(), asked)).rejects.toMatchObject(refused)
    await expect(confirmEmail(shop.em(), asked, 'a link from before')).rejects.toMatchObject(refused)
  })

  it('forgets nothing about an address that anybody may have typed', async () => {
    const stranger = await makeUser(shop.em(), { email: 'reader@example.com', passwordHash, emailVerifiedAt: null })
    await shop
      .em()
      .execute(
        `insert into newsletter_subscriptions (email_key, email, created_at, confirmed_at) values ('reader@example.com', 'reader@example.com', now(), now())`,
      )
    const { path } = await link(stranger)
    expect(await (await download(present(path))).json()).toMatchObject({ newsletter: [] })
    expect(await remove(stranger)).toEqual([])
    expect(
      await shop.em().execute(`select 1 from newsletter_subscriptions where email_key = 'reader@example.com'`),
    ).toHaveLength(1)
  })
})

describe('a copy of everything the shop stores about an account', () => {
  it('has everything, for whoever has the link, for an hour', async () => {
    const her = await makeHer()
    const { moss, paid, unpaid, reviewId } = await live(her)
    const { path, expiresAt, userErrors } = await link(her)
    expect(userErrors).toEqual([])
    expect(new Date(present(expiresAt)).getTime() - clock.now().getTime()).toBeGreaterThan(3_500_000)
    const file = await download(present(path))
    expect(file.headers.get('content-disposition')).toContain('account.json')
    expect(file.headers.get('cache-control')).toContain('no-store')
    const copy = (await file.json()) as Record<string, Record<string, unknown>[]>
    expect(copy).toMatchObject({
      account: [{ id: her.id, email: her.user.email, note: `Ring ${HER.phone}`, tags: ['quillfeather'] }],
      reviews: [{ id: reviewId, rating: 5 }],
      addresses: [{ label: HER.street2, shippingAddress: { address: HER.street } }],
      stash: [{}],
      cart: [{ shippingAddress: { name: HER.name } }],
      waitsFor: [{}],
      newsletter: [{ email: her.user.email }],
      apiKeys: [{ name: 'Warehouse' }],
      sessions: [{}],
    })
    expect(present(copy['orders']).map(({ id }) => id)).toEqual([paid, unpaid].toSorted())
    expect(present(copy['orders']).find(({ id }) => id === paid)).toMatchObject({
      shippingAddress: { phone: HER.phone },
      items: [{ productId: moss.id, quantity: 1 }],
      payments: [{ amount: expect.any(Number) }],
      parcels: [{}],
    })
    const text = JSON.stringify(copy)
    expect(text).not.toContain(passwordHash)
    for (const hash of ['tokenHash', 'keyHash', 'secret', 'stopToken']) expect(text).not.toContain(hash)

    expect((await download(`/api/account-exports/${'A'.repeat(43)}`)).status).toBe(404)
    await shop.em().execute(`update account_exports set created_at = now() - interval '61 minutes'`)
    expect((await download(present(path))).status).toBe(404)
  })

  it('has as much as there is', async () => {
    const her = await makeHer()
    await shop.em().execute(
      `insert into addresses (id, user_id, label, shipping_address, is_default, created_at)
       select gen_random_uuid(), ?, n::text, '{}', false, now() from generate_series(1, 450) n`,
      [her.id],
    )
    const { path } = await link(her)
    const { addresses } = (await (await download(present(path))).json()) as { addresses: { label: string }[] }
    expect(new Set(addresses.map(({ label }) => label)).size).toBe(450)
  })

  it('is no more once the account is deleted, or the password is another', async () => {
    const her = await makeHer()
    const { path } = await link(her)
    await ask(shop, her, `mutation($input: ProfileInput!) { updateProfile(input: $input) { ${REFUSED} } }`, {
      input: { name: HER.name, email: her.user.email, password: 'a third sleeve, too', currentPassword: PASSWORD },
    })
    expect((await download(present(path))).status).toBe(404)
  })

  it('is made a few times an hour', async () => {
    const her = await makeHer()
    const made = await Promise.all(
      Array.from({ length: 12 }, () =>
        shop.gql(
          'mutation($proof: AccountProofInput!) { exportAccount(proof: $proof) { path } }',
          { proof: PROOF },
          her,
        ),
      ),
    )
    expect(made.filter(({ errors }) => errors?.[0]?.extensions.code === 'RATE_LIMITED')).toHaveLength(2)
  })

  it('reads every table that belongs to accounts, or says why it does not', async () => {
    const NOT_EXPORTED = {
      account_exports: 'these links',
      bulk_answers: 'answers to programs, of a day',
      email_confirmations: 'links in letters that are listed',
      exports: 'files of the shop, of a day, made by administrators',
      password_resets: 'links in letters that are listed',
      order_incidents: 'who dealt with orders of others',
      product_imports: 'the shop’s products',
      recovery_codes: 'hashes alone',
      second_factors: 'a secret; since when is with the account',
      series_codes: 'with the newsletter',
      webhooks: 'the shop’s partners',
    }
    const tables = await shop
      .em()
      .execute<{ name: string }[]>(
        `select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'users'::regclass`,
      )
    const exported = Object.values(SECTIONS)
      .map(({ rows, shows }) => rows + shows)
      .join(' ')
    const missing = tables.map(({ name }) => name).filter(name => !new RegExp(`\\b${name}\\b`).test(exported))
    expect(missing.toSorted()).toEqual(Object.keys(NOT_EXPORTED).toSorted())
  })
})
