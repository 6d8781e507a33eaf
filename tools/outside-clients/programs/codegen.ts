import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import { graphql, useFragment as read } from './generated/codegen'
import { ADDRESS, send, type Report } from './shop.ts'

const execute = <Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) =>
  send<Data>(print(document), variables)

const Card = graphql(`
  fragment Card on Product {
    id
    name
  }
`)
const Browse = graphql(`
  query Browse($first: Int) {
    productsConnection(first: $first, sort: { field: NAME, direction: ASC }) {
      edges {
        node {
          ...Card
        }
      }
    }
  }
`)
const Look = graphql(`
  query Look($id: ID!) {
    product(id: $id) {
      id
      name
      price
      createdAt
      facts {
        weightClass
      }
    }
  }
`)
const Order = graphql(`
  mutation Order($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      order {
        reference
        status
      }
      userErrors {
        code
        message
      }
    }
  }
`)

/** With the client preset of graphql-codegen. */
export async function codegen(): Promise<Report> {
  const { productsConnection } = await execute(Browse, { first: 3 })
  const cards = productsConnection.edges.map(({ node }) => read(Card, node))
  const { product } = await execute(Look, { id: cards[0]!.id })
  const price: number = product!.price
  const { placeOrder } = await execute(Order, {
    input: { lines: [{ productId: product!.id, quantity: 1 }], shippingAddress: ADDRESS },
  })
  return {
    browsed: cards.map(({ name }) => name),
    product: `${product?.name} ${price} ${product?.facts?.weightClass}`,
    order: `${placeOrder.order?.reference} ${placeOrder.order?.status}`,
  }
}
