import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { font, space, weight } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { useShopName } from './Head.tsx'

/** Longer names are written smaller, in several lines and without the yarn, which would be left on a line of its own. */
const LONG = 10

/** The name, with a loose end of yarn, which leads home. */
export function Logo() {
  const name = useShopName()
  return (
    <Home to={paths.home()} aria-label={`${name}, home`} data-long={name.length > LONG || undefined}>
      {name}
      <LooseEnd viewBox="0 0 44 22" width="44" height="22" aria-hidden="true" focusable="false">
        <path d="M0 20.8C8 20.8 14 18 17.5 12.5 21 7 19.5 1.5 15.5 1.5 11 1.5 10 8.5 14.5 13.5 19.5 19 28 20.5 42.5 18" />
      </LooseEnd>
    </Home>
  )
}

const Home = styled(Link)`
  grid-area: brand;
  padding-block: ${space[2]};
  font: ${weight.strong} 2rem/1 ${font.serif};
  letter-spacing: -0.02em;
  text-decoration: none;
  white-space: nowrap;
  &[data-long] {
    width: max-content;
    max-width: 17ch;
    font-size: min(2rem, 0.875rem + 1vw);
    white-space: normal;
    svg {
      display: none;
    }
  }
`
/** Starts at the foot of the last letter, on the baseline. */
const LooseEnd = styled.svg`
  display: inline-block;
  margin-left: -0.06em;
  fill: none;
  stroke: currentcolor;
  stroke-width: 1.8;
  stroke-linecap: round;
`
