import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectProviders } from '../account/providers.ts'
import { startOpenidProvider, type OpenidProvider } from '../../tools/openid-provider/provider.ts'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { QUERY_LIMITS } from '../graphql/query-limits.ts'
import type { DataOf } from '../generated/answers.ts'
import { ask } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

const guide = readFileSync(new URL('../../docs/partner-guide.md', import.meta.url), 'utf8')
const blocks = (language: 'graphql' | 'js') =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => present(code))

const RECEIVER = '// receiver.mjs\n'
const partner = blocks('js')
  .filter(code => !code.startsWith(RECEIVER))
  .join('\n')
const [makeKey, makeWebhook] = blocks('graphql') as [string, string]

let shop: TestShop
let folder: string
let google: OpenidProvider
beforeAll(async () => {
  google = await startOpenidProvider()
  const env = { issuer: google.issuer, clientId: 'app', secret: 'secret', apps: [] }
  const providers = connectProviders({ google: env, apple: null }, 'http://127.0.0.1')
  shop = await openShop({ providers })
  folder = await mkdtemp(join(tmpdir(), 'skein-partner-'))
})
afterAll(async () => {
  await shop?.close()
  await google.close()
  await rm(folder, { recursive: true, force: true })
})

it('leads a partner who knows nothing else from a key to a paid order and its webhooks', async () => {
  const em = shop.em()
  const admin = await makeUser(em, { isAdmin: true })
  for (let index = 0; index < 101; index++)
    await makeProduct(em, { name: `Merino ${index}`, price: 2000, countInStock: index === 50 ? 5 : 1 })
  const { createApiKey } = (await ask(
    shop,
    admin,
    makeKey.replace('0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', admin.id),
  )) as DataOf<'mutation { createApiKey { secret userErrors { code } } }'>
  expect(createApiKey.userErrors).toEqual([])
  const port = await freePort()
  const { createWebhook } = (await ask(
    shop,
    admin,
    makeWebhook.replace('4200', String(port)),
  )) as DataOf<'mutation { createWebhook { secret userErrors { code } } }'>
  expect(createWebhook.userErrors).toEqual([])

  const receiver = spawn(
    process.execPath,
    [await written('receiver.mjs', present(blocks('js').find(code => code.startsWith(RECEIVER))))],
    {
      env: { PORT: String(port), SKEIN_WEBHOOK_SECRET: createWebhook.secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void receiver.kill())
  let heard = ''
  receiver.stdout.on('data', (text: Buffer) => {
    heard += text.toString()
  })

  const { stdout } = await promisify(execFile)(process.execPath, [await written('partner.mjs', partner)], {
    env: {
      SKEIN_URL: shop.url,
      SKEIN_KEY: createApiKey.secret,
      ID_TOKEN: await google.idToken('app', 'a nonce of this time', {
        sub: '1',
        email: 'ann@gmail.com',
        email_verified: true,
        name: 'Ann Lee',
      }),
      NONCE: 'a nonce of this time',
    },
  })
  expect(stdout.trim().split('\n')).toEqual([
    'Skein sells in USD',
    '101 products',
    '101 for merino worsted, as merno wosted finds nothing',
    'WORSTED 101',
    'Offers 5 products, and Worsted',
    '12 on the first page over REST',
    'Two of Merino 50 cost 49 USD',
    expect.stringMatching(/^Placed #\d+: UNPAID$/),
    'Over a WebSocket it is UNPAID',
    expect.stringMatching(/^#\d+ is PAID$/),
    expect.stringMatching(/^Heard that #\d+ is paid$/),
    expect.stringMatching(/^#\d+ PAID 4900$/),
    expect.stringMatching(/^#\d+ changed, and is PAID$/),
    expect.stringMatching(/^\d+ lines, the first of \S+$/),
    expect.stringMatching(/^#\d+ is PARTLY_SENT, followed at www\.ups\.com$/),
    expect.stringMatching(/^1 came back, worth [\d.]+ USD$/),
    '16 on the shelf; line 1 is NOT_FOUND',
    '1 new price: 2050',
    expect.stringMatching(/^SO-4711 is #\d+, tagged gift$/),
    'A copy for Nell, with 0 orders',
    'Deleted; the token is 401 now',
    'Ann Lee has a password: false',
    expect.stringMatching(/^#\d+: ready_for_complete, then requires_escalation$/),
    "2 in the cart: 50.15 [ 'This code is for a first order, and you have ordered before.' ]",
  ])
  const [, reference] = present(/Placed (#\d+)/.exec(stdout))
  const [, byAgent] = present(/(#\d+): ready/.exec(stdout))
  await vi.waitFor(
    () =>
      expect(
        heard
          .trim()
          .split('\n')
          .filter(each => each.startsWith('order'))
          .toSorted(),
      ).toEqual([`order.paid ${reference}`, `order.placed ${reference}`, `order.placed ${byAgent}`].toSorted()),
    { timeout: 20_000 },
  )
  expect(heard).toMatch(/^stock\.changed SKN-\d+$/m)

  const forged = await fetch(`http://127.0.0.1:${port}/skein`, {
    method: 'POST',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${'A'.repeat(44)}`,
    },
    body: '{}',
  })
  expect(forged.status).toBe(401)
})

it('names the limits there are', () => {
  const { depth, cost, aliases, directives, tokens } = QUERY_LIMITS
  expect(guide).toContain(
    `${depth} levels deep, cost ${cost.toLocaleString('en-US')} points, have ${aliases} aliases, ${directives} directives and ${tokens} tokens`,
  )
})

async function written(name: string, code: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, code)
  return file
}

/** A port that nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
