import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { paths } from '../paths.ts'
import { useHydrated } from '../data/stored.ts'
import { notify } from '../ui/toast.ts'
import { PageLoading } from './PageLoading.tsx'
import { useSession } from './session.ts'

/** Pages for signed-in users; others are sent to sign in first. The API decides again. SPEC §6. */
export function RequireSession() {
  const { pathname, search } = useLocation()
  return <Guarded allowed={useSession() !== null} otherwise={paths.login(pathname + search)} />
}

/** Pages for administrators. */
export function RequireAdmin() {
  const { pathname, search } = useLocation()
  const session = useSession()
  const isShopper = session !== null && !session.isAdmin
  useEffect(() => {
    if (isShopper) notify.warning('Only administrators can open that page.', { id: 'administrators' })
  }, [isShopper])
  // Signed in already: coming back here would not help.
  return (
    <Guarded allowed={session?.isAdmin === true} otherwise={paths.login(isShopper ? undefined : pathname + search)} />
  )
}

function Guarded({ allowed, otherwise }: { allowed: boolean; otherwise: string }) {
  // The server does not know who is there: it and the first paint show that it is on its way.
  if (!useHydrated()) return <PageLoading />
  return allowed ? <Outlet /> : <Navigate to={otherwise} replace />
}
