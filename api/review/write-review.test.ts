import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bought, line, placed } from '../testing/purchase.ts'
import { makeProduct, makeUser, makeUsers, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ pageSize: 5 })
})
afterAll(() => shop?.close())

const REVIEW = 'id userId name rating comment verifiedPurchase createdAt'

async function review(reviewer: Account, productId: string, input: object = {}) {
  const answer = await shop.gql(
    `mutation($productId: ID!, $input: ReviewInput!) {
      createReview(productId: $productId, input: $input) { review { ${REVIEW} } product { id rating numReviews } userErrors { code field } }
    }`,
    { productId, input: { rating: 5, comment: 'Lovely to stitch.', ...input } },
    reviewer,
  )
  return { ...answer, payload: answer.data?.createReview }
}

async function read(productId: string, { identity = null as Account | null, page = 1 } = {}) {
  const { data } = await shop.gql(
    `query($id: ID!, $page: Int) { product(id: $id) { rating numReviews viewerReview { ${REVIEW} } reviews(page: $page) { page pages total items { ${REVIEW} } } } }`,
    { id: productId, page },
    identity,
  )
  return data.product
}

describe('a review', () => {
  it('stands with its writer’s name, and counts at once', async () => {
    const [nell, yarn] = [await makeUser(shop.em(), { name: 'Nell' }), await makeProduct(shop.em())]
    const { payload } = await review(nell, yarn.id, { rating: 4, comment: '  Soft <b>and</b> round 🧶 ' })
    expect(payload.userErrors).toEqual([])
    expect(payload.review).toMatchObject({
      userId: nell.id,
      name: 'Nell',
      rating: 4,
      comment: 'Soft <b>and</b> round 🧶',
      verifiedPurchase: false,
    })
    expect(payload.product).toEqual({ id: yarn.id, rating: 4, numReviews: 1 })
    expect(await read(yarn.id)).toEqual({
      rating: 4,
      numReviews: 1,
      viewerReview: null,
      reviews: { page: 1, pages: 1, total: 1, items: [payload.review] },
    })
    expect((await read(yarn.id, { identity: nell })).viewerReview).toEqual(payload.review)
  })

  it('is written once per shopper and product', async () => {
    const [nell, purl, yarn, wool] = [
      await makeUser(shop.em()),
      await makeUser(shop.em()),
      await makeProduct(shop.em()),
      await makeProduct(shop.em()),
    ]
    await review(nell, yarn.id, { rating: 2 })
    expect((await review(nell, yarn.id, { rating: 5 })).payload).toMatchObject({
      review: null,
      userErrors: [{ code: 'ALREADY_REVIEWED' }],
    })
    expect(await read(yarn.id)).toMatchObject({ rating: 2, numReviews: 1 })
    expect((await review(purl, yarn.id)).payload.userErrors).toEqual([])
    expect((await review(nell, wool.id)).payload.userErrors).toEqual([])
  })

  it('is one even when it is sent 20 times at once', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    const answers = await Promise.all(Array.from({ length: 20 }, () => review(nell, yarn.id, { rating: 3 })))
    expect(answers.filter(({ payload }) => payload.review)).toHaveLength(1)
    expect(answers.flatMap(({ payload }) => payload.userErrors.map(({ code }: { code: string }) => code))).toEqual(
      Array(19).fill('ALREADY_REVIEWED'),
    )
    expect(await read(yarn.id)).toMatchObject({ rating: 3, numReviews: 1, reviews: { total: 1 } })
  })

  it.each([0, -1, 6, 2_147_483_647])('of %i stars is refused', async rating => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    expect((await review(nell, yarn.id, { rating })).payload).toMatchObject({
      review: null,
      userErrors: [{ code: 'INVALID', field: ['rating'] }],
    })
    expect(await read(yarn.id)).toMatchObject({ numReviews: 0 })
  })

  it.each([4.5, '5', null, [5], { gt: 0 }, 1e300])('of %j stars is no request at all', async rating => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    expect(await review(nell, yarn.id, { rating })).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    })
  })

  it.each([
    ['', 'blank'],
    [' \n\t ', 'white'],
    ['x'.repeat(2001), 'too long'],
    ['a\0b', 'with NUL'],
    ['\udfff', 'of half a character'],
  ])('with a comment that is %#: refused', async comment => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    expect((await review(nell, yarn.id, { comment })).payload).toMatchObject({
      review: null,
      userErrors: [{ code: 'INVALID', field: ['comment'] }],
    })
  })

  it('can have 2,000 characters', async () => {
    const [nell, yarn] = [await makeUser(shop.em()), await makeProduct(shop.em())]
    expect((await review(nell, yarn.id, { comment: 'x'.repeat(2000) })).payload.review.comment).toHaveLength(2000)
  })

  it.each([
    ['a draft', { publishedAt: null }],
    ['an archived product', { archivedAt: new Date() }],
  ])('of %s finds no product', async (_what, fields) => {
    const [nell, hidden] = [await makeUser(shop.em()), await makeProduct(shop.em(), fields)]
    expect((await review(nell, hidden.id)).payload).toMatchObject({
      review: null,
      product: null,
      userErrors: [{ code: 'NOT_FOUND' }],
    })
  })
})

it('is a verified purchase when the reviewer has paid for the product, and only then', async () => {
  const [nell, purl, yarn, other] = [
    await makeUser(shop.em()),
    await makeUser(shop.em()),
    await makeProduct(shop.em()),
    await makeProduct(shop.em()),
  ]
  await bought(shop, nell, [line(yarn)])
  await placed(shop, purl, [line(yarn)])
  expect((await review(nell, yarn.id)).payload.review.verifiedPurchase).toBe(true)
  expect((await review(nell, other.id)).payload.review.verifiedPurchase).toBe(false)
  expect((await review(purl, yarn.id)).payload.review.verifiedPurchase).toBe(false)
})

it('30 reviewers at once are all counted, and the average is exact', async () => {
  const [reviewers, yarn] = [await makeUsers(shop.em(), 30), await makeProduct(shop.em())]
  const answers = await Promise.all(
    reviewers.map((reviewer, index) => review(reviewer, yarn.id, { rating: 1 + (index % 4) })),
  )
  expect(answers.flatMap(({ payload }) => payload.userErrors)).toEqual([])
  const sum = reviewers.reduce((total, _, index) => total + 1 + (index % 4), 0)
  const { rating, numReviews, reviews } = await read(yarn.id)
  expect({ rating, numReviews, total: reviews.total, pages: reviews.pages }).toEqual({
    rating: sum / 30,
    numReviews: 30,
    total: 30,
    pages: 6,
  })
})

it('reviews are read newest first, page by page, out-of-range pages moved to the nearest', async () => {
  const [reviewers, yarn] = [await makeUsers(shop.em(), 7), await makeProduct(shop.em())]
  for (const reviewer of reviewers) await review(reviewer, yarn.id)
  const pages = await Promise.all([1, 2, 0, 99].map(page => read(yarn.id, { page })))
  expect(pages.map(({ reviews }) => [reviews.page, reviews.items.length])).toEqual([
    [1, 5],
    [2, 2],
    [1, 5],
    [2, 2],
  ])
  const writers = pages.slice(0, 2).flatMap(({ reviews }) => reviews.items.map(({ userId }) => userId))
  expect(writers).toEqual(reviewers.map(({ id }) => id).toReversed())
})
