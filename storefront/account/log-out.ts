import { useApolloClient } from '@apollo/client/react'
import { paths } from '../paths.ts'
import { LogoutDocument } from './log-out.gql.ts'
import { currentSession } from './session.ts'

/** Ends the session on the server, wipes all browser storage and goes to the sign-in page. SPEC §4. */
export function useLogOut(): () => Promise<void> {
  const client = useApolloClient()
  return async () => {
    try {
      // The last changes of the cart belong to the account, so they are sent before the browser forgets them.
      await (await import('../cart/sync-cart.ts')).tellCart(client)
      await client.mutate({ mutation: LogoutDocument, context: { bearer: currentSession()?.token ?? null } })
    } catch (error) {
      // SPEC §8: only logged.
      console.error('Logging out failed', error)
    }
    localStorage.clear()
    sessionStorage.clear()
    // A full page load also clears what is in memory.
    location.assign(paths.login())
  }
}
