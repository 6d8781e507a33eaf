import { expect, test } from 'vitest'
import { listParams } from './list-params.ts'

test.each([
  [{}, { keyword: null, page: 1 }],
  [{ pageNumber: '3' }, { keyword: null, page: 3 }],
  [{ pageNumber: '0' }, { keyword: null, page: 1 }],
  [{ pageNumber: '-2' }, { keyword: null, page: 1 }],
  [{ pageNumber: 'abc' }, { keyword: null, page: 1 }],
  [{ pageNumber: '99999999999999' }, { keyword: null, page: 2 ** 31 - 1 }],
  [{ keyword: '  ' }, { keyword: null, page: 1 }],
  [
    { keyword: '100% "wool"', pageNumber: '2' },
    { keyword: '100% "wool"', page: 2 },
  ],
])('the address %j asks for %j', (params, expected) =>
  expect(listParams(params, new URLSearchParams())).toEqual({ ...expected, asTyped: false, filter: null, sort: null }),
)

test('an address can ask for exactly what was typed', () => {
  expect(listParams({ keyword: 'merno' }, new URLSearchParams('asTyped'))).toEqual({
    keyword: 'merno',
    page: 1,
    asTyped: true,
    filter: null,
    sort: null,
  })
})

test('an address can narrow and sort', () => {
  expect(listParams({ pageNumber: '2' }, new URLSearchParams('weight=dk&sort=price-high'))).toEqual({
    keyword: null,
    page: 2,
    asTyped: false,
    filter: { weightClass: ['DK'] },
    sort: { field: 'PRICE', direction: 'DESC' },
  })
})
