import { describe, expect, it, test, vi } from 'vitest'
import type { z } from 'zod'
import { readAmount } from '../money.ts'
import { readUnits } from '../stock.ts'
import { shippingAddress } from './address.ts'
import { typedCode } from './discount.ts'
import { typedGiftCards } from './gift-card.ts'
import { fromLotsCell, lotsCell, productFields, sku } from './product.ts'
import { email, requiredText } from './text.ts'
import { webhookFields } from './webhook.ts'

const problem = (shape: z.ZodType, value: unknown) => shape.safeParse(value).error?.issues[0]?.message ?? null

describe('texts', () => {
  const name = requiredText('Name', 5)
  test.each([
    ['  Nell ', null],
    ['   ', 'Name is required.'],
    ['Nellie', 'Name can have at most 5 characters.'],
    ['a\0b', 'Name holds characters that cannot be stored.'],
    ['a\uD800b', 'Name holds characters that cannot be stored.'],
    ['🧶', null],
  ])('%j', (typed, message) => expect(problem(name, typed)).toBe(message))

  test.each([
    ['nell@example.com', null],
    ['', 'Email is required.'],
    ['nell@nowhere', 'Please enter a valid email address.'],
  ])('%j as an email', (typed, message) => expect(problem(email, typed)).toBe(message))
})

describe('products', () => {
  it('cost at least a cent', () => {
    expect(problem(productFields.price, 0)).toBe('Price must be at least $0.01.')
    expect(problem(productFields.price, 1)).toBeNull()
  })
  it('have a SKU in capitals', () => {
    expect(sku.parse(' wool-1 ')).toBe('WOOL-1')
    expect(problem(sku, '-wool')).toMatch(/starts with a letter or digit/)
  })
})

describe('dye lots in a cell', () => {
  it('are told in one way, without those of which nothing is left', () => {
    expect(lotsCell.parse(' 4417 : 2|4412:8 | 4420:0')).toBe('4412:8|4417:2')
    expect(fromLotsCell('4412:8|4417:2')).toEqual([
      { code: '4412', quantity: 8 },
      { code: '4417', quantity: 2 },
    ])
    expect(fromLotsCell('')).toEqual([])
  })
  test.each([
    ['4412', 'Lots must be written like 4412:8|4417:2.'],
    ['4412:8,4417:2', 'Lots must be written like 4412:8|4417:2.'],
    ['4412:-1', 'Lots must be written like 4412:8|4417:2.'],
    ['4412:1|4412:2', 'One of the dye lots is there twice.'],
    ['4412:1000000|4417:1', 'Count in stock is too high.'],
  ])('as %j are refused', (cell, message) => expect(problem(lotsCell, cell)).toBe(message))
})

it('sends a parcel to a name and a country', () => {
  const nowhere = { name: '', address: '', address2: '', city: '', state: '', postalCode: '', country: ' ' }
  expect(shippingAddress.safeParse(nowhere).error?.issues.map(({ path }) => path.join())).toEqual(['name', 'country'])
})

it('calls a webhook by a whole address', () => {
  expect(problem(webhookFields.url, 'example.com/skein')).toMatch(/^Please enter an address such as/)
  expect(webhookFields.url.parse(' https://Example.com ')).toBe('https://example.com/')
})

describe('what is typed', () => {
  test.each([
    ['12.50', 1250],
    ['$1,250.5', 125_050],
    [' 3 ', 300],
    ['12,5.0.', null],
    ['a lot', null],
    ['', null],
  ])('%j is an amount of %j cents', (typed, cents) => expect(readAmount(typed)).toBe(cents))
  test.each([
    ['0', 0],
    ['1,250', 1250],
    ['1000000', 1_000_000],
    ['1000001', null],
    ['-1', null],
    ['2.5', null],
  ])('%j is %j units', (typed, units) => expect(readUnits(typed)).toBe(units))
})

it('ends the last day of a code where the next one begins, also when clocks are put back', () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(typedCode.shape.startsAt.parse('2026-11-01')).toEqual(new Date('2026-11-01T04:00:00Z'))
  expect(typedCode.shape.endsAt.parse('2026-11-01')).toEqual(new Date('2026-11-02T05:00:00Z'))
  expect(typedCode.shape.endsAt.parse('')).toBeNull()
  vi.unstubAllEnvs()
})

it('reads five codes of gift cards out of one field, also with a comma after the last', () => {
  const codes = ['AAAA', 'BBBB', 'CCCC', 'DDDD', 'EEEE']
  expect(typedGiftCards.parse(` ${codes.join(', ')}, `)).toEqual(codes)
  expect(typedGiftCards.parse('')).toEqual([])
  expect(problem(typedGiftCards, [...codes, 'FFFF'].join())).toBe('One order takes at most 5 gift cards.')
})
