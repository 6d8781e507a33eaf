import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '#schema/rules/pricing'
import { DEMO_SHOPPER } from '../account/demo-accounts.ts'
import { ask } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { setupSteps } from './setup.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop({ mail: { to: 'mailbox' } })
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const IN_EARNEST: Parameters<typeof setupSteps>[1] = {
  paypalConfig: { clientId: 'live', mode: 'LIVE', sdkBaseUrl: null },
  mailTo: 'smtp',
  publicUrl: 'https://wool.example',
  contact: { name: 'The Wool Room', email: 'hello@wool.example', address: '1 Wool Lane, Fen', taxId: null },
  policy: { ...DEFAULT_POLICY, taxBasisPoints: 0 },
}
/** What a shop with these settings has left to do. */
const left = async (settings: Partial<typeof IN_EARNEST> = {}) =>
  (await setupSteps(shop.em(), { ...IN_EARNEST, ...settings })).flatMap(({ code, problem }) => (problem ? [code] : []))

it('names all that a new shop has to see to, in order, with what decides it', async () => {
  await makeUser(shop.em(), { email: DEMO_SHOPPER.email })
  const { setup } = await ask(shop, admin, '{ setup { code problem settings } }', {})
  expect(setup).toEqual([
    {
      code: 'PAYMENTS',
      problem: 'Orders are paid in a simulation of PayPal: no money moves.',
      settings: ['PAYPAL_MODE', 'PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET'],
    },
    {
      code: 'MAIL',
      problem: 'Mails are sent to nobody: /dev/mailbox shows them, links to new passwords too, to everyone.',
      settings: ['SMTP_URL', 'MAIL_FROM'],
    },
    {
      code: 'ADDRESS',
      problem: 'Links in mails lead to this machine, which nobody else can open.',
      settings: ['SHOP_URL'],
    },
    { code: 'NAME', problem: 'The shop is called Skein, as every new one is.', settings: ['SHOP_NAME'] },
    {
      code: 'CONTACT',
      problem: 'Pages, mails and invoices do not say where the shop is and where to write to.',
      settings: ['SHOP_EMAIL', 'SHOP_ADDRESS'],
    },
    {
      code: 'TAX',
      problem: 'Every order is taxed at 15%, as in any shop whose owner has not said otherwise.',
      settings: ['TAX_RATE', 'TAX_RATES'],
    },
    { code: 'PRODUCTS', problem: 'Nothing is for sale yet.', settings: [] },
    {
      code: 'PAGES',
      problem: 'Some pages about the shop have the texts that every shop begins with.',
      settings: [],
    },
    {
      code: 'DEMO_ACCOUNTS',
      problem:
        'admin@example.com or shopper@example.com is still there, with a password that everyone can read unless it was changed. Make yourself an administrator before you delete them.',
      settings: [],
    },
    { code: 'SECOND_FACTOR', problem: 'An administrator signs in with a password alone.', settings: [] },
  ])
})

it('leaves out what a shop in earnest has seen to', async () => {
  expect(await left()).toEqual(['PRODUCTS', 'PAGES', 'DEMO_ACCOUNTS', 'SECOND_FACTOR'])
  const em = shop.em()
  const yarn = await makeProduct(em, { publishedAt: null })
  await em.execute('update users set closed_at = now() where email = ?', [DEMO_SHOPPER.email])
  expect(await left()).toEqual(['PRODUCTS', 'PAGES', 'SECOND_FACTOR'])
  await em.execute('update products set published_at = now() where id = ?', [yarn.id])
  expect(await left()).toEqual(['PAGES', 'SECOND_FACTOR'])
  await em.execute(`update pages set title = 'Ours', markdown = 'Ours.', updated_at = now()`)
  expect(await left()).toEqual(['SECOND_FACTOR'])
  await em.execute('update users set second_factor_at = now() where id = ?', [admin.id])
  expect(await left()).toEqual([])
})

it.each([
  ['one rate of its own', { taxBasisPoints: 825 }],
  ['prices with tax in them', { taxIncluded: true }],
  [
    'rates by where an order goes',
    {
      taxRates: [
        {
          country: 'United States',
          state: 'ME',
          stateName: 'Maine',
          postalCodes: [],
          basisPoints: 550,
          onShipping: false,
        },
      ],
    },
  ],
])('takes %s for an owner’s word on tax', async (_, own) => {
  expect(await left({ policy: DEFAULT_POLICY })).toContain('TAX')
  expect(await left({ policy: { ...DEFAULT_POLICY, ...own } })).not.toContain('TAX')
})
