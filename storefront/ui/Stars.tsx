import { css, styled } from 'styled-components'
import { color, size } from '../theme/tokens.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

// Five stars in one drawing, each 20 wide.
const star = 'l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6-4.5-4.2 6.1-.7z'
const fiveStars = [10, 30, 50, 70, 90].map(x => `M${x} 1.5${star}`).join('')

// Clip steps are classes, because the content security policy blocks style attributes.
const filled = Array.from(
  { length: 11 },
  (_, halves) => css`
    clip-path: inset(0 ${100 - halves * 10}% 0 0);
  `,
)

const Drawing = styled.svg`
  flex: none;
  width: auto;
  height: 0.95em;
  color: ${color.star};
  stroke: currentcolor;
  stroke-width: 1;
  stroke-linejoin: round;
  fill: none;
`
const Filled = styled.path<{ $halves: number }>`
  fill: currentcolor;
  ${({ $halves }) => filled[$halves]}
`
const Row = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 0.45em;
  font-size: ${size.sm};
  line-height: 1.4;
  color: ${color.textQuiet};
  font-variant-numeric: tabular-nums;
`

interface StarsProps {
  /** 0 to 5. Shown in halves, and five only where there are five: 4.75 is four and a half. */
  rating: number
  /** How many ratings it is the average of; shown in brackets. */
  count?: number
  /** Show the figure with one decimal. */
  figure?: boolean
}

export function Stars({ rating, count, figure }: StarsProps) {
  const halves = Math.max(0, Math.min(10, Math.floor(rating * 2)))
  return (
    <Row>
      <Drawing viewBox="0 0 100 20" width="75" height="15" aria-hidden="true" focusable="false">
        <path d={fiveStars} />
        <Filled d={fiveStars} $halves={halves} />
      </Drawing>
      {figure ? (
        <span>
          {rating.toFixed(1)}
          <VisuallyHidden> out of 5 stars</VisuallyHidden>
        </span>
      ) : (
        <VisuallyHidden>
          {rating === 0 && count === 0 ? 'Not rated yet' : `${Number(rating.toFixed(1))} out of 5 stars`}
        </VisuallyHidden>
      )}
      {count !== undefined && <span aria-hidden="true">{`(${count.toLocaleString('en-US')})`}</span>}
      {count !== undefined && <VisuallyHidden>, {count === 1 ? '1 review' : `${count} reviews`}</VisuallyHidden>}
    </Row>
  )
}
