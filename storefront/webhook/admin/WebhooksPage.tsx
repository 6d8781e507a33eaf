import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { ListFoot, ListResult } from '../../admin/AdminList.tsx'
import { Ago, TwoLines } from '../../admin/rows.tsx'
import { useListState } from '../../data/list-state.ts'
import { Lead, PartnersFrame } from '../../partner/admin/PartnersFrame.tsx'
import { paths } from '../../paths.ts'
import { from } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Link } from '../../ui/Link.tsx'
import { SignalIcon } from '../../ui/admin-icons.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { eventsInWords } from './events.ts'
import { SigningSecret } from './SigningSecret.tsx'
import { NewWebhook } from './WebhookForm.tsx'
import { WebhookState } from './WebhookState.tsx'
import { type AdminWebhookFragment, WebhooksDocument } from './Webhooks.gql.ts'

export default function WebhooksPage() {
  const list = useListState()
  const navigate = useNavigate()
  const { data, previousData, error, loading, refetch } = useQuery(WebhooksDocument, { variables: { page: list.page } })
  const webhooks = (data ?? previousData)?.webhooks
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ webhook: AdminWebhookFragment; secret: string } | null>(null)

  return (
    <PartnersFrame
      part="Webhooks"
      actions={
        <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setAdding(true)}>
          Add webhook
        </Button>
      }
    >
      <Lead>
        A webhook tells a partner’s server what happens here the moment it does. Each request is signed by the Standard
        Webhooks specification, and sent again for three days until the server takes it.
      </Lead>
      <ListResult
        total={webhooks?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No webhooks yet" icon={<SignalIcon size={40} strokeWidth={1} />}>
            <p>
              A warehouse that packs an order once it is paid, a marketplace that must not sell the last skein twice:
              instead of asking the shop again and again, they are told.
            </p>
          </EmptyState>
        }
      >
        {webhooks && (
          <>
            <DataTable
              caption="Webhooks"
              columns={columns}
              rows={webhooks.items}
              rowId={webhook => webhook.id}
              stale={loading}
              isQuiet={webhook => !webhook.enabled}
            />
            <ListFoot served={webhooks} list={list} noun="webhook" />
          </>
        )}
      </ListResult>
      <NewWebhook
        open={adding && !made}
        onClose={() => setAdding(false)}
        onMade={(webhook, secret) => setMade({ webhook, secret })}
      />
      {made && (
        <SigningSecret
          secret={made.secret}
          url={made.webhook.url}
          onClose={() => void navigate(paths.adminWebhook(made.webhook.id))}
        />
      )}
    </PartnersFrame>
  )
}

const columns: Column<AdminWebhookFragment>[] = [
  {
    id: 'ADDRESS',
    header: 'Address',
    lead: true,
    cell: webhook => (
      <Address>
        <Link to={paths.adminWebhook(webhook.id)}>{webhook.url}</Link>
        {webhook.description && <small>{webhook.description}</small>}
      </Address>
    ),
  },
  { id: 'EVENTS', header: 'Hears of', wide: true, width: '26%', cell: webhook => eventsInWords(webhook.events) },
  { id: 'STATE', header: 'State', wide: true, width: '10rem', cell: webhook => <WebhookState webhook={webhook} /> },
  {
    id: 'SUCCESS',
    header: 'Last delivered',
    width: '9rem',
    cell: webhook => (webhook.lastSuccessAt ? <Ago at={webhook.lastSuccessAt} /> : 'Never'),
  },
  {
    id: 'FAILURE',
    header: 'Last failed',
    width: '13rem',
    cell: webhook => (
      <TwoLines>
        {webhook.lastFailureAt ? <Ago at={webhook.lastFailureAt} /> : 'Never'}
        {webhook.lastFailure && <small>{webhook.lastFailure}</small>}
      </TwoLines>
    ),
  },
]

const Address = styled(TwoLines)`
  overflow-wrap: anywhere;
  ${from.tablet} {
    min-width: 12rem;
  }
`
