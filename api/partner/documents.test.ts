import { buildSchema } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const get = (path: string, at = shop) => fetch(at.url + path)

it('the guide is a page, with the address of this shop, and leads to what it names', async () => {
  const answer = await get('/docs')
  const page = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page).toContain('<h1 id="partner-guide">Partner guide</h1>')
  expect(page).not.toContain('localhost:4000')
  const links = [...page.matchAll(/<a href="(\/[^"]*|http:\/\/127\.0\.0\.1\/[^"]*)"/g)].map(([, href]) => present(href))
  expect(links).toEqual(expect.arrayContaining(['/docs/contract/changes', '/docs/recipes']))
  for (const link of new Set(links))
    expect([link, (await get(link.replace('http://127.0.0.1', ''), shop)).status]).toEqual([
      link,
      // For a client that does not ask for HTML, the explorer's address is the API.
      link.endsWith('/graphql') ? 400 : 200,
    ])
})

it('is linked from the REST document', async () => {
  expect(await (await get('/api/docs')).text()).toContain('href="/docs"')
})

it('the contract can be downloaded, and read by any tool', async () => {
  const contract = buildSchema(await (await get('/schema.graphql')).text())
  expect(contract.getQueryType()?.getFields()).toHaveProperty('productsConnection')
  expect(contract.getType('Product')?.description).toMatch(/./)
})

it('a shop that does not tell its schema does not let it be downloaded', async () => {
  const discreet = await openShop({ introspection: false })
  try {
    expect((await get('/schema.graphql', discreet)).status).toBe(404)
    expect(await (await get('/llms.txt', discreet)).text()).not.toContain('schema.graphql')
  } finally {
    await discreet.close()
  }
})

it('llms.txt tells programs where everything is', async () => {
  const answer = await get('/llms.txt')
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# Skein\n\n> /)
  for (const [, link] of text.matchAll(/\]\(http:\/\/127\.0\.0\.1(\/[^)]*)\)/g))
    expect([link, (await get(present(link))).status]).toEqual([link, link === '/graphql' ? 400 : 200])
})
