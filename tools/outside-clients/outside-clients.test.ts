import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest'
import { ask } from '../../api/testing/admin.ts'
import { openReceiver } from '../../api/testing/receiver.ts'
import { makeKey, makeProduct, makeUser, openShop, type TestShop } from '../../api/testing/shop.ts'

// Third-party tools make clients from what the shop serves, and know nothing else about it.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await openShop()
  folder = await mkdtemp(join(tmpdir(), 'skein-clients-'))
  await cp(here('programs'), folder, { recursive: true })
  await symlink(here('../../node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'generated/relay'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [path, file] of [
    ['/schema.graphql', 'schema.graphql'],
    ['/api/openapi.json', 'openapi.json'],
  ] as const)
    await writeFile(join(folder, file), await (await fetch(shop.url + path)).text())
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

const node = async (words: string, env = {}) =>
  (await promisify(execFile)(process.execPath, words.split(' '), { cwd: folder, env: { ...process.env, ...env } }))
    .stdout

it.for([
  ['graphql-codegen', '@graphql-codegen/cli/cjs/bin.js --config codegen.config.mjs'],
  ['gql.tada', 'gql.tada/bin/cli.js generate-output'],
  ['genql', '@genql/cli/dist/cli.js -s schema.graphql -o generated/genql -S Cents:number -S DateTime:string'],
  ['relay-compiler', 'relay-compiler/cli.js relay.config.json'],
  ['openapi-typescript', 'openapi-typescript/bin/cli.js openapi.json -o generated/openapi.d.ts'],
])('%s makes a client', async ([, words]) => {
  await node(`--import ./compiler-api.mjs node_modules/${words}`)
})

it('programs that use them keep the compiler quiet, browse, look at a product and order it', async () => {
  const em = shop.em()
  for (const name of ['Alder', 'Birch', 'Cedar', 'Dogwood']) await makeProduct(em, { name, price: 2400 })
  const key = await makeKey(em, await makeUser(em), ['READ_CATALOGUE', 'READ_ORDERS', 'WRITE_ORDERS'])
  expect(await node('node_modules/typescript/bin/tsc -p .').catch(({ stdout }) => stdout)).toBe('')
  const report = JSON.parse(
    await node('node_modules/tsx/dist/cli.mjs main.ts', { SKEIN_URL: shop.url, SKEIN_KEY: key.token }),
  )
  const each = {
    browsed: ['Alder', 'Birch', 'Cedar'],
    product: 'Alder 2400 WORSTED',
    order: expect.stringMatching(/^#\d+ UNPAID$/),
  }
  expect(report).toEqual({
    codegen: each,
    tada: each,
    genql: each,
    relay: each,
    openapi: { ...each, product: 'Alder 2400 Worsted' },
  })
})

test('standardwebhooks takes what the shop signs, and nothing else', async () => {
  const em = shop.em()
  const receiver = await openReceiver()
  const admin = await makeUser(em, { isAdmin: true })
  const { createWebhook } = await ask(
    shop,
    admin,
    'mutation ($input: WebhookInput!) { createWebhook(input: $input) { secret userErrors { code } } }',
    { input: { url: receiver.url, events: ['PRODUCT_CHANGED'] } },
  )
  const product = await makeProduct(em)
  await ask(shop, admin, 'mutation ($lines: [ProductLineInput!]!) { setProducts(lines: $lines) { changed } }', {
    lines: [{ id: product.id, price: 2500 }],
  })
  const { headers, body } = await vi.waitFor(
    () => receiver.received[0] ?? Promise.reject(new Error('nothing yet')),
    20_000,
  )
  const signed = headers as Record<string, string>
  const webhook = new Webhook(createWebhook.secret)
  expect(webhook.verify(body, signed)).toMatchObject({ type: 'product.changed', data: { product: { price: 2500 } } })
  expect(() => webhook.verify(body.replace('2500', '1'), signed)).toThrow('No matching signature')
})
