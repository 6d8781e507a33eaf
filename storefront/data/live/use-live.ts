import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useSession } from '../../account/session.ts'

/**
 * Calls `tell` with a subscription's results while this page is on screen and somebody is signed in, or `isGuest` is true.
 * Pages in the background have no stream: a browser has few connections to a shop, and a page that comes back gets the
 * current state. Reports no error when there is no stream. Results are not cached: the caller stores them.
 */
export function useLive<Data, Variables extends OperationVariables>(
  subscription: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  tell: (data: Data) => void,
  isGuest = false,
) {
  const client = useApolloClient()
  const token = useSession()?.token
  const isOnScreen = useSyncExternalStore(
    watchScreen,
    () => document.visibilityState === 'visible',
    () => false,
  )
  const onResult = useEffectEvent(tell)
  const asked = JSON.stringify(variables)

  useEffect(() => {
    if ((!token && !isGuest) || !isOnScreen) return
    const options: ApolloClient.SubscribeOptions = {
      query: subscription,
      variables: JSON.parse(asked),
      fetchPolicy: 'no-cache',
    }
    const stream = client.subscribe<Data>(options).subscribe(({ data }) => {
      if (data) onResult(data as Data)
    })
    return () => stream.unsubscribe()
  }, [client, subscription, asked, token, isGuest, isOnScreen])
}

function watchScreen(changed: () => void) {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
