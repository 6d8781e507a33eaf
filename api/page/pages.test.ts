import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_DELIVERY, type DeliveryTerms } from '#schema/rules/delivery'
import { DEFAULT_POLICY, type PricingPolicy } from '#schema/rules/pricing'
import { SHOP_PAGES, type ShopPageSlug } from '#schema/rules/shop-pages'
import type { DataOf } from '../generated/answers.ts'
import { ask } from '../testing/admin.ts'
import { mailsTo } from '../testing/mail.ts'
import { figuresOf, renderPage } from './render-page.ts'
import { FIRST_TEXTS } from './first-texts.ts'
import { makeUser, openShop, type Account, type Answer, type TestShop } from '../testing/shop.ts'
import { present } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({
    mail: { to: 'mailbox' },
    trustProxy: '127.0.0.1',
    contact: { name: 'Skein', email: 'counter@example.com', address: '1 Wool Lane, Fen', taxId: null },
  })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const PAGE = 'slug title markdown html version updatedAt'
const page = async (slug: string) =>
  (await shop.gql(`query($slug: String!) { page(slug: $slug) { ${PAGE} } }`, { slug })).data.page
const update = async (slug: string, input: object) =>
  (
    await ask(
      shop,
      admin,
      `mutation($slug: String!, $input: PageInput!) { updatePage(slug: $slug, input: $input) { page { ${PAGE} } userErrors { code field } } }`,
      { slug, input },
    )
  ).updatePage

describe('the pages a shop must have', () => {
  it('are all there, with headings of their own and the figures of the shop', async () => {
    const { data } = await shop.gql(`{ pages { ${PAGE} } }`)
    expect(data.pages.map(({ slug }: { slug: string }) => slug)).toEqual(SHOP_PAGES.map(({ slug }) => slug))
    for (const { html, markdown } of data.pages) {
      expect(html).not.toMatch(/[{}]/)
      expect(markdown.length).toBeGreaterThan(200)
    }
    const { html } = await page('shipping-and-returns')
    expect(html).toContain('We ship to every country.')
    expect(html).toContain('Shipping is $1.50 for each 100 g of yarn, $18.00 at most, and on us from $100.00 on.')
    expect(html).toContain('Tax (15% of the items) is added.')
    expect(html).toContain('60 minutes')
    expect((await page('contact')).html).toContain('counter@example.com')
    expect((await page('contact')).html).toContain('1 Wool Lane, Fen')
  })

  it('lead to the form where the shop has no address for mail', () => {
    const figures = {
      policy: DEFAULT_POLICY,
      delivery: DEFAULT_DELIVERY,
      stockHoldMinutes: 60,
      returnDays: 30,
      contact: { name: 'Skein', email: null, address: null, taxId: null },
    }
    const rendered = (slug: ShopPageSlug) => renderPage(FIRST_TEXTS[slug].markdown, figuresOf(figures, slug))
    expect(rendered('contact')).toContain('<p>Email: with the form below</p>')
    expect(rendered('privacy')).toContain('Write to us: with the form on our contact page.')
  })

  it.each<[string, Partial<PricingPolicy>, Partial<DeliveryTerms>, string]>([
    ['free', { freeShippingFrom: 0, abroad: { ...DEFAULT_POLICY, freeShippingFrom: 0 } }, {}, 'Shipping is on us.'],
    [
      'never free',
      { freeShippingFrom: 1_000_000_00, shippingRate: 'FLAT' },
      { shipsTo: ['United States'] },
      'We ship to the United States. Shipping is $10.00 an order.',
    ],
    [
      'dearer abroad',
      { abroad: { ...DEFAULT_POLICY, shippingRate: 'FLAT', flatShipping: 25_00, freeShippingFrom: 250_00 } },
      { shipsTo: ['Canada', 'United States'] },
      'We ship to Canada and the United States. To the United States shipping is $1.50 for each 100 g of yarn, $18.00 at most, and on us from $100.00 on. To any other country shipping is $25.00 an order, and on us from $250.00 on.',
    ],
    [
      'with a place to pick orders up',
      { shippingRate: 'FLAT' },
      {
        pickup: {
          street: '12 Mill Lane',
          city: 'Portland',
          state: 'ME',
          postalCode: '04101',
          hours: 'Tuesday to Saturday, 10 to 6',
        },
      },
      'Or pick your order up at 12 Mill Lane, Portland, for no shipping: we are open Tuesday to Saturday, 10 to 6.',
    ],
    [
      'taxed by state',
      {
        taxBasisPoints: 0,
        taxRates: [
          {
            country: 'United States',
            state: 'NJ',
            stateName: 'New Jersey',
            postalCodes: [],
            basisPoints: 662.5,
            onShipping: false,
          },
        ],
      },
      {},
      'Tax (0% to 6.625% of the items) is added.',
    ],
    [
      'taxed by state, shipping too',
      {
        taxBasisPoints: 0,
        taxRates: [
          {
            country: 'United States',
            state: 'NJ',
            stateName: 'New Jersey',
            postalCodes: [],
            basisPoints: 662.5,
            onShipping: true,
          },
        ],
      },
      {},
      'Tax (0% to 6.625% of the items, in some places of shipping, too) is added.',
    ],
    ['taxed already', { taxIncluded: true, taxBasisPoints: 1900 }, {}, 'Prices and shipping have tax (19%) in them.'],
  ])('say what shipping and tax are where it is %s', (_title, policy, delivery, words) => {
    const figures = {
      policy: { ...DEFAULT_POLICY, ...policy },
      delivery: { ...DEFAULT_DELIVERY, ...delivery },
      stockHoldMinutes: 60,
      returnDays: 30,
      contact: { name: 'Skein', email: null, address: null, taxId: null },
    }
    const text = FIRST_TEXTS['shipping-and-returns'].markdown
    expect(renderPage(text, figuresOf(figures, 'shipping-and-returns'))).toContain(words)
  })

  it.each(['nothing', '', '__proto__', 'Privacy'])('%j is none of them', async slug => {
    expect(await page(slug)).toBeNull()
  })
})

describe('the owner’s text', () => {
  it('takes the place of the first one, and the history says what was changed', async () => {
    const { version } = await page('about')
    const saved = await update('about', { title: 'Who we are', markdown: 'We *knit*.', version })
    expect(saved).toMatchObject({
      page: { title: 'Who we are', html: '<p>We <em>knit</em>.</p>', version: version + 1 },
      userErrors: [],
    })
    expect(await page('about')).toEqual(saved.page)
    const { auditLog } = await ask(
      shop,
      admin,
      '{ auditLog(filter: { entity: PAGE }) { items { label action changes { field after } } } }',
    )
    expect(auditLog.items[0]).toMatchObject({
      label: 'Who we are',
      action: 'UPDATED',
      changes: [
        { field: 'title', after: 'Who we are' },
        { field: 'markdown', after: 'We *knit*.' },
      ],
    })
  })

  it('is not overwritten by who read an older one', async () => {
    const { version, markdown } = await page('terms')
    const both = await Promise.all(
      ['One', 'Two'].map(text => update('terms', { title: text, markdown: text, version })),
    )
    expect(both.map(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code)).toSorted()).toEqual([
      [],
      ['CONFLICT'],
    ])
    const now = await page('terms')
    expect(present(both.find(({ userErrors }) => userErrors.length > 0)).page).toEqual(now)
    expect(now.markdown).not.toBe(markdown)
  })

  it.each([
    ['<script>alert(1)</script>', /<script/],
    ['<img src=x onerror=alert(1)>', /<img/],
    ['[press](javascript:alert(1))', /href="[^"]*javascript:/],
    ['[press](JaVaScRiPt&colon;alert(1))', /href="(?!")[^"]*script/i],
    ['[press](data:text/html,<b>)', /href="[^"]*data:/],
    ['![](javascript:alert(1))', /src="[^"]*javascript:/],
    ['<a href="//x" onclick=1>x</a>', /<a /],
  ])('shows %j as text, or leads nowhere', async (markdown, never) => {
    const { version } = await page('privacy')
    expect((await update('privacy', { title: 'Privacy', markdown, version })).page.html).not.toMatch(never)
  })

  it.each([
    ['title', { title: ' ', markdown: 'x' }],
    ['markdown', { title: 'x', markdown: '' }],
    ['markdown', { title: 'x', markdown: 'x'.repeat(20_001) }],
  ])('is refused without a %s that fits', async (field, input) => {
    const { version } = await page('accessibility')
    expect((await update('accessibility', { ...input, version })).userErrors).toMatchObject([
      { code: 'INVALID', field: [field] },
    ])
  })
})

describe('a message to the owner', () => {
  const send = async (input: object, from: string) => {
    const query =
      `mutation($input: MessageInput!) { sendMessage(input: $input) { mailbox userErrors { code field } } }` as const
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    return (await (await shop.send(JSON.stringify({ query, variables: { input } }), headers)).json()) as Answer<
      DataOf<typeof query>
    >
  }

  it('is mailed to the shop, as text, with the address to answer to', async () => {
    const said = { name: 'Nell', email: 'nell@example.com', message: 'Do you have\n\n<b>more</b> of lot 12?' }
    expect((await send(said, '10.2.0.1')).data.sendMessage).toEqual({ mailbox: '/dev/mailbox', userErrors: [] })
    const [mail] = await mailsTo(shop, 'counter@example.com')
    expect(mail.text).toContain('Nell (nell@example.com) writes:')
    expect(mail.html).not.toContain('<b>more')
  })

  it('is refused beside the field that is wrong', async () => {
    const { data } = await send({ name: '', email: 'nell', message: ' ' }, '10.2.0.2')
    expect(data.sendMessage.userErrors.map(({ field }) => field[0])).toEqual(['name', 'email', 'message'])
  })

  it('is one of five an hour', async () => {
    const said = { name: 'Nell', email: 'often@example.com', message: 'Hello?' }
    for (let sent = 0; sent < 5; sent++) expect((await send(said, '10.2.0.3')).errors).toBeUndefined()
    expect((await send(said, '10.2.0.3')).errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
  })
})
