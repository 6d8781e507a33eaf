import { afterEach, describe, expect, it, test } from 'vitest'
import { merino } from '../testing/merino.ts'
import { addAgain } from './add-again.ts'
import { cart, currentCart } from './cart.ts'
import { nth } from '#schema/rules/present'

const ofLot = (code: string, quantity: number) => ({ __typename: 'LotPortion' as const, code, quantity })
const ordered = { productId: 'p1', name: 'Merino', price: 1000, quantity: 3 }
const again = (had: ReturnType<typeof ofLot>[], lots: ReturnType<typeof ofLot>[]) => {
  const product = { ...merino, countInStock: 30, lots }
  const changes = addAgain([{ ...ordered, lots: had }], [{ __typename: 'CartQuoteLine', productId: 'p1', product }])
  return { words: changes.flatMap(({ words }) => words), asked: nth(currentCart().cartItems, 0).askedLots }
}

afterEach(() => cart.reset())

describe('what was ordered once is ordered again', () => {
  it('of the dye lot it was of', () => {
    expect(again([ofLot('4417', 3)], [ofLot('4412', 20), ofLot('4417', 10)])).toEqual({
      words: [],
      asked: [{ code: '4417', quantity: 3 }],
    })
  })

  it('of any one lot when that has too little, which is said', () => {
    expect(again([ofLot('4417', 3)], [ofLot('4412', 28), ofLot('4417', 2)])).toEqual({
      words: ['“Merino” was of lot 4417, of which too little is left. Another lot can differ a little in colour.'],
      asked: [],
    })
  })

  test('of the same lots when they were several', () => {
    const had = [ofLot('4412', 2), ofLot('4417', 1)]
    expect(again(had, [ofLot('4412', 20), ofLot('4417', 10)]).asked).toMatchObject([
      { code: '4412', quantity: 2 },
      { code: '4417', quantity: 1 },
    ])
  })

  it('without a word about lots where they are not kept any more', () => {
    expect(again([ofLot('4417', 3)], [])).toEqual({ words: [], asked: [] })
  })
})
