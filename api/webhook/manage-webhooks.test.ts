import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { name: 'Ada', isAdmin: true })
})
afterAll(() => shop?.close())

const WEBHOOK =
  'id url description events enabled attention createdAt createdBy { id } lastSuccessAt lastFailureAt lastFailure previousSecretUntil'
const CREATE = `mutation($input: WebhookInput!) { createWebhook(input: $input) { webhook { ${WEBHOOK} } secret ${REFUSED} } }`
const UPDATE = `mutation($id: ID!, $input: WebhookPatch!) { updateWebhook(id: $id, input: $input) { webhook { ${WEBHOOK} } ${REFUSED} } }`
const ROTATE = `mutation($id: ID!) { rotateWebhookSecret(id: $id) { webhook { ${WEBHOOK} } secret ${REFUSED} } }`
const DELETE = `mutation($id: ID!) { deleteWebhook(id: $id) { webhook { ${WEBHOOK} } ${REFUSED} } }`
const LIST = `{ webhooks { items { ${WEBHOOK} } total } }`

async function make(input: object = {}) {
  const {
    createWebhook: { webhook, secret, userErrors },
  } = await ask(shop, admin, CREATE, {
    input: { url: 'https://warehouse.example.com/skein', events: ['ORDER_PAID'], ...input },
  })
  expect(userErrors).toEqual([])
  return { ...webhook, secret } as { id: string; url: string; secret: string; events: string[] }
}

describe('a webhook', () => {
  it('is made with a secret that is shown once', async () => {
    const made = await make({
      url: ' https://WAREHOUSE.example.com ',
      description: ' Warehouse ',
      events: ['ORDER_PAID', 'STOCK_LOW', 'ORDER_PAID'],
    })
    expect(made).toMatchObject({
      url: 'https://warehouse.example.com/',
      description: 'Warehouse',
      events: ['ORDER_PAID', 'STOCK_LOW'],
      enabled: true,
      attention: null,
      createdBy: { id: admin.id },
      previousSecretUntil: null,
    })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { webhook } = await ask(shop, admin, `query($id: ID!) { webhook(id: $id) { ${WEBHOOK} } }`, { id: made.id })
    expect(webhook).toMatchObject({ url: made.url, events: made.events })
    expect(JSON.stringify([webhook, await ask(shop, admin, LIST), await auditOf(shop, admin, made.id)])).not.toContain(
      made.secret,
    )
  })

  it('gets another secret, and signs with both for a day', async () => {
    const { id, secret } = await make()
    const { rotateWebhookSecret: rotated } = await ask(shop, admin, ROTATE, { id })
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.webhook.previousSecretUntil) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    await shop
      .em()
      .execute(`update webhooks set previous_secret_until = now() - interval '1 second' where id = ?`, [id])
    expect(
      present((await ask(shop, admin, LIST)).webhooks.items.find(each => each.id === id)).previousSecretUntil,
    ).toBeNull()
  })

  it('pauses, goes on with a clean slate, and leaves a trace of everything', async () => {
    const { id, url } = await make()
    await ask(shop, admin, UPDATE, { id, input: { enabled: false } })
    await shop.em().execute(`update webhooks set attention = 'Gone', failing_since = now() where id = ?`, [id])
    expect(
      (await ask(shop, admin, UPDATE, { id, input: { enabled: true, events: ['ORDER_LAPSED', 'ORDER_PAID'] } }))
        .updateWebhook.webhook,
    ).toMatchObject({ enabled: true, attention: null, url })
    await ask(shop, admin, UPDATE, { id, input: { enabled: true } })
    await ask(shop, admin, ROTATE, { id })
    await ask(shop, admin, DELETE, { id })
    expect((await ask(shop, admin, DELETE, { id })).deleteWebhook).toMatchObject({
      webhook: null,
      userErrors: [{ code: 'NOT_FOUND' }],
    })
    expect(
      (await auditOf(shop, admin, id)).map(({ action, entity, label, changes }) => [
        entity,
        label,
        action,
        ...changes.map(change => `${change.field}: ${change.before} -> ${change.after}`),
      ]),
    ).toEqual([
      ['WEBHOOK', url, 'DELETED'],
      ['WEBHOOK', url, 'SECRET_ROTATED'],
      ['WEBHOOK', url, 'UPDATED', 'events: ORDER_PAID -> ORDER_LAPSED ORDER_PAID', 'enabled: false -> true'],
      ['WEBHOOK', url, 'UPDATED', 'enabled: true -> false'],
      ['WEBHOOK', url, 'CREATED', `url: null -> ${url}`, 'events: null -> ORDER_PAID'],
    ])
  })

  test.each<[string, object, string]>([
    ['without an address', { url: ' ' }, 'url'],
    ['with half an address', { url: 'warehouse.example.com' }, 'url'],
    ['that is no web address', { url: 'ftp://example.com/' }, 'url'],
    ['with a password in its address', { url: 'https://nell:purl@example.com/' }, 'url'],
    ['at a port for mail', { url: 'https://example.com:25/' }, 'url'],
    ['at an endless address', { url: `https://example.com/${'a'.repeat(2_000)}` }, 'url'],
    ['without events', { events: [] }, 'events'],
    ['with an endless description', { description: 'a'.repeat(201) }, 'description'],
  ])('%s is not made, nor changed into one', async (_what, wrong, field) => {
    const { id } = await make()
    expect(
      (await ask(shop, admin, CREATE, { input: { url: 'https://example.com/', events: ['ORDER_PAID'], ...wrong } }))
        .createWebhook,
    ).toMatchObject({ webhook: null, secret: null, userErrors: [{ code: 'INVALID', field: [field] }] })
    expect((await ask(shop, admin, UPDATE, { id, input: wrong })).updateWebhook).toMatchObject({
      webhook: null,
      userErrors: [{ code: 'INVALID', field: [field] }],
    })
  })
})

it('a shop on the internet sends nothing to its own network', async () => {
  const strict = await openShop({
    webhookReach: {
      allowPrivate: false,
      addressesOf: async host =>
        host === 'rebound.example.com'
          ? ['93.184.215.14', '127.0.0.1']
          : host === 'gone.example.com'
            ? []
            : ['93.184.215.14'],
    },
  })
  try {
    const owner = await makeUser(strict.em(), { isAdmin: true })
    const create = async (url: string) =>
      (await ask(strict, owner, CREATE, { input: { url, events: ['ORDER_PAID'] } })).createWebhook.userErrors.map(
        ({ message }: { message: string }) => message,
      )
    expect(await create('https://warehouse.example.com/')).toEqual([])
    expect(await create('http://warehouse.example.com/')).toEqual(['The address must start with https://.'])
    expect(await create('https://2130706433/')).toEqual(['127.0.0.1 is not on the public internet.'])
    expect(await create('https://rebound.example.com/')).toEqual(['rebound.example.com is not on the public internet.'])
    expect(await create('https://gone.example.com/')).toEqual(['The name gone.example.com leads nowhere.'])
  } finally {
    await strict.close()
  }
})
