import { buildSchema, graphql } from 'graphql'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'
import { forgetShownOnChange } from './acknowledged.ts'
import { TELL_OF_PRODUCTS } from './note-sources.ts'

let shop: TestShop
let admin: Account
let shopper: Account
let other: Awaited<ReturnType<TestShop['another']>>
beforeAll(async () => {
  shop = await openShop({ keepAnswersMs: 600_000 })
  other = await shop.another()
  admin = await makeUser(shop.em(), { isAdmin: true })
  shopper = await makeUser(shop.em())
})
afterAll(async () => {
  await other?.stop()
  await shop?.close()
})

const CARD = 'id name price compareAtPrice countInStock rating numReviews category version updatedAt'
const GROUP = 'group { name total rating numReviews colours { hex } products { id name } reviews { total } }'
const ORDERS = ['CREATED', 'NAME', 'PRICE', 'RATING', 'BEST_SELLING', 'UPDATED']

/** What visitors may ask, by the root field that it is about; about a product that is changed and one that is not. */
const questionsAbout = (
  changed: string,
  unchanged: string,
  now = new Date(),
): [query: string, variables?: object][] => [
  ...[changed, unchanged].flatMap(id =>
    [
      CARD,
      GROUP,
      'reviews { total items { comment helpful answer { text } pictures { image } } } reviewSummary { stars }',
      'substitutes { product { id name } }',
      'goesWith { id }',
    ].map((fields): [string, object] => [`query ($id: ID!) { product(id: $id) { ${fields} } }`, { id }]),
  ),
  [`query ($id: ID!) { discontinuedProduct(id: $id) { name } }`, { id: changed }],
  ...ORDERS.flatMap(field =>
    [
      `products(sort: $sort) { total items { id } }`,
      `productsConnection(sort: $sort, first: 50) { edges { node { id } } }`,
    ].map((list): [string, object] => [
      `query ($sort: ProductSort) { ${list} }`,
      { sort: { field, direction: 'ASC' } },
    ]),
  ),
  ...[
    'products(keyword: "yarn") { total items { id } }',
    'products(filter: { ratingFrom: 4 }) { total }',
    `products(filter: { updatedFrom: "${now.toISOString()}" }) { total }`,
    `topRatedProducts(filter: { updatedFrom: "${now.toISOString()}" }) { total }`,
    'productsConnection(last: 5, sort: { field: UPDATED, direction: ASC }) { edges { cursor } }',
    'products(filter: { priceFrom: 3000 }) { total items { id } }',
    'products { facets { field values { value count } } }',
    'searchSuggestions(typed: "yar") { products { id name } terms { label } }',
    'categories',
    'topRatedProducts { items { id } }',
    'customersAlsoViewed { id }',
    'wallOfColour { id }',
    'collections { total pictures }',
    'collection(slug: "gifts") { name products { name } }',
    'shop { name announcement { text } }',
    'pages { title }',
    'page(slug: "about") { html }',
    'paypalConfig { mode }',
  ].map((field): [string] => [`{ ${field} }`]),
]

it('is asked about every field that is shown to all', () => {
  const asked = questionsAbout('', '')
    .map(([query]) => query)
    .join()
  expect([...TELL_OF_PRODUCTS].filter(field => !new RegExp(`\\b${field}\\b`).test(asked))).toEqual([
    'productGroup',
    // For administrators alone.
    'productGroups',
    'reviewsConnection',
  ])
})

let fresh = 0
/** The answer of a process. A question that nobody asked before is not answered from what is kept. */
async function answer(url: string, [query, variables]: [string, object?], isFresh = false): Promise<unknown> {
  const body = JSON.stringify({ query: isFresh ? `${query} # ${++fresh}` : query, variables })
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const answer = (await response.json()) as { errors?: unknown }
  expect(answer.errors).toBeUndefined()
  return answer
}

/**
 * A connection in the order of changes leaves out what came while an older transaction goes on, be it of another test's
 * database in the same cluster.
 */
const settled = () =>
  expect
    .poll(
      () => shop.em().execute('select id from products where updated_in >= pg_snapshot_xmin(pg_current_snapshot())'),
      { timeout: 60_000 },
    )
    .toEqual([])

const REVIEW = { rating: 5, comment: 'Soft' }
const written = (productId: string, by = shopper) =>
  change(
    'createReview',
    `productId: "${productId}", input: { rating: ${REVIEW.rating}, comment: "${REVIEW.comment}" }`,
    by,
    'review { id }',
  ).then(({ review }) => (review as { id: string }).id)
async function change(name: string, args: string, by = admin, answered = ''): Promise<Record<string, unknown>> {
  const { data } = await shop.gql(
    `mutation { ${name}(${args}) { ${answered} userErrors { message } } }` as string,
    {},
    by,
  )
  const payload = (data as Record<string, Record<string, unknown>>)[name]
  expect(payload?.['userErrors']).toEqual([])
  return present(payload)
}

/** Changes what is shown of a product. What it needs is prepared first. */
const CHANGES: Record<string, (id: string) => Promise<() => Promise<unknown>>> = {
  createReview: async id => () => written(id),
  hideReview: async id => {
    const review = await written(id)
    return () => change('hideReview', `id: "${review}", reason: "Rude"`)
  },
  restoreReview: async id => {
    const review = await written(id)
    await change('hideReview', `id: "${review}", reason: "Rude"`)
    return () => change('restoreReview', `id: "${review}"`)
  },
  answerReview: async id => {
    const review = await written(id)
    return () => change('answerReview', `id: "${review}", answer: "Thank you"`)
  },
  markReviewHelpful: async id => {
    const review = await written(id)
    return () => change('markReviewHelpful', `id: "${review}"`)
  },
  removeReviewPicture: async id => {
    const review = await written(id)
    const image = '/uploads/one.webp'
    await shop
      .em()
      .execute('update reviews set pictures = ?::jsonb where id = ?', [
        JSON.stringify([{ image, alt: '', width: 1, height: 1 }]),
        review,
      ])
    return () => change('removeReviewPicture', `id: "${review}", image: "${image}"`)
  },
  patchProduct: async id => () => change('patchProduct', `id: "${id}", input: { name: "Another yarn", price: 3100 }`),
  'patchProduct into a group': async id => () => change('patchProduct', `id: "${id}", input: { group: "Fen" }`),
  'patchProduct, with nothing new': async id => () => change('patchProduct', `id: "${id}", input: { price: 2400 }`),
  updateProduct: async id => {
    const { id: _, ...input } = (
      await shop.gql(
        `query ($id: ID!) { product(id: $id) { id name image description weight length gauge knittingNeedle crochetHook recommendedCare content category price countInStock } }`,
        { id },
        admin,
      )
    ).data.product
    return async () => {
      const { data } = await shop.gql(
        'mutation ($id: ID!, $input: ProductInput!) { updateProduct(id: $id, input: $input) { userErrors { message } } }',
        { id, input: { ...input, category: 'Lace' } },
        admin,
      )
      expect(data.updateProduct.userErrors).toEqual([])
    }
  },
  bulkUpdateProducts: async id => () => change('bulkUpdateProducts', `ids: ["${id}"], change: { priceByCents: 900 }`),
  deleteProduct: async id => () => change('deleteProduct', `id: "${id}"`),
  placeOrder: async id => () =>
    change(
      'placeOrder',
      `input: { lines: [{ productId: "${id}", quantity: 1 }], shippingAddress: { name: "Nell", country: "US" } }`,
      shopper,
    ),
  placeOrderFor: async id => () =>
    change(
      'placeOrderFor',
      `input: { customerEmail: "nell@example.com", lines: [{ productId: "${id}", quantity: 1 }], shippingAddress: { name: "Nell", country: "US" } }`,
    ),
  // These drop everything.
  copyProduct: async id => () => change('copyProduct', `id: "${id}"`),
  adjustStock: async id => () => change('adjustStock', `lines: [{ id: "${id}", set: 3 }]`),
  updateProfile: async () => () =>
    change('updateProfile', `input: { name: "Nell", email: "${shopper.user.email}" }`, shopper),
  updatePage: async () => () =>
    change('updatePage', 'slug: "about", input: { title: "About", markdown: "Wool", version: 1 }'),
  updateAnnouncement: async () => () => change('updateAnnouncement', 'input: { text: "Closed", version: 1 }'),
}

describe('whoever is told of a change, no process shows them what was before:', () => {
  test.each(Object.keys(CHANGES))('%s', async name => {
    shopper = await makeUser(shop.em())
    const changed = await makeProduct(shop.em())
    const unchanged = await makeProduct(shop.em())
    await change('patchProduct', `id: "${unchanged.id}", input: { group: "Fen" }`)
    const make = await nth([present(CHANGES[name])], 0)(changed.id)
    const questions = questionsAbout(changed.id, unchanged.id)
    for (const { url } of [shop, other])
      for (let time = 0; time < 2; time++) for (const question of questions) await answer(url, question)
    await make()
    await settled()
    for (const { url } of [other, shop])
      for (const question of questions)
        expect(await answer(url, question), question[0]).toEqual(await answer(url, question, true))
  })
})

describe('what a change has nothing to do with is kept:', () => {
  const behindItsBack = (id: string) => shop.em().execute('update products set price = price + 1 where id = ?', [id])
  const PRODUCT = `query ($id: ID!) { product(id: $id) { price reviews { total } } }`
  const LIST = `{ products(sort: { field: NAME, direction: ASC }) { items { id price } } }`
  /** The shop has heard of all that came before a change that is answered, such as that there is this product. */
  const heardOf = (id: string) => change('patchProduct', `id: "${id}", input: { content: "Wool" }`)

  test.each<[change: string, question: string, isKept: boolean]>([
    ['createReview', PRODUCT, true],
    ['patchProduct', PRODUCT, true],
    ['deleteProduct', PRODUCT, true],
    ['patchProduct', LIST, false],
  ])('%s and %s', async (name, query, isKept) => {
    shopper = await makeUser(shop.em())
    const [changed, unchanged] = [await makeProduct(shop.em()), await makeProduct(shop.em(), { name: 'Aaa' })]
    const make = await present(CHANGES[name])(changed.id)
    await heardOf(unchanged.id)
    const question: [string, object] = [query, { id: unchanged.id }]
    await answer(shop.url, question)
    const before = await answer(shop.url, question)
    await behindItsBack(unchanged.id)
    await make()
    if (isKept) expect(await answer(shop.url, question)).toEqual(before)
    else expect(await answer(shop.url, question)).not.toEqual(before)
  })

  it('a review of another product, and a list that does not show it', async () => {
    shopper = await makeUser(shop.em())
    const [reviewed, shown] = [await makeProduct(shop.em()), await makeProduct(shop.em())]
    await heardOf(shown.id)
    const question: [string, object] = [
      'query ($ids: [ID!]) { products(filter: { ids: $ids }, sort: { field: PRICE }) { items { price } } }',
      { ids: [shown.id] },
    ]
    await answer(shop.url, question)
    const before = await answer(shop.url, question)
    await behindItsBack(shown.id)
    await written(reviewed.id)
    expect(await answer(shop.url, question)).toEqual(before)
  })
})

describe('a payment', () => {
  const schema = forgetShownOnChange(
    buildSchema(
      'type Mutation { createPaypalOrder: Payload } type Query { one: Int } type Payload { paypalOrderId: ID }',
    ),
  )
  test.each([
    ['that moves no stock waits for no process', false, 0],
    ['that may have moved stock waits until every process has heard', true, 1],
  ])('%s', async (_what, mayMoveStock, times) => {
    const eventsHeard = vi.fn(async () => {})
    await graphql({
      schema,
      source: 'mutation { createPaypalOrder { paypalOrderId } }',
      rootValue: { createPaypalOrder: () => ({ paypalOrderId: 'ONE', mayMoveStock, userErrors: [] }) },
      contextValue: { user: {}, orderToken: null, replicas: null, eventsHeard },
    })
    expect(eventsHeard).toHaveBeenCalledTimes(times)
  })
})
