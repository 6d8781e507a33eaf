import { type ReactNode, useId } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'

interface FormDialogProps
  extends
    Pick<DialogProps, 'open' | 'title' | 'description' | 'alert' | 'initialFocus'>,
    Pick<ButtonProps, 'variant' | 'disabledReason'> {
  onClose: () => void
  /** What the button that sends the form says. */
  action: string
  loading: boolean
  /** What is in it, with a form that has this id. */
  children: (id: string) => ReactNode
}

/** A form in a dialog, with a button that sends it and one that leaves it. */
export function FormDialog({
  onClose,
  action,
  variant,
  loading,
  disabledReason,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      {...dialog}
      onOpenChange={open => !open && onClose()}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant={variant} loading={loading} disabledReason={disabledReason}>
            {action}
          </Button>
        </>
      }
    >
      {children(id)}
    </Dialog>
  )
}
