import { styled } from 'styled-components'
import { TwoLines } from '../../admin/rows.tsx'
import { color, font } from '../../theme/tokens.ts'

/** The first characters of a key, by which its owner knows it. */
export const KeyStart = styled.code`
  font: 0.9em ${font.mono};
  color: ${color.textQuiet};
  ${TwoLines} & {
    display: block;
  }
`
