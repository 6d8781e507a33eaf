import type { ReactNode } from 'react'
import { Head } from '../app/Head.tsx'
import { Outcome } from './AccountFrame.tsx'

const TITLE = 'This link has come undone'

/** The page for an email's link that does not work, or no longer works. */
export function UndoneLink({ why, children }: { why: string; children: ReactNode }) {
  return (
    <Outcome title={TITLE} lead={why}>
      <Head title={TITLE} />
      {children}
    </Outcome>
  )
}

/** Why a link that works only once may have failed. */
export const usedOrOld = (lasts: string) =>
  `It was used, is too old, or lost a piece on its way. A link works once, for ${lasts}.`
