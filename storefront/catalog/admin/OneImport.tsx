import { useQuery } from '@apollo/client/react'
import { useEffect } from 'react'
import { styled } from 'styled-components'
import { Changes, FieldChange } from '../../audit/admin/AuditEntries.tsx'
import { AdminPage } from '../../admin/AdminPage.tsx'
import { NotShown } from '../../admin/NotShown.tsx'
import { linkTo, ListFoot } from '../../admin/AdminList.tsx'
import type { ImportAction, ImportStatus } from '../../generated/types.ts'
import { oneOf, useListState } from '../../data/list-state.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DataTable, TableSkeleton } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/table-column.ts'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { Link } from '../../ui/Link.tsx'
import { Verdict } from './ImportVerdict.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { FetchPicturesAgainDocument, ProductImportDocument, type ProductImportQuery } from './ProductImport.gql.ts'

const ACTIONS = ['CREATE', 'UPDATE', 'UNCHANGED', 'REFUSED'] as const
/** Stands beside them in the address and among the chips. */
const NOT_FETCHED = 'NOT_FETCHED'
const actionWords: Record<ImportAction, string> = {
  CREATE: 'New',
  UPDATE: 'Changed',
  UNCHANGED: 'Unchanged',
  REFUSED: 'Refused',
}
export const statusWords: Record<ImportStatus, string> = {
  READY: 'Not applied',
  APPLYING: 'Being applied',
  APPLIED: 'Applied',
  UNDOING: 'Being undone',
  UNDONE: 'Undone',
}
export const trail = [{ label: 'Products', to: paths.adminProducts() }]

/** How often pictures that are being fetched are counted. */
const FETCHING_MS = 2_000

type Import = NonNullable<ProductImportQuery['productImport']>
type Row = Import['rows']['items'][number]

/** One import: its rows, what is to be done with it and what became of it. */
export function OneImport({ id }: { id: string }) {
  const list = useListState()
  const shown = oneOf(list.get('rows'), [...ACTIONS, NOT_FETCHED])
  const pictureNotFetched = shown === NOT_FETCHED
  const action = shown === NOT_FETCHED ? null : shown
  const { data, previousData, error, loading, refetch, startPolling, stopPolling } = useQuery(ProductImportDocument, {
    variables: { id, action, pictureNotFetched, page: list.page },
  })
  const found = (data ?? previousData)?.productImport
  const isFetching = found?.status === 'APPLIED' && found.picturesToFetch > 0
  useEffect(() => {
    if (isFetching) startPolling(FETCHING_MS)
    return stopPolling
  }, [isFetching, startPolling, stopPolling])
  if (!found) {
    return (
      <NotShown
        title="Import products"
        trail={trail}
        isAnswered={data !== undefined}
        error={error}
        isRetrying={loading}
        onRetry={() => void refetch()}
        thing="import"
        others={paths.adminImport()}
        outline={<TableSkeleton />}
      />
    )
  }
  return (
    <AdminPage
      title={found.fileName}
      badge={<Badge $variant={found.status === 'READY' ? 'warning' : 'plain'}>{statusWords[found.status]}</Badge>}
      trail={[...trail, { label: 'Import', to: paths.adminImport() }]}
    >
      <Verdict state={found} />
      {found.status === 'READY' && found.erases > 0 && (
        <Notice variant="warning">
          Blank cells erase {found.erases.toLocaleString('en-US')} {found.erases === 1 ? 'value' : 'values'}. They are
          marked below. To keep a value, fill its cell in; to keep them all, leave the column out.
        </Notice>
      )}
      <Pictures found={found} />
      <FilterChips
        label="Rows"
        current={shown ?? ''}
        chips={[
          { key: '', label: 'All rows', count: found.totalRows },
          { key: 'CREATE', label: actionWords.CREATE, count: found.creates },
          { key: 'UPDATE', label: actionWords.UPDATE, count: found.updates },
          { key: 'UNCHANGED', label: actionWords.UNCHANGED, count: found.unchanged },
          { key: 'REFUSED', label: actionWords.REFUSED, count: found.refused, urgent: true },
          ...(found.picturesNotFetched > 0 || pictureNotFetched
            ? [{ key: NOT_FETCHED, label: 'Picture not fetched', count: found.picturesNotFetched, urgent: true }]
            : []),
        ]}
        link={linkTo(key => list.to({ rows: key.toLowerCase() }))}
      />
      {found.rows.total === 0 ? (
        <Quiet>No rows of this kind.</Quiet>
      ) : (
        <>
          <DataTable
            caption="Rows of the file"
            columns={rowColumns}
            rows={found.rows.items}
            rowId={row => String(row.line)}
            stale={loading}
            isQuiet={row => row.action === 'UNCHANGED'}
          />
          <ListFoot served={found.rows} list={list} noun="row" />
        </>
      )}
    </AdminPage>
  )
}

/** What becomes of pictures that are at another host. */
function Pictures({ found: { id, status, picturesToFetch, picturesNotFetched } }: { found: Import }) {
  const [fetchAgain, { loading }] = useShopMutation(FetchPicturesAgainDocument)
  return (
    <>
      {picturesToFetch > 0 && status === 'READY' && (
        <Quiet>
          Applying also fetches {pictures(picturesToFetch)} from where they are now, so that the shop has its own.
        </Quiet>
      )}
      {picturesToFetch > 0 && status === 'APPLIED' && (
        <Quiet>
          Fetching {pictures(picturesToFetch)} into the shop. It goes on when you leave this page; until then products
          show their first picture from where it is.
        </Quiet>
      )}
      {picturesNotFetched > 0 && status === 'APPLIED' && (
        <Notice
          variant="warning"
          action={
            <Button size="sm" variant="quiet" loading={loading} onClick={() => void fetchAgain({ id })}>
              Try again
            </Button>
          }
        >
          {pictures(picturesNotFetched)} could not be fetched; the rows say why. Products show their first picture from
          where it is, for as long as it is there, and go without others.
        </Notice>
      )}
    </>
  )
}

const pictures = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'picture' : 'pictures'}`

const rowColumns: Column<Row>[] = [
  { id: 'LINE', header: 'Line', numeric: true, width: '4rem', cell: row => row.line },
  {
    id: 'ACTION',
    header: 'Result',
    width: '7rem',
    cell: row => (
      <Badge $variant={row.action === 'REFUSED' ? 'danger' : row.action === 'CREATE' ? 'success' : 'plain'}>
        {actionWords[row.action]}
      </Badge>
    ),
  },
  {
    id: 'NAME',
    header: 'Product',
    lead: true,
    width: '26%',
    cell: row => (
      <span>
        {row.productId ? (
          <Link to={paths.adminProduct(row.productId)}>{row.name || 'Unnamed'}</Link>
        ) : (
          row.name || 'Unnamed'
        )}
        {row.sku && <Sku>{row.sku}</Sku>}
      </span>
    ),
  },
  {
    id: 'WHAT',
    header: 'What happens',
    wide: true,
    cell: row => (
      <>
        {row.pictureProblem && <Problem>Not fetched. {row.pictureProblem}</Problem>}
        <What row={row} />
      </>
    ),
  },
]

/** Why a row is refused, or which fields it sets. */
function What({ row }: { row: Row }) {
  if (row.action === 'REFUSED') {
    return (
      <Reasons>
        {row.reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </Reasons>
    )
  }
  if (row.action === 'UNCHANGED') return <>Already as in the file</>
  const many = row.changes.length > 4
  const erased = row.changes.filter(({ after }) => !after).length
  const changes = (
    <Changes>
      {row.changes.map(change => (
        <FieldChange key={change.field} {...change} erased={!change.after} />
      ))}
    </Changes>
  )
  return many ? (
    <Fold>
      <summary>
        {row.changes.length} fields
        {erased > 0 && (
          <>
            {' '}
            <Badge $variant="warning">{erased} erased</Badge>
          </>
        )}
      </summary>
      {changes}
    </Fold>
  ) : (
    <Fields>{changes}</Fields>
  )
}

const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
  font-variant-numeric: tabular-nums;
`
const Sku = styled.small`
  display: block;
  font-size: ${size.xs};
  color: ${color.textQuiet};
`
const Reasons = styled.ul`
  padding: 0;
  list-style: none;
  text-align: left;
  color: ${color.danger};
`
const Problem = styled.p`
  width: 100%;
  text-align: left;
  color: ${color.danger};
`
const Fields = styled.div`
  width: 100%;
  padding-block: ${space[1]};
  text-align: left;
`
const Fold = styled.details`
  width: 100%;
  text-align: left;
  summary {
    padding-block: ${space[1]};
    cursor: pointer;
  }
  dl {
    padding-block: ${space[2]};
  }
`
