import { describe, expect, test } from 'vitest'
import { metres, millimetres, splitName, typeset } from './facts.ts'

const thin = '\u2009'

describe('facts of a card', () => {
  test.each([
    ['400 m (437 yd)', `400${thin}m`],
    ['1,050 m', `1,050${thin}m`],
    ['15 cm', null],
    ['', null],
  ])('metres of %j', (text, expected) => expect(metres(text)).toBe(expected))

  test.each([
    ['4.0 mm (US 6)', `4${thin}mm`],
    ['2.75 mm (US 2)', `2.75${thin}mm`],
    ['US 6', null],
  ])('millimetres of %j', (text, expected) => expect(millimetres(text)).toBe(expected))
})

test('figures and units are set with thin spaces, words are left alone', () => {
  expect(typeset('100 g (5 × 20 g)')).toBe(`100${thin}g (5${thin}×${thin}20${thin}g)`)
  expect(typeset('2 metres')).toBe('2 metres')
})

test('a name is its line and its colourway', () => {
  expect(splitName('Ninepin Sock in Marmalade')).toEqual(['Ninepin Sock', 'in Marmalade'])
  expect(splitName('Made in Wool in Moss')).toEqual(['Made in Wool', 'in Moss'])
  expect(splitName('Brass Row Counter')).toEqual(['Brass Row Counter', null])
})
