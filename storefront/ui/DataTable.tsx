import type { ReactNode } from 'react'
import { css, styled } from 'styled-components'
import { depth } from '../theme/z-index.ts'
import { below, color, control, font, from, motion, radius, size, space, upTo, weight } from '../theme/tokens.ts'
import { ArrowUpIcon } from './admin-icons.tsx'
import { Skeleton } from './Skeleton.tsx'
import { visuallyHidden } from './VisuallyHidden.tsx'

export interface Column<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Figures: aligned right. */
  numeric?: boolean
  sortable?: boolean
  /** What a first press on the header sorts by; ascending unless said otherwise. */
  descendingFirst?: boolean
  /** As in CSS; columns without one share what is left by their content. */
  width?: string
  /** Heads the card that a row becomes on phones, without its column's name. */
  lead?: boolean
  /** As wide as that card. */
  wide?: boolean
  /** Left out where rows are lines and the window is no desktop's. */
  minor?: boolean
  /** The header is only said, not shown. */
  hideHeader?: boolean
}

export interface TableSort {
  column: string
  descending: boolean
}

export interface TableSelection<Row> {
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
  /** The other way round, or the column's own way when the rows are sorted by another one. */
  function sortBy({ id, descendingFirst = false }: Column<Row>) {
    onSort?.({ column: id, descending: sort?.column === id ? !sort.descending : descendingFirst })
  }

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
  const allChosen = rows.length > 0 && rows.every(row => selection?.rows.has(rowId(row)))

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
        <thead>
          <tr>
            {selection && (
              <HeadCell scope="col">
                <Tick>
                  <input
                    type="checkbox"
                    aria-label="Select all on this page"
                    checked={allChosen}
                    ref={input => {
                      if (input) input.indeterminate = !allChosen && rows.some(row => selection.rows.has(rowId(row)))
                    }}
                    onChange={event => choose(rows, event.target.checked)}
                  />
                </Tick>
              </HeadCell>
            )}
            {columns.map(column => {
              const sorted = sort?.column === column.id ? (sort.descending ? 'desc' : 'asc') : undefined
              return (
                <HeadCell
                  key={column.id}
                  scope="col"
                  $numeric={column.numeric}
                  $after={afterNumeric.has(column.id)}
                  $minor={column.minor}
                  aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
                >
                  {column.sortable && onSort ? (
                    <SortButton
                      type="button"
                      onClick={() => sortBy(column)}
                      $numeric={column.numeric}
                      data-sorted={sorted}
                    >
                      <span>{column.header}</span>
                      <ArrowUpIcon size={14} />
                    </SortButton>
                  ) : (
                    <HeadText $hidden={column.hideHeader}>{column.header}</HeadText>
                  )}
                </HeadCell>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => {
            const id = rowId(row)
            const chosen = selection?.rows.has(id) === true
            return (
              <BodyRow key={id} $chosen={chosen} $quiet={isQuiet?.(row)} data-row={id}>
                {selection && (
                  <TickCell role="cell">
                    <Tick>
                      <input
                        type="checkbox"
                        aria-label={`Select ${rowName?.(row) ?? 'row'}`}
                        checked={chosen}
                        onChange={event => choose([row], event.target.checked)}
                      />
                    </Tick>
                  </TickCell>
                )}
                {columns.map(column => (
                  <Cell
                    key={column.id}
                    role="cell"
                    $numeric={column.numeric}
                    $after={afterNumeric.has(column.id)}
                    $lead={column.lead}
                    $wide={column.wide}
                    $minor={column.minor}
                    data-label={column.lead || column.hideHeader ? undefined : column.header}
                  >
                    {column.cell(row)}
                  </Cell>
                ))}
              </BodyRow>
            )
          })}
        </tbody>
      </Native>
    </Frame>
  )
}

/** The place of a table on its way. */
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
const figures = css`
  text-align: right;
  font-variant-numeric: lining-nums tabular-nums;
`
/** Text right of a column of figures keeps its distance. */
const afterFigures = css`
  padding-left: ${space[5]};
`
const minor = css<{ $minor?: boolean }>`
  ${from.tablet} {
    ${({ $minor }) => $minor && `${below.desktop} { display: none; }`}
  }
`
const ColumnWidth = styled.col<{ $minor?: boolean }>`
  ${minor}
`
const HeadCell = styled.th<{ $numeric?: boolean; $after?: boolean; $minor?: boolean }>`
  ${minor}
  position: sticky;
  top: 0;
  z-index: ${depth.stickyHead};
  padding: 0 ${space[2]};
  height: ${control.md};
  background: ${color.ground};
  box-shadow: inset 0 -1px 0 ${color.lineStrong};
  font-weight: ${weight.strong};
  font-size: ${size.xs};
  white-space: nowrap;
  text-align: left;
  ${({ $numeric }) => $numeric && 'text-align: right;'}
  ${({ $after }) => $after && afterFigures}
  &:first-child {
    padding-left: 0;
  }
  &:last-child {
    padding-right: 0;
  }
  ${below.tablet} {
    position: static;
    box-shadow: none;
    padding: 0;
  }
`
const HeadText = styled.span<{ $hidden?: boolean }>`
  color: ${color.textQuiet};
  ${({ $hidden }) => $hidden && visuallyHidden}
`
const SortButton = styled.button<{ $numeric?: boolean }>`
  display: inline-flex;
  align-items: center;
  gap: ${space[1]};
  flex-direction: ${({ $numeric }) => ($numeric ? 'row-reverse' : 'row')};
  min-height: ${control.sm};
  padding: 0 ${space[1]};
  margin-inline: -${space[1]};
  border: 0;
  border-radius: ${radius.sm};
  background: none;
  font: inherit;
  color: ${color.textQuiet};
  svg {
    opacity: 0;
    transition:
      opacity ${motion.fast},
      rotate ${motion.fast};
  }
  &:hover,
  &:focus-visible {
    color: ${color.text};
    svg {
      opacity: 0.5;
    }
  }
  &[data-sorted] {
    color: ${color.text};
    svg {
      opacity: 1;
    }
  }
  &[data-sorted='desc'] svg {
    rotate: 180deg;
  }
  ${below.tablet} {
    min-height: ${control.md};
    padding: 0 ${space[2]};
    margin: 0;
    flex-direction: row;
    &:not([data-sorted]) svg {
      display: none;
    }
  }
`
const BodyRow = styled.tr<{ $chosen?: boolean; $quiet?: boolean }>`
  position: relative;
  border-bottom: 1px solid ${color.line};
  background: ${({ $chosen }) => ($chosen ? color.band : 'transparent')};
  ${({ $quiet }) => $quiet && `color: ${color.textQuiet};`}
  @media (hover: hover) {
    &:hover {
      background: ${color.band};
    }
  }
  ${below.tablet} {
    display: grid;
    grid-template-columns: ${upTo(2, '8rem')};
    gap: ${space[2]} ${space[4]};
    padding-block: ${space[3]} ${space[4]};
  }
`
const cellPadding = css`
  padding: ${space[2]};
  &:first-child {
    padding-left: 0;
  }
  &:last-child {
    padding-right: 0;
  }
`
const Cell = styled.td<{ $numeric?: boolean; $lead?: boolean; $wide?: boolean; $after?: boolean; $minor?: boolean }>`
  ${minor}
  ${cellPadding}
  ${({ $after }) => $after && afterFigures}
  height: 3.25rem;
  vertical-align: middle;
  ${({ $numeric }) => $numeric && figures}
  ${({ $numeric }) => $numeric && 'white-space: nowrap;'}
  ${below.tablet} {
    display: block;
    height: auto;
    padding: 0;
    text-align: left;
    white-space: normal;
    overflow-wrap: anywhere;
    ${({ $lead }) => $lead && `order: -1; min-height: ${control.md}; padding-right: 3rem; font-size: ${size.md};`}
    ${({ $wide, $lead }) => ($wide || $lead) && 'grid-column: 1 / -1;'}
    ${({ $lead }) => $lead && `a { display: inline-flex; align-items: center; min-width: ${control.md}; min-height: ${control.md}; }`}
    &[data-label]::before {
      content: attr(data-label);
      display: block;
      color: ${color.textQuiet};
      font: ${weight.regular} ${size.xs} / 1.35 ${font.sans};
    }
  }
`
const TickCell = styled.td`
  ${cellPadding}
  ${below.tablet} {
    position: absolute;
    top: ${space[3]};
    right: 0;
    padding: 0;
  }
`
const Tick = styled.label`
  display: grid;
  place-items: center start;
  width: ${control.sm};
  height: ${control.sm};
  cursor: pointer;
  input {
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    accent-color: ${color.accent};
    cursor: pointer;
  }
  ${below.tablet} {
    place-items: center;
    width: ${control.md};
    height: ${control.md};
  }
  ${from.tablet} {
    margin-block: -${space[2]};
  }
`
