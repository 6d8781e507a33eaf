import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { QUERY_LIMITS } from '../graphql/query-limits.ts'
import { ask } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../testing/shop.ts'

const guide = readFileSync(new URL('../../docs/partner-guide.md', import.meta.url), 'utf8')
const blocks = (language: string) => [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!)

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await openShop()
  folder = await mkdtemp(join(tmpdir(), 'skein-partner-'))
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

it('leads a partner who knows nothing else from a key to a paid order', async () => {
  const em = shop.em()
  const admin = await makeUser(em, { isAdmin: true })
  for (let index = 0; index < 101; index++) await makeProduct(em, { name: `Merino ${index}`, price: 2000, countInStock: index === 50 ? 5 : 1 })
  const { createApiKey } = await ask(shop, admin, blocks('graphql')[0]!)
  expect(createApiKey.userErrors).toEqual([])

  const file = join(folder, 'partner.mjs')
  await writeFile(file, blocks('js').join('\n'))
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env: { PATH: process.env['PATH'], SKEIN_URL: shop.url, SKEIN_KEY: createApiKey.secret } })
  expect(stdout.trim().split('\n')).toEqual([
    'Skein sells in USD',
    '101 products',
    'Two of Merino 50 cost 49 USD',
    expect.stringMatching(/^Placed #\d+: UNPAID$/),
    expect.stringMatching(/^#\d+ is PAID$/),
    expect.stringMatching(/^#\d+ PAID 4900$/),
  ])
})

it('names the limits there are', () => {
  const { depth, cost, aliases, directives, tokens } = QUERY_LIMITS
  expect(guide).toContain(`${depth} levels deep, cost ${cost.toLocaleString('en-US')} points, have ${aliases} aliases, ${directives} directives and ${tokens} tokens`)
})
