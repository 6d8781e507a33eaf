import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { ListFoot, ListResult } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { notify } from '../../ui/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { KeyIcon } from '../../ui/admin-icons.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { type AdminApiKeyFragment, ApiKeysDocument, RevokeApiKeyDocument } from './ApiKeys.gql.ts'
import { keyColumns } from './key-columns.tsx'
import { KeyStart } from './KeyStart.tsx'
import { NewKey } from './NewKey.tsx'
import { Lead, PartnersFrame } from './PartnersFrame.tsx'
import { RotateKey } from './RotateKey.tsx'

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
              columns={keyColumns({ onRotate: setRotating, onRevoke: setRevoking })}
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
          Every program that uses “{apiKey?.name}” (<KeyStart>{apiKey?.start}…</KeyStart>) is refused from now on. This
          action cannot be undone.
        </>
      }
      confirmLabel="Revoke key"
      loading={loading}
      onConfirm={() => void confirm()}
    />
  )
}
