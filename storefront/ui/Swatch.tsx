import { styled } from 'styled-components'
import { swatches } from '../theme/swatches.ts'
import { color } from '../theme/tokens.ts'

/** A dot of a colour family; its name stands beside it. */
export const Swatch = styled.span.attrs<{ $family: keyof typeof swatches }>(({ $family }) => ({
  'aria-hidden': true,
  'data-family': $family,
}))`
  display: inline-block;
  flex: none;
  width: 1.125rem;
  height: 1.125rem;
  border-radius: 50%;
  forced-color-adjust: none;
  box-shadow: inset 0 0 0 1px color-mix(in srgb, ${color.text} 22%, transparent);
  ${Object.entries(swatches)
    .map(([family, background]) => `&[data-family='${family}'] { background: ${background}; }`)
    .join('\n  ')}
`
