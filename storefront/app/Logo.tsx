import { styled } from 'styled-components'
import { font, weight } from '../theme/tokens.ts'

/** The name, with a loose end of yarn. */
export function Logo() {
  return (
    <Mark>
      Skein
      <LooseEnd viewBox="0 0 44 22" width="44" height="22" aria-hidden="true" focusable="false">
        <path d="M0 20.8C8 20.8 14 18 17.5 12.5 21 7 19.5 1.5 15.5 1.5 11 1.5 10 8.5 14.5 13.5 19.5 19 28 20.5 42.5 18" />
      </LooseEnd>
    </Mark>
  )
}

const Mark = styled.span`
  display: block;
  font: ${weight.strong} 2rem/1 ${font.serif};
  letter-spacing: -0.02em;
  white-space: nowrap;
`
/** Starts at the foot of the n, on the baseline. */
const LooseEnd = styled.svg`
  display: inline-block;
  margin-left: -0.06em;
  fill: none;
  stroke: currentcolor;
  stroke-width: 1.8;
  stroke-linecap: round;
`
