import { expect, test } from 'vitest'
import { isSameAddress } from './same-address.ts'

test('an address is the same whatever its capitals and blanks, and another one with one line changed', () => {
  const home = { name: 'Nell', address: '1 Purl Lane', city: 'York', country: 'Norway' }
  expect(isSameAddress(home, { ...home, name: 'nell ', address2: '', country: 'NORWAY' })).toBe(true)
  expect(isSameAddress(home, { ...home, postalCode: 'YO1' })).toBe(false)
  expect(isSameAddress(home, { ...home, city: '' })).toBe(false)
})
