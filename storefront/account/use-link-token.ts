import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useHydrated } from '../data/stored.ts'

/** The token a mail's link has behind its `#`; null before it is read. Then neither the address bar nor the way back holds it any more. */
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
