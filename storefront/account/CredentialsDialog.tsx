import { type ReactNode, type SubmitEvent, useRef } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { Stack } from '../ui/Stack.tsx'

interface CredentialsDialogProps {
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
  onClose: () => void
  /** The form's fields. */
  children: ReactNode
  /** Other ways to do the same, below the form. */
  below?: ReactNode
}

/** Asks who it is, above any page. */
export function CredentialsDialog({ danger, focus, onSubmit, children, below, ...dialog }: CredentialsDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  return (
    <FormDialog
      {...dialog}
      open
      variant={danger ? 'danger' : undefined}
      initialFocus={focus ? () => form.current?.querySelector(`[name=${focus}]`) ?? null : undefined}
    >
      {id => (
        <Stack>
          <Stack
            as="form"
            ref={form}
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
      )}
    </FormDialog>
  )
}
