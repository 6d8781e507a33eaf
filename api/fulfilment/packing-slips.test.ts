import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../testing/admin.ts'
import { bought, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, portionsOf, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
let nell: Account
beforeAll(async () => {
  shop = await openShop({
    contact: { name: 'The Wool Room', email: 'hello@example.com', address: '1 Wool Lane, Fen', taxId: null },
  })
  admin = await makeUser(shop.em(), { isAdmin: true })
  nell = await makeUser(shop.em())
})
afterAll(() => shop?.close())

const get = (ids: string, who: { token: string } | null = admin) =>
  fetch(`${shop.url}/api/orders/packing-slips.pdf?ids=${ids}`, {
    headers: who ? { authorization: `Bearer ${who.token}` } : {},
  })

/** The text of each page, as a reader would copy it. */
async function pagesOf(ids: string): Promise<string[]> {
  const answer = await get(ids)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return (await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())))).text
}

const fulfil = (id: string, lines: object[], isSent = true) =>
  ask(
    shop,
    admin,
    `mutation($id: ID!, $lines: [FulfilmentLineInput!], $isSent: Boolean!) {
      fulfilOrder(id: $id, lines: $lines, isSent: $isSent) { fulfilment { id } userErrors { message } } }`,
    { id, lines, isSent },
  )

describe('a packing slip', () => {
  it('says whom it goes to, what to put in and from which dye lots, and no price', async () => {
    const wool = await makeProduct(shop.em(), { name: 'Fern Łódź 🧶', price: 2450, lots: { A12: 3, B7: 4 } })
    const hook = await makeProduct(shop.em(), { name: 'Hook', price: 899 })
    const order = await bought(shop, nell, [{ ...line(wool, 5), lots: portionsOf({ A12: 3, B7: 2 }) }, line(hook, 2)])
    const answer = await get(order.id)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="packing-slip-${order.reference.slice(1)}.pdf"`,
    )
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const [page, ...others] = await pagesOf(order.id)
    expect(others).toEqual([])
    for (const part of [
      'The Wool Room',
      order.reference,
      'To pack',
      'Nell Knitter',
      '1 Purl Lane',
      'Woolwich, ME 04579',
      'United States',
      'hello@example.com',
      'Fern Łódź 🧶',
      '3 of lot A12',
      '2 of lot B7',
      wool.sku,
      hook.sku,
    ])
      expect(page).toContain(part)
    expect(page).toMatch(/To pack\s+7\b/)
    expect(page).not.toMatch(/\$|24\.50|8\.99/)
  })

  it('says what the shopper told the shop, above what to pack', async () => {
    const yarn = await makeProduct(shop.em(), { name: 'Moss' })
    const customerNote = `Für Zoë 🧶\n\nNo prices, please. ${'It is a surprise. '.repeat(20)}`
    const order = await bought(shop, nell, [line(yarn)], { customerNote })
    const [page, ...others] = await pagesOf(order.id)
    expect(others).toEqual([])
    expect(page).toMatch(/The shopper says\s+Für Zoë 🧶 No prices, please\. It is a surprise\.[\s\S]*Moss/)
  })

  it('leaves out what is in a parcel already, lot by lot', async () => {
    const wool = await makeProduct(shop.em(), { lots: { A12: 3, B7: 4 } })
    const hook = await makeProduct(shop.em(), { name: 'Hook' })
    const order = await bought(shop, nell, [{ ...line(wool, 5), lots: portionsOf({ A12: 3, B7: 2 }) }, line(hook)])
    await fulfil(order.id, [
      { productId: wool.id, quantity: 3, lots: portionsOf({ A12: 3 }) },
      { productId: hook.id, quantity: 1 },
    ])
    const [page] = await pagesOf(order.id)
    expect(page).toMatch(/To pack\s+2\b/)
    expect(page).toContain('Lot B7')
    expect(page).not.toContain('A12')
    expect(page).not.toContain('Hook')
  })

  it('of several orders is a page for each, in the order asked for, without those of which nothing is left', async () => {
    const yarn = await makeProduct(shop.em(), { countInStock: 500 })
    const [one, two, sent] = [
      await bought(shop, nell, [line(yarn)]),
      await bought(shop, nell, [line(yarn)]),
      await bought(shop, nell, [line(yarn)]),
    ]
    await fulfil(sent.id, [{ productId: yarn.id, quantity: 1 }])
    const unpaid = await placed(shop, nell, [line(yarn)])
    const ids = [two.id.toUpperCase(), sent.id, unpaid.id, one.id, 'nothing'].join()
    const pages = await pagesOf(ids)
    expect(pages).toHaveLength(2)
    expect(pages[0]).toContain(`packing slip ${two.reference}, page 1 of 1`)
    expect(pages[1]).toContain(`packing slip ${one.reference}, page 1 of 1`)
    expect((await get(ids)).headers.get('content-disposition')).toContain('"packing-slips.pdf"')
  })

  it('of an order of fifty products goes on, numbered', async () => {
    const yarns = await Promise.all(
      Array.from({ length: 50 }, (_, index) => makeProduct(shop.em(), { name: `Yarn ${index} end` })),
    )
    const order = await bought(
      shop,
      nell,
      yarns.map(yarn => line(yarn)),
    )
    const pages = await pagesOf(order.id)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.at(-1)).toContain(`page ${pages.length} of ${pages.length}`)
    for (const page of pages) expect(page).toMatch(/Quantity\s+Item\s+SKU/)
    const whole = pages.join('\n')
    for (const { name } of yarns) expect(whole.split(name)).toHaveLength(2)
  })

  it('is not there when nothing is left to pack', async () => {
    const unpaid = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    const answer = await get(unpaid.id)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ message: 'There is nothing to pack of these orders now.' })
  })

  it.each(['', 'nothing', Array.from({ length: 51 }, () => '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c').join()])(
    'of %j is refused',
    async ids => {
      const answer = await get(ids)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ message: 'Name 1 to 50 orders, by their ids.' })
    },
  )
})

describe('is for administrators alone:', () => {
  it.each([
    ['a visitor', 401, () => null],
    ['the one who ordered', 403, () => nell],
  ])('%s gets %i', async (_who, status, who) => {
    const order = await bought(shop, nell, [line(await makeProduct(shop.em()))])
    const answer = await get(order.id, who())
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain('Purl')
  })

  it('a key needs the scope of orders', async () => {
    const order = await bought(shop, nell, [line(await makeProduct(shop.em()))])
    const keyFor = async (scope: string) =>
      (
        await ask(
          shop,
          admin,
          `mutation($input: ApiKeyInput!) { createApiKey(input: $input) { secret userErrors { message } } }`,
          { input: { name: scope, scopes: [scope], accountId: admin.id } },
        )
      ).createApiKey.secret
    expect((await get(order.id, { token: await keyFor('READ_CUSTOMERS') })).status).toBe(403)
    expect((await get(order.id, { token: await keyFor('READ_ORDERS') })).status).toBe(200)
  })
})
