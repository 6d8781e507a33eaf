import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { connectProviders } from '../account/providers.ts'
import { startOpenidProvider, type OpenidProvider } from '../../tools/openid-provider/provider.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../testing/admin.ts'
import { makeKey, makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

const recipes = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8')
const program = [...recipes.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n')

let shop: TestShop
let folder: string
let google: OpenidProvider
beforeAll(async () => {
  google = await startOpenidProvider()
  const env = { issuer: google.issuer, clientId: 'app', secret: 'secret', apps: [] }
  const providers = connectProviders({ google: env, apple: null }, 'http://127.0.0.1')
  shop = await openShop({ mail: { to: 'mailbox' }, providers })
  folder = await mkdtemp(join(tmpdir(), 'skein-recipes-'))
})
afterAll(async () => {
  await shop?.close()
  await google.close()
  await rm(folder, { recursive: true, force: true })
})

it('every recipe comes out as it says', async () => {
  const em = shop.em()
  const admin = await makeUser(em, { isAdmin: true })
  const { token: key } = await makeKey(em, admin, ['ADMIN'])
  const form = new FormData()
  const pixels = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#a43' } })
    .png()
    .toBuffer()
  form.set('image', new Blob([new Uint8Array(pixels)]), 'yarn.png')
  const uploaded = await fetch(`${shop.url}/api/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  const { image } = (await uploaded.json()) as { image: string }
  for (let index = 0; index < 60; index++) {
    const product = { name: `Merino ${index}`, price: 2000, countInStock: 50, sku: `MERINO-${index}`, image }
    const { id } = await makeProduct(em, product)
    // The last two made are the first two shown.
    if (index >= 58)
      await ask(
        shop,
        admin,
        'mutation ($id: ID!) { patchProduct(id: $id, input: { group: "Merino" }) { userErrors { code } } }',
        { id },
      )
  }
  const file = join(folder, 'recipes.mjs')
  await writeFile(file, program)
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: {
      SKEIN_URL: shop.url,
      SKEIN_KEY: key,
      SKEIN_ADMIN: admin.token,
      ID_TOKEN: await google.idToken('app', 'a nonce of this time', {
        sub: '1',
        email: 'ann@gmail.com',
        email_verified: true,
        name: 'Ann Lee',
      }),
      NONCE: 'a nonce of this time',
    },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`)
  })
  expect(stdout.trim().split('\n')).toEqual([
    '1 signed in',
    '2 chose a new password',
    '3 scrolled past 60',
    '4 found 60 up to $25',
    '5 shows a picture: image/webp',
    '6 placed once: true',
    '7 ordered 1 time',
    '8 offers true',
    '9 knows 30',
    '10 is the same: true',
    '11 lists Worsted',
    '12 narrows by many facts',
    '13 takes merrino for merino',
    '14 comes in 2 colours',
    '15 holds 1 line on the other device',
    '16 guest: true',
    '17 takes off 10%',
    '18 begins with UNPAID',
    '19 is CANCELLED',
    '20 loaded 200, refused 0',
    '21 counted 200',
    '22 read more than before: true',
    '23 waits: true',
    '24 pick 2 of MERINO-59',
    '25 goes to US, +1 207 555 0199',
    '26 is PARTLY_SENT',
    '27 is SENT, followed at www.ups.com',
    '28 refunded 500',
    '29 took it back: true',
    '30 moved once: true',
    '31 made, then changed',
    '32 knows Nell: true',
    '33 keeps its place: true',
    '34 heard that order.paid',
    '35 has 1 capture',
    '36 is found by it: true',
    '37 FORBIDDEN: This key lacks the scope READ_CUSTOMERS.',
    '38 both work for a day',
    '39 UNAUTHENTICATED',
    '40 Ann Lee comes in with GOOGLE',
  ])
})
