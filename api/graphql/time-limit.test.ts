import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

const LONGEST_MS = 400

let shop: TestShop
let shopper: Account
let id: string
const statements: string[] = []
beforeAll(async () => {
  shop = await openShop({ longestMs: LONGEST_MS })
  const em = shop.em()
  shopper = await makeUser(em)
  id = (await makeProduct(em)).id
  vi.spyOn(shop.orm.config.getLogger(), 'logQuery').mockImplementation(({ query }) => {
    statements.push(present(query))
  })
  await shop.gql(
    'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 5, comment: "Soft." }) { userErrors { code } } }',
    { id },
    shopper,
  )
})
afterAll(() => shop?.close())

/** Does some work while nobody can read reviews. */
async function whileReviewsAreLocked(work: () => Promise<void>) {
  await shop.em().transactional(async em => {
    await em.execute('lock table reviews in access exclusive mode')
    statements.length = 0
    await work()
  })
}

const SLOW =
  'query ($id: ID!) { product(id: $id) { reviews { items { comment product { name reviews { total } } } } } }'

it('a query that has had its time goes no further, and half an answer is none', async () => {
  let answer!: Promise<Awaited<ReturnType<TestShop['gql']>>>
  await whileReviewsAreLocked(async () => {
    answer = shop.gql(SLOW, { id })
    await sleep(LONGEST_MS + 200)
  })
  expect(await answer).toEqual({
    status: 504,
    errors: [
      expect.objectContaining({
        message:
          'This operation took longer than 0.4 seconds and was ended. Ask for fewer fields, or for fewer items at a time.',
        extensions: { code: 'TIMEOUT' },
      }),
    ],
  })
  // The product's reviews were read, but not those of the product of its review.
  expect(statements.filter(text => /from reviews/.test(text) && !/count/.test(text))).toHaveLength(1)
})

it('a query that has time is answered', async () => {
  expect(nth((await shop.gql(SLOW, { id })).data.product.reviews.items, 0).product.reviews.total).toBe(1)
})

it('a REST call that reads is ended too', async () => {
  let answer!: Promise<Response>
  await whileReviewsAreLocked(async () => {
    answer = fetch(`${shop.url}/api/products/${id}`)
    await sleep(LONGEST_MS + 200)
  })
  const response = await answer
  expect([response.status, await response.json()]).toEqual([
    504,
    { message: expect.stringContaining('took longer'), code: 'TIMEOUT' },
  ])
})

it('a change is never ended in the middle', async () => {
  let answer!: Promise<Awaited<ReturnType<TestShop['gql']>>>
  const other = await makeUser(shop.em())
  await whileReviewsAreLocked(async () => {
    answer = shop.gql(
      'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 4, comment: "Round." }) { product { reviews { total } } userErrors { code } } }',
      { id },
      other,
    )
    await sleep(LONGEST_MS + 200)
  })
  expect((await answer).data).toEqual({ createReview: { product: { reviews: { total: 2 } }, userErrors: [] } })
})

it('a query nobody waits for any more goes no further', async () => {
  const patient = await openShop()
  try {
    const em = patient.em()
    const product = await makeProduct(em)
    const account = await makeUser(em)
    await patient.gql(
      'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 5, comment: "Soft." }) { userErrors { code } } }',
      { id: product.id },
      account,
    )
    const asked: string[] = []
    vi.spyOn(patient.orm.config.getLogger(), 'logQuery').mockImplementation(({ query }) => {
      asked.push(present(query))
    })
    const leaving = new AbortController()
    await patient.em().transactional(async tx => {
      await tx.execute('lock table reviews in access exclusive mode')
      const answer = fetch(`${patient.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: SLOW, variables: { id: product.id } }),
        signal: leaving.signal,
      })
      await sleep(300)
      leaving.abort()
      await expect(answer).rejects.toThrow()
      await sleep(200)
    })
    await sleep(500)
    expect(asked.filter(text => /from reviews/.test(text) && !/count/.test(text))).toHaveLength(1)
  } finally {
    await patient.close()
  }
})
