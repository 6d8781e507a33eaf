import { styled } from 'styled-components'
import { radius, size, space, weight } from '../theme/tokens.ts'
import { type Tone, tones } from './tones.ts'

/** A word about a state. */
export const Badge = styled.span<{ $variant?: Tone }>`
  display: inline-block;
  padding: 0.1em ${space[2]};
  border-radius: ${radius.sm};
  font-size: ${size.xs};
  font-weight: ${weight.strong};
  line-height: 1.5;
  white-space: nowrap;
  ${({ $variant = 'plain' }) => tones[$variant]}
  @media (forced-colors: active) {
    border: 1px solid;
  }
`
