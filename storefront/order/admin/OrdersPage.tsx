import { useQuery, useSuspenseQuery } from '@apollo/client/react'
import { useRef, useState } from 'react'
import { styled } from 'styled-components'
import { countName, orderFilterNames } from '#schema/rules/order-filters'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { ShopDocument } from '../../app/Shop.gql.ts'
import { useMayOpen } from '../../admin/RoomLink.tsx'
import { linkTo, ListFoot, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { oneOf, sortOf, useListState } from '../../data/list-state.ts'
import type { OrderStatusFilter } from '../../generated/types.ts'
import { paths } from '../../paths.ts'
import { control } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { ArrowUpIcon } from '../../ui/admin-icons.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SummaryCards } from '../../ui/SummaryCard.tsx'
import {
  type AdminOrderFragment,
  AdminOrdersDocument,
  type AdminOrdersQueryVariables,
  OrderCountsDocument,
  OrderStatsDocument,
} from './Orders.gql.ts'
import { orderColumns } from './order-columns.tsx'
import { SelectedOrders } from './SelectedOrders.tsx'
import { useOrderBoard } from './use-order-board.ts'

const filterWords: Record<OrderStatusFilter, string> = {
  UNPAID: 'Unpaid',
  PAID: 'Paid',
  TO_SEND: 'To send',
  TO_DELIVER: 'To deliver',
  TO_PICK_UP: 'To pick up',
  EXPECTED: 'Pre-ordered',
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
    <AdminPage title="Orders" actions={<Actions waiting={waiting} onShow={showNew} />}>
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
                columns={orderColumns}
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
      <SelectedOrders selected={selected} onDone={() => setSelected(new Map())} />
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
  const { pickup } = useSuspenseQuery(ShopDocument).data.shop.delivery
  // What was ordered so is still there where the shop offers it no more.
  const hasPickup = pickup !== null || status === 'TO_PICK_UP' || Boolean(counts?.toPickUp)
  const countIsExact = counts?.countsAreExact
  return (
    <FilterChips
      label="Status"
      current={status ?? ''}
      chips={[
        { key: '', label: 'All', count: counts?.all, countIsExact },
        ...orderFilterNames
          .filter(key => key !== 'TO_PICK_UP' || hasPickup)
          .map(key => ({
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

interface ActionsProps {
  waiting: number
  onShow: () => void
}

function Actions(news: ActionsProps) {
  const mayOpen = useMayOpen()
  return (
    <>
      <NewOrders {...news} />
      {mayOpen(paths.adminNewOrder()) && (
        <LinkButton as={Link} to={paths.adminNewOrder()} $size="sm">
          New order
        </LinkButton>
      )}
    </>
  )
}

/** Says that orders came in which the list does not show yet. */
function NewOrders({ waiting, onShow }: ActionsProps) {
  return (
    <News role="status">
      {waiting > 0 && (
        <Button size="sm" variant="quiet" icon={<ArrowUpIcon size={16} />} onClick={onShow}>
          {waiting === 1 ? 'One new order' : `${waiting.toLocaleString('en-US')} new orders`} – show
        </Button>
      )}
    </News>
  )
}

/** Has its height from the start, so that the list stays where it is. */
const News = styled.div`
  min-height: ${control.sm};
`
