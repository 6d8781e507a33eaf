import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { percent } from '#schema/rules/money'
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
  /** Tax that is added to the rows, or that they have in them. */
  tax: { taxPrice: number; includedTax: number; taxBasisPoints?: number | null; taxIsOpen?: boolean }
  /** The last line, under a rule. */
  total: { label: ReactNode; value: ReactNode }
  /** What has changed about the total since. */
  after?: { label: ReactNode; value: ReactNode }[]
}

/** Items, shipping, tax and the total, figures under figures. */
export function PriceSummary({ rows, tax, total, after = [] }: PriceSummaryProps) {
  const { taxPrice, includedTax, taxBasisPoints, taxIsOpen } = tax
  const open = taxIsOpen ? ' (it depends on your address)' : taxBasisPoints ? ` (${percent(taxBasisPoints)})` : ''
  const before = includedTax > 0 ? rows : [...rows, { label: `Tax${open}`, value: <Money cents={taxPrice} /> }]
  const below = includedTax > 0 ? [{ label: `Includes tax${open}`, value: <Money cents={includedTax} /> }] : []
  return (
    <List>
      {before.map((row, index) => (
        <Row key={index}>
          <dt>{row.label}</dt>
          <dd>{row.value}</dd>
        </Row>
      ))}
      <Total>
        <dt>{total.label}</dt>
        <dd>{total.value}</dd>
      </Total>
      {[...below, ...after].map((row, index) => (
        <Row key={index}>
          <dt>{row.label}</dt>
          <dd>{row.value}</dd>
        </Row>
      ))}
    </List>
  )
}
