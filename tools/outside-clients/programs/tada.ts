import { initGraphQLTada, readFragment, type ResultOf, type TadaDocumentNode, type VariablesOf } from 'gql.tada'
import { print } from 'graphql'
import type { introspection } from './generated/tada'
import { ADDRESS, send, type Report } from './shop.ts'

const graphql = initGraphQLTada<{ introspection: introspection; scalars: { Cents: number; DateTime: string } }>()

const Card = graphql(`
  fragment Card on Product {
    id
    name
  }
`)
const Browse = graphql(
  `
    query Browse($first: Int) {
      productsConnection(first: $first, sort: { field: NAME, direction: ASC }) {
        edges {
          node {
            ...Card
          }
        }
      }
    }
  `,
  [Card],
)
const Look = graphql(`
  query Look($id: ID!) {
    product(id: $id) {
      id
      name
      price
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

type Document = TadaDocumentNode<unknown, never>
const execute = <Asked extends Document>(document: Asked, variables: VariablesOf<Asked>) =>
  send<ResultOf<Asked>>(print(document), variables)

/** With gql.tada, which does not generate documents in a separate step. */
export async function tada(): Promise<Report> {
  const { productsConnection } = await execute(Browse, { first: 3 })
  const cards = productsConnection.edges.map(({ node }) => readFragment(Card, node))
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
