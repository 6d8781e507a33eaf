import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { ListFoot, ListResult } from '../../admin/AdminList.tsx'
import { Ago, TwoLines } from '../../admin/rows.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useListState } from '../../data/list-state.ts'
import { formatDay } from '../../ui/dates.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { color, font, from, space, weight } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { KeyIcon } from '../../ui/admin-icons.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { type AdminApiKeyFragment, ApiKeysDocument, RevokeApiKeyDocument } from './ApiKeys.gql.ts'
import { KeyUsage } from './KeyUsage.tsx'
import { NewKey } from './NewKey.tsx'
import { Lead, PartnersFrame } from './PartnersFrame.tsx'
import { RotateKey } from './RotateKey.tsx'
import { scopeMeaning, scopeWords } from './scopes.ts'

export default function ApiKeysPage() {
  const list = useListState()
  const { data, previousData, error, loading, refetch } = useQuery(ApiKeysDocument, { variables: { page: list.page } })
  const keys = (data ?? previousData)?.apiKeys
  const [creating, setCreating] = useState(false)
  const [rotating, setRotating] = useState<AdminApiKeyFragment | null>(null)
  const [revoking, setRevoking] = useState<AdminApiKeyFragment | null>(null)

  return (
    <PartnersFrame
      part="API keys"
      actions={
        <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setCreating(true)}>
          Create API key
        </Button>
      }
    >
      <Lead>
        With an API key, a partner’s programs use the shop for one account, within the scopes you choose. Partners find
        their way with the <a href={paths.explorer()}>GraphQL explorer</a>, the{' '}
        <a href={paths.restDocs()}>REST documentation</a> and the <a href={paths.guide()}>partner guide</a>.
      </Lead>
      <ListResult
        total={keys?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No API keys yet" icon={<KeyIcon size={40} strokeWidth={1} />}>
            <p>
              A warehouse that fetches its orders, a marketplace that lists your yarn, a spreadsheet that counts stock:
              each gets a key of its own, so that you can see when it was last used and end it alone.
            </p>
          </EmptyState>
        }
      >
        {keys && (
          <>
            <DataTable
              caption="API keys"
              columns={columnsFor({ onRotate: setRotating, onRevoke: setRevoking })}
              rows={keys.items}
              rowId={key => key.id}
              stale={loading}
              isQuiet={key => Boolean(key.revokedAt)}
            />
            <ListFoot served={keys} list={list} noun="API key" />
          </>
        )}
      </ListResult>
      <NewKey open={creating} onClose={() => setCreating(false)} />
      {rotating && <RotateKey key={rotating.id} apiKey={rotating} onClose={() => setRotating(null)} />}
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </PartnersFrame>
  )
}

function columnsFor({
  onRotate,
  onRevoke,
}: Record<'onRotate' | 'onRevoke', (apiKey: AdminApiKeyFragment) => void>): Column<AdminApiKeyFragment>[] {
  return [
    {
      id: 'NAME',
      header: 'Name',
      lead: true,
      cell: key => (
        <Name>
          <strong>{key.name}</strong>
          <Start>{key.start}…</Start>
          {key.allowedAddresses.length > 0 && <small>From {key.allowedAddresses.join(', ')}</small>}
        </Name>
      ),
    },
    {
      id: 'SCOPES',
      header: 'May do',
      wide: true,
      width: '24%',
      cell: key => (
        <Scopes>
          {key.scopes.map(scope => (
            <li key={scope}>
              <Badge
                $variant={scope === 'ADMIN' ? 'warning' : 'plain'}
                title={`${scope}: ${scopeMeaning(scope, key.account)}`}
              >
                {scopeWords[scope]}
              </Badge>
            </li>
          ))}
        </Scopes>
      ),
    },
    {
      id: 'ACCOUNT',
      header: 'Acts for',
      minor: true,
      width: '22%',
      cell: ({ account }) => (
        <TwoLines>
          <Link to={paths.adminUser(account.id)}>{account.name}</Link>
          <small>{account.email}</small>
        </TwoLines>
      ),
    },
    {
      id: 'USED',
      header: 'Last used',
      width: '10.5rem',
      cell: key => (
        <Days>
          {key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : 'Never'}
          <small>
            Created <time dateTime={key.createdAt}>{formatDay(key.createdAt)}</time>
          </small>
        </Days>
      ),
    },
    {
      id: 'USAGE',
      header: 'Last 14 days',
      width: '9rem',
      cell: key => <KeyUsage apiKey={key} />,
    },
    {
      id: 'STATE',
      header: 'State',
      width: '7.5rem',
      cell: key =>
        key.revokedAt ? (
          <Days>
            Revoked <small>{formatDay(key.revokedAt)}</small>
          </Days>
        ) : key.expiresAt && new Date(key.expiresAt) <= new Date() ? (
          <Days>
            Ended <small>{formatDay(key.expiresAt)}</small>
          </Days>
        ) : (
          <TwoLines>
            <Badge>Active</Badge>
            {key.expiresAt && <small>Until {formatDay(key.expiresAt)}</small>}
            {key.formerUntil && new Date(key.formerUntil) > new Date() && (
              <small>Old secret until {formatDay(key.formerUntil)}</small>
            )}
          </TwoLines>
        ),
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      numeric: true,
      width: '8.5rem',
      cell: key =>
        !key.revokedAt && (
          <Cluster>
            <Button size="sm" variant="quiet" aria-label={`New secret for ${key.name}`} onClick={() => onRotate(key)}>
              New secret …
            </Button>
            <Button size="sm" variant="quiet" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              Revoke …
            </Button>
          </Cluster>
        ),
    },
  ]
}

function RevokeDialog({ apiKey, onClose }: { apiKey: AdminApiKeyFragment | null; onClose: () => void }) {
  const [revoke, { loading }] = useShopMutation(RevokeApiKeyDocument)
  const invalidate = useInvalidate()

  async function confirm() {
    if (!apiKey) return
    const payload = await revoke({ id: apiKey.id })
    onClose()
    if (!payload) return
    invalidate('auditLog')
    notify.success('API key revoked successfully.')
  }

  return (
    <ConfirmDialog
      open={apiKey !== null}
      onOpenChange={open => !open && onClose()}
      title="Revoke this API key?"
      message={
        <>
          Every program that uses “{apiKey?.name}” (<Start>{apiKey?.start}…</Start>) is refused from now on. This action
          cannot be undone.
        </>
      }
      confirmLabel="Revoke key"
      loading={loading}
      onConfirm={() => void confirm()}
    />
  )
}

const Name = styled(TwoLines)`
  ${from.tablet} {
    min-width: 10rem;
  }
  strong {
    font-weight: ${weight.strong};
  }
`
const Days = styled(TwoLines)`
  white-space: nowrap;
`
const Start = styled.code`
  font: 0.9em ${font.mono};
  color: ${color.textQuiet};
  ${TwoLines} & {
    display: block;
  }
`
const Scopes = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[1]};
  padding: 0;
  list-style: none;
`
