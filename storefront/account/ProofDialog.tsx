import { useQuery } from '@apollo/client/react'
import { type ReactNode, useId } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusals } from '../data/forms.ts'
import type { OnRefused } from '../data/use-shop-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Stack } from '../ui/Stack.tsx'
import { TextField } from '../ui/TextField.tsx'
import { OwnProofDocument } from './ProofDialog.gql.ts'

const WORD = 'DELETE'

export interface Proof {
  currentPassword?: string
  code?: string
}

interface ProofDialogProps {
  onOpenChange: (open: boolean) => void
  title: string
  description: string
  action: string
  /** It cannot be undone, so a word has to be typed. */
  danger?: boolean
  send: (proof: Proof, onRefused: OnRefused) => Promise<void>
  children?: ReactNode
}

/** Does something to one's own account that takes a proof that it is oneself. */
export function ProofDialog({
  title,
  description,
  action,
  danger = false,
  send,
  onOpenChange,
  children,
}: ProofDialogProps) {
  const { data } = useQuery(OwnProofDocument, { fetchPolicy: 'cache-and-network' })
  const { hasPassword = true, hasSecondFactor = false } = data?.viewer ?? {}
  const id = useId()
  const form = useForm({ defaultValues: { word: '', currentPassword: '', code: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = ({ currentPassword, code }: { currentPassword: string; code: string }) =>
    send({ ...(hasPassword && { currentPassword }), ...(hasSecondFactor && { code }) }, ({ userErrors }) =>
      showRefusals(form, userErrors),
    )

  return (
    <Dialog
      open
      alert={danger}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant={danger ? 'danger' : undefined} loading={isSubmitting}>
            {action}
          </Button>
        </>
      }
    >
      <Stack
        as="form"
        id={id}
        method="post"
        noValidate
        onSubmit={event => {
          // The form on the page below, as React sees it, is not meant.
          event.stopPropagation()
          void form.handleSubmit(submit)(event)
        }}
      >
        {children}
        {danger && (
          <TextField
            {...form.register('word', { validate: typed => typed.trim() === WORD || `Please type ${WORD}.` })}
            label={`Type ${WORD} to go on`}
            required
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            error={errors.word?.message}
          />
        )}
        {hasPassword && (
          <TextField
            {...form.register('currentPassword', { required: 'Password is required.' })}
            label="Your password"
            required
            type="password"
            autoComplete="current-password"
            error={errors.currentPassword?.message}
          />
        )}
        {hasSecondFactor && (
          <TextField
            {...form.register('code', { required: 'Please enter the code.' })}
            label="Code"
            required
            autoComplete="one-time-code"
            maxLength={40}
            hint="From your authenticator app, or a recovery code."
            error={errors.code?.message}
          />
        )}
      </Stack>
    </Dialog>
  )
}
