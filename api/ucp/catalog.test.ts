import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask } from '../testing/admin.ts'
import { callRest, callTool, expectValid, openShopForAgents, openUcpCli } from '../testing/agent.ts'
import { makeProduct, makeUser, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let cli: Awaited<ReturnType<typeof openUcpCli>>
let marmalade: Awaited<ReturnType<typeof makeProduct>>
let slate: typeof marmalade
let hook: typeof marmalade

beforeAll(async () => {
  shop = await openShopForAgents()
  cli = await openUcpCli(shop.url)
  const em = shop.em()
  marmalade = await makeProduct(em, { name: 'Ninepin Sock in Marmalade', category: 'Fingering', countInStock: 0 })
  slate = await makeProduct(em, { name: 'Ninepin Sock in Slate', category: 'Fingering', price: 2600 })
  hook = await makeProduct(em, { name: 'Rosewood Hook', category: 'Hooks', price: 900, length: '', weight: '' })
  const admin = await makeUser(em, { isAdmin: true })
  for (const { id } of [marmalade, slate])
    await ask(
      shop,
      admin,
      `mutation($id: ID!) { patchProduct(id: $id, input: { group: "Ninepin Sock" }) { userErrors { code } } }`,
      { id },
    )
})
afterAll(async () => {
  await cli.close()
  await shop.close()
})

const search = async (catalog: object) => {
  const { status, body } = await callTool(shop.url, 'search_catalog', { catalog })
  expect(status).toBe(200)
  const answer = body.result.structuredContent
  expect(JSON.parse(body.result.content[0].text)).toEqual(answer)
  expectValid(answer, 'shopping/catalog_search.json#/$defs/search_response')
  return answer
}

const lookUp = async (catalog: object) => {
  const { status, body } = await callRest(shop.url, 'POST', '/catalog/lookup', catalog)
  expect(status).toBe(200)
  expectValid(body, 'shopping/catalog_lookup.json#/$defs/lookup_response')
  return body
}

const getProduct = async (catalog: object) => {
  const { body } = await callTool(shop.url, 'get_product', { catalog })
  const answer = body.result.structuredContent
  expectValid(
    answer,
    answer.ucp.status === 'error'
      ? 'shopping/types/error_response.json'
      : 'shopping/catalog_lookup.json#/$defs/get_product_response',
  )
  return answer
}

describe('Shopify’s command line', () => {
  it('discovers the shop', async () => {
    const profile = await fetch(`${shop.url}/.well-known/ucp`)
    expect(profile.headers.get('cache-control')).toBe('public, max-age=300')
    expectValid(((await profile.json()) as any).ucp, 'ucp.json#/$defs/business_schema')
    const { result } = await cli.run('discover')
    expect(result.protocol).toMatchObject({ version: '2026-04-08', source: 'well-known' })
    expect(Object.keys(result.negotiated['dev.ucp.shopping'].tools)).toEqual(
      expect.arrayContaining(['search_catalog', 'lookup_catalog', 'get_product']),
    )
  })

  it('searches, looks up and gets a product', async () => {
    const found = await cli.run('catalog', 'search', '--set', '/query=ninepin', '--set', '/context/intent=socks')
    expect(found.result.products).toMatchObject([{ title: 'Ninepin Sock' }])
    const [{ id, variants }] = found.result.products
    expect(variants.map(({ title }: any) => title).toSorted()).toEqual(['Marmalade', 'Slate'])
    const looked = await cli.run('catalog', 'lookup', '--input', JSON.stringify({ ids: [id] }))
    expect(looked.result.products).toMatchObject([{ id, variants: [{ title: 'Slate' }] }])
    const got = await cli.run('catalog', 'get_product', slate.id)
    expect(got.result.product).toMatchObject({ id, selected: [{ name: 'Colour', label: 'Slate' }] })
  })
})

describe('a search', () => {
  it('answers with a line as one product, its colourways as variants, and its facts as attributes', async () => {
    const { products } = await search({ query: 'ninepin' })
    expect(products).toHaveLength(1)
    expect(products[0]).toMatchObject({
      title: 'Ninepin Sock',
      price_range: { min: { amount: 2400, currency: 'USD' }, max: { amount: 2600, currency: 'USD' } },
      options: [{ name: 'Colour', values: expect.arrayContaining([{ label: 'Marmalade' }, { label: 'Slate' }]) }],
    })
    const variant = products[0].variants.find(({ id }: any) => id === slate.id)
    expect(variant).toMatchObject({
      sku: slate.sku,
      title: 'Slate',
      url: `${shop.url}/product/${slate.id}/ninepin-sock-in-slate`,
      price: { amount: 2600, currency: 'USD' },
      unit_price: { reference: { value: 100, unit: 'm' }, measure: { value: 210, unit: 'm' } },
      availability: { available: true },
      options: [{ name: 'Colour', label: 'Slate' }],
      metadata: { weight_class: 'fingering', metres: 210, fibres: [{ fibre: 'wool', percent: 100 }] },
    })
  })

  it('is narrowed by the protocol’s filters and by what yarn is chosen by', async () => {
    const idsFor = async (filters: object) =>
      (await search({ filters })).products.flatMap(({ variants }: any) => variants.map(({ id }: any) => id))
    expect(await idsFor({ price: { min: 2500 } })).toEqual([slate.id])
    expect(await idsFor({ categories: ['Hooks'] })).toEqual([hook.id])
    expect(await idsFor({ available: false })).toEqual([marmalade.id])
    expect(await idsFor({ weight_class: ['fingering'], fibre: ['wool'], available: true })).toEqual([slate.id])
  })

  it('goes on with its cursor until nothing is left', async () => {
    const seen: string[] = []
    for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
      const answer: any = await search({ filters: { price: { min: 1 } }, pagination: { limit: 1, cursor } })
      seen.push(answer.products[0].variants[0].id)
      cursor = answer.pagination.cursor
      expect(answer.pagination).toMatchObject({ has_next_page: seen.length < 3, total_count: 3 })
    }
    expect(seen.toSorted()).toEqual([marmalade.id, slate.id, hook.id].toSorted())
  })

  it('of nothing at all is refused, and one that finds nothing is empty', async () => {
    const { body } = await callTool(shop.url, 'search_catalog', { catalog: {} })
    expect(body.result.structuredContent).toMatchObject({
      ucp: { status: 'error' },
      messages: [{ code: 'invalid_input', severity: 'recoverable' }],
    })
    expectValid(body.result.structuredContent, 'shopping/types/error_response.json')
    expect((await search({ query: 'velocipede' })).products).toEqual([])
  })
})

describe('a look-up', () => {
  it('tells which id led to which variant, and which led nowhere', async () => {
    const { products } = await search({ query: 'ninepin' })
    const line = products[0].id
    const none = '00000000-0000-7000-8000-000000000000'
    const answer = await lookUp({ ids: [line, marmalade.id, hook.sku.toLowerCase(), hook.sku, none, marmalade.id] })
    const inputs = answer.products.flatMap(({ variants }: any) => variants).map(({ id, inputs }: any) => [id, inputs])
    expect(Object.fromEntries(inputs)).toEqual({
      // A line is represented by a product of it that can be bought.
      [slate.id]: [{ id: line, match: 'featured' }],
      [marmalade.id]: [{ id: marmalade.id, match: 'exact' }],
      [hook.id]: [
        { id: hook.sku.toLowerCase(), match: 'exact' },
        { id: hook.sku, match: 'exact' },
      ].filter(({ id }, index, all) => all.findIndex(each => each.id === id) === index),
    })
    expect(answer.messages).toEqual([{ type: 'info', code: 'not_found', content: none }])
    expect(answer.products.filter(({ id }: any) => id === line)).toHaveLength(1)
  })

  it('takes twenty ids at most', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => `SKU-${index}`)
    expect(await callRest(shop.url, 'POST', '/catalog/lookup', { ids })).toMatchObject({ status: 400 })
    const { status, body } = await callTool(shop.url, 'lookup_catalog', { catalog: { ids } })
    expect([status, body.error.code]).toEqual([400, -32602])
  })
})

describe('a product', () => {
  it('comes with all it is to be had in, what is in stock first', async () => {
    const { id } = (await search({ query: 'ninepin' })).products[0]
    const { product } = await getProduct({ id })
    expect(product.variants.map(({ id }: any) => id)).toEqual([slate.id, marmalade.id])
    expect(product.options).toEqual([
      {
        name: 'Colour',
        values: expect.arrayContaining([
          { label: 'Slate', available: true, exists: true },
          { label: 'Marmalade', available: false, exists: true },
        ]),
      },
    ])
    const chosen = await getProduct({ id, selected: [{ name: 'colour', label: 'marmalade' }] })
    expect(chosen.product.variants).toMatchObject([{ id: marmalade.id }])
    expect(chosen.product.selected).toEqual([{ name: 'Colour', label: 'Marmalade' }])
  })

  it('is the one its variant’s id names, whatever was selected', async () => {
    const { product } = await getProduct({ id: marmalade.id, selected: [{ name: 'Colour', label: 'Slate' }] })
    expect(product.variants).toMatchObject([{ id: marmalade.id }])
    expect((await getProduct({ id: hook.sku })).product).toMatchObject({ id: hook.id, title: 'Rosewood Hook' })
  })

  it('that is not there is told as the protocol wants', async () => {
    expect(await getProduct({ id: '00000000-0000-7000-8000-000000000000' })).toMatchObject({
      ucp: { version: '2026-04-08', status: 'error' },
      messages: [{ type: 'error', code: 'not_found', severity: 'recoverable' }],
    })
    expect(await getProduct({ id: 'NO-SUCH-SKU' })).toMatchObject({ ucp: { status: 'error' } })
  })
})

describe('over MCP', () => {
  const post = (body: unknown, headers = {}) =>
    fetch(`${shop.url}/api/ucp/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it('no session is needed, nor kept', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const begun = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(begun.headers.get('mcp-session-id')).toBeNull()
    expect(begun.headers.get('cache-control')).toBe('no-store')
    expect(await begun.json()).toMatchObject({ result: { serverInfo: { name: 'skein' }, capabilities: { tools: {} } } })
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${shop.url}/api/ucp/mcp`, { method })).status).toBe(405)
  })

  test.each([
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['no message', '{"a":1}', 400],
    ['several at once', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400],
    ['another method', '{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 200],
    ['a tool there is not', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}', 400],
    ['no arguments', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_product"}}', 400],
  ])('%s is answered with what is wrong', async (_what, body, status) => {
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain('"result"')
  })

  it('an agent says who it is', async () => {
    const meta = { 'ucp-agent': { profile: 'javascript:alert(1)' } }
    const { status, body } = await callTool(shop.url, 'search_catalog', { meta, catalog: { query: 'x' } })
    expect([status, body.error.code, body.error.data.code]).toEqual([400, -32001, 'invalid_profile_url'])
    const rest = await callRest(shop.url, 'POST', '/catalog/search', { query: 'x' }, { 'ucp-agent': '' })
    expect([rest.status, rest.body.code]).toEqual([400, 'invalid_profile_url'])
  })

  it('a token that is no good is told so, and a good one gives no more than a visitor has', async () => {
    const headers = { authorization: 'Bearer nonsense' }
    expect((await callTool(shop.url, 'search_catalog', { catalog: { query: 'x' } }, headers)).status).toBe(401)
  })
})
