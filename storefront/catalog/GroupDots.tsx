import { styled } from 'styled-components'
import { color, size, space } from '../theme/tokens.ts'
import type { ProductCardFragment } from './ProductCard.gql.ts'

const RADIUS = 6
const STEP = 16

/** How many colours or sizes there are, including this one, and which colours. Nothing for products without a group. */
export function GroupDots({ group }: { group: NonNullable<ProductCardFragment['group']> }) {
  const { variesBy, total, colours } = group
  if (total < 2) return null
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
        {total} {isColour ? 'colours' : 'sizes'}
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
