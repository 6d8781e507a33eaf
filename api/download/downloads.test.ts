import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { ownerLimits } from '#schema/rules/owner-limits'
import { nth, present } from '#schema/rules/present'
import { filesOnDisk } from '../kernel/files.ts'
import { ask, auditOf, REFUSED, upload } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { ADDRESS, approvedPayment, capturePaypalOrder, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type Identity, type TestShop } from '../testing/shop.ts'
import { sweepDownloads } from './download-files.ts'

let shop: TestShop
let admin: Account
let nell: Account
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'skein-downloads-'))
  shop = await openShop({ dataDir, mail: { to: 'mailbox' } })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(async () => {
  await shop?.close()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(() => shop.simulator.reset())

/** As large as a PDF of so many bytes, with another content each time. */
let written = 0
const pdf = (bytes = 2_000) => {
  const [head, foot] = [`%PDF-1.7\n% ${++written}\n`, '\n%%EOF\n']
  return Buffer.from(head + 'x'.repeat(bytes - head.length - foot.length) + foot)
}

const DOWNLOADS = 'downloads { id title bytes }'
const ADD = `mutation($productId: ID!, $file: Upload!) {
  addDownload(productId: $productId, file: $file) { product { version ${DOWNLOADS} } ${REFUSED} }
}`

async function add(productId: string, content: Buffer, name = 'Rib Hat.pdf') {
  const file = new Blob([content as Uint8Array<ArrayBuffer>])
  const answer = await upload(shop, admin, ADD, 'file', file, name, {}, { productId })
  expect(answer.errors).toBeUndefined()
  return answer.data.addDownload
}

/** A product with a pattern. */
async function withPattern(content = pdf()) {
  const product = await makeProduct(shop.em())
  const { product: saved, userErrors } = await add(product.id, content)
  expect(userErrors).toEqual([])
  return { product, content, download: nth(present(saved).downloads, 0) }
}

async function pay(buyer: Account, orderId: string) {
  await capturePaypalOrder(shop, buyer, orderId, await approvedPayment(shop, buyer, orderId))
}

async function bought(buyer: Account, productId: string) {
  const order = await placed(shop, buyer, [{ productId, quantity: 1 }])
  await pay(buyer, order.id)
  return order
}

async function refundAll(orderId: string) {
  const { refundOrder } = await ask(
    shop,
    admin,
    'mutation($orderId: ID!) { refundOrder(orderId: $orderId, idempotencyKey: "all of it") { order { isRefunded } userErrors { code } } }',
    { orderId },
  )
  expect(refundOrder).toMatchObject({ order: { isRefunded: true }, userErrors: [] })
}

const fetchDownload = (orderId: string, id: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}/api/orders/${orderId}/downloads/${id}`, { headers })
const as = ({ token }: Account) => ({ authorization: `Bearer ${token}` })

const ofOrder = async (who: Identity, id: string) =>
  present((await ask(shop, who, `query($id: ID!) { order(id: $id) { items { ${DOWNLOADS} } } }`, { id })).order).items

const ofProduct = async (id: string) =>
  present((await ask(shop, null, `query($id: ID!) { product(id: $id) { ${DOWNLOADS} } }`, { id })).product).downloads

const stored = () => readdir(join(dataDir, 'downloads')).catch(() => [] as string[])

describe('a PDF that is added to a product', () => {
  it('is shown with it, called as its file is', async () => {
    const { product, content } = await withPattern()
    expect(await ofProduct(product.id)).toMatchObject([{ title: 'Rib Hat', bytes: content.length }])
  })

  it('is written down in its history, with those there were', async () => {
    const { product } = await withPattern()
    await add(product.id, pdf(), 'Rib Scarf.PDF')
    expect(nth(await auditOf(shop, admin, product.id), 0)).toMatchObject({
      action: 'UPDATED',
      changes: [{ field: 'downloads', before: 'Rib Hat', after: 'Rib Hat, Rib Scarf' }],
    })
  })

  it('makes a new version of the product, so that nobody saves over it unseen', async () => {
    const product = await makeProduct(shop.em())
    const { product: saved } = await add(product.id, pdf())
    expect(present(saved).version).toBe(product.version + 1)
  })

  test.each([
    ['.pdf', 'Pattern'],
    ['Mütze für Anfänger.pdf', 'Mütze für Anfänger'],
    [`${'long '.repeat(60)}.pdf`, 'long '.repeat(24).trim()],
  ])('called %j has the title %j', async (name, title) => {
    const product = await makeProduct(shop.em())
    expect((await add(product.id, pdf(), name)).userErrors).toEqual([])
    expect(nth(await ofProduct(product.id), 0).title).toBe(title)
  })

  test.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n not a pattern %%EOF'), 'FILE_UNREADABLE', 'not a PDF'],
    ['nothing', Buffer.alloc(0), 'FILE_UNREADABLE', 'not a PDF'],
    ['cut short', Buffer.from(`%PDF-1.7\n${'x'.repeat(3_000)}`), 'FILE_UNREADABLE', 'cut short'],
    ['too large', pdf(ownerLimits.download.bytes + 1), 'FILE_TOO_LARGE', 'larger than 25 MB'],
  ])('is refused when it is %s, and leaves nothing behind', async (_, content, code, message) => {
    const { id } = await makeProduct(shop.em())
    const before = await stored()
    const { userErrors } = await add(id, content)
    expect(userErrors).toMatchObject([{ code, message: expect.stringContaining(message) }])
    expect(await ofProduct(id)).toEqual([])
    expect(await stored()).toEqual(before)
  })

  it('may be as large as 25 MB', async () => {
    const { product, content, download } = await withPattern(pdf(ownerLimits.download.bytes))
    const order = await bought(nell, product.id)
    const response = await fetchDownload(order.id, download.id, as(nell))
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  })

  it('is the tenth at most, also of those that are added at the same moment', async () => {
    const { id } = await makeProduct(shop.em())
    const answers = await Promise.all(Array.from({ length: 12 }, () => add(id, pdf())))
    const refused = answers.filter(({ userErrors }) => userErrors.length > 0)
    expect(refused.map(({ userErrors }) => nth(userErrors, 0).message)).toEqual(
      Array.from({ length: 2 }, () => 'A product has at most 10 downloads.'),
    )
    expect(await ofProduct(id)).toHaveLength(10)
  })

  it('needs a product that is there', async () => {
    expect((await add('019a0000-0000-7000-8000-000000000000', pdf())).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})

describe('a download', () => {
  const rename = async (productId: string, id: string, title: string) =>
    (
      await ask(
        shop,
        admin,
        `mutation($productId: ID!, $id: ID!, $title: String!) { renameDownload(productId: $productId, id: $id, title: $title) { product { ${DOWNLOADS} } ${REFUSED} } }`,
        { productId, id, title },
      )
    ).renameDownload
  const remove = async (productId: string, id: string) =>
    (
      await ask(
        shop,
        admin,
        `mutation($productId: ID!, $id: ID!) { removeDownload(productId: $productId, id: $id) { product { ${DOWNLOADS} } ${REFUSED} } }`,
        { productId, id },
      )
    ).removeDownload

  it('can be looked at by who may change the product, and by nobody else', async () => {
    const { product, content, download } = await withPattern()
    const look = (id: string, headers: Record<string, string>, of = product.id) =>
      fetch(`${shop.url}/api/products/${of}/downloads/${id}`, { headers })
    const seen = await look(download.id, as(admin))
    expect(seen.headers.get('content-disposition')).toContain('rib-hat.pdf')
    expect(Buffer.from(await seen.arrayBuffer()).equals(content)).toBe(true)
    await bought(nell, product.id)
    const statuses = [
      await look(download.id, {}),
      await look(download.id, as(nell)),
      await look(download.id, as(admin), (await makeProduct(shop.em())).id),
      await look(download.id, as(admin), 'nonsense'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 403, 404, 404])
  })

  it('gets another title and stays the same file', async () => {
    const { product, download } = await withPattern()
    const { product: saved } = await rename(product.id, download.id, '  Ribbed hat, in six sizes ')
    expect(present(saved).downloads).toEqual([{ ...download, title: 'Ribbed hat, in six sizes' }])
  })

  test.each([
    ['', 'Title is required.'],
    ['x'.repeat(121), 'Title can have at most 120 characters.'],
  ])('is not called %j', async (title, message) => {
    const { product, download } = await withPattern()
    expect((await rename(product.id, download.id, title)).userErrors).toMatchObject([{ code: 'INVALID', message }])
  })

  it('is gone for everyone once it is removed, and its file is cleared away', async () => {
    const [{ product, download }, kept] = [await withPattern(), await withPattern()]
    const order = await bought(nell, product.id)
    expect((await fetchDownload(order.id, download.id, as(nell))).status).toBe(200)
    expect(present((await remove(product.id, download.id)).product).downloads).toEqual([])
    expect(await ofOrder(nell, order.id)).toEqual([{ downloads: [] }])
    expect((await fetchDownload(order.id, download.id, as(nell))).status).toBe(404)

    const partsOf = async (id: string) => (await stored()).filter(name => name.startsWith(id))
    await sweepDownloads(shop.em(), filesOnDisk(dataDir))
    // It was uploaded just now, and might not be saved yet.
    expect(await partsOf(download.id)).toHaveLength(1)
    const long = new Date(Date.now() - 2 * 86_400_000)
    for (const name of await stored()) await utimes(join(dataDir, 'downloads', name), long, long)
    await sweepDownloads(shop.em(), filesOnDisk(dataDir))
    expect(await partsOf(download.id)).toEqual([])
    expect(await partsOf(kept.download.id)).toHaveLength(1)
  })

  it('of another product is not there', async () => {
    const [one, other] = [await withPattern(), await withPattern()]
    expect((await remove(one.product.id, other.download.id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
    expect((await rename(one.product.id, other.download.id, 'Mine')).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  })
})

describe('who has bought a product', () => {
  it('downloads what comes with it once it is paid, and not before', async () => {
    const { product, content, download } = await withPattern(pdf(2_500_000))
    const order = await placed(shop, nell, [line(product)])
    expect(await ofOrder(nell, order.id)).toEqual([{ downloads: [] }])
    expect((await fetchDownload(order.id, download.id, as(nell))).status).toBe(404)
    await pay(nell, order.id)
    expect(await ofOrder(nell, order.id)).toEqual([{ downloads: [download] }])
    const response = await fetchDownload(order.id, download.id, as(nell))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(content.length),
      'content-disposition': `attachment; filename*=UTF-8''rib-hat.pdf`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  })

  it('gets what is added later, and keeps what is not sold any more', async () => {
    const { product, download } = await withPattern()
    const order = await bought(nell, product.id)
    await add(product.id, pdf(), 'Errata.pdf')
    await ask(shop, admin, 'mutation($id: ID!) { deleteProduct(id: $id) { userErrors { code } } }', { id: product.id })
    expect(await ofOrder(nell, order.id)).toMatchObject([{ downloads: [{ title: 'Rib Hat' }, { title: 'Errata' }] }])
    expect((await fetchDownload(order.id, download.id, as(nell))).status).toBe(200)
  })

  it('is the only one besides administrators', async () => {
    const { product, download } = await withPattern()
    const order = await bought(nell, product.id)
    const stranger = await makeUser(shop.em())
    expect((await fetchDownload(order.id, download.id)).status).toBe(404)
    expect((await fetchDownload(order.id, download.id, as(stranger))).status).toBe(404)
    expect((await fetchDownload(order.id, download.id, as(admin))).status).toBe(200)
    // An order of one's own opens nothing of another product.
    const other = await bought(stranger, (await makeProduct(shop.em())).id)
    expect((await fetchDownload(other.id, download.id, as(stranger))).status).toBe(404)
    for (const id of ['nothing', '..%2F..%2Fetc%2Fpasswd', '019a0000-0000-7000-8000-000000000000'])
      expect((await fetchDownload(order.id, id, as(nell))).status).toBe(404)
  })

  it('downloads it as a guest with the token of the order', async () => {
    const { product, download } = await withPattern()
    const { data } = await shop.gql(
      'mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } orderToken } }',
      { input: { lines: [line(product)], shippingAddress: ADDRESS, guestEmail: 'guest@example.com' } },
    )
    const { order, orderToken } = data.placeOrder
    const { recordPayment } = await ask(
      shop,
      admin,
      'mutation($orderId: ID!) { recordPayment(orderId: $orderId, method: CASH) { userErrors { code } } }',
      { orderId: present(order).id },
    )
    expect(recordPayment.userErrors).toEqual([])
    expect((await fetchDownload(present(order).id, download.id)).status).toBe(404)
    const headers = { 'x-order-token': present(orderToken) }
    expect((await fetchDownload(present(order).id, download.id, headers)).status).toBe(200)
  })

  it('is told of it in the letter that thanks for the payment', async () => {
    const { product } = await withPattern()
    const buyer = await makeUser(shop.em(), { email: 'patterns@example.com' })
    await bought(buyer, product.id)
    const [, paid] = await mailsTo(shop, 'patterns@example.com', 2)
    expect(present(paid).text).toContain('What comes with it to download is on the order’s page')
    const other = await makeUser(shop.em(), { email: 'yarn@example.com' })
    await bought(other, (await makeProduct(shop.em())).id)
    const [, yarn] = await mailsTo(shop, 'yarn@example.com', 2)
    expect(present(yarn).text).not.toContain('download')
  })

  it('finds all of it in one place, the newest order first, each file once', async () => {
    const buyer = await makeUser(shop.em())
    const [hat, scarf] = [await withPattern(), await withPattern()]
    const mine = async (who: Account) =>
      (await ask(shop, who, '{ myDownloads { orderId orderedAt productId name image download { id title bytes } } }'))
        .myDownloads
    expect(await mine(buyer)).toEqual([])
    await bought(buyer, hat.product.id)
    const both = await placed(shop, buyer, [line(hat.product), line(scarf.product)])
    expect(await mine(buyer)).toHaveLength(1)
    await pay(buyer, both.id)
    const found = await mine(buyer)
    expect(found).toMatchObject([
      { orderId: both.id, productId: hat.product.id, name: hat.product.name, download: hat.download },
      { orderId: both.id, productId: scarf.product.id, download: scarf.download },
    ])
    expect(found).toHaveLength(2)
    expect(await mine(nell)).not.toContainEqual(expect.objectContaining({ orderId: both.id }))
    await refundAll(both.id)
    expect(await mine(buyer)).toMatchObject([{ productId: hat.product.id }])
  })

  it('has it no more once all of the money went back', async () => {
    const { product, download } = await withPattern()
    const order = await bought(nell, product.id)
    await refundAll(order.id)
    expect(await ofOrder(nell, order.id)).toEqual([{ downloads: [] }])
    expect((await fetchDownload(order.id, download.id, as(nell))).status).toBe(404)
  })
})
