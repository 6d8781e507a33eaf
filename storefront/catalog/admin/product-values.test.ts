import { expect, it } from 'vitest'
import { differences, flag, type ProductValues } from './product-values.ts'

it('says yes and no in words, so that neither looks empty where two are compared', () => {
  expect([true, false].map(flag.tell)).toEqual([...flag.words].reverse())
  expect(flag.words.map(word => flag.typed.parse(word))).toEqual([false, true])
  const values = { content: flag.tell(false) } as ProductValues
  const [difference] = differences(values, { ...values, content: flag.tell(true) }, values)
  expect(difference).toMatchObject({ theirs: 'Yes', mine: 'No', suggestion: 'theirs' })
})
