import { describe, expect, it } from 'vitest'
import { toItem } from './cart.ts'
import type { CartProductFragment } from './CartProduct.gql.ts'
import { changesSince, type SharedLine, withShared } from './shared-lines.ts'

const product = (id: string, fields: Partial<CartProductFragment> = {}): CartProductFragment => ({
  __typename: 'Product',
  id,
  name: id,
  image: '',
  description: '',
  weight: '100 g',
  length: '',
  gauge: '',
  knittingNeedle: '',
  crochetHook: '',
  recommendedCare: '',
  content: '',
  category: 'DK',
  price: 1000,
  compareAtPrice: null,
  countInStock: 9,
  lots: [],
  rating: 0,
  numReviews: 0,
  ...fields,
})
const item = (id: string, quantity: number) => toItem(product(id), quantity)
const line = (id: string, quantity: number, more: Partial<SharedLine> = {}): SharedLine => ({
  __typename: 'CartLine',
  productId: id,
  name: id,
  price: 1000,
  quantity,
  lots: [],
  product: product(id),
  ...more,
})
const told = (items: ReturnType<typeof withShared>) => items.map(({ id, quantity }) => `${quantity} ${id}`)

describe('this browser’s cart and the account’s', () => {
  it('are told apart by what came and what went', () => {
    expect(changesSince({ moss: 2, slate: 1, fog: 3 }, { moss: 5, fog: 3, clay: 1 })).toEqual([
      { productId: 'moss', add: 3 },
      { productId: 'slate', add: -1 },
      { productId: 'clay', add: 1 },
    ])
  })

  it('add up what was pressed here since, and what was done elsewhere', () => {
    // Heard of: 2 moss, 1 slate. Since then here one moss more, slate out, clay in; elsewhere two moss more, and fog.
    const items = withShared([item('moss', 3), item('clay', 1)], [line('moss', 4), line('slate', 1), line('fog', 2)], {
      moss: 2,
      slate: 1,
    })
    expect(told(items)).toEqual(['5 moss', '1 clay', '2 fog'])
  })

  it('lose what left elsewhere, but not what was pressed on it since', () => {
    expect(told(withShared([item('moss', 2), item('slate', 3)], [], { moss: 2, slate: 2 }))).toEqual(['1 slate'])
  })

  it('keep the prices that were seen, here and where it was put in', () => {
    const dearer = product('moss', { price: 1500 })
    const [here, elsewhere] = withShared(
      [item('moss', 1)],
      [line('moss', 1, { product: dearer }), line('fog', 1, { price: 800 })],
      { moss: 1 },
    )
    expect(here!.price).toBe(1000)
    expect(elsewhere!.price).toBe(800)
  })

  it('have nothing from elsewhere that is no longer for sale, and keep what is here until it was said', () => {
    const lines = [line('moss', 1, { product: null }), line('fog', 1, { product: null })]
    expect(told(withShared([item('moss', 1)], lines, { moss: 1 }))).toEqual(['1 moss'])
  })
})
