import { styled } from 'styled-components'
import { measure } from '../theme/tokens.ts'

/** The page's margins. `text` for reading, `narrow` for a short form, `page` for the rest. */
export const Container = styled.div<{ $width?: 'page' | 'text' | 'narrow' }>`
  width: 100%;
  max-width: calc(${({ $width = 'page' }) => measure[$width]} + 2 * ${measure.gutter});
  margin-inline: auto;
  padding-inline: ${measure.gutter};
`
