import { type ReactNode, type SubmitEvent, useId } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Stack } from '../ui/Stack.tsx'

interface DialogFormProps {
  title: string
  description: string
  /** What the form does. */
  action: string
  danger?: boolean
  /** A press outside does not close it. */
  alert?: boolean
  loading: boolean
  /** Name of the field that gets the focus; the first one when left out. */
  focus?: string
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>
  onOpenChange: (open: boolean) => void
  /** The form's fields. */
  children: ReactNode
  /** Other ways to do the same, below the form. */
  below?: ReactNode
}

/** A form in a dialog. */
export function DialogForm({ action, danger, loading, focus, onSubmit, children, below, ...dialog }: DialogFormProps) {
  const id = useId()
  return (
    <Dialog
      {...dialog}
      open
      initialFocus={focus ? () => document.getElementById(id)?.querySelector(`[name=${focus}]`) ?? null : undefined}
      actions={
        <>
          <Button variant="quiet" onClick={() => dialog.onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant={danger ? 'danger' : undefined} loading={loading}>
            {action}
          </Button>
        </>
      }
    >
      <Stack>
        <Stack
          as="form"
          id={id}
          method="post"
          noValidate
          onSubmit={event => {
            // React would also pass the event to a form on the page that contains this dialog.
            event.stopPropagation()
            void onSubmit(event)
          }}
        >
          {children}
        </Stack>
        {below}
      </Stack>
    </Dialog>
  )
}
