import { styled } from 'styled-components'
import { below, color, control, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { depth } from '../theme/z-index.ts'
import { ArrowUpIcon } from './admin-icons.tsx'
import type { Column, TableSort } from './table-column.ts'
import { afterFigures, minor, Tick } from './table-look.ts'
import { visuallyHidden } from './VisuallyHidden.tsx'

interface DataTableHeadProps<Row> {
  columns: readonly Column<Row>[]
  /** Columns of text right of figures. */
  afterNumeric: ReadonlySet<string>
  sort: TableSort | undefined
  onSort: ((sort: TableSort) => void) | undefined
  /** How many of the rows on this page are chosen; left out where none can be. */
  chosen: 'all' | 'some' | 'none' | undefined
  onChooseAll: (chosen: boolean) => void
}

/** The names of the columns, which sort by them, and the box that ticks all rows. */
export function DataTableHead<Row>({
  columns,
  afterNumeric,
  sort,
  onSort,
  chosen,
  onChooseAll,
}: DataTableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {chosen && (
          <HeadCell scope="col">
            <Tick>
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={chosen === 'all'}
                ref={input => {
                  if (input) input.indeterminate = chosen === 'some'
                }}
                onChange={event => onChooseAll(event.target.checked)}
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
                  onClick={() => onSort(nextSort(column, sort))}
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
  )
}

/** Reverses the order, or takes the column's own direction when the rows are sorted by another column. */
const nextSort = <Row,>({ id, descendingFirst = false }: Column<Row>, sort: TableSort | undefined): TableSort => ({
  column: id,
  descending: sort?.column === id ? !sort.descending : descendingFirst,
})

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
