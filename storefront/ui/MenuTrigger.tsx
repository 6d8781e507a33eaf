import { styled } from 'styled-components'
import { color, control, radius, size, space, weight } from '../theme/tokens.ts'

/** The look of a button that opens a menu; also used by its placeholder while the menu loads. */
export const MenuTrigger = styled.button`
  display: inline-flex;
  align-items: center;
  gap: ${space[1]};
  min-height: ${control.md};
  padding: 0 ${space[2]};
  border: 0;
  border-radius: ${radius.md};
  background: transparent;
  font-size: ${size.sm};
  font-weight: ${weight.strong};
  white-space: nowrap;
  &:hover,
  &[data-popup-open] {
    background: ${color.band};
  }
`
