import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { invalidToken, unavailable } from '../kernel/errors.ts'
import { formAt, Problem, sendThrown, type Form } from './problem.ts'

async function answerTo(thrown: Error, form: Form) {
  const app = Fastify()
  app.setErrorHandler(sendThrown(form))
  app.get('/', () => {
    throw thrown
  })
  const { statusCode, headers, body } = await app.inject('/')
  return { statusCode, headers, body }
}

const gone = () => new Problem(404, 'NOT_FOUND', 'There is no such order.', { details: { limit: 'body' } })

test.each<[string, Form, unknown]>([
  [
    'GraphQL',
    'graphql',
    { errors: [{ message: 'There is no such order.', extensions: { code: 'NOT_FOUND', limit: 'body' } }] },
  ],
  ['other programs', 'json', { message: 'There is no such order.', code: 'NOT_FOUND' }],
])('%s reads what is wrong in the words of its own protocol', async (_who, form, body) => {
  const answer = await answerTo(gone(), form)
  expect(answer.statusCode).toBe(404)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(JSON.parse(answer.body)).toEqual(body)
})

test('people read it on a page', async () => {
  const answer = await answerTo(unavailable(3), 'page')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'retry-after': '3' })
  expect(answer.body).toContain('<p>The shop is very busy. Please try again in 3 seconds.</p>')
})

test('a refusal brings its own headers, a bug none of its words', async () => {
  const stranger = await answerTo(invalidToken('Your session has expired.'), 'graphql')
  expect(stranger.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
  expect(JSON.parse(stranger.body).errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED', reason: 'INVALID_TOKEN' })
  const bug = await answerTo(new Error('secret of the database'), 'json')
  expect(bug.statusCode).toBe(500)
  expect(JSON.parse(bug.body)).toEqual({
    message: 'Yarn it! Something went wrong!',
    code: 'INTERNAL_SERVER_ERROR',
    requestId: expect.any(String),
  })
})

test.each([
  ['/graphql', 'graphql'],
  ['/graphql/stream?x=1', 'graphql'],
  ['/api/products', 'json'],
  ['/graphqls', 'page'],
  ['/product/1', 'page'],
])('%s is answered as %s', (url, form) => {
  expect(formAt(url)).toBe(form)
})
