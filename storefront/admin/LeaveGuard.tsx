import { useEffect } from 'react'
import { useBlocker } from 'react-router-dom'
import { useUnsavedWork } from '../account/interruption.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

interface LeaveGuardProps {
  when: boolean
  title?: string
  message?: string
}

/** Asks before somebody leaves unsaved changes. */
export function LeaveGuard({
  when,
  title = 'Leave without saving?',
  message = 'What you changed on this page has not been saved.',
}: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  )

  useUnsavedWork(when)
  useEffect(() => {
    if (!when) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [when])

  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={open => !open && blocker.reset?.()}
      title={title}
      message={message}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
