import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { lockWaits } from '../testing/lock-waits.ts'
import { makeProduct, makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'
import { nth, present } from '#schema/rules/present'

const LONGEST_MS = 1_500

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

/** Asks while nobody can read reviews, for longer than a query may take from when it waits for them. */
async function answerLate<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const { answer } = await shop.em().transactional(async em => {
    await em.execute('lock table reviews in access exclusive mode')
    statements.length = 0
    const answer = ask()
    await lockWaits(shop.em())
    await sleep(LONGEST_MS + 50)
    return { answer }
  })
  return answer
}

const SLOW =
  'query ($id: ID!) { product(id: $id) { reviews { items { comment product { name reviews { total } } } } } }'

it('a query that has had its time goes no further, and half an answer is none', async () => {
  expect(await answerLate(() => shop.gql(SLOW, { id }))).toEqual({
    status: 504,
    errors: [
      expect.objectContaining({
        message:
          'This operation took longer than 1.5 seconds and was ended. Ask for fewer fields, or for fewer items at a time.',
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
  const response = await answerLate(() => fetch(`${shop.url}/api/products/${id}`))
  expect([response.status, await response.json()]).toEqual([
    504,
    { message: expect.stringContaining('took longer'), code: 'TIMEOUT' },
  ])
})

it('a change is never ended in the middle', async () => {
  const other = await makeUser(shop.em())
  const { data } = await answerLate(() =>
    shop.gql(
      'mutation ($id: ID!) { createReview(productId: $id, input: { rating: 4, comment: "Round." }) { product { reviews { total } } userErrors { code } } }',
      { id },
      other,
    ),
  )
  expect(data).toEqual({ createReview: { product: { reviews: { total: 2 } }, userErrors: [] } })
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
    const connections = () => new Promise<number>(told => patient.app.server.getConnections((_, count) => told(count)))
    const leaving = new AbortController()
    await patient.em().transactional(async tx => {
      await tx.execute('lock table reviews in access exclusive mode')
      const answer = fetch(`${patient.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: SLOW, variables: { id: product.id } }),
        signal: leaving.signal,
      })
      await lockWaits(patient.em())
      const before = await connections()
      leaving.abort()
      await expect(answer).rejects.toThrow()
      await expect.poll(connections).toBeLessThan(before)
    })
    await sleep(500)
    expect(asked.filter(text => /from reviews/.test(text) && !/count/.test(text))).toHaveLength(1)
  } finally {
    await patient.close()
  }
})
