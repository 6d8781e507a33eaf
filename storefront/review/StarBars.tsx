import { styled } from 'styled-components'
import { color, radius, size, space } from '../theme/tokens.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'

interface StarBarsProps {
  /** How many gave one star, two, and so on. */
  counts: readonly number[]
  /** Only reviews with this many stars are shown; null for all. */
  chosen: number | null
  onChoose: (stars: number | null) => void
}

/** How many reviews gave each number of stars. Pressing a row shows only those reviews. */
export function StarBars({ counts, chosen, onChoose }: StarBarsProps) {
  const all = counts.reduce((sum, count) => sum + count, 0)
  return (
    <Rows role="group" aria-label="Reviews by stars">
      {counts
        .map((count, place) => ({ count, stars: place + 1 }))
        .toReversed()
        .map(({ count, stars }) => (
          <Row
            key={stars}
            type="button"
            disabled={count === 0}
            aria-pressed={chosen === stars}
            onClick={() => onChoose(chosen === stars ? null : stars)}
          >
            <span>
              {stars} <span aria-hidden="true">★</span>
              <VisuallyHidden>{stars === 1 ? 'star: ' : 'stars: '}</VisuallyHidden>
            </span>
            {/* No style attributes: the content security policy blocks them. */}
            <Bar viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={all === 0 ? 0 : (count / all) * 100} height="1" />
            </Bar>
            <span>
              {count}
              <VisuallyHidden>{count === 1 ? ' review' : ' reviews'}</VisuallyHidden>
            </span>
          </Row>
        ))}
    </Rows>
  )
}

const Rows = styled.div`
  width: 100%;
  max-width: 20rem;
`
const Row = styled.button`
  display: grid;
  grid-template-columns: 2.5rem 1fr 2rem;
  align-items: center;
  gap: ${space[2]};
  width: 100%;
  min-height: 2rem;
  padding: 0 ${space[1]};
  border: 0;
  border-radius: ${radius.sm};
  background: none;
  color: inherit;
  font: inherit;
  font-size: ${size.sm};
  font-variant-numeric: lining-nums tabular-nums;
  text-align: left;
  cursor: pointer;
  &:hover,
  &[aria-pressed='true'] {
    background: ${color.band};
  }
  &[aria-pressed='true'] {
    font-weight: 600;
  }
  &:disabled {
    cursor: default;
    background: none;
  }
  > :last-child {
    text-align: right;
  }
`
const Bar = styled.svg`
  width: 100%;
  height: 0.5rem;
  border-radius: ${radius.sm};
  background: ${color.line};
  fill: ${color.accent};
`
