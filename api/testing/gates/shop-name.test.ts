import { globSync, readFileSync } from 'node:fs'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo } from '../mail.ts'
import { createPaypalOrder, line, placed } from '../purchase.ts'
import { makeProduct, makeUser, openShop, type TestShop } from '../shop.ts'
import { present } from '#schema/rules/present'

const NAME = 'Wool & Øre “North”'
/** What the software is called, which customers of a shop with a name of its own never hear. */
const SOFTWARE = /\bSkein\b/

/** What programmers and the owner read is about the software, and says so. */
const OF_THE_SOFTWARE = [
  'api/catalog/import/fetch-pictures.ts',
  'api/cli/contract-changes.ts',
  'api/cli/release-contract.ts',
  'api/graphql/explorer/explorer.ts',
  'api/kernel/env-contradictions.ts',
  'api/kernel/env-variables.ts',
  'api/mail/mailbox.ts',
  'api/partner/documents.ts',
  'api/payment/paypal-http.ts',
  'api/rest/docs-page.ts',
  'api/rest/openapi.ts',
  'api/rest/postman.ts',
  'api/ucp/agent-profiles.ts',
  'api/webhook/send-request.ts',
  'schema/rules/shop-name.ts',
  'storefront/explorer/Explorer.tsx',
]

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({
    contact: { name: NAME, email: null, address: null, taxId: null },
    tagline: 'Wool & weather.',
    mail: { to: 'mailbox' },
    shopUrl: 'https://shop.example',
  })
})
afterAll(() => shop?.close())

describe('a shop with a name of its own', () => {
  it.each([
    '/',
    '/yarn',
    '/top-rated',
    '/collections',
    '/search/merino',
    '/product/:id/moss',
    '/cart',
    '/login',
    '/register',
    '/shipping',
    '/profile',
    '/admin',
    '/about',
    '/privacy',
    '/no/such/page',
  ])('is called by it, and by nothing else, at %s', async path => {
    const { id } = await makeProduct(shop.em(), { name: 'Moss' })
    const { body } = await shop.app.inject({ url: path.replace(':id', id) })
    expect(/<title>([^<]*)<\/title>/.exec(body)?.[1]).toContain('Wool &amp; Øre “North”')
    expect(body.includes('aria-label="Wool &amp; Øre “North”, home"')).toBe(true)
    expect(body.includes('<p>Wool &amp; weather.</p>')).toBe(path !== '/shipping' && path !== '/admin')
    // Classes and names of files are the software's.
    expect(body.replaceAll(/<script[^>]*src="[^"]*"|class="[^"]*"/g, '').match(/.{40}\bSkein\b/)).toBeNull()
  })

  it('is called by it on a phone’s home screen, by programs and in feeds', async () => {
    const { id } = await makeProduct(shop.em())
    const manifest = await shop.app.inject({ url: '/manifest.webmanifest' })
    expect(manifest.headers['content-type']).toContain('application/manifest+json')
    expect(manifest.json()).toMatchObject({ name: NAME, short_name: NAME })
    expect((await shop.gql('{ shop { name } }')).data.shop.name).toBe(NAME)
    const feed = (await shop.app.inject({ url: '/feeds/products.tsv' })).body
    expect(feed).toContain(NAME)
    expect(feed).not.toMatch(SOFTWARE)
    expect((await shop.app.inject({ url: `/share/product.jpg?id=${id}` })).statusCode).toBe(200)
  })

  it('is called by it in letters, at PayPal and on the invoice, of which it is the seller', async () => {
    const nell = await makeUser(shop.em(), { email: 'nell@example.com' })
    const order = await placed(shop, nell, [line(await makeProduct(shop.em()))])
    const [letter] = await mailsTo(shop, 'nell@example.com')
    expect(letter.text).toContain(`\n-- \n${NAME}. Yarn and knitting supplies.\n`)
    expect(letter.html).toContain('Wool &amp; Øre “North”')
    expect(letter.text + letter.html).not.toMatch(SOFTWARE)

    const { paypalOrderId } = await createPaypalOrder(shop, nell, order.id)
    const approval = await (await fetch(`${shop.simulator.url}/checkoutnow?token=${paypalOrderId}`)).text()
    expect(approval).toContain('Øre “North” order #')
    expect(approval).not.toMatch(SOFTWARE)

    const headers = { authorization: `Bearer ${nell.token}` }
    const pdf = await shop.app.inject({ url: `/api/orders/${order.id}/invoice.pdf`, headers })
    const { text } = await extractText(new Uint8Array(pdf.rawPayload), { mergePages: true })
    expect(text).toContain(`Seller\n${NAME}\n`)
    expect(text).not.toMatch(SOFTWARE)
  })

  it('is called by it in authenticator apps, and its name is no password', async () => {
    const register = async (email: string, password: string) => {
      const { data } = await shop.gql(
        'mutation($input: RegisterInput!) { register(input: $input) { token userErrors { code field } } }',
        { input: { name: 'Olive', email, password } },
      )
      return data.register
    }
    const { userErrors } = await register('olive@example.com', NAME)
    expect(userErrors).toMatchObject([{ code: 'INVALID', field: ['password'] }])
    const { token } = await register('olive@example.com', 'knit one, purl two')
    const { data } = await shop.gql(
      'mutation { beginSecondFactor(password: "knit one, purl two") { uri } }',
      {},
      { token: present(token) },
    )
    expect(new URL(present(data.beginSecondFactor.uri)).searchParams.get('issuer')).toBe(NAME)
  })
})

it('the name of the software stands where programmers and owners read it alone', () => {
  const files = ['api', 'storefront', 'schema']
    .flatMap(tree => globSync(`${tree}/**/*.{ts,tsx,graphql,html,json,svg,txt}`))
    .filter(file => !/\.test\.|\/(?:testing|e2e|seed|generated)\/|\.gql\.ts$/.test(file))
    .toSorted()
  const isNamed = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some(text => SOFTWARE.test(text) && !/^\s*(?:\/\/|\/?\*)/.test(text))
  expect(files.filter(isNamed)).toEqual(OF_THE_SOFTWARE)
})
