import { styled } from 'styled-components'
import { type Space, space } from '../theme/tokens.ts'

/** One thing under the other. */
export const Stack = styled.div<{ $gap?: Space; $align?: 'start' | 'center' | 'stretch' }>`
  display: flex;
  flex-direction: column;
  gap: ${({ $gap = 4 }) => space[$gap]};
  align-items: ${({ $align = 'stretch' }) => ($align === 'start' ? 'flex-start' : $align)};
  > * {
    min-width: 0;
  }
`
