import { type ComponentProps, useId, useState } from 'react'
import { styled } from 'styled-components'
import { color, motion, size, space, weight } from '../theme/tokens.ts'
import { Problem } from './Problem.tsx'
import { VisuallyHidden, visuallyHidden } from './VisuallyHidden.tsx'

const Set = styled.fieldset`
  position: relative;
  legend {
    padding: 0;
    margin-bottom: ${space[1]};
    font-size: ${size.sm};
    font-weight: ${weight.strong};
  }
`
const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space[1]} ${space[3]};
`
const Stars = styled.div`
  display: flex;
  margin-left: -${space[2]};
`
const Choice = styled.label<{ $filled: boolean }>`
  display: grid;
  place-items: center;
  width: 2.75rem;
  height: 2.75rem;
  cursor: pointer;
  color: ${color.star};
  input {
    ${visuallyHidden}
  }
  svg {
    fill: ${({ $filled }) => ($filled ? 'currentcolor' : 'none')};
    stroke: currentcolor;
    stroke-linejoin: round;
    transition: fill ${motion.fast};
  }
  &:has(:focus-visible) svg {
    outline: 2px solid ${color.focus};
    outline-offset: 2px;
  }
`
const Words = styled.span`
  /* A fixed width: a longer word would wrap and move the stars from under the pointer, and back, again and again. */
  flex: 1 0 12rem;
  font-size: ${size.md};
  color: ${color.textQuiet};
`

interface RatingInputProps extends Pick<ComponentProps<'input'>, 'name' | 'onBlur' | 'ref'> {
  label: string
  /** 0 while nothing is chosen. */
  value: number
  onChange: (rating: number) => void
  /** What each number of stars means, by rating. */
  labels: Record<number, string>
  error?: string | null
}

/** One to five stars, as radio buttons: arrow keys, a tap or a click. */
export function RatingInput({ label, value, onChange, labels, error, name, onBlur, ref }: RatingInputProps) {
  const id = useId()
  const [hovered, setHovered] = useState(0)
  const shown = hovered || value
  return (
    <Set
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend id={`${id}-label`}>{label}</legend>
      <Row>
        <Stars onPointerLeave={() => setHovered(0)}>
          {[1, 2, 3, 4, 5].map(rating => (
            <Choice
              key={rating}
              $filled={rating <= shown}
              onPointerEnter={event => event.pointerType === 'mouse' && setHovered(rating)}
            >
              <input
                ref={rating === 1 ? ref : undefined}
                type="radio"
                name={name ?? id}
                value={rating}
                checked={rating === value}
                onChange={() => onChange(rating)}
                onBlur={onBlur}
              />
              <VisuallyHidden>{`${rating}: ${labels[rating] ?? ''}`}</VisuallyHidden>
              <svg width="28" height="28" viewBox="0 0 20 20" aria-hidden="true">
                <path d="M10 1.5l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6-4.5-4.2 6.1-.7z" />
              </svg>
            </Choice>
          ))}
        </Stars>
        <Words aria-hidden="true">{shown ? labels[shown] : 'Choose one to five stars'}</Words>
      </Row>
      {error && <Problem id={`${id}-error`}>{error}</Problem>}
    </Set>
  )
}
