import { styled } from 'styled-components'
import { color, font, motion, weight } from '../theme/tokens.ts'

/** A button that reads like a link, for small things inside text and lists. */
export const TextButton = styled.button.attrs({ type: 'button' })`
  display: inline;
  padding: 0;
  border: 0;
  background: none;
  font: inherit;
  font-family: ${font.sans};
  font-weight: ${weight.strong};
  color: ${color.accent};
  text-decoration: underline;
  text-decoration-thickness: 1px;
  text-underline-offset: 0.2em;
  transition: color ${motion.fast};
  &:hover {
    color: ${color.accentHover};
  }
`
