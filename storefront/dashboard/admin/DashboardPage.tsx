import { useApolloClient, useQuery } from '@apollo/client/react'
import { useRef } from 'react'
import { styled } from 'styled-components'
import { may } from '../../account/may.ts'
import { useSession } from '../../account/session.ts'
import { linkTo } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { useThrottled } from '../../admin/use-throttled.ts'
import { messageOf } from '../../data/errors.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { useLive } from '../../data/live/use-live.ts'
import type { DashboardPeriod } from '../../generated/types.ts'
import { OrdersChangedDocument } from '../../order/admin/Orders.gql.ts'
import { paths } from '../../paths.ts'
import { from, space } from '../../theme/tokens.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { BestSellers, Expected, LowStock, Reviews, ToDeliver } from './Blocks.tsx'
import { type Metric, metrics, spans } from './buckets.ts'
import { DashboardDocument, type DashboardQuery } from './Dashboard.gql.ts'
import { Newsletter } from './Newsletter.tsx'
import { Sales, SalesOutline } from './Sales.tsx'
import { SetupSteps } from './SetupSteps.tsx'

const PERIODS = ['DAY', 'WEEK', 'MONTH'] as const
/** Orders that come in one after the other are counted together. */
const COUNT_AGAIN_MS = 3_000
type Dashboard = DashboardQuery['dashboard']

export default function DashboardPage() {
  const state = useListState()
  const period: DashboardPeriod = oneOf(state.get('period'), PERIODS) ?? 'DAY'
  const metric: Metric = oneOf(state.get('show'), metrics) ?? 'revenue'
  const withSetup = may(useSession(), 'ADMIN')
  const variables = { period, count: spans[period].count, withSetup }
  const { data, previousData, error, loading, refetch } = useQuery(DashboardDocument, { variables })
  const client = useApolloClient()
  // Separate from the query above, which would show a loading state. If this one fails, the figures stay as they are.
  const countSoon = useThrottled(
    () => void client.query({ query: DashboardDocument, variables, fetchPolicy: 'network-only' }).catch(() => {}),
    COUNT_AGAIN_MS,
  )
  const begun = useRef(false)
  useLive(OrdersChangedDocument, {}, ({ ordersChanged: { type } }) => {
    // The first one only says that the stream has begun.
    if (type || begun.current) countSoon()
    begun.current = true
  })
  const shown = data ?? previousData
  const dashboard = shown?.dashboard

  return (
    <AdminPage
      title="Dashboard"
      actions={
        <FilterChips
          label="Period"
          current={period}
          chips={PERIODS.map(key => ({ key, label: spans[key].word }))}
          link={linkTo(key => state.to({ period: key === 'DAY' ? null : key.toLowerCase() }))}
        />
      }
    >
      {error && (!dashboard || !loading) ? (
        <ErrorState onRetry={() => void refetch()} retrying={loading}>
          {messageOf(error)}
        </ErrorState>
      ) : dashboard ? (
        <Figures
          dashboard={dashboard}
          setup={shown.setup}
          metric={metric}
          stale={loading}
          to={show => state.to({ show: show === 'revenue' ? null : show })}
        />
      ) : (
        <Outline />
      )}
    </AdminPage>
  )
}

function Figures({
  dashboard,
  setup,
  metric,
  stale,
  to,
}: {
  dashboard: Dashboard
  setup: DashboardQuery['setup']
  metric: Metric
  stale: boolean
  to: (metric: Metric) => string
}) {
  return (
    <Sections $stale={stale} aria-busy={stale || undefined}>
      <Waiting dashboard={dashboard} />
      <SetupSteps steps={setup ?? []} isNew={dashboard.totals.orders === 0} />
      <Sales dashboard={dashboard} metric={metric} to={to} />
      <Columns>
        <Stacked>
          <ToDeliver dashboard={dashboard} />
          <BestSellers dashboard={dashboard} />
          <Newsletter dashboard={dashboard} />
        </Stacked>
        <Stacked>
          <Expected dashboard={dashboard} />
          <LowStock dashboard={dashboard} />
          <Reviews dashboard={dashboard} />
        </Stacked>
      </Columns>
    </Sections>
  )
}

/** What somebody has to do today. Nothing when nobody has to. */
function Waiting({ dashboard: { ordersNeedingAttentionCount: count } }: { dashboard: Dashboard }) {
  if (count === 0) return null
  return (
    <Notice
      variant="danger"
      action={<Link to={`${paths.adminOrders()}?status=needs-attention`}>See {count === 1 ? 'it' : 'them'}</Link>}
    >
      {count === 1 ? 'One order needs' : `${count.toLocaleString('en-US')} orders need`} attention.
    </Notice>
  )
}

function Outline() {
  return (
    <Sections $stale={false} aria-busy="true">
      <SalesOutline />
      <Columns>
        {[1, 2].map(block => (
          <Skeleton key={block} $height="16rem" />
        ))}
      </Columns>
    </Sections>
  )
}

const Sections = styled.div<{ $stale: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[6]};
  opacity: ${({ $stale }) => ($stale ? 0.6 : 1)};
`
const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[6]};
  ${from.desktop} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
    column-gap: ${space[7]};
  }
`
const Stacked = styled.div`
  display: grid;
  gap: ${space[6]};
  align-content: start;
`
