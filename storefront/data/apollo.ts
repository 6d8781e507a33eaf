import { ApolloClient, ApolloLink, HttpLink, type NormalizedCacheObject } from '@apollo/client'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { OperationTypeNode } from 'graphql'
import { isUnauthenticated } from './errors.ts'
import { InvalidateLink } from './invalidate.ts'
import { liveLink } from './live/live-link.ts'
import { ShopCache } from './cache.ts'

/** How long data stays cached that nobody looks at any more. SPEC §9. */
export const KEEP_MS = 5_000

/** On the server no component is ever on the screen. A page that takes longer asks again for what it has, and finds it in the cache. */
const SERVER_KEEP_MS = 1_000

/** The client in the browser. `state` is what the server fetched for this page. */
export function makeClient(link: ApolloLink, state: NormalizedCacheObject = {}): ApolloClient {
  return new ApolloClient({
    cache: new ShopCache({ keepMs: KEEP_MS }).restore(state),
    link: new InvalidateLink().concat(link),
    defaultOptions: letGoAfter(KEEP_MS),
  })
}

/** The client that renders one page on the server. */
export function makeServerClient(link: ApolloLink): ApolloClient {
  return new ApolloClient({ cache: new ShopCache({ keepMs: Infinity }), link, ssrMode: true, devtools: { enabled: false }, defaultOptions: letGoAfter(SERVER_KEEP_MS) })
}

/** How long a query that no component on the screen uses holds on to its client. */
const letGoAfter = (autoDisposeTimeoutMs: number) => ({ react: { suspense: { autoDisposeTimeoutMs } } }) as ApolloClient.DefaultOptions

/** Sends operations to the API as the signed-in user. `onRejected` is told when the API does not accept a token (any more). */
export function httpLink({ token, onRejected }: { token: () => string | undefined; onRejected: (token: string) => void }): ApolloLink {
  const authorize = new SetContextLink(({ headers }) => {
    const current = token()
    return current ? { token: current, headers: { ...headers, authorization: `Bearer ${current}` } } : {}
  })
  const watchAuthorization = new ErrorLink(({ error, operation }) => {
    const { token: sent } = operation.getContext() as { token?: string }
    if (sent && isUnauthenticated(error)) onRejected(sent)
  })
  const send = ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, liveLink, new HttpLink({ uri: '/graphql' }))
  return watchAuthorization.concat(authorize).concat(send)
}
