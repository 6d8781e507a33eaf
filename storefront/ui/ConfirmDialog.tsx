import type { ReactNode } from 'react'
import { Button, type ButtonVariant } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** The question, in full. */
  message: ReactNode
  confirmLabel: string
  cancelLabel?: string
  variant?: ButtonVariant
  /** Busy with what was confirmed. */
  loading?: boolean
  onConfirm: () => void
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  message,
  confirmLabel,
  cancelLabel = 'Cancel',
  variant = 'danger',
  loading,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog
      alert
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={message}
      actions={
        <>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            {cancelLabel}
          </Button>
          <Button variant={variant} loading={loading} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}
