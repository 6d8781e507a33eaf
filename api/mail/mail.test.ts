import { afterEach, describe, expect, it } from 'vitest'
import { formatCents } from '#schema/rules/money'
import { bought, cancelOrder, line, placed, placeOrder } from '../testing/purchase.ts'
import { mailsTo, startMailServer, tokenIn } from '../testing/mail.ts'
import { makeProduct, makeUser, openShop, portionsOf, type TestShop } from '../testing/shop.ts'
import { queueMail } from './queue-mail.ts'
import { forgetMails } from './send-mail.ts'
import { nth, present } from '#schema/rules/present'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

async function withMailServer() {
  const server = await startMailServer()
  opened.push(server)
  const shop = await openShop({ mail: { to: 'smtp', url: server.url, from: 'Skein <orders@skein.example>' } })
  opened.push(shop)
  return { server, shop }
}
async function withMailbox(overrides: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop({ mail: { to: 'mailbox' }, ...overrides })
  opened.push(shop)
  return shop
}

const mails = (shop: TestShop) => shop.em().execute<Record<string, unknown>[]>('select * from mails order by id')
/** Those that are to be sent, and in how many seconds. */
const due = (shop: TestShop) =>
  shop
    .em()
    .execute<{ waits: number }[]>(
      'select extract(epoch from due_at - now())::float as waits from mails where due_at is not null',
    )
const soon = { timeout: 10_000, interval: 100 }
/** How many were tried and are to be tried again: neither new nor in hand. */
const retries = (shop: TestShop) => due(shop).then(mails => mails.filter(({ waits }) => waits > 1 && waits < 50).length)
const retryNow = (shop: TestShop) =>
  shop.em().execute(`update mails set due_at = now() - interval '1 second' where due_at is not null`)

/** A header of a mail as it was sent. */
const header = (data: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(data)?.[1]

describe('a mail', () => {
  it('goes to the mail server once, as text and as HTML', async () => {
    const { server, shop } = await withMailServer()
    const { user } = await makeUser(shop.em(), { name: 'Nell', email: 'nell@example.com' })
    await placed(shop, await makeUser(shop.em(), { email: 'purl@example.com' }), [line(await makeProduct(shop.em()))])
    await expect.poll(() => server.delivered.length, soon).toBe(1)
    const [{ from, to, data }] = server.delivered as [(typeof server.delivered)[number]]
    expect({ from, to }).toEqual({ from: 'orders@skein.example', to: ['purl@example.com'] })
    expect(data).toMatch(/^Subject: Your order #\d+$/m)
    expect(data).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(data).toMatch(/text\/plain/)
    expect(data).toMatch(/text\/html/)
    expect(header(data, 'Auto-Submitted')).toBe('auto-generated')
    expect(user.email).not.toBe(to[0])

    const [mail] = await mails(shop)
    expect(header(data, 'Message-ID')).toBe(`<${present(mail)['id']}@skein.example>`)
    // The shop does not keep a mail that a mail server has accepted.
    await expect
      .poll(async () => (await mails(shop))[0], soon)
      .toMatchObject({ sent_at: expect.any(String), recipient: null, subject: null, text: null, html: null })
  })

  it('is tried again, later and later, under the same id, until the mail server takes it', async () => {
    const { server, shop } = await withMailServer()
    server.answer('MAIL', '451 come back later')
    await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await expect.poll(() => retries(shop), soon).toBe(1)
    expect(nth(await due(shop), 0).waits).toBeGreaterThan(2)
    server.answer('MAIL', undefined)
    server.answer('DATA', 'hang up')
    await shop.em().execute(`update mails set created_at = now() - interval '1 hour', due_at = now()`)
    await expect.poll(async () => (await due(shop))[0]?.waits, soon).toBeGreaterThan(3_500)
    server.answer('DATA', undefined)
    await retryNow(shop)
    await expect.poll(() => server.delivered.length, soon).toBe(1)
    await expect.poll(() => due(shop), soon).toEqual([])
    expect(server.delivered).toHaveLength(1)
  })

  it('is given up when the mail server has not taken it for three days', async () => {
    const { server, shop } = await withMailServer()
    server.answer('MAIL', '451 come back later')
    await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await expect.poll(() => retries(shop), soon).toBe(1)
    await shop.em().execute(`update mails set created_at = now() - interval '73 hours', due_at = now()`)
    await expect.poll(() => due(shop), soon).toEqual([])
    expect(await mails(shop)).toMatchObject([{ sent_at: null }])
  })

  it('in the hands of a process that died is sent by another one a minute later, and by nobody before', async () => {
    const { server, shop } = await withMailServer()
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await expect.poll(() => server.delivered.length, soon).toBe(1)
    const waiting = (seconds: number) =>
      shop
        .em()
        .execute(
          `insert into mails (id, kind, about, created_at, due_at) values (gen_random_uuid(), 'ORDER_PAID', ?::jsonb, now(), now() + ? * interval '1 second')`,
          [JSON.stringify({ orderId: order.id }), seconds],
        )
    await waiting(60)
    await waiting(0)
    await expect.poll(() => server.delivered.length, soon).toBe(2)
    await expect.poll(() => due(shop), soon).toHaveLength(1)
  })

  it('is sent once, however many processes look', async () => {
    const { server, shop } = await withMailServer()
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    const other = await shop.another()
    opened.push({ close: other.stop })
    await shop
      .em()
      .execute(
        `insert into mails (id, kind, about, created_at, due_at) select gen_random_uuid(), 'ORDER_PAID', ?::jsonb, now(), now() from generate_series(1, 40)`,
        [JSON.stringify({ orderId: order.id })],
      )
    await expect.poll(() => due(shop), soon).toEqual([])
    expect(server.delivered).toHaveLength(41)
  })

  it('of the version before, which has a job, is sent once', async () => {
    const { server, shop } = await withMailServer()
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await expect.poll(() => server.delivered.length, soon).toBe(1)
    await shop.em().execute(
      `with made as (insert into mails (id, kind, about, created_at) values (gen_random_uuid(), 'ORDER_PAID', ?::jsonb, now()) returning id)
       insert into pgboss.job (name, data) select 'mail', jsonb_build_object('id', id) from made`,
      [JSON.stringify({ orderId: order.id })],
    )
    await expect.poll(() => server.delivered.length, soon).toBe(2)
    await expect.poll(() => due(shop), soon).toEqual([])
  })

  it('that was taken, but whose yes got lost, comes again as the same mail; the link in each works', async () => {
    const { server, shop } = await withMailServer()
    await makeUser(shop.em(), { email: 'nell@example.com' })
    // The server accepts the mail, but closes the connection instead of confirming.
    server.answer('END', 'hang up')
    await shop.gql('mutation { requestPasswordReset(email: "nell@example.com") { mailbox } }')
    await expect.poll(() => retries(shop), soon).toBe(1)
    const [first] = await shop.em().execute<[{ token_hash: string }]>('select token_hash from password_resets')
    server.answer('END', undefined)
    await retryNow(shop)
    await expect.poll(() => server.delivered.length, soon).toBe(1)
    const links = await shop.em().execute<{ token_hash: string }[]>('select token_hash from password_resets')
    expect(links).toHaveLength(2)
    expect(links).toContainEqual(first)
  })

  it('to an address the mail server refuses for good is given up and forgotten', async () => {
    const { server, shop } = await withMailServer()
    server.answer('RCPT', '550 no such mailbox')
    await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await expect.poll(() => mails(shop), soon).toEqual([])
  })

  it.each([
    ['nell,purl@example.com', '"nell,purl"@example.com'],
    ['"nell"purl@example.com', String.raw`"\"nell\"purl"@example.com`],
    ['nell;x@example.com', '"nell;x"@example.com'],
    ['bcc:nell@example.com', '"bcc:nell"@example.com'],
  ])('to %j goes there, and to nobody whose address is a part of it', async (email, address) => {
    const { server, shop } = await withMailServer()
    await placed(shop, await makeUser(shop.em(), { email }), [line(await makeProduct(shop.em()))])
    await expect.poll(() => server.delivered.length, soon).toBe(1)
    expect(nth(server.delivered, 0).to).toEqual([address])
  })

  it('is not there when its cause was rolled back', async () => {
    const shop = await withMailbox()
    const order = await placed(shop, await makeUser(shop.em()), [line(await makeProduct(shop.em()))])
    await expect.poll(() => due(shop), soon).toEqual([])
    const before = await mails(shop)
    const cause = shop.em().transactional(async tx => {
      queueMail(tx, 'ORDER_PAID', { orderId: order.id })
      await tx.flush()
      throw new Error('Moths.')
    })
    await expect(cause).rejects.toThrow('Moths.')
    expect(await mails(shop)).toEqual(before)
  })

  it('is forgotten after 30 days', async () => {
    const shop = await withMailbox()
    const nell = await makeUser(shop.em())
    for (let made = 0; made < 2; made++) await placed(shop, nell, [line(await makeProduct(shop.em()))])
    const [old] = await mails(shop)
    await shop
      .em()
      .execute(`update mails set created_at = now() - interval '30 days 1 minute' where id = ?`, [present(old)['id']])
    await forgetMails(shop.em())
    const left = await mails(shop)
    expect(left).toHaveLength(1)
    expect(left).not.toContainEqual(old)
  })

  it('stays where it is in a shop that sends none', async () => {
    const shop = await openShop()
    opened.push(shop)
    await placed(shop, await makeUser(shop.em(), { email: 'nell@example.com' }), [line(await makeProduct(shop.em()))])
    const answer = await shop.gql(
      'mutation { requestPasswordReset(email: "nell@example.com") { mailbox userErrors { code } } }',
    )
    expect(answer.data.requestPasswordReset).toEqual({ mailbox: null, userErrors: [{ code: 'MAIL_OFF' }] })
    expect(await mails(shop)).toMatchObject([{ due_at: null, sent_at: null, text: null }])
    expect(await shop.em().execute('select * from password_resets')).toEqual([])
  })
})

describe('an order', () => {
  it('is written about when it is placed, paid and delivered, once each, with its lines, totals and link', async () => {
    const shop = await withMailbox({ shopUrl: 'https://skein.example' })
    const [nell, admin] = [
      await makeUser(shop.em(), { name: 'Nell', email: 'nell@example.com' }),
      await makeUser(shop.em(), { isAdmin: true }),
    ]
    const order = await bought(shop, nell, [
      line(await makeProduct(shop.em(), { name: 'Moss & <b>Stone</b>', price: 2450 }), 3),
    ])
    for (let twice = 0; twice < 2; twice++)
      await shop.gql(
        'mutation($ids: [ID!]!) { deliverOrders(ids: $ids) { userErrors { code } } }',
        { ids: [order.id] },
        admin,
      )
    const letters = await mailsTo(shop, 'nell@example.com', 3)
    expect(letters.map(({ subject }) => subject)).toEqual([
      `Your order ${order.reference}`,
      `Paid: your order ${order.reference}`,
      `Delivered: your order ${order.reference}`,
    ])
    for (const { text, html } of letters) {
      expect(text).toMatch(/^Hello Nell,\n/)
      expect(text).toContain('3 × Moss & <b>Stone</b>: $73.50')
      expect(text).toContain('Total: $')
      expect(text).toContain(`https://skein.example/order/${order.id}`)
      expect(html).toContain('Moss &amp; &lt;b&gt;Stone&lt;/b&gt;')
    }
  })

  it('is told with its dye lots when it is placed, paid and sent', async () => {
    const shop = await withMailbox()
    const [nell, admin] = [
      await makeUser(shop.em(), { email: 'nell@example.com' }),
      await makeUser(shop.em(), { isAdmin: true }),
    ]
    const mixed = await makeProduct(shop.em(), { name: 'Mixed', lots: { 4412: 2, 4417: 1 } })
    const one = await makeProduct(shop.em(), { name: 'One', lots: { A: 5 } })
    const lots = portionsOf({ 4412: 2, 4417: 1 })
    const order = await bought(shop, nell, [{ ...line(mixed, 3), lots }, line(one, 2)])
    for (const quantity of [1, 2])
      await shop.gql(
        'mutation($id: ID!, $lines: [FulfilmentLineInput!]) { fulfilOrder(id: $id, lines: $lines, isSent: true) { userErrors { code } } }',
        {
          id: order.id,
          lines: [mixed, one].map(({ id }) => ({ productId: id, quantity: Math.min(quantity, id === one.id ? 1 : 2) })),
        },
        admin,
      )
    const texts = (await mailsTo(shop, 'nell@example.com', 4)).map(({ text }) => text)
    for (const text of texts.slice(0, 2)) {
      expect(text).toMatch(/3 × Mixed: .*\n    2 of lot 4412 and 1 of lot 4417\n/)
      expect(text).toMatch(/2 × One: .*\n    Lot A\n/)
    }
    expect(texts[2]).toMatch(/1 × Mixed\n    Lot 4412\n/)
    expect(texts[3]).toMatch(/2 × Mixed\n    1 of lot 4412 and 1 of lot 4417\n/)
    for (const text of texts.slice(2)) expect(text).toMatch(/1 × One\n    Lot A\n/)
  })

  it('is written about once when it is cancelled, however often it is', async () => {
    const shop = await withMailbox()
    const nell = await makeUser(shop.em(), { email: 'nell@example.com' })
    const order = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    for (let twice = 0; twice < 2; twice++) await cancelOrder(shop, nell, order.id)
    const [, letter] = await mailsTo(shop, 'nell@example.com', 2)
    expect(letter).toMatchObject({
      subject: `Cancelled: your order ${order.reference}`,
      text: expect.stringMatching(/You cancelled this order on .+ UTC\. Nothing was charged/),
    })
  })

  it('is written about once for each refund, with its amount, its reason and what is left', async () => {
    const shop = await withMailbox()
    const nell = await makeUser(shop.em(), { email: 'nell@example.com' })
    const admin = await makeUser(shop.em(), { isAdmin: true })
    const order = await bought(shop, nell, [line(await makeProduct(shop.em(), { price: 2000 }))])
    for (let twice = 0; twice < 2; twice++)
      await shop.gql(
        'mutation($id: ID!) { refundOrder(orderId: $id, amount: 500, reason: "Moths", idempotencyKey: "moths") { userErrors { code } } }',
        { id: order.id },
        admin,
      )
    const [, , letter] = await mailsTo(shop, 'nell@example.com', 3)
    expect(letter.subject).toBe(`Refunded: $5.00 of your order ${order.reference}`)
    expect(letter.text).toContain('We have sent $5.00 back to you')
    expect(letter.text).toContain('The reason: Moths')
    expect(letter.text).toContain(
      `Total: ${formatCents(order.totalPrice)}\nRefunded: -$5.00\nPaid after refunds: ${formatCents(order.totalPrice - 500)}`,
    )
  })

  it.each([
    ['Europe/Berlin', /, \d+:\d\d [AP]M GMT\+[12]\./],
    ['Atlantis/Capital', / UTC\./],
    [undefined, / UTC\./],
  ])('is told with the hours of whoever ordered, in the time zone %s', async (timeZone, words) => {
    const shop = await withMailbox()
    const nell = await makeUser(shop.em(), { email: 'nell@example.com' })
    const { userErrors } = await placeOrder(shop, nell, [line(await makeProduct(shop.em()))], { timeZone })
    expect(userErrors).toEqual([])
    expect((await mailsTo(shop, 'nell@example.com'))[0].text).toMatch(words)
  })

  it('repeats no name that a mail program would make a link of', async () => {
    const shop = await withMailbox()
    await placed(shop, await makeUser(shop.em(), { name: 'You won! evil.example/prize', email: 'nell@example.com' }), [
      line(await makeProduct(shop.em())),
    ])
    const [mail] = await mailsTo(shop, 'nell@example.com')
    expect(mail.text + mail.html).not.toContain('evil')
  })
})

describe('a letter of the house', () => {
  it('shows mark, pictures of the lines and where the shop is, and loads nothing else', async () => {
    const shop = await withMailbox({
      shopUrl: 'https://skein.example',
      contact: { name: 'Skein', email: 'hello@skein.example', address: '1 Wool Lane, Fen', taxId: null },
    })
    await placed(shop, await makeUser(shop.em(), { email: 'nell@example.com' }), [
      line(await makeProduct(shop.em(), { name: '"Moss" <b>', image: '/images/moss.webp' })),
      line(await makeProduct(shop.em(), { image: '' })),
    ])
    const { text, html } = (await mailsTo(shop, 'nell@example.com'))[0]
    expect(text).toMatch(/\n-- \nSkein\. Yarn and knitting supplies\.\n1 Wool Lane, Fen\nhello@skein\.example\n$/)
    expect(html).toContain('href="mailto:hello@skein.example"')
    expect(text).toMatch(/Estimated delivery: \w{3}, \w{3} \d+ – \w{3}, \w{3} \d+, if you pay today\./)
    const pictures = Array.from(html.matchAll(/<img[^>]+>/g), ([tag]) => tag)
    expect(pictures.map(tag => present(/src="([^"]+)"/.exec(tag))[1])).toEqual([
      'https://skein.example/icon-192.png',
      'https://skein.example/images/moss.webp?w=160&amp;as=png',
    ])
    expect(pictures[1]).toContain('alt="&quot;Moss&quot; &lt;b&gt;"')
    for (const tag of pictures) expect(tag).toMatch(/width="\d+"/)
    expect(html).not.toMatch(/<script|<link|<iframe|url\(|@import/)
    expect(html).toMatch(/^<!DOCTYPE html>.*<meta name="color-scheme" content="light dark"/s)
    expect(html).toContain('@media (prefers-color-scheme:dark)')
  })

  it('about an account has the hour of whoever opened it', async () => {
    const shop = await withMailbox()
    const { data } = await shop.gql(
      'mutation($input: RegisterInput!) { register(input: $input) { token user { id } } }',
      { input: { name: 'Nell', email: 'nell@example.com', password: 'knit one, purl two', timeZone: 'Asia/Kolkata' } },
    )
    await shop.gql(
      'mutation($input: ProfileInput!) { updateProfile(input: $input) { userErrors { code } } }',
      {
        input: {
          name: 'Nell',
          email: 'nell@example.com',
          password: 'knit two, purl one',
          currentPassword: 'knit one, purl two',
        },
      },
      data.register,
    )
    const [, changed] = await mailsTo(shop, 'nell@example.com', 2)
    expect(changed.text).toMatch(/was changed on .+ GMT\+5:30\./)
  })
})

describe('the mailbox page', () => {
  async function get(shop: TestShop, path: string) {
    const response = await fetch(shop.url + path, { headers: { accept: 'text/html' } })
    return { status: response.status, headers: response.headers, html: await response.text() }
  }

  it('shows mails newest first, and what is in them as text', async () => {
    const shop = await withMailbox()
    expect((await get(shop, '/dev/mailbox')).html).toContain('No mail yet')
    await makeUser(shop.em(), { name: '<script>alert(1)</script>', email: '"><img/src=x>@example.com' })
    await shop.gql('mutation($email: String!) { requestPasswordReset(email: $email) { mailbox } }', {
      email: '"><img/src=x>@example.com',
    })
    const [mail] = await mailsTo(shop, '"><img/src=x>@example.com')
    await placed(shop, await makeUser(shop.em(), { email: 'purl@example.com' }), [line(await makeProduct(shop.em()))])
    // The mailbox waits for mails that are being sent.
    const { html, headers } = await get(shop, '/dev/mailbox')
    expect(html).not.toMatch(/<script|<img/)
    expect(html.indexOf('Your order #')).toBeLessThan(html.indexOf('Choose a new password'))
    expect(html).toContain(`<a href="http://127.0.0.1/reset-password#${tokenIn(mail)}">`)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; font-src data:; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')

    const id = present(/\/dev\/mailbox\/([\w-]{36})/.exec(html))[1]
    const letter = await get(shop, `/dev/mailbox/${id}`)
    expect(letter.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
    expect(letter.status).toBe(200)
    for (const none of ['x', '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'])
      expect((await get(shop, `/dev/mailbox/${none}`)).status).toBe(404)
  })

  it('is not there in a shop that sends its mail, or was not told what to do with it', async () => {
    const { shop } = await withMailServer()
    const other = await openShop()
    opened.push(other)
    for (const each of [shop, other]) {
      expect((await get(each, '/dev/mailbox')).status).toBe(404)
      expect(each.routes().filter(route => route.includes('mailbox'))).toEqual([])
    }
  })
})
