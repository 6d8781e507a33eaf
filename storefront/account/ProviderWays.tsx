import { useSuspenseQuery } from '@apollo/client/react'
import { lazy, Suspense } from 'react'
import { ShopDocument } from '../app/Shop.gql.ts'

// Not needed to begin to type.
const ProviderLinks = lazy(() => import('./ProviderLinks.tsx'))

/** The ways in beside a password, on a page: what is below them stays where it is when they come. */
export function ProviderWays({ redirect }: { redirect: string | undefined }) {
  const { length } = useSuspenseQuery(ShopDocument).data.shop.signInProviders
  if (length === 0) return null
  return (
    // As high as the small line and its buttons.
    <Suspense fallback={<div style={{ height: `${1.453125 + 3.5 * length}rem` }} />}>
      <ProviderLinks redirect={redirect} />
    </Suspense>
  )
}
