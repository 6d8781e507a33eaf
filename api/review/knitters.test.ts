import { afterAll, beforeAll, expect, it, test } from 'vitest'
import type { DataOf } from '../generated/answers.ts'
import { ask, auditOf } from '../testing/admin.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth } from '#schema/rules/present'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const write = async (who: Account, productId: string, input: object) =>
  (
    await ask(
      shop,
      who,
      'mutation($productId: ID!, $input: ReviewInput!) { createReview(productId: $productId, input: $input) { review { id needleMm gauge project helpful } userErrors { code field } } }',
      { productId, input: { rating: 5, comment: 'Lovely', ...input } },
    )
  ).createReview
const SUMMARY = 'reviewSummary { stars knitted { needleMm gauge knitters } }'
const REVIEWS = '{ total items { comment helpful answer { text } } }'
const read = async (id: string, asked = '') =>
  (
    (await ask(shop, null, `query($id: ID!) { product(id: $id) { ${SUMMARY} reviews${asked} ${REVIEWS} } }`, {
      id,
    })) as DataOf<`{ product { ${typeof SUMMARY} reviews ${typeof REVIEWS} } }`>
  ).product
const mark = async (who: Account | null, id: string, helpful = true) => {
  const { data, errors } = await shop.gql(
    'mutation($id: ID!, $helpful: Boolean!) { markReviewHelpful(id: $id, helpful: $helpful) { review { helpful viewerFoundHelpful } userErrors { code } } }',
    { id, helpful },
    who,
  )
  return data?.markReviewHelpful ?? errors
}
const answer = async (who: Account | null, id: string, text: string | null) => {
  const { data, errors } = await shop.gql(
    'mutation($id: ID!, $text: String) { answerReview(id: $id, answer: $text) { review { answer { text } } userErrors { code field } } }',
    { id, text },
    who,
  )
  return data?.answerReview ?? errors
}

it('keeps what a knitter tells: the needle as it is called, the gauge, the project', async () => {
  const moss = await makeProduct(shop.em())
  const written = async (input: object) => (await write(await makeUser(shop.em()), moss.id, input)).review
  expect(await written({ needle: 'US 7', gauge: 21.5, project: ' A hat ' })).toMatchObject({
    needleMm: 4.5,
    gauge: 21.5,
    project: 'A hat',
    helpful: 0,
  })
  const nothing = { needleMm: null, gauge: null, project: null }
  expect(await written({})).toMatchObject(nothing)
  expect(await written({ needle: null, gauge: null, project: null })).toMatchObject(nothing)
  expect(await written({ needle: ' ', project: '' })).toMatchObject(nothing)
})

test.each([
  [{ needle: 'bamboo' }, 'needle'],
  [{ needle: '3.5–4 mm' }, 'needle'],
  [{ needle: 'x'.repeat(201) }, 'needle'],
  [{ gauge: 0 }, 'gauge'],
  [{ gauge: 81 }, 'gauge'],
  [{ gauge: -1e300 }, 'gauge'],
  [{ project: 'x'.repeat(121) }, 'project'],
  [{ project: 'a\0b' }, 'project'],
])('refuses %j', async (input, field) => {
  const { review, userErrors } = await write(await makeUser(shop.em()), (await makeProduct(shop.em())).id, input)
  expect(review).toBeNull()
  expect(userErrors).toEqual([{ code: 'INVALID', field: [field] }])
})

it('says what knitters got on the needle most of them took, once two tell it', async () => {
  const em = shop.em()
  const moss = await makeProduct(em)
  const tell = async (rating: number, needle: string, gauge: number | null) =>
    (await write(await makeUser(em), moss.id, { rating, needle, gauge })).review.id as string
  expect(await read(moss.id)).toMatchObject({ reviewSummary: { stars: [0, 0, 0, 0, 0], knitted: null } })
  await tell(5, '4.5 mm', 21)
  await tell(4, '4 mm', 30)
  await tell(5, '4.5', null)
  expect((await read(moss.id)).reviewSummary).toEqual({ stars: [0, 0, 0, 1, 2], knitted: null })
  await tell(3, 'UK 7', 20)
  const hidden = await tell(1, '4.5 mm', 40)
  expect((await read(moss.id)).reviewSummary.knitted).toEqual({ needleMm: 4.5, gauge: 21, knitters: 3 })
  await ask(shop, admin, 'mutation($id: ID!) { hideReview(id: $id, reason: "Arm knitting") { userErrors { code } } }', {
    id: hidden,
  })
  expect((await read(moss.id)).reviewSummary).toEqual({
    stars: [0, 0, 1, 1, 2],
    knitted: { needleMm: 4.5, gauge: 20.5, knitters: 2 },
  })
})

it('shows reviews in the order and with the stars that are asked for', async () => {
  const em = shop.em()
  const moss = await makeProduct(em)
  const ids: string[] = []
  for (const [rating, comment] of [
    [3, 'three'],
    [5, 'five'],
    [1, 'one'],
  ])
    ids.push((await write(await makeUser(em), moss.id, { rating, comment })).review.id)
  await mark(await makeUser(em), nth(ids, 1))
  const shown = async (asked: string) => {
    const { reviews } = await read(moss.id, asked)
    return [reviews.total, ...reviews.items.map(({ comment }: { comment: string }) => comment)]
  }
  expect(await shown('')).toEqual([3, 'one', 'five', 'three'])
  expect(await shown('(order: HELPFUL)')).toEqual([3, 'five', 'one', 'three'])
  expect(await shown('(order: HIGHEST)')).toEqual([3, 'five', 'three', 'one'])
  expect(await shown('(order: LOWEST)')).toEqual([3, 'one', 'three', 'five'])
  expect(await shown('(stars: 3)')).toEqual([1, 'three'])
  expect(await shown('(stars: 4)')).toEqual([0])
  expect(await shown('(stars: 99)')).toEqual([0])
})

it('counts whoever found a review helpful once, however often and at once they say so, and not its writer', async () => {
  const em = shop.em()
  const [nell, rowan, ash, moss] = [await makeUser(em), await makeUser(em), await makeUser(em), await makeProduct(em)]
  const { id } = (await write(nell, moss.id, {})).review
  expect(await mark(null, id)).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  expect(await mark(nell, id)).toEqual({ review: null, userErrors: [{ code: 'OWN_REVIEW' }] })
  await Promise.all(Array.from({ length: 6 }, () => mark(rowan, id)))
  expect(await mark(ash, id)).toEqual({ review: { helpful: 2, viewerFoundHelpful: true }, userErrors: [] })
  await Promise.all(Array.from({ length: 6 }, () => mark(rowan, id, false)))
  expect(await mark(rowan, id, false)).toEqual({ review: { helpful: 1, viewerFoundHelpful: false }, userErrors: [] })
  for (const none of ['abc', '0198f0c2-7a51-7c3e-9d55-0a3c5f7a1b2c'])
    expect(await mark(rowan, none)).toEqual({ review: null, userErrors: [{ code: 'NOT_FOUND' }] })
  await em.execute(`update reviews set hidden_at = now(), hidden_reason = 'Spam' where id = ?`, [id])
  expect(await mark(rowan, id)).toEqual({ review: null, userErrors: [{ code: 'NOT_FOUND' }] })
})

it('carries the shop’s answer, which administrators write, change and take away', async () => {
  const [nell, moss] = [await makeUser(shop.em()), await makeProduct(shop.em())]
  const { id } = (await write(nell, moss.id, {})).review
  expect(await answer(nell, id, 'Mine')).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  expect(await answer(admin, id, ' Thank you. ')).toEqual({
    review: { answer: { text: 'Thank you.' } },
    userErrors: [],
  })
  expect(nth((await read(moss.id)).reviews.items, 0).answer).toEqual({ text: 'Thank you.' })
  await answer(admin, id, 'Thank you!')
  expect(await answer(admin, id, 'x'.repeat(2001))).toMatchObject({
    userErrors: [{ code: 'INVALID', field: ['answer'] }],
  })
  expect(await answer(admin, id, null)).toEqual({ review: { answer: null }, userErrors: [] })
  expect((await auditOf(shop, admin, id)).map(({ changes: [change] }) => change)).toMatchObject([
    { field: 'answer', before: 'Thank you!', after: null },
    { before: 'Thank you.', after: 'Thank you!' },
    { before: null, after: 'Thank you.' },
  ])
})
