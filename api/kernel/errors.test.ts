import { expect, it, test } from 'vitest'
import { signedIn, type Context } from '../context.ts'
import { maskError, waitInWords } from './errors.ts'

test.each([
  ['without a code', { message: 'relation "users" does not exist' }],
  [
    'that Apollo calls internal',
    {
      message: 'connect ECONNREFUSED',
      extensions: { code: 'INTERNAL_SERVER_ERROR', stacktrace: ['at query (db.ts:1)'] },
    },
  ],
])('an error %s is told as an apology only', (_what, error) => {
  expect(maskError(error)).toEqual({
    message: 'Yarn it! Something went wrong!',
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  })
})

it('an error of our own is told without what is inside of it', () => {
  expect(
    maskError({
      message: 'No.',
      extensions: { code: 'FORBIDDEN', missing: ['ADMIN'], http: { status: 403 }, stacktrace: ['at x'] },
    }),
  ).toEqual({ message: 'No.', extensions: { code: 'FORBIDDEN', missing: ['ADMIN'] } })
})

it('whoever is not signed in is nobody to act for', () => {
  expect(() => signedIn({ user: null } as Context)).toThrow('Please sign in.')
})

it.each([
  [1, '1 second'],
  [60, '60 seconds'],
  [120, '2 minutes'],
  [900, '15 minutes'],
  [901, '16 minutes'],
  [7_200, '2 hours'],
  [86_399, '24 hours'],
])('%i seconds are told as "%s"', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})
