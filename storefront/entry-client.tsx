import '@vitejs/plugin-react/preamble'
import './data/zod-without-eval.ts'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { tradeIn } from '#schema/rules/money'
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom'
import { hasUnsavedWork, signInAgain } from './account/interruption.ts'
import { keepSessionFresh, refreshSession } from './account/refresh-session.ts'
import { currentSession, onSessionChange, signOut } from './account/session.ts'
import { httpLink, makeClient } from './data/apollo.ts'
import { Document } from './app/Document.tsx'
import { keepForOffline } from './app/offline.ts'
import { reloadOnce } from './app/reload-once.ts'
import { createRoutes } from './app/routes.tsx'
import { fetchTags, invalidate } from './data/invalidate.ts'
import { readPageState } from './data/page-state.ts'
import { orderTokenOf } from './order/order-tokens.ts'
import { paths } from './paths.ts'
import { onMissingProgram } from './ui/missing-program.ts'
import { notify } from './ui/toast.ts'

/** The address that a missing program was fetched for, or null while no navigation is under way. */
let wanted = (): string | null => null
onMissingProgram(isAhead => {
  const address = wanted() ?? (isAhead ? null : location.href)
  if (address) reloadOnce(address)
})

const state = readPageState()
tradeIn(state.shop.currency)
const client = makeClient(
  httpLink({
    token: () => currentSession()?.token,
    orderToken: orderTokenOf,
    onExpired: forgetSession,
    signInAgain,
    onForbidden: () => void refreshSession(client),
    onSecondFactorMissing: leadToSecondFactor,
  }),
)
const routes = createRoutes(() => client)

// The pages of this address must be there before the first render, so that it equals the server's.
await Promise.all(
  (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
    if (typeof route.lazy !== 'function') return
    const lazy = await route.lazy()
    delete route.lazy
    Object.assign(route, lazy)
  }),
).catch(error => {
  globalThis.early?.giveUp()
  throw error
})

const router = createBrowserRouter(routes, { hydrationData: state.router })
wanted = () => {
  const next = router.state.navigation.location
  return next ? router.createHref(next) : null
}
client.cache.restore(state.apollo)
startTransition(() => {
  hydrateRoot(
    document,
    <Document client={client} shop={state.shop}>
      <RouterProvider router={router} />
    </Document>,
  )
})

// Some data differs from person to person, for example one's own review. This waits one turn: by then the page no
// longer shows what only signed-in people may see, so nothing asks for it as a visitor.
onSessionChange(() => void setTimeout(() => invalidate(client, field => field !== 'shop')))
keepSessionFresh(client)
if (import.meta.env.PROD) keepForOffline(router)
// Only the cart of an account is kept on the server.
const keepCart = () => {
  if (currentSession()) void import('./cart/sync-cart.ts').then(({ keepCartInSync }) => keepCartInSync(client))
}
onSessionChange(keepCart)
keepCart()
void fetchTags()
void import('./app/fetch-ahead.ts').then(({ fetchPagesAhead }) => fetchPagesAhead(routes))
void import('./cart/share-windows.ts').then(({ shareWindows }) => shareWindows())

/** Public pages stay as they are; pages for signed-in people lead to signing in and back. Unsaved work delays this. */
function forgetSession(token: string) {
  if (currentSession()?.token !== token || hasUnsavedWork()) return
  signOut()
  notify.warning('Your session has expired. Please sign in again.')
}

/** The API keeps all admin pages closed until a second factor is set up in the profile, which then leads back. */
function leadToSecondFactor() {
  const { pathname, search } = router.state.location
  if (!pathname.startsWith(paths.admin())) return
  void router.navigate(paths.profile(pathname + search), { replace: true })
}
