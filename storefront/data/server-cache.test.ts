import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { ServerCache } from './server-cache.ts'

const query = parse('query Product($id: ID!) { product(id: $id) { __typename id name } }')
const named = (id: string, name: string) => ({
  query,
  variables: { id },
  data: { product: { __typename: 'Product', id, name } },
})
const asked = (id: string) => ({ query, variables: { id }, optimistic: false, returnPartialData: true })

it('reads what a page asks for once', () => {
  const cache = new ServerCache()
  cache.writeQuery(named('1', 'Merino'))
  const first = cache.diff(asked('1'))
  expect(first).toMatchObject({ complete: true, result: { product: { name: 'Merino' } } })
  expect(cache.diff(asked('1'))).toBe(first)
  expect(cache.diff(asked('2')).complete).toBe(false)
})

it('reads anew once something is written', () => {
  const cache = new ServerCache()
  cache.writeQuery(named('1', 'Merino'))
  cache.diff(asked('1'))
  expect(cache.diff(asked('2')).complete).toBe(false)
  cache.writeQuery(named('2', 'Mohair'))
  cache.writeQuery(named('1', 'Alpaca'))
  expect(cache.diff(asked('1')).result).toMatchObject({ product: { name: 'Alpaca' } })
  expect(cache.diff(asked('2')).result).toMatchObject({ product: { name: 'Mohair' } })
})
