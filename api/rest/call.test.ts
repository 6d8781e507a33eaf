import { expect, test } from 'vitest'
import { DeleteUserDocument, OrderDocument, ProductDocument } from '../generated/rest.ts'
import { credentials } from './bodies.ts'
import { call, given } from './call.ts'
import { Message, Order, ProductWithReviews } from './responses.ts'
import * as out from './shapes.ts'

const get = { method: 'GET', summary: '', access: 'anyone' } as const
const id = ({ params: { id } }: { params: { id: string } }) => ({ id })

// tsc is the judge: it fails where an error that is expected does not come.
test('a call mapped through the wrong shape does not compile', () => {
  const product = { ...get, path: '/api/products/:id', operation: ProductDocument, answer: ProductWithReviews } as const
  call({ ...product, input: id, output: data => data.product && out.productWithReviews(data.product) })
  // @ts-expect-error An order is no product.
  call({ ...product, input: id, output: data => data.product && out.order(data.product) })
  // @ts-expect-error Without its reviews it is not what the document promises.
  call({ ...product, input: id, output: data => data.product && out.product(data.product) })
  // @ts-expect-error The operation wants an id.
  call({ ...product, input: () => ({}), output: () => null })
  // @ts-expect-error There is no such parameter in the path.
  call({ ...product, input: ({ params }) => ({ id: params.name }), output: () => null })
  const order = { ...get, path: '/api/orders/:id', operation: OrderDocument, input: id, answer: Order } as const
  // @ts-expect-error The operation answers an order.
  call({ ...order, output: data => data.orders })
  const gone = { ...get, path: '/', operation: DeleteUserDocument, body: credentials, answer: Message } as const
  // @ts-expect-error The body has no id.
  call({ ...gone, input: ({ body }) => ({ id: body.id }), output: () => ({ message: '' }) })
})

test('a payload with neither what it is about nor an error is a bug', () => {
  expect(() => given(null)).toThrow('A payload has neither')
})
