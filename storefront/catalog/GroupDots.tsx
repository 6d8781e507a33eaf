import { styled } from 'styled-components'
import { color, size, space } from '../theme/tokens.ts'
import type { ProductCardFragment } from './ProductCard.gql.ts'

const RADIUS = 6
const STEP = 16

/** How many others there are, and in which colours. Nothing for what stands alone. */
export function GroupDots({ group }: { group: NonNullable<ProductCardFragment['group']> }) {
  const { variesBy, total, colours } = group
  const others = total - 1
  if (others < 1) return null
  const isColour = variesBy === 'COLOUR'
  return (
    <Line>
      {isColour && colours.length > 0 && (
        <Dots width={colours.length * STEP} height={STEP} aria-hidden="true" focusable="false">
          {colours.map(({ hex }, place) => (
            <circle key={place} cx={place * STEP + STEP / 2} cy={STEP / 2} r={RADIUS} fill={hex} />
          ))}
        </Dots>
      )}
      <span>
        +{others} {isColour ? 'colour' : 'size'}
        {others > 1 && 's'}
      </span>
    </Line>
  )
}

const Line = styled.p`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 ${space[2]};
  width: 100%;
  font-size: ${size.xs};
  color: ${color.textQuiet};
`
const Dots = styled.svg`
  flex: none;
  stroke: color-mix(in srgb, ${color.text} 22%, transparent);
`
