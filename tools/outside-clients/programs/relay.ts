import {
  commitMutation,
  Environment,
  fetchQuery,
  getPaginationMetadata,
  getPaginationVariables,
  getSingularSelector,
  Network,
  RecordSource,
  Store,
  type GraphQLResponse,
} from 'relay-runtime'
import fragment, { type shelf_products$data } from './generated/relay/shelf_products.graphql'
import orderMutation, { type shelfOrderMutation } from './generated/relay/shelfOrderMutation.graphql'
import productQuery, { type shelfProductQuery } from './generated/relay/shelfProductQuery.graphql'
import shelfQuery, { type shelfQuery as Shelf } from './generated/relay/shelfQuery.graphql'
import { ADDRESS, HEADERS, SHOP, type Report } from './shop.ts'

const environment = new Environment({
  store: new Store(new RecordSource()),
  network: Network.create(async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables })
    const response = await fetch(`${SHOP}/graphql`, { method: 'POST', headers: HEADERS, body })
    return (await response.json()) as GraphQLResponse
  }),
})

/** With relay-compiler: two pages of a connection, the second one refetched, are one list in Relay's store. */
export async function relay(): Promise<Report> {
  const shelf = await fetchQuery<Shelf>(environment, shelfQuery, { count: 2 }).toPromise()
  const selector = getSingularSelector(fragment, shelf)!
  const read = () => environment.lookup(selector).data as unknown as shelf_products$data & Paged
  const { paginationRequest, paginationMetadata } = getPaginationMetadata(fragment, 'Shelf')
  const { endCursor } = read().productsConnection.pageInfo
  const more = getPaginationVariables('forward', 1, endCursor, selector.owner.variables, {}, paginationMetadata)
  await fetchQuery(environment, paginationRequest, more).toPromise()
  const cards = read().productsConnection.edges.map(({ node }) => node)

  const found = await fetchQuery<shelfProductQuery>(environment, productQuery, { id: cards[0]!.id }).toPromise()
  const product = found?.node
  const order = await new Promise<shelfOrderMutation['response']['placeOrder']['order']>((resolve, reject) => {
    commitMutation<shelfOrderMutation>(environment, {
      mutation: orderMutation,
      variables: { input: { lines: [{ productId: cards[0]!.id, quantity: 1 }], shippingAddress: ADDRESS } },
      onCompleted: ({ placeOrder }) => resolve(placeOrder.order),
      onError: reject,
    })
  })
  return {
    browsed: cards.map(({ name }) => name),
    product: `${product?.name} ${product?.price} ${product?.facts?.weightClass}`,
    order: `${order?.reference} ${order?.status}`,
  }
}

/** What Relay adds to a connection by itself, and leaves out of the fragment's type. */
interface Paged {
  productsConnection: { pageInfo: { endCursor: string | null } }
}
