import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

async function subscribe(email: string) {
  return (
    await shop.gql(
      'mutation($email: String!) { subscribeToNewsletter(email: $email) { subscribed userErrors { code message field } } }',
      { email },
    )
  ).data.subscribeToNewsletter
}
const listed = () => shop.em().execute<{ email: string }[]>('select email from newsletter_subscriptions order by email')

it('an address is put on the list once, however often and in whatever spelling it is given', async () => {
  const spellings = ['Nell@Example.com', 'nell@example.com', ' NELL@EXAMPLE.COM ', 'nell@example.com']
  const answers = [await subscribe(spellings[0]!), ...(await Promise.all(spellings.map(subscribe)))]
  expect(answers).toEqual(Array.from({ length: 5 }, () => ({ subscribed: true, userErrors: [] })))
  expect(await listed()).toEqual([{ email: 'Nell@Example.com' }])
})

it.each([
  '',
  ' ',
  'nell',
  'nell@',
  '@example.com',
  'nell@example',
  'ne ll@example.com',
  'nell@exa\0mple.com',
  'nell\ud800@example.com',
  `${'n'.repeat(250)}@example.com`,
])('refuses %j beside the field', async email => {
  const before = await listed()
  const { subscribed, userErrors } = await subscribe(email)
  expect(subscribed).toBe(false)
  expect(userErrors[0]).toMatchObject({ code: 'INVALID', field: ['email'] })
  expect(await listed()).toEqual(before)
})

it('says so in the words of the shop', async () => {
  expect((await subscribe('nell')).userErrors).toEqual([
    { code: 'INVALID', field: ['email'], message: 'Please enter a valid email address.' },
  ])
})
