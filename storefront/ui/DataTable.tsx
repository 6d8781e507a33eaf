import { styled } from 'styled-components'
import { below, motion, size, space } from '../theme/tokens.ts'
import { Skeleton } from './Skeleton.tsx'
import type { Column, TableSort } from './table-column.ts'
import { minor } from './table-look.ts'
import { DataTableHead } from './DataTableHead.tsx'
import { DataTableRow } from './DataTableRow.tsx'
import { visuallyHidden } from './VisuallyHidden.tsx'

interface TableSelection<Row> {
  /** By id; may hold rows of other pages. */
  rows: ReadonlyMap<string, Row>
  onChange: (rows: ReadonlyMap<string, Row>) => void
}

interface DataTableProps<Row> {
  /** For screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** What people call a row: "Select order #10042". */
  rowName?: (row: Row) => string
  sort?: TableSort
  onSort?: (sort: TableSort) => void
  selection?: TableSelection<Row>
  /** Newer rows are on their way. */
  stale?: boolean
  /** Rows that matter less, for example hidden ones. */
  isQuiet?: (row: Row) => boolean
}

/** A table whose sorting and paging happen elsewhere; on phones each row is a card. */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  rowId,
  rowName,
  sort,
  onSort,
  selection,
  stale,
  isQuiet,
}: DataTableProps<Row>) {
  /** Rows of other pages stay chosen. */
  function choose(some: readonly Row[], chosen: boolean) {
    if (!selection) return
    const next = new Map(selection.rows)
    for (const row of some) {
      if (chosen) next.set(rowId(row), row)
      else next.delete(rowId(row))
    }
    selection.onChange(next)
  }

  const afterNumeric = new Set(
    columns.filter((column, index) => !column.numeric && columns[index - 1]?.numeric).map(column => column.id),
  )

  return (
    <Frame aria-busy={stale || undefined}>
      <Native role="table" $stale={stale}>
        <caption>{caption}</caption>
        <colgroup>
          {selection && <col style={{ width: '2.5rem' }} />}
          {columns.map(column => (
            <ColumnWidth key={column.id} $minor={column.minor} style={{ width: column.width }} />
          ))}
        </colgroup>
        <DataTableHead
          columns={columns}
          afterNumeric={afterNumeric}
          sort={sort}
          onSort={onSort}
          chosen={selection && howMany(rows.map(row => selection.rows.has(rowId(row))))}
          onChooseAll={chosen => choose(rows, chosen)}
        />
        <tbody>
          {rows.map(row => (
            <DataTableRow
              key={rowId(row)}
              id={rowId(row)}
              row={row}
              name={rowName?.(row)}
              columns={columns}
              afterNumeric={afterNumeric}
              chosen={selection?.rows.has(rowId(row))}
              onChoose={chosen => choose([row], chosen)}
              isQuiet={isQuiet?.(row)}
            />
          ))}
        </tbody>
      </Native>
    </Frame>
  )
}

function howMany(chosen: readonly boolean[]): 'all' | 'some' | 'none' {
  if (!chosen.includes(true)) return 'none'
  return chosen.includes(false) ? 'some' : 'all'
}

/** Holds the place of a table that is loading. */
export function TableSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <Waiting aria-busy="true">
      <Skeleton $height="1.25rem" $width="100%" />
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} $height="2.5rem" />
      ))}
    </Waiting>
  )
}

const Waiting = styled.div`
  display: grid;
  gap: ${space[2]};
  padding-block: ${space[3]};
`
/** Scrolls sideways only where a wide table does not fit; elsewhere the head sticks to the window. */
const Frame = styled.div`
  min-width: 0;
  @media (min-width: 40rem) and (max-width: 68rem) {
    overflow-x: auto;
  }
`
const Native = styled.table<{ $stale?: boolean }>`
  width: 100%;
  font-size: ${size.sm};
  line-height: 1.35;
  transition: opacity ${motion.medium};
  opacity: ${({ $stale }) => ($stale ? 0.6 : 1)};
  caption {
    ${visuallyHidden}
  }
  ${below.tablet} {
    &,
    tbody {
      display: block;
    }
    colgroup {
      display: none;
    }
    thead th:not(:has(button)):not(:has(input)) {
      ${visuallyHidden}
    }
    thead {
      display: block;
      overflow-x: auto;
      scrollbar-width: none;
    }
    thead tr {
      display: flex;
      align-items: center;
      width: max-content;
    }
  }
`
const ColumnWidth = styled.col<{ $minor?: boolean }>`
  ${minor}
`
