import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { ask } from '../testing/admin.ts'
import { line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { valueAt } from '#schema/rules/present'

let shop: TestShop
const people = new Map<string, Account | null>([['visitor', null]])
const ids: Record<string, string> = {}

beforeAll(async () => {
  shop = await openShop()
  const em = shop.em()
  const owner = await makeUser(em)
  const admin = await makeUser(em, { isAdmin: true })
  people
    .set('owner', owner)
    .set('other', await makeUser(em))
    .set('admin', admin)
  const product = await makeProduct(em)
  ids['a product'] = product.id
  ids['a draft'] = (await makeProduct(em, { publishedAt: null })).id
  ids['an archived product'] = (await makeProduct(em, { archivedAt: new Date() })).id
  ids['an order'] = (await placed(shop, owner, [line(product)])).id
  ids['an account'] = owner.id
  ids['a closed account'] = (await makeUser(em, { closedAt: new Date() } as object)).id
  ids['a review'] = await reviewed(owner, product.id)
  const hidden = await makeProduct(em)
  ids['a hidden review'] = await reviewed(owner, hidden.id)
  await ask(shop, admin, 'mutation($id: ID!) { hideReview(id: $id, reason: "Spam") { userErrors { code } } }', {
    id: ids['a hidden review'],
  })
  ids['nothing'] = v7()
})
afterAll(() => shop?.close())

async function reviewed(who: Account, productId: string): Promise<string> {
  const mutation =
    'mutation($productId: ID!) { createReview(productId: $productId, input: { rating: 4, comment: "Round." }) { review { id } } }'
  return (await ask(shop, who, mutation, { productId })).createReview.review.id
}

test.each<[string, string | null, string | null, string | null, string | null]>([
  ['a product', 'Product', 'Product', 'Product', 'Product'],
  ['a draft', null, null, null, 'Product'],
  ['an archived product', null, null, null, null],
  ['an order', null, 'Order', null, 'Order'],
  ['an account', null, 'User', null, 'User'],
  ['a closed account', null, null, null, null],
  ['a review', 'Review', 'Review', 'Review', 'Review'],
  ['a hidden review', null, 'Review', null, 'Review'],
  ['nothing', null, null, null, null],
])(
  '%s is %s to a visitor, %s to its owner, %s to another shopper and %s to an administrator',
  async (what, ...expected) => {
    const seen = []
    for (const who of ['visitor', 'owner', 'other', 'admin'])
      seen.push(
        (
          await ask(shop, valueAt(people, who), 'query($id: ID!) { node(id: $id) { __typename id } }', {
            id: ids[what],
          })
        ).node,
      )
    expect(seen).toEqual(expected.map(type => type && { __typename: type, id: ids[what] }))
  },
)

it('leads to the fields of its type', async () => {
  const query =
    'query($id: ID!) { node(id: $id) { id ... on Product { name price } ... on Order { reference } ... on User { email } ... on Review { comment } } }'
  expect((await ask(shop, valueAt(people, 'owner'), query, { id: ids['an order'] })).node).toEqual({
    id: ids['an order'],
    reference: expect.stringMatching(/^#\d+$/),
  })
  expect((await ask(shop, null, query, { id: ids['a product'] })).node).toMatchObject({
    name: expect.any(String),
    price: 2400,
  })
})
