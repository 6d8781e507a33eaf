import { expect, test } from 'vitest'
import { splitName, typeset } from './facts.ts'

const thin = '\u2009'

test('figures and units are set with thin spaces, words are left alone', () => {
  expect(typeset('100 g (5 × 20 g)')).toBe(`100${thin}g (5${thin}×${thin}20${thin}g)`)
  expect(typeset('2 metres')).toBe('2 metres')
})

test('a name is its line and its colourway', () => {
  expect(splitName('Ninepin Sock in Marmalade')).toEqual(['Ninepin Sock', 'in Marmalade'])
  expect(splitName('Made in Wool in Moss')).toEqual(['Made in Wool', 'in Moss'])
  expect(splitName('Brass Row Counter')).toEqual(['Brass Row Counter', null])
})
