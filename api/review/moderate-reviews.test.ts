import { afterAll, beforeAll, expect, it, test, vi } from 'vitest'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const REVIEW = 'id isHidden hiddenReason rating comment product { id rating numReviews }'
const write = async (who: Account, productId: string, rating: number, comment = 'Lovely') =>
  (
    await ask(
      shop,
      who,
      'mutation($productId: ID!, $input: ReviewInput!) { createReview(productId: $productId, input: $input) { review { id } userErrors { code } } }',
      { productId, input: { rating, comment } },
    )
  ).createReview
const hide = async (id: string, reason: string) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!, $reason: String!) { hideReview(id: $id, reason: $reason) { review { ${REVIEW} } product { rating numReviews } ${REFUSED} } }`,
      { id, reason },
    )
  ).hideReview
const restore = async (id: string) =>
  (
    await ask(
      shop,
      admin,
      `mutation($id: ID!) { restoreReview(id: $id) { review { ${REVIEW} } product { rating numReviews } ${REFUSED} } }`,
      { id },
    )
  ).restoreReview
const seen = async (id: string, who: Account | null = null) =>
  (
    await ask(
      shop,
      who,
      'query($id: ID!) { product(id: $id) { rating numReviews reviews { total items { id isHidden hiddenReason } } viewerReview { id isHidden hiddenReason } } }',
      { id },
    )
  ).product
const list = async (filter: object) =>
  (
    await ask(shop, admin, `query($filter: ReviewFilter) { reviews(filter: $filter) { total items { ${REVIEW} } } }`, {
      filter,
    })
  ).reviews

it('hides a review with a reason, counts it no more, and restores it', async () => {
  const yarn = await makeProduct(shop.em())
  const [anna, bert] = [await makeUser(shop.em()), await makeUser(shop.em())]
  const { review: kind } = await write(anna, yarn.id, 5)
  const { review: rude } = await write(bert, yarn.id, 1, 'Rude words')

  expect(await hide(rude.id, ' Insults the sheep. ')).toMatchObject({
    userErrors: [],
    review: { isHidden: true, hiddenReason: 'Insults the sheep.' },
    product: { rating: 5, numReviews: 1 },
  })
  expect(await seen(yarn.id)).toMatchObject({
    rating: 5,
    numReviews: 1,
    reviews: { total: 1, items: [{ id: kind.id }] },
  })
  expect((await seen(yarn.id, bert)).viewerReview).toEqual({ id: rude.id, isHidden: true, hiddenReason: null })
  expect((await write(bert, yarn.id, 5)).userErrors).toMatchObject([{ code: 'ALREADY_REVIEWED' }])

  expect((await hide(rude.id, 'Another reason')).product).toEqual({ rating: 5, numReviews: 1 })
  expect(await restore(rude.id)).toMatchObject({
    review: { isHidden: false, hiddenReason: null },
    product: { rating: 3, numReviews: 2 },
  })
  expect((await restore(rude.id)).product).toEqual({ rating: 3, numReviews: 2 })
  expect(await auditOf(shop, admin, rude.id)).toMatchObject([
    { action: 'RESTORED', entity: 'REVIEW', label: yarn.name, changes: [{ before: 'Another reason', after: null }] },
    { action: 'HIDDEN', changes: [{ before: 'Insults the sheep.', after: 'Another reason' }] },
    { action: 'HIDDEN', changes: [{ field: 'hiddenReason', before: null, after: 'Insults the sheep.' }] },
  ])
})

it('counts a review once when many hide and restore it at once', async () => {
  const yarn = await makeProduct(shop.em())
  const { review } = await write(await makeUser(shop.em()), yarn.id, 4)
  await write(await makeUser(shop.em()), yarn.id, 2)
  await Promise.all(Array.from({ length: 6 }, () => hide(review.id, 'Twice')))
  expect(await seen(yarn.id)).toMatchObject({ rating: 2, numReviews: 1 })
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => (index % 2 ? hide(review.id, `${index}`) : restore(review.id))),
  )
  const { numReviews, reviews } = await seen(yarn.id)
  expect(reviews.total).toBe(numReviews)
  expect(reviews.items).toHaveLength(numReviews)
})

test.each([
  ['', 'INVALID'],
  [' ', 'INVALID'],
  ['x'.repeat(501), 'INVALID'],
  ['a\0b', 'INVALID'],
])('needs a reason', async (reason, code) => {
  const { review } = await write(await makeUser(shop.em()), (await makeProduct(shop.em())).id, 4)
  expect((await hide(review.id, reason)).userErrors).toMatchObject([{ code, field: ['reason'] }])
})

test.each(['0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c', 'abc'])('finds no review %j', async id => {
  expect((await hide(id, 'Why')).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
  expect((await restore(id)).userErrors).toMatchObject([{ code: 'NOT_FOUND' }])
})

it('lists all of them for moderation, filtered', async () => {
  const moss = await makeProduct(shop.em(), { name: 'Moss Unmistakable' })
  const { review } = await write(await makeUser(shop.em(), { name: 'Quill' }), moss.id, 3, 'Pills a lot')
  await write(await makeUser(shop.em(), { name: 'Rowan' }), moss.id, 5, 'Soft')
  await hide(review.id, 'Off topic')
  expect(await list({ productId: moss.id })).toMatchObject({
    total: 2,
    items: [{ rating: 5 }, { rating: 3, isHidden: true, hiddenReason: 'Off topic', product: { id: moss.id } }],
  })
  expect((await list({ productId: moss.id, hidden: true })).total).toBe(1)
  expect((await list({ productId: moss.id, hidden: false, rating: 5 })).total).toBe(1)
  expect((await list({ search: 'unmistakable' })).total).toBe(2)
  expect((await list({ search: 'QUILL pills' })).total).toBe(1)
  expect((await list({ search: '\0' })).total).toBe(0)
  expect((await list({ productId: 'abc' })).total).toBe(0)
  const { reviews } = await ask(
    shop,
    admin,
    'query($filter: ReviewFilter) { reviews(filter: $filter, sort: { field: RATING, direction: ASC }) { items { rating } } }',
    { filter: { productId: moss.id } },
  )
  expect(reviews.items).toEqual([{ rating: 3 }, { rating: 5 }])
})

it('finds reviews by what their products are called now, even those that are written while that changes', async () => {
  const moss = await makeProduct(shop.em(), { name: 'Moss Heirloom' })
  const { review } = await write(await makeUser(shop.em()), moss.id, 4)
  const changed = () => shop.em().execute('select updated_at from reviews where id = ?', [review.id])
  const before = await changed()
  const late = await makeUser(shop.em())
  const writing = await shop.em().transactional(async em => {
    await em.execute(`update products set name = 'Moss Keepsake' where id = ?`, [moss.id])
    const begun = write(late, moss.id, 5)
    // It waits for the product's row, and gets the name only then.
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await vi.waitFor(async () => expect(await shop.em().execute(waiting)).not.toEqual([]), 10_000)
    return { begun }
  })
  await writing.begun
  expect((await list({ search: 'heirloom' })).total).toBe(0)
  expect((await list({ search: 'keepsake moss lovely' })).total).toBe(2)
  expect(await changed()).toEqual(before)
})
