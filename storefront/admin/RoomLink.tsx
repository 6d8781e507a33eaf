import type { ReactNode } from 'react'
import { may } from '../account/may.ts'
import { useSession } from '../account/session.ts'
import { Link } from '../ui/Link.tsx'
import { neededAt } from './rooms.ts'

/** Answers whether the signed-in administrator may open a page of the admin. */
export function useMayOpen() {
  const session = useSession()
  return (to: string): boolean => {
    const needed = neededAt(to.replace(/\?.*/, ''))
    return needed === undefined || may(session, needed)
  }
}

/** A link to a page of the admin; just its words for who may not open that page. */
export function RoomLink({ to, children }: { to: string; children: ReactNode }) {
  return useMayOpen()(to) ? <Link to={to}>{children}</Link> : <span>{children}</span>
}
