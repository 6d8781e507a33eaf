import { type ReactNode, Suspense } from 'react'

interface SuspendedProps {
  fallback: ReactNode
  children: ReactNode
}

/**
 * Suspense whose fallback only browsers render. The server sends a page when all of it is there, and React would render
 * the fallback of anything longer than 500 bytes all the same, to leave it out in the end.
 */
export function Suspended({ fallback, children }: SuspendedProps) {
  return <Suspense fallback={import.meta.env.SSR ? null : fallback}>{children}</Suspense>
}
