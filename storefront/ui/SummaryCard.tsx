import type { ReactNode } from 'react'
import { styled } from 'styled-components'
import { color, font, from, size, space, upTo, weight } from '../theme/tokens.ts'
import { Notice } from './Notice.tsx'
import { Skeleton } from './Skeleton.tsx'

interface Figure {
  label: string
  /** Undefined while it is loading. */
  value: ReactNode | undefined
}

interface SummaryCardsProps {
  /** For screen readers. */
  label: string
  figures: readonly Figure[]
  /** What the widest of them needs; amounts need more than counts. */
  least?: string
  error?: string | null
  onRetry?: () => void
}

/** A few figures side by side over a list, or why there are none. */
export function SummaryCards({ label, figures, least = '4.5rem', error, onRetry }: SummaryCardsProps) {
  if (error)
    return (
      <Notice variant="danger" onRetry={onRetry}>
        {error}
      </Notice>
    )
  return (
    <List aria-label={label} $columns={figures.length} $least={least}>
      {figures.map(figure => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>{figure.value ?? <Skeleton $width="3.5rem" $height="1.75rem" />}</dd>
        </div>
      ))}
    </List>
  )
}

const List = styled.dl<{ $columns: number; $least: string }>`
  display: grid;
  grid-template-columns: ${({ $columns, $least }) => upTo($columns, $least)};
  gap: ${space[3]};
  padding: ${space[3]} ${space[4]};
  background: ${color.band};
  > div {
    display: flex;
    flex-direction: column;
    gap: ${space[1]};
    min-width: 0;
  }
  dt {
    font-size: ${size.xs};
    color: ${color.textQuiet};
  }
  dd {
    min-height: 1.75rem;
    font: ${weight.medium} ${size.xl} / 1.15 ${font.serif};
    font-variant-numeric: lining-nums tabular-nums;
  }
  ${from.desktop} {
    padding: ${space[3]} ${space[5]};
  }
`
