import { lazy, Suspense } from 'react'
import { styled } from 'styled-components'
import { below, color, font, from, size, space, upTo, weight } from '../../theme/tokens.ts'
import { ArrowUpIcon } from '../../ui/admin-icons.tsx'
import { Link } from '../../ui/Link.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Table, Td, Th } from '../../ui/Table.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import { comparison, figure, longDate, type Metric, metrics, metricWords, shortDate, spans, tick } from './buckets.ts'
import type { SalesFragment } from './Sales.gql.ts'

// The chart library is only needed here.
const Chart = lazy(() => import('../../ui/Chart.tsx'))

interface SalesProps {
  dashboard: SalesFragment
  metric: Metric
  to: (metric: Metric) => string
}

/** What was sold over time: a chart of one figure, and a table of all of them. */
export function Sales({ dashboard, metric, to }: SalesProps) {
  const { period, buckets, totals, previous, timeZone } = dashboard
  const span = spans[period]
  const longest = Math.max(...metrics.map(key => figure(key, totals[key]).length))
  return (
    <section aria-label="Sales">
      <Metrics aria-label={`Figures of the ${span.last}, compared with the time before`} $longest={longest}>
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

export function SalesOutline() {
  return (
    <>
      <Metrics as="div" $longest={1}>
        {metrics.map(key => (
          <Skeleton key={key} $height="5.5rem" />
        ))}
      </Metrics>
      <ChartPlace />
    </>
  )
}

const ChartPlace = styled(Skeleton)`
  height: 17rem;
  ${below.tablet} {
    height: 13rem;
  }
`
const Metrics = styled.nav<{ $longest: number }>`
  /* Small enough for the longest figure to fit on one line, and the same for all. */
  --fits: calc(185cqi / ${({ $longest }) => $longest});
  display: grid;
  grid-template-columns: ${upTo(2, '8rem')};
  gap: 1px;
  ${from.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));
  }
`
const MetricLink = styled(Link)`
  container-type: inline-size;
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
    font: ${weight.medium} min(${size.h2}, var(--fits)) / 1.1 ${font.serif};
    font-variant-numeric: lining-nums tabular-nums;
    overflow-wrap: anywhere;
  }
  ${below.tablet} {
    padding: ${space[3]};
    strong {
      font-size: min(${size.xl}, var(--fits));
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
