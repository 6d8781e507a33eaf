import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { RowActions, ShortId } from '../../admin/rows.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { oneOf, sortOf, useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { notify } from '../../ui/toast.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SummaryCards } from '../../ui/SummaryCard.tsx'
import { type UserInfo, useSignedIn } from '../session.ts'
import { may } from '../may.ts'
import { InviteUser } from './InviteUser.tsx'
import { lockedBecause } from './permissions.ts'
import { RoleBadge } from './RoleBadge.tsx'
import { type AdminUserFragment, AdminUsersDocument, DeleteUserDocument, UserStatsDocument } from './Users.gql.ts'

const ROLES = ['ADMIN', 'USER'] as const
const SORTS = ['NAME', 'EMAIL', 'ROLE', 'CREATED'] as const

export default function UsersPage() {
  const list = useListState()
  const me = useSignedIn()
  const role = oneOf(list.get('role'), ROLES)
  const search = list.get('search') ?? ''
  const sort = sortOf(list.get('sort'), SORTS) ?? { field: 'CREATED' as const, direction: 'DESC' as const }
  const { data, previousData, error, loading, refetch } = useQuery(AdminUsersDocument, {
    variables: { filter: { search: search || null, role }, sort, page: list.page },
  })
  const users = (data ?? previousData)?.users
  const [leaving, setLeaving] = useState<AdminUserFragment | null>(null)
  const [inviting, setInviting] = useState(false)

  const columns = columnsFor(me, setLeaving)

  return (
    <AdminPage
      title="Users"
      actions={
        may(me, 'ADMIN') && (
          <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      <Summary />
      <Toolbar>
        <FilterChips
          label="Role"
          current={role ?? ''}
          chips={[
            { key: '', label: 'All' },
            { key: 'ADMIN', label: 'Admins' },
            { key: 'USER', label: 'Users' },
          ]}
          link={linkTo(key => list.to({ role: key.toLowerCase() }))}
        />
        <SearchField
          label="Search users"
          placeholder="Name or email"
          value={search}
          maxLength={100}
          onSearch={text => list.go({ search: text })}
        />
      </Toolbar>
      <ListResult
        total={users?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title="No users found."
            action={<Link to={list.to({ search: null, role: null })}>Show all users</Link>}
          />
        }
      >
        {users && (
          <>
            <DataTable
              caption="Users"
              columns={columns}
              rows={users.items}
              rowId={user => user.id}
              sort={{ column: sort.field, descending: sort.direction === 'DESC' }}
              onSort={({ column, descending }) =>
                void list.go({ sort: `${descending ? '-' : ''}${column.toLowerCase()}` })
              }
              stale={loading}
            />
            <ListFoot served={users} list={list} noun="user" />
          </>
        )}
      </ListResult>
      <DeleteUser user={leaving} onClose={() => setLeaving(null)} />
      {inviting && <InviteUser onClose={() => setInviting(false)} />}
    </AdminPage>
  )
}

function columnsFor(me: UserInfo, onDelete: (user: AdminUserFragment) => void): Column<AdminUserFragment>[] {
  return [
    { id: 'ID', header: 'ID', minor: true, width: '8rem', cell: user => <ShortId id={user.id} /> },
    {
      id: 'NAME',
      header: 'Name',
      sortable: true,
      lead: true,
      cell: user => <Link to={paths.adminUser(user.id)}>{user.name}</Link>,
    },
    {
      id: 'EMAIL',
      header: 'Email',
      sortable: true,
      wide: true,
      cell: user => (
        <Cluster $gap={2}>
          <a href={`mailto:${user.email}`}>{user.email}</a>
          {!user.emailVerified && <Badge>Not confirmed</Badge>}
        </Cluster>
      ),
    },
    {
      id: 'ROLE',
      header: 'Role',
      sortable: true,
      descendingFirst: true,
      width: '7rem',
      cell: user => (
        <Cluster $gap={2}>
          <RoleBadge permissions={user.permissions} />
          {user.hasSecondFactor && <Badge>2-step</Badge>}
        </Cluster>
      ),
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      numeric: true,
      width: '6rem',
      cell: user => (
        <RowActions
          name={user.name}
          editPath={paths.adminUser(user.id)}
          onDelete={() => onDelete(user)}
          keptBecause={user.id === me._id ? 'You cannot delete your own account.' : lockedBecause(me, user)}
        />
      ),
    },
  ]
}

function Summary() {
  const { data, error, refetch } = useQuery(UserStatsDocument)
  const stats = data?.userStats
  return (
    <SummaryCards
      label="Users at a glance"
      error={error && !stats ? 'Yarn it! Failed to fetch a preview of all users.' : null}
      onRetry={() => void refetch()}
      figures={[
        { label: 'Total Users', value: stats?.totalUsers.toLocaleString('en-US') },
        { label: 'Admin Users', value: stats?.adminUsers.toLocaleString('en-US') },
        { label: 'Non-Admin Users', value: stats?.nonAdminUsers.toLocaleString('en-US') },
      ]}
    />
  )
}

export function DeleteUser({
  user,
  onClose,
  onDeleted,
}: {
  user: { id: string; name: string } | null
  onClose: () => void
  onDeleted?: () => void
}) {
  const [remove, { loading }] = useShopMutation(DeleteUserDocument)
  const invalidate = useInvalidate()

  async function confirm() {
    if (!user) return
    const payload = await remove({ id: user.id })
    onClose()
    if (!payload) return
    invalidate('userStats', 'auditLog')
    notify.success('User deleted successfully.')
    onDeleted?.()
  }

  return (
    <ConfirmDialog
      open={user !== null}
      onOpenChange={open => !open && onClose()}
      title="Delete user?"
      message={`Are you sure you want to delete ${user?.name ?? 'this user'}? This action cannot be undone.`}
      confirmLabel="Delete"
      loading={loading}
      onConfirm={() => void confirm()}
    />
  )
}
