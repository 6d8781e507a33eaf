import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { styled } from 'styled-components'
import { formatCents } from '#schema/rules/money'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { TwoLines } from '../../admin/rows.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { DiscountCodeStatus } from '../../generated/types.ts'
import { space } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { formatDay } from '../../ui/dates.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { PlusIcon } from '../../ui/page-icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { notify } from '../../ui/toast.ts'
import { type AdminCodeFragment, CodesDocument, UpdateCodeDocument } from './Codes.gql.ts'
import { NewCode } from './NewCode.tsx'
import { SeriesDialog } from './SeriesDialog.tsx'

const statusWords: Record<DiscountCodeStatus, string> = {
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  SCHEDULED: 'Scheduled',
  EXPIRED: 'Expired',
  USED_UP: 'Used up',
}
const statuses = Object.keys(statusWords) as DiscountCodeStatus[]

export default function CodesPage() {
  const list = useListState()
  const status = oneOf(list.get('status'), statuses)
  const { data, previousData, error, loading, refetch } = useQuery(CodesDocument, {
    variables: { status, page: list.page },
  })
  const codes = (data ?? previousData)?.discountCodes
  const [creating, setCreating] = useState(false)
  const [series, setSeries] = useState<AdminCodeFragment | null>(null)
  const pause = usePause()

  return (
    <AdminPage
      title="Codes"
      actions={
        <Button size="sm" icon={<PlusIcon size={18} />} onClick={() => setCreating(true)}>
          Create code
        </Button>
      }
    >
      <Toolbar>
        <FilterChips
          label="Status"
          current={status ?? ''}
          chips={[{ key: '', label: 'All' }, ...statuses.map(key => ({ key, label: statusWords[key] }))]}
          link={linkTo(key => list.to({ status: key.toLowerCase() }))}
        />
      </Toolbar>
      <ListResult
        total={codes?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No codes here">
            <p>
              A code takes a share, an amount or the shipping off an order. You decide for whom, for what and until
              when.
            </p>
          </EmptyState>
        }
      >
        {codes && (
          <>
            <DataTable
              caption="Discount codes"
              columns={columnsFor(pause, setSeries)}
              rows={codes.items}
              rowId={({ id }) => id}
              stale={loading}
              isQuiet={each => each.status !== 'ACTIVE'}
            />
            <ListFoot served={codes} list={list} noun="code" />
          </>
        )}
      </ListResult>
      <NewCode open={creating} onClose={() => setCreating(false)} />
      <SeriesDialog series={series} onClose={() => setSeries(null)} />
    </AdminPage>
  )
}

/** Stops a code for the time being, or lets it go on. */
function usePause() {
  const [update] = useShopMutation(UpdateCodeDocument)
  const invalidate = useInvalidate()
  return async ({ id, code, status }: AdminCodeFragment) => {
    const isPaused = status !== 'PAUSED'
    if (!(await update({ id, input: { isPaused } }))) return
    invalidate('auditLog')
    notify.success(isPaused ? `${code} is paused.` : `${code} works again.`)
  }
}

/** "First orders · $50.00 and over · some products · until May 31, 2027". */
function conditionsOf({ terms, isForFirstOrder, maxUses, maxUsesPerPerson }: AdminCodeFragment): string {
  const conditions = [
    isForFirstOrder && 'First orders',
    terms.minimum > 0 && `${formatCents(terms.minimum)} and over`,
    terms.productIds.length > 0 &&
      `${terms.productIds.length} ${terms.productIds.length === 1 ? 'product' : 'products'}`,
    terms.categories.length > 0 && terms.categories.join(', '),
    maxUses != null && `${maxUses.toLocaleString('en-US')} ${maxUses === 1 ? 'use' : 'uses'} in all`,
    maxUsesPerPerson != null && `${maxUsesPerPerson} a person`,
    terms.startsAt && `from ${formatDay(terms.startsAt)}`,
    terms.endsAt && `until ${formatDay(terms.endsAt)}`,
  ]
  return conditions.filter(Boolean).join(' · ') || 'For everyone'
}

function columnsFor(
  onPause: (code: AdminCodeFragment) => Promise<void>,
  onSeries: (code: AdminCodeFragment) => void,
): Column<AdminCodeFragment>[] {
  return [
    {
      id: 'CODE',
      header: 'Code',
      lead: true,
      cell: ({ code, isSeries }) => (
        <Code>
          <strong>{code}</strong>
          {isSeries && <small>Series: one code for one order</small>}
        </Code>
      ),
    },
    {
      id: 'GIVES',
      header: 'Gives',
      wide: true,
      width: '26%',
      cell: code => (
        <TwoLines>
          {code.description}
          <small>{conditionsOf(code)}</small>
        </TwoLines>
      ),
    },
    {
      id: 'STATUS',
      header: 'Status',
      width: '7rem',
      cell: ({ status }) => <Badge $variant={status === 'ACTIVE' ? 'success' : 'plain'}>{statusWords[status]}</Badge>,
    },
    {
      id: 'USES',
      header: 'Uses',
      numeric: true,
      width: '6.5rem',
      cell: ({ figures }) => (
        <TwoLines>
          {figures.uses.toLocaleString('en-US')}
          <small>{figures.paidOrders.toLocaleString('en-US')} paid</small>
        </TwoLines>
      ),
    },
    {
      id: 'REVENUE',
      header: 'Revenue',
      numeric: true,
      width: '7.5rem',
      cell: ({ figures }) => <Money cents={figures.revenue} />,
    },
    {
      id: 'GIVEN',
      header: 'Discount given',
      numeric: true,
      width: '8.5rem',
      cell: ({ figures }) => <Money cents={figures.discountGiven} />,
    },
    {
      id: 'ACTIONS',
      header: 'Actions',
      hideHeader: true,
      wide: true,
      numeric: true,
      width: '12rem',
      cell: code => (
        <Buttons>
          {code.isSeries && (
            <Button size="sm" variant="quiet" aria-label={`Make codes of ${code.code}`} onClick={() => onSeries(code)}>
              Make codes …
            </Button>
          )}
          <Button
            size="sm"
            variant="quiet"
            aria-label={`${code.status === 'PAUSED' ? 'Resume' : 'Pause'} ${code.code}`}
            onClick={() => void onPause(code)}
          >
            {code.status === 'PAUSED' ? 'Resume' : 'Pause'}
          </Button>
        </Buttons>
      ),
    },
  ]
}

/** Where other columns ask for room, it would be broken after two letters. */
const Code = styled(TwoLines)`
  min-width: 6rem;
`

const Buttons = styled.span`
  display: inline-flex;
  gap: ${space[2]};
`
