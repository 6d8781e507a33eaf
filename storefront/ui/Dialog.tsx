import { lazy, type ReactNode, useState } from 'react'
import { Part } from './Part.tsx'

// The accessible machinery is only fetched when a dialog first opens.
const DialogPanel = lazy(() => import('./DialogPanel.tsx'))

export interface DialogProps {
  open: boolean
  /** Called with false by Escape, the close button and a press outside. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** Buttons, the main one last. */
  actions?: ReactNode
  /** A question that must be answered: a press outside does not close it. */
  alert?: boolean
  /** From tablets on, it is at the right of the window and has its full height. */
  side?: boolean
  /** What gets the focus when it opens; when left out, the first element that can. */
  initialFocus?: () => HTMLElement | null
  children?: ReactNode
}

export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  return (
    <Part>
      <DialogPanel {...props} />
    </Part>
  )
}
