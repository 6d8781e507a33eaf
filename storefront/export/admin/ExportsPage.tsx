import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { ListFoot, ListResult } from '../../admin/AdminList.tsx'
import { Ago, TwoLines } from '../../admin/rows.tsx'
import { useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { Lead, PartnersFrame } from '../../partner/admin/PartnersFrame.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { formatMoment } from '../../ui/dates.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { fileSize } from '../../ui/file-size.ts'
import { SignalIcon } from '../../ui/admin-icons.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/toast.ts'
import { type AdminExportFragment, CancelExportDocument, ExportsDocument, LinkExportDocument } from './Exports.gql.ts'
import { NewExport } from './NewExport.tsx'

/** How often the progress of a running export is fetched. */
const POLL_MS = 1_000

export default function ExportsPage() {
  const list = useListState()
  const [isRunning, setIsRunning] = useState(false)
  const { data, previousData, error, loading, refetch } = useQuery(ExportsDocument, {
    variables: { page: list.page },
    pollInterval: isRunning ? POLL_MS : 0,
  })
  const exports = (data ?? previousData)?.exports
  const running = exports?.items.some(({ status }) => status === 'RUNNING') ?? false
  if (running !== isRunning) setIsRunning(running)
  const [adding, setAdding] = useState(false)

  return (
    <PartnersFrame
      part="Exports"
      actions={
        <Button size="sm" icon={<PlusIcon size={18} />} disabled={running} onClick={() => setAdding(true)}>
          New export
        </Button>
      }
    >
      <Lead>
        All products, orders, accounts, reviews or newsletter subscribers as a file of JSON lines, however many there
        are. It is written in the background, and kept for a day.
      </Lead>
      <ListResult
        total={exports?.total}
        error={error}
        loading={loading && !exports}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No exports yet" icon={<SignalIcon size={40} strokeWidth={1} />}>
            <p>For a spreadsheet, your bookkeeping, or a program that has to begin with everything.</p>
          </EmptyState>
        }
      >
        {exports && (
          <>
            <DataTable caption="Exports" columns={columns} rows={exports.items} rowId={({ id }) => id} />
            <ListFoot served={exports} list={list} noun="export" />
          </>
        )}
      </ListResult>
      <NewExport open={adding} onClose={() => setAdding(false)} onMade={() => void refetch()} />
    </PartnersFrame>
  )
}

const NAMES: Record<string, string> = {
  productsConnection: 'Products',
  ordersConnection: 'Orders',
  usersConnection: 'Accounts',
  reviewsConnection: 'Reviews',
  newsletterSubscribers: 'Newsletter subscribers',
}

const count = (lines: number) => `${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`

function State({ made: { status, rows, total, bytes, problem, keptUntil } }: { made: AdminExportFragment }) {
  if (status === 'RUNNING')
    return (
      <ProgressBar
        label={total === null ? 'Waiting for its turn' : `${rows.toLocaleString('en-US')} of ${count(total)}`}
        {...(total !== null && { value: total === 0 ? 1 : Math.min(1, rows / total) })}
      />
    )
  if (status === 'CANCELLED') return <Badge>Cancelled</Badge>
  if (status === 'FAILED')
    return (
      <TwoLines>
        <Badge $variant="danger">Failed</Badge>
        <small>{problem}</small>
      </TwoLines>
    )
  return (
    <TwoLines>
      {count(rows)}, {fileSize(bytes)}
      <small>{keptUntil ? `Kept until ${formatMoment(keptUntil)}` : 'Not kept any more'}</small>
    </TwoLines>
  )
}

function Actions({ made: { id, connection, status, keptUntil } }: { made: AdminExportFragment }) {
  const [cancel, cancelling] = useShopMutation(CancelExportDocument)
  const [link, linking] = useShopMutation(LinkExportDocument)
  const name = (NAMES[connection] ?? connection).toLowerCase()

  async function download() {
    const payload = await link({ id })
    if (payload?.path) window.location.assign(payload.path)
  }

  async function end() {
    if (await cancel({ id })) notify.success(status === 'RUNNING' ? 'Export cancelled.' : 'File deleted.')
  }

  if (status !== 'RUNNING' && !keptUntil) return null
  return (
    <Cluster $gap={2}>
      {keptUntil && (
        <Button
          size="sm"
          variant="quiet"
          loading={linking.loading}
          aria-label={`Download ${name}`}
          onClick={() => void download()}
        >
          Download
        </Button>
      )}
      <Button
        size="sm"
        variant="quiet"
        loading={cancelling.loading}
        aria-label={status === 'RUNNING' ? `Cancel the export of ${name}` : `Delete file of ${name}`}
        onClick={() => void end()}
      >
        {status === 'RUNNING' ? 'Cancel' : 'Delete file'}
      </Button>
    </Cluster>
  )
}

const columns: Column<AdminExportFragment>[] = [
  { id: 'OF', header: 'Of', lead: true, cell: ({ connection }) => NAMES[connection] ?? connection },
  { id: 'STATE', header: 'State', wide: true, width: '40%', cell: made => <State made={made} /> },
  { id: 'ASKED', header: 'Asked for', width: '9rem', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { id: 'ACTIONS', header: 'Actions', width: '15rem', cell: made => <Actions made={made} /> },
]
