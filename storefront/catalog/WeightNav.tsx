import { styled } from 'styled-components'
import { WEIGHT_SHELVES } from '#schema/rules/shelves'
import { color, from, measure, motion, size, space, weight } from '../theme/tokens.ts'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { Strand } from './Strand.tsx'

/** The weights of yarn, each as thick as it is: the quickest way to the right shelf. */
export function WeightNav() {
  return <Kept as={Shelf} aria-labelledby="by-weight" of={Weights} facts={{}} />
}

function Weights() {
  return (
    <>
      <h2 id="by-weight">Shop by weight</h2>
      <ul>
        {WEIGHT_SHELVES.map(({ path, label }) => (
          <li key={path}>
            <Link to={path}>
              <Strand weightClass={label.replace(/ &.*$/, '')} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

const Shelf = styled.nav`
  h2 {
    font-size: ${size.lg};
    letter-spacing: 0;
    margin-bottom: ${space[2]};
  }
  ul {
    display: flex;
    gap: ${space[4]};
    margin-inline: calc(-1 * ${measure.gutter});
    padding: ${space[1]} ${measure.gutter};
    list-style: none;
    overflow-x: auto;
    scrollbar-width: none;
  }
  ${from.desktop} {
    ul {
      justify-content: space-between;
      margin-inline: 0;
      padding-inline: 0;
    }
  }
  a {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: ${space[1]};
    padding-block: ${space[2]};
    font-size: ${size.sm};
    font-weight: ${weight.medium};
    white-space: nowrap;
    text-decoration: none;
    svg {
      color: ${color.textQuiet};
      transition: color ${motion.fast};
    }
    &:hover {
      text-decoration: underline;
      svg {
        color: ${color.accent};
      }
    }
  }
`
