import { useApolloClient, useQuery } from '@apollo/client/react'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { StockBadge } from '../../catalog/admin/StockBadge.tsx'
import { messageOf } from '../../data/errors.ts'
import type { DashboardPeriod } from '../../generated/types.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { useLive } from '../../data/live/use-live.ts'
import { OrdersChangedDocument } from '../../order/admin/Orders.gql.ts'
import { formatDay } from '../../ui/dates.ts'
import { paths } from '../../paths.ts'
import { below, color, font, from, size, space, weight } from '../../theme/tokens.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { ArrowRightIcon, ArrowUpIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Stars } from '../../ui/Stars.tsx'
import { Table, Td, Th } from '../../ui/Table.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import { linkTo, Panel } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { comparison, figure, longDate, type Metric, metrics, metricWords, shortDate, spans, tick } from './buckets.ts'
import { DashboardDocument, type DashboardQuery } from './Dashboard.gql.ts'
import { useThrottled } from '../../admin/use-throttled.ts'

// The chart library is only needed here.
const Chart = lazy(() => import('../../ui/Chart.tsx'))

const PERIODS = ['DAY', 'WEEK', 'MONTH'] as const
/** Orders that come in one after the other are counted together. */
const COUNT_AGAIN_MS = 3_000
type Dashboard = DashboardQuery['dashboard']

export default function DashboardPage() {
  const state = useListState()
  const period: DashboardPeriod = oneOf(state.get('period'), PERIODS) ?? 'DAY'
  const metric: Metric = oneOf(state.get('show'), metrics) ?? 'revenue'
  const variables = { period, count: spans[period].count }
  const { data, previousData, error, loading, refetch } = useQuery(DashboardDocument, { variables })
  const client = useApolloClient()
  // Beside the query, which would show that it is waiting. Without an answer the figures stay as they are.
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
  const dashboard = (data ?? previousData)?.dashboard

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
  metric,
  stale,
  to,
}: {
  dashboard: Dashboard
  metric: Metric
  stale: boolean
  to: (metric: Metric) => string
}) {
  return (
    <Sections $stale={stale} aria-busy={stale || undefined}>
      <Waiting dashboard={dashboard} />
      <Sales dashboard={dashboard} metric={metric} to={to} />
      <Columns>
        <Stacked>
          <ToDeliver dashboard={dashboard} />
          <BestSellers dashboard={dashboard} />
          <Newsletter dashboard={dashboard} />
        </Stacked>
        <Stacked>
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

function Sales({ dashboard, metric, to }: { dashboard: Dashboard; metric: Metric; to: (metric: Metric) => string }) {
  const { period, buckets, totals, previous, timeZone } = dashboard
  const span = spans[period]
  return (
    <section aria-label="Sales">
      <Metrics aria-label={`Figures of the ${span.last}, compared with the time before`}>
        {metrics.map(key => {
          const change = comparison(totals[key], previous[key])
          return (
            <MetricLink key={key} to={to(key)} preventScrollReset aria-current={key === metric ? 'true' : undefined}>
              <small>{metricWords[key]}</small>
              <strong>{figure(key, totals[key])}</strong>
              <Change $sign={change.sign}>
                {change.sign !== 'same' && <ArrowUpIcon size={14} />}
                <span>
                  {change.words}
                  <VisuallyHidden>, {figure(key, previous[key])} before</VisuallyHidden>
                </span>
                <span aria-hidden="true">{figure(key, previous[key])} before</span>
              </Change>
            </MetricLink>
          )
        })}
      </Metrics>
      <Figure>
        <figcaption>
          <h2>
            {metricWords[metric]}, {span.last}
          </h2>
          <p>
            Paid orders, by the shop’s clock ({timeZone.replaceAll('_', ' ')}). The hatched bar is not finished yet.
          </p>
        </figcaption>
        <Suspense fallback={<ChartPlace />}>
          <Chart
            points={buckets.map(bucket => ({
              label: shortDate(period, bucket.date),
              title: longDate(period, bucket.date),
              value: bucket[metric],
            }))}
            format={value => figure(metric, value)}
            formatTick={value => tick(metric, value)}
            lastIsOpen
          />
        </Suspense>
        <Fold>
          <summary>The same figures as a table</summary>
          <Table caption={`Sales of the ${span.last}`}>
            <thead>
              <tr>
                <Th>{span.each}</Th>
                {metrics.map(key => (
                  <Th key={key} numeric>
                    {metricWords[key]}
                  </Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...buckets].reverse().map(bucket => (
                <tr key={bucket.date}>
                  <Td label={span.each}>{longDate(period, bucket.date)}</Td>
                  {metrics.map(key => (
                    <Td key={key} label={metricWords[key]} numeric>
                      {figure(key, bucket[key])}
                    </Td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </Fold>
      </Figure>
    </section>
  )
}

function Block({
  id,
  title,
  more,
  children,
}: {
  id: string
  title: string
  more?: { label: string; to: string }
  children: ReactNode
}) {
  return (
    <Panel aria-labelledby={id}>
      <BlockHead>
        <h2 id={id}>{title}</h2>
        {more && (
          <Link to={more.to}>
            {more.label} <ArrowRightIcon size={14} />
          </Link>
        )}
      </BlockHead>
      {children}
    </Panel>
  )
}

function ToDeliver({ dashboard: { ordersToDeliver: orders, ordersToDeliverCount: count } }: { dashboard: Dashboard }) {
  return (
    <Block
      id="to-deliver"
      title="Orders to deliver"
      more={
        count > 0
          ? { label: `All ${count.toLocaleString('en-US')}`, to: `${paths.adminOrders()}?status=to-deliver` }
          : undefined
      }
    >
      {count === 0 ? (
        <Quiet>Every paid order is on its way.</Quiet>
      ) : (
        <Rows>
          {orders.map(order => (
            <li key={order.id}>
              <span>
                <Link to={paths.order(order.id)}>{order.reference}</Link> {order.user.name}
                {order.user.isGuest && <small>Guest, {order.user.email}</small>}
                {order.paidAt && <small>Paid on {formatDay(order.paidAt)}</small>}
              </span>
              <Money cents={order.totalPrice} />
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

function LowStock({ dashboard: { lowStock } }: { dashboard: Dashboard }) {
  return (
    <Block
      id="low-stock"
      title="Low and out of stock"
      more={{ label: 'Out of stock', to: `${paths.adminProducts()}?status=out` }}
    >
      {lowStock.length === 0 ? (
        <Quiet>The shelves are full.</Quiet>
      ) : (
        <Rows>
          {lowStock.map(product => (
            <li key={product.id}>
              <WithPicture>
                <Thumb src={product.image} alt="" sizes="40px" />
                <Link to={paths.adminProduct(product.id)}>{product.name}</Link>
              </WithPicture>
              <Left>
                {product.countInStock > 0 && <span>{product.countInStock} left</span>}
                <StockBadge countInStock={product.countInStock} />
              </Left>
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

function BestSellers({ dashboard: { bestSellers, period } }: { dashboard: Dashboard }) {
  const most = Math.max(1, ...bestSellers.map(({ units }) => units))
  return (
    <Block id="best-sellers" title={`Best sellers, ${spans[period].last}`}>
      {bestSellers.length === 0 ? (
        <Quiet>Nothing was sold in this time.</Quiet>
      ) : (
        <Rows>
          {bestSellers.map(seller => (
            <li key={seller.productId}>
              <WithPicture>
                <Thumb src={seller.image} alt="" sizes="40px" />
                <span>
                  <Link to={paths.adminProduct(seller.productId)}>{seller.name}</Link>
                  <Share viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(seller.units / most) * 100} height="2" />
                  </Share>
                </span>
              </WithPicture>
              <Stock>
                <span>
                  {seller.units.toLocaleString('en-US')} {seller.units === 1 ? 'unit' : 'units'}
                </span>
                <Money cents={seller.revenue} />
              </Stock>
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

function Reviews({ dashboard: { newestReviews } }: { dashboard: Dashboard }) {
  return (
    <Block id="reviews" title="Newest reviews" more={{ label: 'All reviews', to: paths.adminReviews() }}>
      {newestReviews.length === 0 ? (
        <Quiet>No Reviews</Quiet>
      ) : (
        <Rows>
          {newestReviews.map(review => (
            <li key={review.id}>
              <ReviewText>
                <Stars rating={review.rating} />
                <p>{review.comment}</p>
                <small>
                  {review.name} on{' '}
                  {review.product ? (
                    <Link to={paths.adminReviews(review.product.id)}>{review.product.name}</Link>
                  ) : (
                    'a product of old'
                  )}
                  , {formatDay(review.createdAt)}
                </small>
              </ReviewText>
            </li>
          ))}
        </Rows>
      )}
    </Block>
  )
}

function Newsletter({
  dashboard: { newsletterSignUps: now, newsletterSignUpsBefore: before, newsletterTotal: total, period },
}: {
  dashboard: Dashboard
}) {
  return (
    <Block id="newsletter" title="Newsletter">
      <p>
        <Big>{now.toLocaleString('en-US')}</Big> {now === 1 ? 'sign-up' : 'sign-ups'} in the {spans[period].last},{' '}
        {before.toLocaleString('en-US')} in the time before. {total.toLocaleString('en-US')}{' '}
        {total === 1 ? 'reader' : 'readers'} in all.
      </p>
    </Block>
  )
}

function Outline() {
  return (
    <Sections $stale={false} aria-busy="true">
      <Metrics as="div">
        {metrics.map(key => (
          <Skeleton key={key} $height="5.5rem" />
        ))}
      </Metrics>
      <ChartPlace />
      <Columns>
        {[1, 2].map(block => (
          <Skeleton key={block} $height="16rem" />
        ))}
      </Columns>
    </Sections>
  )
}

const ChartPlace = styled(Skeleton)`
  height: 17rem;
  ${below.tablet} {
    height: 13rem;
  }
`
const Sections = styled.div<{ $stale: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[6]};
  opacity: ${({ $stale }) => ($stale ? 0.6 : 1)};
`
const Metrics = styled.nav`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 1px;
  ${from.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }
`
const MetricLink = styled(Link)`
  display: grid;
  gap: ${space[1]};
  align-content: start;
  padding: ${space[3]} ${space[4]};
  background: ${color.band};
  border-bottom: 2px solid transparent;
  text-decoration: none;
  outline-offset: -2px;
  &[aria-current] {
    border-color: ${color.text};
  }
  &:hover small {
    color: ${color.text};
  }
  small {
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  strong {
    font: ${weight.medium} ${size.h2} / 1.1 ${font.serif};
    font-variant-numeric: lining-nums tabular-nums;
    overflow-wrap: anywhere;
  }
  ${below.tablet} {
    padding: ${space[3]};
    strong {
      font-size: ${size.xl};
    }
  }
`
const Change = styled.span<{ $sign: 'up' | 'down' | 'same' }>`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 ${space[2]};
  font-size: ${size.xs};
  font-variant-numeric: lining-nums tabular-nums;
  color: ${color.textQuiet};
  > span:nth-of-type(1) {
    color: ${color.text};
  }
  svg {
    rotate: ${({ $sign }) => ($sign === 'down' ? '180deg' : '0deg')};
  }
`
const Figure = styled.figure`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[3]};
  margin-top: ${space[5]};
  h2 {
    font-size: ${size.lg};
  }
  figcaption p {
    margin-top: ${space[1]};
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
const Fold = styled.details`
  font-size: ${size.sm};
  summary {
    width: fit-content;
    padding-block: ${space[2]};
    color: ${color.textQuiet};
    cursor: pointer;
    &:hover {
      color: ${color.text};
    }
  }
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
const BlockHead = styled.header`
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: ${space[4]};
  a {
    display: inline-flex;
    align-items: center;
    gap: ${space[1]};
    font-size: ${size.sm};
    white-space: nowrap;
  }
`
const Rows = styled.ul`
  padding: 0;
  list-style: none;
  font-size: ${size.sm};
  line-height: 1.35;
  border-top: 1px solid ${color.lineStrong};
  > li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: ${space[4]};
    min-height: 3.25rem;
    padding-block: ${space[1]};
    border-bottom: 1px solid ${color.line};
    > :last-child {
      text-align: right;
    }
    > :only-child {
      text-align: left;
    }
  }
  small {
    display: block;
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
`
const WithPicture = styled.span`
  display: flex;
  flex: 1;
  align-items: center;
  gap: ${space[3]};
  min-width: 0;
  > span:last-child {
    flex: 1;
    min-width: 0;
  }
`
const Thumb = styled(Picture)`
  flex: none;
  width: 2.5rem;
`
const Stock = styled.span`
  display: grid;
  justify-items: end;
  gap: 2px;
  font-size: ${size.xs};
  font-variant-numeric: lining-nums tabular-nums;
  color: ${color.textQuiet};
  white-space: nowrap;
`
const Left = styled.span`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: ${space[1]} ${space[3]};
  font-size: ${size.xs};
  font-variant-numeric: lining-nums tabular-nums;
  color: ${color.textQuiet};
`
const Share = styled.svg`
  width: 100%;
  max-width: 16rem;
  height: 3px;
  margin-top: ${space[1]};
  fill: ${color.lineStrong};
`
const ReviewText = styled.div`
  display: grid;
  gap: ${space[1]};
  padding-block: ${space[2]};
  p {
    display: -webkit-box;
    overflow: hidden;
    -webkit-line-clamp: 2;
    -webkit-box-orient: vertical;
  }
`
const Big = styled.strong`
  font: ${weight.medium} ${size.xl} / 1 ${font.serif};
  font-variant-numeric: lining-nums tabular-nums;
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
