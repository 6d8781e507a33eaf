import { useSuspenseQuery } from '@apollo/client/react'
import { lazy, Suspense } from 'react'
import { ShopDocument } from '../app/Shop.gql.ts'

// Loaded later: it is not needed to start typing.
const ProviderLinks = lazy(() => import('./ProviderLinks.tsx'))

/** Other ways to sign in than a password. Keeps their space free while they load, so that nothing below them moves. */
export function ProviderWays({ redirect }: { redirect: string | undefined }) {
  const { length } = useSuspenseQuery(ShopDocument).data.shop.signInProviders
  if (length === 0) return null
  return (
    // The height of the small line and its buttons.
    <Suspense fallback={<div style={{ height: `${1.453125 + 3.5 * length}rem` }} />}>
      <ProviderLinks redirect={redirect} />
    </Suspense>
  )
}
