import type { ApolloClient } from '@apollo/client'
import { toItem } from './cart.ts'
import type { PlainLine } from './plain-cart.ts'
import type { PlainCartState } from './PlainCart.tsx'
import { QuoteCartDocument } from './QuoteCart.gql.ts'

/** The lines with the prices and stock of now. */
export async function quotePlainCart(
  client: ApolloClient,
  lines: readonly PlainLine[],
): Promise<Omit<PlainCartState, 'isFull'>> {
  const { data } = await client.query({
    query: QuoteCartDocument,
    variables: { lines: lines.map(({ id, quantity }) => ({ productId: id, quantity })) },
    fetchPolicy: 'no-cache',
  })
  const sold = new Map((data?.quoteCart.lines ?? []).map(({ productId, product }) => [productId, product]))
  const items = lines.flatMap(({ id, quantity }) => {
    const product = sold.get(id)
    return product && product.countInStock > 0 ? toItem(product, quantity) : []
  })
  const found = lines.flatMap(({ id }) => sold.get(id) ?? [])
  const wanted = new Map(lines.map(({ id, quantity }) => [id, quantity]))
  return {
    items,
    gone: lines.length - found.length,
    soldOut: found.flatMap(({ name, countInStock }) => (countInStock > 0 ? [] : name)),
    lowered: items.filter(({ id, quantity }) => quantity < (wanted.get(id) ?? 0)).length,
  }
}
