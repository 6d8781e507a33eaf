import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useHydrated } from '../data/stored.ts'

/** The token after the `#` of an email's link; null before it is read. Reading it removes it from the address bar and the history. */
export function useLinkToken(): string | null {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const { hash, pathname } = useLocation()
  const [token, setToken] = useState('')
  if (hydrated && hash && hash.slice(1) !== token) setToken(hash.slice(1))
  useEffect(() => {
    if (hash) void navigate(pathname, { replace: true })
  }, [hash, pathname, navigate])
  return hydrated && !hash ? token : null
}
