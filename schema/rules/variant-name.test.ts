import { expect, it } from 'vitest'
import { groupNameOf, variantName } from './variant-name.ts'

it.each([
  ['Ninepin Sock in Marmalade', 'Ninepin Sock', 'Marmalade'],
  ['Ninepin Sock in Wildflower Verge', 'ninepin sock', 'Wildflower Verge'],
  ['Rosewood Circular, 4.0 mm', 'Rosewood Circular', '4.0 mm'],
  ['Rosewood Circular – 4.0 mm', 'Rosewood Circular', '4.0 mm'],
  ['Skerrow 4-Ply Inkwell', 'Skerrow 4-Ply', 'Inkwell'],
  ['Skerrow 4-Ply in Ink in Water', 'Skerrow 4-Ply', 'Ink in Water'],
  ['Skerrow 4-Ply', 'Skerrow 4-Ply', 'Skerrow 4-Ply'],
  ['Ninepin Twins', 'Ninepin Sock', 'Ninepin Twins'],
])('%s of the group %s is called %s', (name, group, variant) => {
  expect(variantName(name, group)).toBe(variant)
})

it.each([
  ['Ninepin Sock in Marmalade', 'Ninepin Sock'],
  ['Great Loaf Jumbo in Undyed Cream', 'Great Loaf Jumbo'],
  ['Olivewood Crochet Hook, 5.0 mm', 'Olivewood Crochet Hook'],
  ['Bamboo Needles 3 mm', 'Bamboo Needles'],
  ['Gilt Stork Scissors', null],
  ['In Marmalade', null],
  ['Ink in Water in Blue', 'Ink in Water'],
])('%s belongs to the group %s', (name, group) => {
  expect(groupNameOf(name)).toBe(group)
})
