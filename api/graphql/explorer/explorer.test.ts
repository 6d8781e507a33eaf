import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashPassword } from '../../account/password.ts'
import { makeProduct, makeUser, openShop, type Identity, type TestShop } from '../../testing/shop.ts'
import { EXAMPLES } from './examples.ts'

let shop: TestShop
const people: Record<string, Identity> = {}
beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  await makeProduct(em, { name: 'Merino' })
  people['a signed-in shopper'] = await makeUser(em, { email: 'shopper@example.com', passwordHash: await hashPassword('knit-purl-shopper') })
  people['an administrator'] = await makeUser(em, { isAdmin: true })
})
afterAll(() => shop?.close())

const open = (accept: string, path = '/graphql') => fetch(shop.url + path, { headers: { accept } })

describe('the explorer', () => {
  it('is what a browser gets that opens the endpoint, and nobody else', async () => {
    const response = await open('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await open('*/*')).status).toBe(400)
    expect((await open('text/html', '/graphql?query={shop{name}}')).headers.get('content-type')).toContain('json')
  })

  it('runs nothing but its own code, and loads nothing from elsewhere', async () => {
    const response = await open('text/html')
    const page = await response.text()
    const policy = response.headers.get('content-security-policy')!
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy)!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const tags = page.match(/<(script|style)\b[^>]*>/g)!
    expect(tags).toHaveLength(3)
    for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`)
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect((await (await open('text/html')).text())).not.toContain(nonce)
  })
})

test.each(EXAMPLES.map(example => [example.title, example] as const))('the example "%s" runs', async (_title, { query, variables, needs }) => {
  const { status, errors, data } = await shop.gql(query, variables, needs ? people[needs]! : null)
  expect([status, errors]).toEqual([200, undefined])
  expect(JSON.stringify(data)).not.toMatch(/"userErrors":\[\{/)
  expect(Object.values(data).every(Boolean)).toBe(true)
})
