import { useQuery } from '@apollo/client/react'
import { lazy, useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { type Control, Controller, useForm } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { z } from 'zod'
import { limits } from '#schema/rules/limits'
import { namedAccount } from '#schema/rules/shapes/account'
import { AuditLogDocument } from '../../audit/admin/Audit.gql.ts'
import { History } from '../../audit/admin/History.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { NotShown } from '../../admin/NotShown.tsx'
import { WithAside } from '../../admin/AdminList.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { showRefusals } from '../../data/forms.ts'
import { formatDay } from '../../ui/dates.ts'
import { paths } from '../../paths.ts'
import { color, measure, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { Part } from '../../ui/Part.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Stack } from '../../ui/Stack.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { signIn, useSignedIn } from '../session.ts'
import { ResetSecondFactor } from './ResetSecondFactor.tsx'
import { RoleBadge } from './RoleBadge.tsx'
import { type AdminUserFragment, AdminUserEditDocument, UpdateUserDocument } from './Users.gql.ts'
import { DeleteUser } from './UsersPage.tsx'

const AnnotationPanel = lazy(() => import('../../annotation/admin/AnnotationPanel.tsx'))

const trail = [{ label: 'Users', to: paths.adminUsers() }]

export default function UserEditPage() {
  const { id = '' } = useParams()
  const { data, error, loading, refetch } = useQuery(AdminUserEditDocument, { variables: { id } })
  if (data?.user) return <UserView key={id} user={data.user} />
  return (
    <NotShown
      title="Edit user"
      trail={trail}
      isAnswered={data !== undefined}
      error={error}
      isRetrying={loading}
      onRetry={() => void refetch()}
      thing="user"
      others={paths.adminUsers()}
      why="The account was closed, or the address is wrong."
      outline={
        <Stack aria-busy="true">
          <Skeleton $height="3rem" />
          <Skeleton $height="3rem" />
          <Skeleton $height="3rem" />
        </Stack>
      }
    />
  )
}

const shape = namedAccount.extend({ isAdmin: z.boolean() })

function UserView({ user }: { user: AdminUserFragment }) {
  const me = useSignedIn()
  const isMe = me._id === user.id
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const [leaving, setLeaving] = useState(false)
  const [gone, setGone] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const [update] = useShopMutation(UpdateUserDocument)
  const form = useForm({
    defaultValues: { name: user.name, email: user.email, isAdmin: user.isAdmin },
    resolver: zodResolver(shape),
  })
  const { errors, isSubmitting, isDirty } = form.formState

  async function submit(input: z.output<typeof shape>) {
    const payload = await update(
      { id: user.id, input },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload?.user) return
    const { name, email, isAdmin } = payload.user
    form.reset({ name, email, isAdmin })
    if (isMe) signIn({ ...me, name, email, isAdmin })
    invalidate('userStats', 'auditLog')
    notify.success('User updated successfully.')
  }

  return (
    <AdminPage title={user.name} badge={<RoleBadge isAdmin={user.isAdmin} />} trail={trail}>
      <WithAside $narrow>
        <Stack $gap={6}>
          <Form as="form" noValidate onSubmit={form.handleSubmit(submit)}>
            <TextField
              {...form.register('name')}
              label="Name"
              required
              maxLength={limits.name}
              autoComplete="off"
              error={errors.name?.message}
            />
            <TextField
              {...form.register('email')}
              label="Email"
              required
              type="email"
              maxLength={limits.email}
              autoComplete="off"
              hint={emailHint(user)}
              error={errors.email?.message}
            />
            <RoleField control={form.control} isMe={isMe} error={errors.isAdmin?.message} />
            <Cluster>
              <Button type="submit" loading={isSubmitting}>
                Update
              </Button>
              <Button
                variant="danger"
                disabledReason={isMe ? 'You cannot delete your own account.' : null}
                onClick={() => setLeaving(true)}
              >
                Delete user
              </Button>
            </Cluster>
            {user.hasSecondFactor && !isMe && <ResetSecondFactor user={user} />}
            <Hint>Customer since {formatDay(user.createdAt)}.</Hint>
          </Form>
          <Part fallback={<Skeleton $height="12rem" />}>
            <AnnotationPanel id={user.id} onUnsaved={setUnsaved} />
          </Part>
        </Stack>
        <UserHistory userId={user.id} />
      </WithAside>
      <LeaveGuard when={((isDirty && !isSubmitting) || unsaved) && !gone} />
      <DeleteUser
        user={leaving ? user : null}
        onClose={() => setLeaving(false)}
        onDeleted={() => {
          setGone(true)
          setTimeout(() => void navigate(paths.adminUsers(), { replace: true }))
        }}
      />
    </AdminPage>
  )
}

function RoleField({
  control,
  isMe,
  error,
}: {
  control: Control<z.input<typeof shape>, unknown, z.output<typeof shape>>
  isMe: boolean
  error: string | undefined
}) {
  return (
    <div>
      <Controller
        control={control}
        name="isAdmin"
        render={({ field: { value, onChange, ...field } }) => (
          <Checkbox
            {...field}
            label="Is Admin Role"
            checked={value}
            onChange={event => onChange(event.target.checked)}
            disabled={isMe}
            aria-describedby="role-hint"
          />
        )}
      />
      <Hint id="role-hint">
        {isMe ? 'You cannot take the role from yourself.' : 'Admins manage products, orders, users and reviews.'}
      </Hint>
      {error && <Problem role="alert">{error}</Problem>}
    </div>
  )
}

function emailHint({ emailVerified, newEmail }: AdminUserFragment): string {
  const state = emailVerified ? 'Confirmed by its owner.' : 'Not confirmed: another account may claim the same.'
  return newEmail ? `${state} ${newEmail} waits to be confirmed.` : state
}

function UserHistory({ userId }: { userId: string }) {
  const [page, setPage] = useState(1)
  const { data, previousData, error, refetch } = useQuery(AuditLogDocument, {
    variables: { filter: { entity: 'USER', entityId: userId }, page },
  })
  return (
    <History history={(data ?? previousData)?.auditLog} error={error} onRetry={() => void refetch()} onPage={setPage} />
  )
}

const Form = styled(Stack)`
  max-width: ${measure.narrow};
  gap: ${space[4]};
`
const Hint = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
const Problem = styled.p`
  font-size: ${size.sm};
  color: ${color.danger};
`
