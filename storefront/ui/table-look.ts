import { css, styled } from 'styled-components'
import { below, control, color, from, space } from '../theme/tokens.ts'

/** Keeps a text column away from the figures to its left. */
export const afterFigures = css`
  padding-left: ${space[5]};
`
/** A minor column is shown on desktops and on cards only. */
export const minor = css<{ $minor?: boolean }>`
  ${from.tablet} {
    ${({ $minor }) => $minor && `${below.desktop} { display: none; }`}
  }
`

/** A box to tick, as large as a finger needs it. */
export const Tick = styled.label`
  display: grid;
  place-items: center start;
  width: ${control.sm};
  height: ${control.sm};
  cursor: pointer;
  input {
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    accent-color: ${color.accent};
    cursor: pointer;
  }
  ${below.tablet} {
    place-items: center;
    width: ${control.md};
    height: ${control.md};
  }
  ${from.tablet} {
    margin-block: -${space[2]};
  }
`
