import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openShop, type TestShop } from '../testing/shop.ts'
import { select, selectOften } from './batch.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop?.close())

const SQUARE = 'select ?::int * ?::int as square'

/** What is asked, and how many statements that takes. */
async function counted<T>(ask: () => Promise<T>): Promise<{ answer: T; statements: number }> {
  const sent = vi.spyOn(shop.orm.config.getLogger(), 'logQuery')
  const answer = await ask()
  const statements = sent.mock.calls.length
  sent.mockRestore()
  return { answer, statements }
}

it.each([select, selectOften])('puts what is asked at one moment into one statement, each question once', async ask => {
  const em = shop.em()
  const squares = (...numbers: number[]) =>
    counted(() => Promise.all(numbers.map(number => ask<{ square: number }>(em, SQUARE, [number, number]))))
  expect(await squares(3)).toEqual({ answer: [[{ square: 9 }]], statements: 1 })
  expect(await squares(3, 3)).toEqual({ answer: [[{ square: 9 }], [{ square: 9 }]], statements: 1 })
  expect(await squares(3, 4, 3)).toEqual({
    answer: [[{ square: 9 }], [{ square: 16 }], [{ square: 9 }]],
    statements: 1,
  })
})

it('sends the same question from two as it is, so that it is planned once', async () => {
  const em = shop.em()
  const sent = vi.spyOn(shop.orm.config.getLogger(), 'logQuery')
  await Promise.all([selectOften(em, SQUARE, [2, 2]), selectOften(em, SQUARE, [2, 2])])
  expect(sent.mock.calls.map(([{ query }]) => query)).toEqual([SQUARE])
  sent.mockRestore()
})
