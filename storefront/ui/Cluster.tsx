import { styled } from 'styled-components'
import { type Space, space } from '../theme/tokens.ts'

/** Side by side while there is room. */
export const Cluster = styled.div<{
  $gap?: Space
  $justify?: 'start' | 'between' | 'end'
  $align?: 'center' | 'baseline' | 'start' | 'end'
}>`
  display: flex;
  flex-wrap: wrap;
  gap: ${({ $gap = 3 }) => space[$gap]};
  justify-content: ${({ $justify = 'start' }) => ({ start: 'flex-start', between: 'space-between', end: 'flex-end' })[$justify]};
  align-items: ${({ $align = 'center' }) => ({ center: 'center', baseline: 'baseline', start: 'flex-start', end: 'flex-end' })[$align]};
`
