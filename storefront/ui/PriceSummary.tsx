import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { color, font, size, space, weight } from '../theme/tokens.ts'
import { Money } from './Money.tsx'

const List = styled.dl`
  display: grid;
  row-gap: ${space[2]};
  dt {
    flex: 1 1 6rem;
  }
  dd {
    margin: 0 0 0 auto;
    font-family: ${font.serif};
    font-variant-numeric: lining-nums tabular-nums;
    text-align: right;
  }
`
/** With large letters the figure goes below what it is of. */
const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  column-gap: ${space[5]};
`
const Total = styled(Row)`
  margin-top: ${space[2]};
  padding-top: ${space[3]};
  border-top: 1px solid ${color.lineStrong};
  font-size: ${size.lg};
  font-weight: ${weight.strong};
`

interface PriceSummaryProps {
  rows: { label: ReactNode; value: ReactNode }[]
  /** The last line, under a rule. */
  total?: { label: ReactNode; value: ReactNode }
  /** What has changed about the total since. */
  after?: { label: ReactNode; value: ReactNode }[]
}

/** The row for tax, whose rate may depend on an address that nobody has given yet. */
export const taxRow = (cents: number, isOpen = false) => ({
  label: isOpen ? 'Tax (it depends on your address)' : 'Tax',
  value: <Money cents={cents} />,
})

/** Items, shipping, tax and the total, figures under figures. */
export function PriceSummary({ rows, total, after = [] }: PriceSummaryProps) {
  return (
    <List>
      {rows.map((row, index) => (
        <Row key={index}>
          <dt>{row.label}</dt>
          <dd>{row.value}</dd>
        </Row>
      ))}
      {total && (
        <Total>
          <dt>{total.label}</dt>
          <dd>{total.value}</dd>
        </Total>
      )}
      {after.map((row, index) => (
        <Row key={index}>
          <dt>{row.label}</dt>
          <dd>{row.value}</dd>
        </Row>
      ))}
    </List>
  )
}
