import { useApolloClient } from '@apollo/client/react'
import { paths } from '../paths.ts'
import { LogoutDocument } from './log-out.gql.ts'
import { currentSession } from './session.ts'

/** Ends the session on the server, wipes all browser storage and goes to the sign-in page. SPEC §4. */
export function useLogOut(): () => Promise<void> {
  const client = useApolloClient()
  return async () => {
    try {
      // What was pressed last goes with the account, not with this browser.
      await (await import('../cart/sync-cart.ts')).tellCart(client)
      await client.mutate({ mutation: LogoutDocument, context: { bearer: currentSession()?.token ?? null } })
    } catch (error) {
      // SPEC §8: only logged.
      console.error('Logging out failed', error)
    }
    localStorage.clear()
    sessionStorage.clear()
    // Loading a page, rather than moving to one, also wipes what is in memory.
    location.assign(paths.login())
  }
}
