import { useQuery } from '@apollo/client/react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { showRefusals } from '../data/forms.ts'
import type { OnRefused } from '../data/use-shop-mutation.ts'
import { CodeField, PasswordField, TextField } from '../ui/TextField.tsx'
import { CredentialsDialog } from './CredentialsDialog.tsx'
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
  /** The action cannot be undone, so a word has to be typed. */
  danger?: boolean
  send: (proof: Proof, onRefused: OnRefused) => Promise<void>
  children?: ReactNode
}

/** For an action on one's own account that needs proof of identity. */
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
  const form = useForm({ defaultValues: { word: '', currentPassword: '', code: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = ({ currentPassword, code }: { currentPassword: string; code: string }) =>
    send({ ...(hasPassword && { currentPassword }), ...(hasSecondFactor && { code }) }, ({ userErrors }) =>
      showRefusals(form, userErrors),
    )

  return (
    <CredentialsDialog
      title={title}
      description={description}
      action={action}
      danger={danger}
      alert={danger}
      loading={isSubmitting}
      onSubmit={form.handleSubmit(submit)}
      onClose={() => onOpenChange(false)}
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
        <PasswordField
          {...form.register('currentPassword', { required: 'Password is required.' })}
          label="Your password"
          error={errors.currentPassword?.message}
        />
      )}
      {hasSecondFactor && (
        <CodeField {...form.register('code', { required: 'Please enter the code.' })} error={errors.code?.message} />
      )}
    </CredentialsDialog>
  )
}
