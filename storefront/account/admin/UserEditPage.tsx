import { useQuery } from '@apollo/client/react'
import { lazy, useState } from 'react'
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import type { z } from 'zod'
import { managedAccount } from '#schema/rules/shapes/account'
import { AuditLogDocument } from '../../audit/admin/Audit.gql.ts'
import { History } from '../../audit/admin/History.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { NotShown } from '../../admin/NotShown.tsx'
import { WithAside } from '../../admin/AdminList.tsx'
import { LeaveGuard } from '../../admin/LeaveGuard.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { problemOfList, showRefusals } from '../../data/forms.ts'
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
import type { ApiScope } from '../../generated/types.ts'
import { may } from '../may.ts'
import { signIn, useSignedIn } from '../session.ts'
import { Link } from '../../ui/Link.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { NameAndEmail } from './NameAndEmail.tsx'
import { PermissionChoices } from './PermissionChoices.tsx'
import { lockedBecause, withImplied } from './permissions.ts'
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

const shape = managedAccount<ApiScope>()

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
    defaultValues: formOf(user),
    resolver: zodResolver(shape),
  })
  const { errors, isSubmitting, isDirty, dirtyFields } = form.formState
  const locked = lockedBecause(me, user)
  const mayDoAll = may(me, 'ADMIN')

  async function submit({ permissions, ...input }: z.output<typeof shape>) {
    // What was not touched here may have been changed elsewhere meanwhile.
    const isChosen = input.isAdmin && permissions && (dirtyFields.isAdmin || dirtyFields.permissions)
    const payload = await update(
      { id: user.id, input: isChosen ? { ...input, permissions: withImplied(permissions) } : input },
      { onRefused: ({ userErrors }) => showRefusals(form, userErrors) },
    )
    if (!payload?.user) return
    form.reset(formOf(payload.user))
    const { name, email, isAdmin } = payload.user
    if (isMe) signIn({ ...me, name, email, isAdmin })
    invalidate('userStats', 'auditLog')
    notify.success('User updated successfully.')
  }

  return (
    <AdminPage
      title={user.name}
      badge={<RoleBadge permissions={user.permissions} />}
      trail={trail}
      actions={
        may(me, 'WRITE_ORDERS') && (
          <LinkButton as={Link} to={paths.adminNewOrder(user.email)} $variant="quiet" $size="sm">
            New order
          </LinkButton>
        )
      }
    >
      <WithAside $narrow>
        <Stack $gap={6}>
          <Form as="form" noValidate onSubmit={form.handleSubmit(submit)}>
            <NameAndEmail
              name={form.register('name')}
              email={form.register('email')}
              errors={errors}
              hint={emailHint(user)}
            />
            <RoleField
              form={form}
              given={user.permissions}
              isFixed={isMe ? 'You cannot take the role from yourself.' : mayDoAll ? null : ONLY_WITH_ALL}
            />
            <Cluster>
              <Button type="submit" loading={isSubmitting} disabledReason={locked}>
                Update
              </Button>
              <Button
                variant="danger"
                disabledReason={isMe ? 'You cannot delete your own account.' : locked}
                onClick={() => setLeaving(true)}
              >
                Delete user
              </Button>
            </Cluster>
            {user.hasSecondFactor && !isMe && mayDoAll && <ResetSecondFactor user={user} />}
            <Hint>Customer since {formatDay(user.createdAt)}.</Hint>
            {user.isAdmin && mayDoAll && (
              <Link to={`${paths.adminAudit()}?${new URLSearchParams({ actor: user.name })}`}>
                What {user.name} has changed
              </Link>
            )}
          </Form>
          {may(me, 'WRITE_CUSTOMERS') && (
            <Part fallback={<Skeleton $height="12rem" />}>
              <AnnotationPanel id={user.id} onUnsaved={setUnsaved} />
            </Part>
          )}
        </Stack>
        {mayDoAll && <UserHistory userId={user.id} />}
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

const ONLY_WITH_ALL = 'Only an administrator who may do everything gives and takes the role.'

function formOf({ name, email, isAdmin, permissions }: AdminUserFragment): z.input<typeof shape> {
  return { name, email, isAdmin, permissions: isAdmin ? permissions : ['ADMIN'] }
}

interface RoleFieldProps {
  form: UseFormReturn<z.input<typeof shape>, unknown, z.output<typeof shape>>
  /** What the account may do as it stands. */
  given: readonly ApiScope[]
  /** Why the role cannot be changed. */
  isFixed: string | null
}

/** Whether the account is an administrator's, and what they may do. */
function RoleField({ form: { control, setValue }, given, isFixed }: RoleFieldProps) {
  const [isAdmin, chosen] = useWatch({ control, name: ['isAdmin', 'permissions'] })
  return (
    <Stack $gap={4}>
      <Controller
        control={control}
        name="isAdmin"
        render={({ field: { value, onChange, ...field }, fieldState: { error } }) => (
          <div>
            <Checkbox
              {...field}
              label="Is Admin Role"
              checked={value}
              onChange={event => {
                onChange(event.target.checked)
                if (!event.target.checked) setValue('permissions', ['ADMIN'])
              }}
              disabled={isFixed !== null}
              aria-describedby="role-hint"
            />
            <Hint id="role-hint">{isFixed ?? 'Admins run the shop: all of it, or what you choose.'}</Hint>
            {error && <Problem role="alert">{error.message}</Problem>}
          </div>
        )}
      />
      {isAdmin && isFixed === null && (
        <Controller
          control={control}
          name="permissions"
          render={({ field: { onChange }, fieldState: { error } }) => (
            <PermissionChoices given={given} chosen={chosen ?? []} onChange={onChange} error={problemOfList(error)} />
          )}
        />
      )}
    </Stack>
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
