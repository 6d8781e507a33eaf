import { styled } from 'styled-components'
import { from, type Space, space } from '../theme/tokens.ts'

/** Equal columns: `$columns` on desktop, fewer below. */
export const Grid = styled.div<{ $columns?: 2 | 3 | 4; $gap?: Space }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${({ $gap = 5 }) => space[$gap]};
  ${from.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  ${from.desktop} {
    grid-template-columns: repeat(${({ $columns = 3 }) => $columns}, minmax(0, 1fr));
  }
`
