import { expect, test } from 'vitest'
import { codeOfCountry, COUNTRIES, countryNamed } from './countries.ts'
import { present } from './present.ts'

test('every country has a name, once', () => {
  expect(COUNTRIES).toHaveLength(249)
  expect(new Set(COUNTRIES).size).toBe(249)
  expect(COUNTRIES).toContain('United States')
  expect(COUNTRIES.filter(name => name.length < 3)).toEqual([])
})

test.each([
  ['us', 'United States'],
  [' USA ', 'United States'],
  ['uk', 'United Kingdom'],
  ['norway', 'Norway'],
  ['Norway', 'Norway'],
  ['Narnia', 'Narnia'],
  ['', ''],
])('%j is %j', (typed, name) => expect(countryNamed(typed)).toBe(name))

test('every country has its code', () => {
  expect(COUNTRIES.map(name => countryNamed(present(codeOfCountry(name))))).toEqual(COUNTRIES)
  expect(codeOfCountry('Germany')).toBe('DE')
})
