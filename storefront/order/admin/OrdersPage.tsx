import { useQuery } from '@apollo/client/react'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { countName, orderFilterNames } from '#schema/rules/order-filters'
import { isCalledOff, orderCan, type OrderStatus } from '#schema/rules/order-status'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { oneOf, sortOf, useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import type { OrderStatusFilter } from '../../generated/types.ts'
import { paths } from '../../paths.ts'
import { color, control, size, space } from '../../theme/tokens.ts'
import { notify } from '../../ui/toast.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { ArrowUpIcon } from '../../ui/admin-icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Money } from '../../ui/Money.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SelectionBar } from '../../ui/SelectionBar.tsx'
import { SummaryCards } from '../../ui/SummaryCard.tsx'
import { WarningMark } from '../../ui/WarningMark.tsx'
import { formatClock, formatDay, formatMoment } from '../../ui/dates.ts'
import { Buyer } from './Buyer.tsx'
import {
  type AdminOrderFragment,
  AdminOrdersDocument,
  type AdminOrdersQueryVariables,
  DeliverOrdersDocument,
  OrderCountsDocument,
  OrderStatsDocument,
} from './Orders.gql.ts'
import { useOrderBoard } from './use-order-board.ts'

const filterWords: Record<OrderStatusFilter, string> = {
  UNPAID: 'Unpaid',
  PAID: 'Paid',
  TO_SEND: 'To send',
  TO_DELIVER: 'To deliver',
  DELIVERED: 'Delivered',
  LAPSED: 'Lapsed',
  CANCELLED: 'Cancelled',
  NEEDS_ATTENTION: 'Needs attention',
}
const SORTS = ['DATE', 'TOTAL', 'NAME', 'PAID', 'DELIVERED'] as const

export default function OrdersPage() {
  const list = useListState()
  const status = oneOf(list.get('status')?.replaceAll('-', '_') ?? null, orderFilterNames)
  const search = list.get('search') ?? ''
  const tag = list.get('tag')
  const sort = sortOf(list.get('sort'), SORTS) ?? { field: 'DATE' as const, direction: 'DESC' as const }
  const variables: AdminOrdersQueryVariables = {
    filter: { search: search || null, status, tag },
    sort,
    page: list.page,
  }
  const { data, previousData, error, loading, refetch } = useQuery(AdminOrdersDocument, { variables })
  const orders = (data ?? previousData)?.orders
  const [selected, setSelected] = useState<ReadonlyMap<string, AdminOrderFragment>>(new Map())
  const rows = useRef<HTMLDivElement>(null)
  const { waiting, welcome } = useOrderBoard({
    variables,
    onChange: order => setSelected(before => (before.has(order.id) ? new Map(before).set(order.id, order) : before)),
  })

  function showNew() {
    welcome()
    rows.current?.focus({ preventScroll: true })
    void refetch()
  }

  return (
    <AdminPage
      title="Orders"
      actions={
        <NewOrders role="status">
          {waiting > 0 && (
            <Button size="sm" variant="quiet" icon={<ArrowUpIcon size={16} />} onClick={showNew}>
              {waiting === 1 ? 'One new order' : `${waiting.toLocaleString('en-US')} new orders`} – show
            </Button>
          )}
        </NewOrders>
      }
    >
      <Summary />
      <Toolbar>
        <StatusChips
          search={search}
          tag={tag}
          status={status}
          to={key => list.to({ status: key.toLowerCase().replaceAll('_', '-') })}
        />
        <SearchField
          label="Search orders"
          placeholder="Number, name, email or external id"
          value={search}
          maxLength={100}
          onSearch={text => list.go({ search: text })}
        />
      </Toolbar>
      {tag && (
        <Cluster $gap={2}>
          Tagged <Badge>{tag}</Badge>
          <Link to={list.to({ tag: null })}>Show all</Link>
        </Cluster>
      )}
      <ListResult
        total={orders?.total}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title="No orders found."
            action={
              (search || status || tag) && (
                <Link to={list.to({ search: null, status: null, tag: null })}>Show all orders</Link>
              )
            }
          >
            {!search && !status && !tag && <p>The first order will be listed here.</p>}
          </EmptyState>
        }
      >
        {orders && (
          <>
            <div ref={rows} tabIndex={-1}>
              <DataTable
                caption="Orders"
                columns={columns}
                rows={orders.items}
                rowId={order => order.id}
                rowName={order => `order ${order.reference}`}
                sort={{ column: sort.field, descending: sort.direction === 'DESC' }}
                onSort={({ column, descending }) =>
                  void list.go({ sort: `${descending ? '-' : ''}${column.toLowerCase()}` })
                }
                selection={{ rows: selected, onChange: setSelected }}
                stale={loading}
              />
            </div>
            <ListFoot served={orders} list={list} noun="order" />
          </>
        )}
      </ListResult>
      <Selection selected={selected} onDone={() => setSelected(new Map())} />
    </AdminPage>
  )
}

function Summary() {
  const { data, error, refetch } = useQuery(OrderStatsDocument)
  const stats = data?.orderStats
  return (
    <SummaryCards
      label="Orders at a glance"
      error={error && !stats ? 'Yarn it! Failed to fetch a preview of all orders.' : null}
      onRetry={() => void refetch()}
      figures={[
        { label: 'Total Orders', value: stats?.totalOrders.toLocaleString('en-US') },
        { label: 'Products Ordered', value: stats?.productsOrdered.toLocaleString('en-US') },
        { label: 'Fulfilled Orders', value: stats?.fulfilledOrders.toLocaleString('en-US') },
      ]}
    />
  )
}

function StatusChips({
  search,
  tag,
  status,
  to,
}: {
  search: string
  tag: string | null
  status: OrderStatusFilter | null
  to: (key: string) => string
}) {
  const { data, previousData } = useQuery(OrderCountsDocument, { variables: { search: search || null, tag } })
  const counts = (data ?? previousData)?.orderCounts
  const countIsExact = counts?.countsAreExact
  return (
    <FilterChips
      label="Status"
      current={status ?? ''}
      chips={[
        { key: '', label: 'All', count: counts?.all, countIsExact },
        ...orderFilterNames.map(key => ({
          key,
          label: filterWords[key],
          count: counts?.[countName(key)],
          countIsExact,
          urgent: key === 'NEEDS_ATTENTION',
        })),
      ]}
      link={linkTo(key => to(key))}
    />
  )
}

const columns: Column<AdminOrderFragment>[] = [
  {
    id: 'REF',
    header: 'Order',
    lead: true,
    width: '8rem',
    cell: order => (
      <Reference>
        <Link to={paths.order(order.id)}>{order.reference}</Link>
        {order.incidents
          .filter(({ resolvedAt }) => !resolvedAt)
          .map(({ id, message }) => (
            <WarningMark key={id} danger text={message} />
          ))}
      </Reference>
    ),
  },
  {
    id: 'NAME',
    header: 'User',
    sortable: true,
    cell: order => (
      <>
        <Buyer user={order.user} />
        <Tags tags={order.tags} />
      </>
    ),
  },
  { id: 'DATE', header: 'Date', sortable: true, descendingFirst: true, cell: order => <Day at={order.createdAt} /> },
  {
    id: 'TOTAL',
    header: 'Price',
    numeric: true,
    sortable: true,
    descendingFirst: true,
    width: '7rem',
    cell: order => <Money cents={order.totalPrice} />,
  },
  {
    id: 'PAID',
    header: 'Payment date',
    sortable: true,
    descendingFirst: true,
    cell: order => (order.paidAt ? <Day at={order.paidAt} /> : <Unpaid order={order} />),
  },
  {
    id: 'DELIVERED',
    header: 'Delivery date',
    sortable: true,
    descendingFirst: true,
    cell: order => (order.deliveredAt ? <Day at={order.deliveredAt} /> : <Missing of="delivery" order={order} />),
  },
  {
    id: 'INVOICE',
    header: 'Invoice',
    hideHeader: true,
    numeric: true,
    width: '8.5rem',
    cell: order => (
      <LinkButton
        as={Link}
        to={paths.order(order.id)}
        $variant="quiet"
        $size="sm"
        aria-label={`See Invoice of order ${order.reference}`}
      >
        See Invoice
      </LinkButton>
    ),
  },
]

/** Each leads to all orders that have it. */
function Tags({ tags }: Pick<AdminOrderFragment, 'tags'>) {
  if (tags.length === 0) return null
  return (
    <TagList aria-label="Tags">
      {tags.map(tag => (
        <li key={tag}>
          <Badge as={Link} to={`${paths.adminOrders()}?${new URLSearchParams({ tag })}`}>
            {tag}
          </Badge>
        </li>
      ))}
    </TagList>
  )
}

/** What stands where the date would, as long as there is none. What is somebody's turn is marked. */
const missing: Record<OrderStatus, { payment: string; delivery: string; quiet?: 'payment' | 'delivery' }> = {
  UNPAID: { payment: 'Not paid yet', delivery: 'Not delivered yet' },
  LAPSED: { payment: 'Not paid in time', delivery: 'Not delivered yet' },
  CANCELLED: { payment: 'Cancelled', delivery: 'Not delivered yet', quiet: 'payment' },
  PAID: { payment: '', delivery: 'Not delivered yet' },
  PARTLY_SENT: { payment: '', delivery: 'Partly sent' },
  SENT: { payment: '', delivery: 'Sent', quiet: 'delivery' },
  DELIVERED: { payment: '', delivery: '' },
}

function Missing({ of, order: { status } }: { of: 'payment' | 'delivery'; order: AdminOrderFragment }) {
  const words = missing[status]
  return words.quiet === of ? <Quiet>{words[of]}</Quiet> : <WarningMark text={words[of]} />
}

function Unpaid({ order }: { order: AdminOrderFragment }) {
  const { status, heldUntil } = order
  return (
    <>
      <Missing of="payment" order={order} />
      {heldUntil && !isCalledOff(status) && (
        <Quiet title={formatMoment(heldUntil)}> Holds stock until {formatClock(heldUntil)}</Quiet>
      )}
    </>
  )
}

function Day({ at }: { at: string }) {
  return (
    <Whole dateTime={at} title={formatMoment(at)}>
      {formatDay(at)}
    </Whole>
  )
}

const Whole = styled.time`
  white-space: nowrap;
`

function Selection({ selected, onDone }: { selected: ReadonlyMap<string, AdminOrderFragment>; onDone: () => void }) {
  const [asking, setAsking] = useState(false)
  const [deliver, { loading }] = useShopMutation(DeliverOrdersDocument)
  const invalidate = useInvalidate()
  const due = useMemo(() => [...selected.values()].filter(order => orderCan.deliver(order)), [selected])
  const others = selected.size - due.length
  const onlyDue = due.length === 1 ? due[0] : undefined

  async function markDelivered() {
    const payload = await deliver({ ids: due.map(order => order.id) })
    setAsking(false)
    if (!payload) return
    invalidate('orderStats', 'orderCounts', 'auditLog')
    notify.success(
      payload.changed === 1 ? 'Order delivered successfully.' : `${payload.changed} orders delivered successfully.`,
    )
    onDone()
  }

  return (
    <>
      <SelectionBar count={selected.size} noun="order" onClear={onDone}>
        <Button
          size="sm"
          onClick={() => setAsking(true)}
          disabledReason={due.length === 0 ? 'None of the selected orders is paid and waiting to be delivered.' : null}
        >
          Mark delivered
        </Button>
      </SelectionBar>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Mark as delivered?"
        message={
          <>
            {onlyDue
              ? `Order ${onlyDue.reference} will be marked as delivered.`
              : `${due.length} orders will be marked as delivered.`}
            {others > 0 &&
              ` ${others === 1 ? 'One selected order is' : `${others} selected orders are`} unpaid or delivered already and will stay as ${others === 1 ? 'it is' : 'they are'}.`}
          </>
        }
        confirmLabel="Mark delivered"
        variant="primary"
        loading={loading}
        onConfirm={() => void markDelivered()}
      />
    </>
  )
}

/** Has its height from the start, so that the list stays where it is. */
const NewOrders = styled.div`
  min-height: ${control.sm};
`

const TagList = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${space[1]};
  padding: 0;
  list-style: none;
`

const Quiet = styled.span`
  color: ${color.textQuiet};
  font-size: ${size.sm};
`

const Reference = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 0.375rem;
  font-size: ${size.sm};
  font-variant-numeric: lining-nums tabular-nums;
`
