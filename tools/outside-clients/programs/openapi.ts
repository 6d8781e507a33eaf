import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi'
import { ADDRESS, AUTHORIZATION, SHOP, type Report } from './shop.ts'

const client = createClient<paths>({ baseUrl: SHOP, headers: AUTHORIZATION })

/** With openapi-typescript, and openapi-fetch, which sends what its types allow. */
export async function openapi(): Promise<Report> {
  const { data: page } = await client.GET('/api/products', { params: { query: { sort: 'name' } } })
  const cards = page!.products.slice(0, 3)
  const { data: product } = await client.GET('/api/products/{id}', { params: { path: { id: cards[0]!._id } } })
  const price: number = product!.price
  const { data: order, error } = await client.POST('/api/orders', {
    body: { orderItems: [{ product: product!._id, quantity: 1 }], shippingAddress: ADDRESS },
  })
  if (error) throw new Error(`${error.code}: ${error.message}`)
  return {
    browsed: cards.map(({ name }) => name),
    product: `${product?.name} ${price * 100} ${product?.category}`,
    order: `${order.reference} ${order.isPaid ? 'PAID' : 'UNPAID'}`,
  }
}
