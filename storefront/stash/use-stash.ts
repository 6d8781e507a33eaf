import type { ApolloCache } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { useSession } from '../account/session.ts'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import {
  AddToStashDocument,
  RemoveFromStashDocument,
  type StashPlaceFragment,
  StashPlacesDocument,
} from './Stash.gql.ts'

/** What is in the signed-in person's stash; undefined while that is not known. */
export function useStashed(): readonly StashPlaceFragment[] | undefined {
  const session = useSession()
  const { data } = useQuery(StashPlacesDocument, { skip: !session })
  return session ? data?.stash : undefined
}

/** Puts products into the signed-in person's stash and takes them out. It shows at once, and is undone when refused. */
export function useStash() {
  const [add] = useShopMutation(AddToStashDocument, {
    inOrder: 'stash',
    update: (cache, { addToStash: { item } }) => {
      if (!item) return
      rewrite(cache, stash => (stash.some(({ productId }) => productId === item.productId) ? stash : [item, ...stash]))
    },
  })
  const [remove] = useShopMutation(RemoveFromStashDocument, {
    inOrder: 'stash',
    update: (cache, { removeFromStash: { userErrors } }, { productId }) => {
      if (userErrors.length === 0) rewrite(cache, stash => stash.filter(item => item.productId !== productId))
    },
  })
  return {
    put: (productId: string, { onRefused }: { onRefused?: OnRefused } = {}) =>
      add(
        { productId },
        {
          ...(onRefused && { onRefused }),
          optimistic: {
            addToStash: {
              __typename: 'StashPayload',
              item: { __typename: 'StashItem', id: `new ${productId}`, productId },
              userErrors: [],
            },
          },
        },
      ),
    take: (productId: string) =>
      remove(
        { productId },
        { optimistic: { removeFromStash: { __typename: 'StashPayload', item: null, userErrors: [] } } },
      ),
  }
}

function rewrite(cache: ApolloCache, change: (stash: StashPlaceFragment[]) => StashPlaceFragment[]) {
  cache.updateQuery({ query: StashPlacesDocument }, known => known && { ...known, stash: change(known.stash) })
}
