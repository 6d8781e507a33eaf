import { describe, expect, it } from 'vitest'
import { merino } from '../testing/merino.ts'
import { toItem } from './cart.ts'
import type { CartProductFragment } from './CartProduct.gql.ts'
import { after, changesSince, NOTHING, type Said, type SharedLine, withShared } from './shared-cart.ts'
import { present } from '#schema/rules/present'

const product = (id: string, fields: Partial<CartProductFragment> = {}): CartProductFragment => ({
  ...merino,
  id,
  name: id,
  countInStock: 9,
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
/** Contents with these quantities, from any one lot. */
const units = (quantities: Record<string, number>): Said['lines'] =>
  Object.fromEntries(Object.entries(quantities).map(([id, quantity]) => [id, { quantity, lots: [] }]))
const said = (quantities: Record<string, number>, more: Partial<Said> = {}): Said => ({
  ...NOTHING,
  lines: units(quantities),
  ...more,
})
const lot = (code: string, quantity: number) => ({ code, quantity })
const lotOf = (code: string, quantity: number) => ({ __typename: 'LotPortion' as const, code, quantity })
const ADDRESS = {
  name: 'Nell Knitter',
  address: '1 Purl Lane',
  address2: '',
  city: 'Woolwich',
  state: 'ME',
  postalCode: '04579',
  country: 'United States',
  phone: '',
  isPickup: false,
}

describe('this browser’s cart and the account’s', () => {
  it('are told apart by what came and what went', () => {
    expect(changesSince(said({ moss: 2, slate: 1, fog: 3 }), said({ moss: 5, fog: 3, clay: 1 }))).toEqual({
      lines: [
        { productId: 'moss', add: 3 },
        { productId: 'slate', add: -1 },
        { productId: 'clay', add: 1 },
      ],
    })
  })

  it('are told apart by the code, the address and the lots that were chosen', () => {
    const before: Said = { lines: { moss: { quantity: 5, lots: [lot('4412', 5)] } }, code: 'WOOL', address: ADDRESS }
    // A single lot follows the quantity: that is not a new choice.
    const fewer = { ...before, lines: { moss: { quantity: 3, lots: [lot('4412', 3)] } } }
    expect(changesSince(before, fewer)).toEqual({ lines: [{ productId: 'moss', add: -2 }] })
    const other: Said = { lines: { moss: { quantity: 5, lots: [lot('4417', 5)] } }, code: null, address: null }
    const change = changesSince(before, other)
    expect(change).toEqual({
      lines: [{ productId: 'moss', add: 0, lots: [lot('4417', 5)] }],
      code: null,
      shippingAddress: null,
    })
    expect(changesSince(after(before, change), other)).toEqual({ lines: [] })
  })

  it('add up what was pressed here since, and what was done elsewhere', () => {
    // Both knew 2 moss and 1 slate. Since then: here, one more moss, no slate, and clay; elsewhere, two more moss, and fog.
    const lines = [line('moss', 4), line('slate', 1), line('fog', 2)]
    const items = withShared([item('moss', 3), item('clay', 1)], lines, units({ moss: 2, slate: 1 }))
    expect(told(items)).toEqual(['5 moss', '1 clay', '2 fog'])
  })

  it('lose what left elsewhere, but not what was pressed on it since', () => {
    expect(told(withShared([item('moss', 2), item('slate', 3)], [], units({ moss: 2, slate: 2 })))).toEqual(['1 slate'])
  })

  it('have the lots that were chosen elsewhere, unless others were chosen here since', () => {
    const elsewhere = [line('moss', 4, { lots: [lotOf('4417', 4)] })]
    const [taken] = withShared([item('moss', 3)], elsewhere, units({ moss: 2 }))
    expect(taken).toMatchObject({ quantity: 5, askedLots: [{ code: '4417', quantity: 5 }] })
    const chosen = { ...item('moss', 3), askedLots: [lot('4412', 3)] }
    expect(withShared([chosen], elsewhere, units({ moss: 2 }))).toMatchObject([
      { quantity: 5, askedLots: [{ code: '4412', quantity: 5 }] },
    ])
  })

  it('keep the prices that were seen, here and where it was put in', () => {
    const dearer = product('moss', { price: 1500 })
    const [here, elsewhere] = withShared(
      [item('moss', 1)],
      [line('moss', 1, { product: dearer }), line('fog', 1, { price: 800 })],
      units({ moss: 1 }),
    )
    expect(present(here).price).toBe(1000)
    expect(present(elsewhere).price).toBe(800)
  })

  it('have nothing from elsewhere that is no longer for sale, and keep what is here until it was said', () => {
    const lines = [line('moss', 1, { product: null }), line('fog', 1, { product: null })]
    expect(told(withShared([item('moss', 1)], lines, units({ moss: 1 })))).toEqual(['1 moss'])
  })
})
