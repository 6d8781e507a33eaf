import { expect, it } from 'vitest'
import { newToken } from './tokens.ts'

it('is 43 characters of an address, and no command line takes it for a flag', () => {
  const tokens = new Set(Array.from({ length: 2000 }, newToken))
  expect(tokens.size).toBe(2000)
  expect([...tokens].filter(token => !/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/.test(token))).toEqual([])
})
