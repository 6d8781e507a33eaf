import { styled } from 'styled-components'
import { formatCents } from '#schema/rules/money'
import { font } from '../theme/tokens.ts'

const Figure = styled.span`
  font-family: ${font.serif};
  font-variant-numeric: lining-nums tabular-nums;
  white-space: nowrap;
`

/** A price in the shop's currency, from whole cents. */
export function Money({ cents, className }: { cents: number; className?: string }) {
  return <Figure className={className}>{formatCents(cents)}</Figure>
}
