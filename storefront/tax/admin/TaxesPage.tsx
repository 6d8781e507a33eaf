import { useApolloClient, useQuery, useSuspenseQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { formatCents, percent } from '#schema/rules/money'
import { linkTo, ListResult, Toolbar } from '../../admin/AdminList.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { dayOf, DayRange } from '../../admin/DayRange.tsx'
import { ShopDocument } from '../../app/Shop.gql.ts'
import { DownloadButton } from '../../data/DownloadButton.tsx'
import { FALLBACK_MESSAGE } from '../../data/errors.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { color, measure, size } from '../../theme/tokens.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { SummaryCards } from '../../ui/SummaryCard.tsx'
import { daysOf, periodLabel, periods } from './periods.ts'
import { type TaxFiguresFragment, TaxReportCsvDocument, TaxReportDocument, type TaxReportQuery } from './Taxes.gql.ts'

type Row = TaxReportQuery['taxReport']['rows'][number]

/** What of it is owed to somebody else: the tax that was paid, less what went back. */
const due = ({ tax, refundedTax }: TaxFiguresFragment) => tax - refundedTax

/** The tax that shoppers paid, place by place, for the forms that an owner files. */
export default function TaxesPage() {
  const list = useListState()
  const { today } = useSuspenseQuery(ShopDocument).data.shop.delivery
  const own = { from: dayOf(list.get('from')), to: dayOf(list.get('to')) }
  const period = own.from || own.to ? null : (oneOf(list.get('period'), periods) ?? 'this-month')
  const around = daysOf(period ?? 'this-month', today)
  const days = { from: own.from ?? own.to ?? around.from, to: own.to ?? own.from ?? around.to }
  const { data, previousData, error, loading, refetch } = useQuery(TaxReportDocument, {
    variables: days,
    // Somebody may just have paid.
    fetchPolicy: 'cache-and-network',
  })
  const report = error ? undefined : (data ?? previousData)?.taxReport
  const toPeriod = (key: string) => list.to({ period: key === 'this-month' ? null : key, from: null, to: null })

  return (
    <AdminPage title="Taxes" actions={<CsvButton days={days} />}>
      <Toolbar>
        <FilterChips
          label="Period"
          current={period ?? ''}
          chips={periods.map(key => ({ key, label: periodLabel(key) }))}
          link={linkTo(toPeriod)}
        />
        <DayRange {...days} onChange={change => void list.go({ period: null, ...days, ...change })} />
      </Toolbar>
      <Hint>
        Paid orders by where they went, at the day of payment, and refunds at their own day, by the shop’s clock. Gift
        cards count when they pay for something.
      </Hint>
      <ListResult
        total={report?.rows.length}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title="Nothing was paid in these days."
            action={period !== 'this-year' && <Link to={toPeriod('this-year')}>Show this year</Link>}
          />
        }
      >
        {report && (
          <>
            <SummaryCards
              label="Taxes at a glance"
              least="8rem"
              figures={[
                { label: 'Sales without tax', value: formatCents(report.totals.sales) },
                { label: 'Tax paid by shoppers', value: formatCents(report.totals.tax) },
                { label: 'Tax given back', value: formatCents(report.totals.refundedTax) },
                { label: 'Tax due', value: formatCents(due(report.totals)) },
              ]}
            />
            <DataTable
              caption="Taxes by place"
              columns={columns}
              rows={report.rows}
              rowId={({ country, state, basisPoints }) => [country, state, basisPoints].join('/')}
              stale={loading}
            />
          </>
        )}
      </ListResult>
    </AdminPage>
  )
}

function CsvButton({ days }: { days: Record<'from' | 'to', string> }) {
  const client = useApolloClient()

  async function load() {
    const { data } = await client.query({ query: TaxReportCsvDocument, variables: days, fetchPolicy: 'no-cache' })
    if (!data) throw new Error(FALLBACK_MESSAGE)
    return new File([data.taxReport.csv], `taxes-${days.from}-to-${days.to}.csv`, { type: 'text/csv' })
  }

  return <DownloadButton load={load}>Export CSV</DownloadButton>
}

const amount = (header: string, read: (figures: TaxFiguresFragment) => number, minor = false): Column<Row> => ({
  id: header,
  header,
  numeric: true,
  minor,
  cell: ({ figures }) => formatCents(read(figures)),
})

const columns: Column<Row>[] = [
  {
    id: 'PLACE',
    header: 'Place',
    lead: true,
    cell: ({ country, stateName }) => (stateName ? `${stateName}, ${country}` : country),
  },
  {
    id: 'RATE',
    header: 'Rate',
    numeric: true,
    cell: ({ basisPoints }) => (basisPoints === null ? 'Not known' : percent(basisPoints)),
  },
  { id: 'ORDERS', header: 'Orders', numeric: true, cell: ({ figures }) => figures.orders.toLocaleString('en-US') },
  amount('Sales', ({ sales }) => sales),
  amount('Shipping in it', ({ shipping }) => shipping, true),
  amount('Tax', ({ tax }) => tax),
  amount('Sales given back', ({ refunds }) => refunds, true),
  amount('Tax given back', ({ refundedTax }) => refundedTax),
  amount('Tax due', due),
]

const Hint = styled.p`
  max-width: ${measure.text};
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
