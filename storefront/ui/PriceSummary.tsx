import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { inBrackets, owedTaxes, type TaxLine } from '#schema/rules/tax-lines'
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
  tax: {
    taxPrice: number
    includedTax: number
    /** The same, rate by rate, once they are known. */
    taxes?: readonly Pick<TaxLine, 'basisPoints' | 'amount'>[]
    taxIsOpen?: boolean
  }
  /** The last line, under a rule. */
  total: { label: ReactNode; value: ReactNode }
  /** What has changed about the total since. */
  after?: { label: ReactNode; value: ReactNode }[]
}

/** Items, shipping, tax and the total, figures under figures. */
export function PriceSummary({ rows, tax, total, after = [] }: PriceSummaryProps) {
  const { taxPrice, includedTax, taxes = [{ basisPoints: null, amount: taxPrice + includedTax }], taxIsOpen } = tax
  const word = includedTax > 0 ? 'Includes tax' : 'Tax'
  const taxRows = owedTaxes(taxes).map(({ basisPoints, amount }) => ({
    label: `${word}${taxIsOpen ? ' (it depends on your address)' : inBrackets(basisPoints)}`,
    value: <Money cents={amount} />,
  }))
  const [before, below] = includedTax > 0 ? [rows, taxRows] : [[...rows, ...taxRows], []]
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
