import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { invitedAccount } from '#schema/rules/shapes/account'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { problemOfList, showRefusals } from '../../data/forms.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { ApiScope } from '../../generated/types.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { notify } from '../../ui/toast.ts'
import { useUnsavedWork } from '../interruption.ts'
import { NameAndEmail } from './NameAndEmail.tsx'
import { PermissionChoices } from './PermissionChoices.tsx'
import { withImplied } from './permissions.ts'
import { InviteUserDocument } from './Users.gql.ts'

const shape = invitedAccount<ApiScope>()

/** Asks who is to work in the shop and what they may do, and sends them a letter. */
export function InviteUser({ onClose }: { onClose: () => void }) {
  const [invite, { loading }] = useShopMutation(InviteUserDocument)
  const invalidate = useInvalidate()
  const form = useForm<z.input<typeof shape>, unknown, z.output<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { name: '', email: '', permissions: [] },
  })
  const { errors, isDirty } = form.formState
  useUnsavedWork(isDirty)

  async function submit({ permissions, ...who }: z.output<typeof shape>) {
    const payload = await invite(
      { input: { ...who, permissions: withImplied(permissions) } },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload) return
    invalidate('userStats', 'auditLog')
    notify.success(`${who.name} is invited.`)
    onClose()
  }

  return (
    <FormDialog
      alert
      open
      onClose={onClose}
      title="Invite somebody to work here"
      action="Send the invitation"
      loading={loading}
    >
      {id => (
        <Stack as="form" id={id} noValidate onSubmit={form.handleSubmit(submit)}>
          <NameAndEmail
            name={form.register('name')}
            email={form.register('email')}
            errors={errors}
            hint="A letter goes there, with the way to a password. Whoever reads it can do what you choose below."
          />
          <Controller
            control={form.control}
            name="permissions"
            render={({ field: { value, onChange }, fieldState: { error } }) => (
              <PermissionChoices chosen={value} onChange={onChange} error={problemOfList(error)} />
            )}
          />
        </Stack>
      )}
    </FormDialog>
  )
}
