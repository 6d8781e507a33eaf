import { graphql } from 'relay-runtime'

// relay-compiler reads these; the program runs the code that it makes from them.

export const shelf = graphql`
  query shelfQuery($count: Int!) {
    ...shelf_products @arguments(count: $count)
  }
`

export const products = graphql`
  fragment shelf_products on Query
  @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" })
  @refetchable(queryName: "shelfMoreQuery") {
    productsConnection(first: $count, after: $cursor, sort: { field: NAME, direction: ASC })
      @connection(key: "shelf_productsConnection", filters: []) {
      edges {
        node {
          id
          name
        }
      }
    }
  }
`

export const product = graphql`
  query shelfProductQuery($id: ID!) {
    node(id: $id) {
      ... on Product {
        id
        name
        price
        facts {
          weightClass
        }
      }
    }
  }
`

export const order = graphql`
  mutation shelfOrderMutation($input: PlaceOrderInput!) {
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
`
