import type { ApolloClient } from '@apollo/client'
import { useApolloClient, useSuspenseQuery } from '@apollo/client/react'
import { lazy, useEffect, useLayoutEffect, useRef } from 'react'
import { type LoaderFunction, Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { useInterruption } from '../account/interruption.ts'
import { useAdded } from '../cart/added.ts'
import { priceCartWith } from '../cart/cart.ts'
import { checkoutStepAt } from '../checkout/checkout-step.ts'
import { useHydrated } from '../data/stored.ts'
import { isAdminPath } from '../paths.ts'
import { Part } from '../ui/Part.tsx'
import { OfflineNotice } from './OfflineNotice.tsx'
import { replayEarly } from './replay-early.ts'
import { ShopDocument } from './Shop.gql.ts'
import { ShopLayout } from './ShopLayout.tsx'

// Toasts only exist in the browser, so their code comes after the page is there.
const Toaster = lazy(() => import('./Toaster.tsx'))
// Loaded when something is added to the cart from a list.
const CartDrawer = lazy(() => import('../cart/CartDrawer.tsx'))
// Hardly ever needed.
const SessionDialog = lazy(() => import('../account/SessionDialog.tsx'))

export const rootLoader =
  (client: ApolloClient): LoaderFunction =>
  async () => {
    await client.query({ query: ShopDocument })
    return null
  }

/** The frame around every page of the shop. */
export function Root() {
  const { pricingPolicy, announcement } = useSuspenseQuery(ShopDocument).data.shop
  const hydrated = useHydrated()
  const client = useApolloClient()
  const hasAdded = useAdded() !== null
  const interrupted = useInterruption() !== null
  // Before anything is painted: until then prices are those of the default policy.
  useLayoutEffect(() => priceCartWith(pricingPolicy), [pricingPolicy])
  useEffect(() => {
    if (!hydrated) return
    void replayEarly()
    // Hardly anybody has one.
    if (/(?:^|; )cart=/.test(document.cookie))
      void import('../cart/adopt-plain-cart.ts').then(({ adoptPlainCart }) => adoptPlainCart(client))
  }, [hydrated, client])
  useFocusOnNavigation()
  const place = useLocation()
  return (
    <>
      <ShopLayout checkout={checkoutStepAt(place)} isAdmin={isAdminPath(place.pathname)} announcement={announcement}>
        <OfflineNotice />
        <Outlet />
      </ShopLayout>
      {hydrated && (
        <Part>
          <Toaster />
        </Part>
      )}
      {hasAdded && (
        <Part>
          <CartDrawer />
        </Part>
      )}
      {interrupted && (
        <Part>
          <SessionDialog />
        </Part>
      )}
      <ScrollRestoration />
    </>
  )
}

/** Moves the focus to the new page, as loading a document would. */
function useFocusOnNavigation() {
  const { pathname, state } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // Filtering a list stays on the same page: the focus must not move.
    if ((state as { keepsPlace?: boolean } | null)?.keepsPlace) return
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname, state])
}
