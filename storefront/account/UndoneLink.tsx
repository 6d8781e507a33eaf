import type { ReactNode } from 'react'
import { Head } from '../app/Head.tsx'
import { Outcome } from './AccountFrame.tsx'

const TITLE = 'This link has come undone'

/** Where the link of a mail leads that does not work (any more). */
export function UndoneLink({ why, children }: { why: string; children: ReactNode }) {
  return (
    <Outcome title={TITLE} lead={why}>
      <Head title={TITLE} />
      {children}
    </Outcome>
  )
}

/** What may be the matter with a link that can be used once. */
export const usedOrOld = (lasts: string) =>
  `It was used, is too old, or lost a piece on its way. A link works once, for ${lasts}.`
