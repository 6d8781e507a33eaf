import { styled } from 'styled-components'
import { font } from '../theme/tokens.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

const Figure = styled.span`
  font-family: ${font.serif};
  font-variant-numeric: lining-nums tabular-nums;
  white-space: nowrap;
`

/** A price in the shop's currency, from whole cents. */
export function Money({ cents, className }: { cents: number; className?: string }) {
  return <Figure className={className}>{dollars.format(cents / 100)}</Figure>
}
