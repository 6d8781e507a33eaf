import { styled } from 'styled-components'
import { color, weight } from '../theme/tokens.ts'
import { Money } from './Money.tsx'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface PriceProps {
  cents: number
  /** What it costs without the sale that is on; null when none is. */
  was: number | null
  className?: string
}

/** The price of one unit and, struck through beside it, the price before the sale. */
export function Price({ cents, was, className }: PriceProps) {
  if (was === null) return <Money cents={cents} className={className} />
  return (
    <span className={className}>
      <VisuallyHidden>On sale for </VisuallyHidden>
      <Money cents={cents} />
      <VisuallyHidden>, was</VisuallyHidden>{' '}
      <Before>
        <s>
          <Money cents={was} />
        </s>
      </Before>
    </span>
  )
}

const Before = styled.span`
  font-size: 0.8em;
  font-weight: ${weight.regular};
  color: ${color.textQuiet};
`
