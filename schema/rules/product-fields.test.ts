import { expect, it } from 'vitest'
import { BLANK_PRODUCT, labelOf, ofEachField, snakeCase } from './product-fields.ts'

it('a field is called by its own name everywhere', () => {
  expect(labelOf('recommendedCare')).toBe('Recommended care')
  expect(snakeCase('recommendedCare')).toBe('recommended_care')
})

it('each field is made by its kind', () => {
  const made = ofEachField({ text: field => `${field}!`, cents: () => 1, units: () => 2, flag: () => 3, day: () => 4 })
  expect(made).toMatchObject({ name: 'name!', price: 1, countInStock: 2, expectedOn: 4 })
  expect(Object.keys(made)).toEqual(Object.keys(BLANK_PRODUCT))
})
