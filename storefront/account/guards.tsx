import { useEffect } from 'react'
import { Navigate, Outlet, useLocation, useNavigate, useParams } from 'react-router-dom'
import { useGuest } from '../checkout/guest.ts'
import { keepOrderToken, tokenInHash, useOrderToken } from '../order/order-tokens.ts'
import { paths } from '../paths.ts'
import { useHydrated } from '../data/stored.ts'
import { notify } from '../ui/toast.ts'
import { PageLoading } from './PageLoading.tsx'
import { useSession } from './session.ts'

/** Pages for signed-in users; others are sent to sign in first. The API checks again. SPEC §6. */
export function RequireSession() {
  const { pathname, search } = useLocation()
  return <Guarded allowed={useSession() !== null} otherwise={paths.login(pathname + search)} />
}

/** The checkout: for signed-in users, and for guests who have given their email. */
export function RequireBuyer() {
  const { pathname, search } = useLocation()
  const session = useSession()
  const guest = useGuest()
  return <Guarded allowed={session !== null || guest !== null} otherwise={paths.login(pathname + search)} />
}

/** An order's page: for signed-in users, and for guests with the order's token, from an email's link or already stored. */
export function RequireOrderAccess() {
  const { id } = useParams()
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const token = useOrderToken(id)
  const brought = tokenInHash(hash)
  useEffect(() => {
    if (brought === null || id === undefined) return
    keepOrderToken(id, brought)
    // Removes the token from the address bar and the history.
    void navigate(pathname, { replace: true })
  }, [brought, id, pathname, navigate])
  if (brought !== null) return <PageLoading />
  return <Guarded allowed={session !== null || token !== undefined} otherwise={paths.login(pathname + search)} />
}

/** Pages for administrators. */
export function RequireAdmin() {
  const { pathname, search } = useLocation()
  const session = useSession()
  const isShopper = session !== null && !session.isAdmin
  useEffect(() => {
    if (isShopper) notify.warning('Only administrators can open that page.')
  }, [isShopper])
  // A signed-in shopper is not sent back here after the sign-in page: the answer would be the same.
  return (
    <Guarded allowed={session?.isAdmin === true} otherwise={paths.login(isShopper ? undefined : pathname + search)} />
  )
}

function Guarded({ allowed, otherwise }: { allowed: boolean; otherwise: string }) {
  // The server does not know the session: it and the first paint show the loading state.
  if (!useHydrated()) return <PageLoading />
  return allowed ? <Outlet /> : <Navigate to={otherwise} replace />
}
