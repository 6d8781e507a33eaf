import { createClient } from './generated/genql'
import { ADDRESS, AUTHORIZATION, SHOP, type Report } from './shop.ts'

const client = createClient({ url: `${SHOP}/graphql`, headers: AUTHORIZATION })

/** With genql, which writes documents by itself. */
export async function genql(): Promise<Report> {
  const { productsConnection } = await client.query({
    productsConnection: {
      __args: { first: 3, sort: { field: 'NAME', direction: 'ASC' } },
      edges: { node: { id: true, name: true } },
    },
  })
  const cards = productsConnection.edges.map(({ node }) => node)
  const { product } = await client.query({
    product: { __args: { id: cards[0]!.id }, id: true, name: true, price: true, facts: { weightClass: true } },
  })
  const price: number = product!.price
  const { placeOrder } = await client.mutation({
    placeOrder: {
      __args: { input: { lines: [{ productId: product!.id, quantity: 1 }], shippingAddress: ADDRESS } },
      order: { reference: true, status: true },
      userErrors: { code: true, message: true },
    },
  })
  return {
    browsed: cards.map(({ name }) => name),
    product: `${product?.name} ${price} ${product?.facts?.weightClass}`,
    order: `${placeOrder.order?.reference} ${placeOrder.order?.status}`,
  }
}
