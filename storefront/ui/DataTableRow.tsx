import { css, styled } from 'styled-components'
import { below, color, control, font, size, space, upTo, weight } from '../theme/tokens.ts'
import type { Column } from './table-column.ts'
import { afterFigures, minor, Tick } from './table-look.ts'

interface DataTableRowProps<Row> {
  id: string
  row: Row
  /** What people call it: "order #10042". */
  name: string | undefined
  columns: readonly Column<Row>[]
  /** Columns of text right of figures. */
  afterNumeric: ReadonlySet<string>
  /** Left out where rows cannot be chosen. */
  chosen: boolean | undefined
  onChoose: (chosen: boolean) => void
  isQuiet: boolean | undefined
}

/** A line of the table; on phones a card. */
export function DataTableRow<Row>({
  id,
  row,
  name = 'row',
  columns,
  afterNumeric,
  chosen,
  onChoose,
  isQuiet,
}: DataTableRowProps<Row>) {
  return (
    <BodyRow $chosen={chosen} $quiet={isQuiet} data-row={id}>
      {chosen !== undefined && (
        <TickCell role="cell">
          <Tick>
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={chosen}
              onChange={event => onChoose(event.target.checked)}
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
}

const figures = css`
  text-align: right;
  font-variant-numeric: lining-nums tabular-nums;
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
