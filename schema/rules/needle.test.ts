import { expect, test } from 'vitest'
import { readNeedle } from './needle.ts'

test.each([
  ['4.5', 4.5],
  ['4,5 mm', 4.5],
  [' 4 mm ', 4],
  ['4.5mm', 4.5],
  ['US 7', 4.5],
  ['us 10.5', 6.5],
  ['UK 7', 4.5],
  ['4.5 mm (US 7)', 4.5],
  ['25', 25],
])('reads %j as %d mm', (typed, mm) => {
  expect(readNeedle(typed)).toBe(mm)
})

test.each(['', ' ', 'bamboo', '0', '99', '4 or 5 mm', '3.5–4 mm', 'US 99', '4.5 cm', '-4', '4e1'])(
  'knows no needle called %j',
  typed => {
    expect(readNeedle(typed)).toBeNull()
  },
)
