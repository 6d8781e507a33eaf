import { ApolloClient, ApolloLink, type NormalizedCacheObject } from '@apollo/client'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { BaseHttpLink } from '@apollo/client/link/http'
import { OperationTypeNode } from 'graphql'
import { from, mergeMap, NEVER, throwError } from 'rxjs'
import { isForbidden, isSecondFactorMissing, isSessionExpired, isUnavailable } from './errors.ts'
import { fetchShop } from './fetch-shop.ts'
import { InOrderLink } from './in-order-link.ts'
import { InvalidateLink } from './invalidate.ts'
import { liveLink } from './live/live-link.ts'
import { NewestLink } from './newest-link.ts'
import { ShopCache } from './cache.ts'

/** How long data stays cached after the last component stopped using it. SPEC §7. */
export const KEEP_MS = 5_000

/** A shop that is too busy asks for two seconds. Not all who were told so come back at the same moment. */
const comeAgain = () => new Promise(resolve => setTimeout(resolve, 2_000 + 1_000 * Math.random()))

/** The client in the browser. `state` is what the server fetched for this page. */
export function makeClient(link: ApolloLink, state: NormalizedCacheObject = {}): ApolloClient {
  return new ApolloClient({
    cache: new ShopCache({ keepMs: KEEP_MS }).restore(state),
    link: ApolloLink.from([new InvalidateLink(), new NewestLink(), new InOrderLink(), link]),
    defaultOptions: letGoAfter(KEEP_MS),
  })
}

/** How long a query that no mounted component uses keeps its client in memory. */
const letGoAfter = (autoDisposeTimeoutMs: number) =>
  ({ react: { suspense: { autoDisposeTimeoutMs } } }) as ApolloClient.DefaultOptions

interface HttpLinkOptions {
  token: () => string | undefined
  /** The token that opens a guest's order, by the order's id. */
  orderToken?: (orderId: string) => string | undefined
  onExpired: (token: string) => void
  signInAgain?: (token: string) => Promise<boolean>
  /** Called when the API refuses an operation to this account. */
  onForbidden?: () => void
  /** Called when the API asks this administrator for a second factor, without which the admin stays closed. */
  onSecondFactorMissing?: () => void
}

/**
 * Sends operations to the API as the signed-in user, and those about a guest's order with the order's token. `onExpired` is
 * called when the API does not accept a token (any more), and may forget it; a query is then sent again with the session of
 * that moment, usually as a visitor. A mutation, and a query whose token was kept, waits until `signInAgain` says whether
 * the same person is back. A query that comes while the shop is too busy is sent once more. In an operation's context, `bearer` is the token to send instead of the session's; null for none.
 */
export function httpLink({
  token,
  orderToken,
  onExpired,
  signInAgain,
  onForbidden,
  onSecondFactorMissing,
}: HttpLinkOptions): ApolloLink {
  const authorize = new SetContextLink(
    ({ headers: { authorization: _, ...headers } = {}, bearer = token() }, { variables = {} }) => {
      const current = bearer as string | null | undefined
      const opening = orderToken?.(String(variables['orderId'] ?? variables['id']))
      return {
        token: current,
        headers: {
          ...headers,
          ...(current && { authorization: `Bearer ${current}` }),
          ...(opening && { 'x-order-token': opening }),
        },
      }
    },
  )
  const watchErrors = new ErrorLink(({ error, operation, forward }) => {
    const isQuery = operation.operationType === OperationTypeNode.QUERY
    if (isQuery && isUnavailable(error)) return from(comeAgain()).pipe(mergeMap(() => forward(operation)))
    const { token: sent, bearer } = operation.getContext() as { token?: string; bearer?: string | null }
    if (sent && isForbidden(error)) onForbidden?.()
    if (sent && isSecondFactorMissing(error)) onSecondFactorMissing?.()
    if (!sent || bearer !== undefined || !isSessionExpired(error)) return
    const isMutation = operation.operationType === OperationTypeNode.MUTATION
    if (!isMutation || !signInAgain) onExpired(sent)
    if (isQuery && token() !== sent) return forward(operation)
    if (!signInAgain || operation.operationType === OperationTypeNode.SUBSCRIPTION) return
    // A failed query would replace its page, and what is typed there would be lost, so the query keeps waiting.
    const declined = isMutation ? throwError(() => error) : NEVER
    return from(signInAgain(sent)).pipe(mergeMap(isBack => (isBack ? forward(operation) : declined)))
  })
  const send = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    liveLink,
    new BaseHttpLink({ uri: '/graphql', fetch: fetchShop }),
  )
  return watchErrors.concat(authorize).concat(send)
}
