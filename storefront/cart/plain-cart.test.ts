import { expect, test } from 'vitest'
import { limits } from '#schema/rules/limits'
import { changedBy, cookieOf, type PlainLine, readPlainCart } from './plain-cart.ts'

const id = (number: number) => `0199aa00-0000-7000-8000-${String(number).padStart(12, '0')}`
const form = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}
const line = (number: number, quantity: number): PlainLine => ({ id: id(number), quantity })

test('what a cookie is set to is read again', () => {
  const lines = [line(1, 2), line(2, 1)]
  const [cookie] = cookieOf(lines, false).split(';')
  expect(readPlainCart(`theme=dark; ${cookie}; other=1`)).toEqual(lines)
})

test('the cookie is the shop’s own, and with an empty cart it ends', () => {
  expect(cookieOf([line(1, 2)], true)).toBe(`cart=${id(1)}*2; Path=/; SameSite=Lax; Max-Age=2592000; Secure`)
  expect(cookieOf([], false)).toBe('cart=; Path=/; SameSite=Lax; Max-Age=0')
})

test.each([
  ['nothing', null],
  ['another cookie', 'cartoon=1'],
  ['no id', 'cart=1*1'],
  ['no quantity', `cart=${id(1)}`],
  ['none of it', `cart=${id(1)}*0`],
  ['a part of one', `cart=${id(1)}*0.5`],
  ['fewer than none', `cart=${id(1)}*-1`],
  ['more than a shelf holds', `cart=${id(1)}*1000001`],
  ['markup', 'cart=<b>*1'],
])('a cookie with %s is an empty cart', (_what, cookie) => {
  expect(readPlainCart(cookie)).toEqual([])
})

test('of a cookie with a product twice the last counts, of one with too many the first', () => {
  expect(readPlainCart(`cart=${id(1)}*1~${id(1)}*4`)).toEqual([line(1, 4)])
  const many = Array.from({ length: 60 }, (_, index) => `${id(index)}*1`).join('~')
  expect(readPlainCart(`cart=${many}`)).toHaveLength(limits.linesPerOrder)
})

test('a form sets a quantity, adds to it, or takes a product out', () => {
  const lines = [line(1, 2), line(2, 1)]
  const changed = (fields: Record<string, string>) => changedBy(lines, form(fields))?.lines
  expect(changed({ product: id(1), quantity: '5' })).toEqual([line(1, 5), line(2, 1)])
  expect(changed({ product: id(1), more: '1' })).toEqual([line(1, 3), line(2, 1)])
  expect(changed({ product: id(3), more: '1' })).toEqual([...lines, line(3, 1)])
  expect(changed({ product: id(1), quantity: '0' })).toEqual([line(2, 1)])
})

test.each<Record<string, string>>([
  {},
  { product: id(1) },
  { product: 'x', quantity: '1' },
  { product: id(1), quantity: '1.5' },
])('the form %j is none of the shop’s', fields => expect(changedBy([], form(fields))).toBeNull())

test('the 51st product does not fit, and the cart stays as it is', () => {
  const lines = Array.from({ length: limits.linesPerOrder }, (_, index) => line(index, 1))
  expect(changedBy(lines, form({ product: id(99), more: '1' }))).toEqual({ lines, isFull: true })
  expect(cookieOf(lines, true).length).toBeLessThan(4_000)
})
