import { styled } from 'styled-components'
import { type ColourFamily, colourLabel } from '#schema/rules/facts/shelf-names'
import { shelfFor } from '#schema/rules/shelves'
import { paths } from '../paths.ts'
import { color, from, motion, size, space, weight } from '../theme/tokens.ts'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import type { ColourOnWallFragment } from './WallOfColour.gql.ts'

/** The wall is only shown from this many families on. */
const FEWEST = 3

/** The shop's yarns by hue: each strip is one of them, each family leads to its shelf. */
export function WallOfColour({ wallOfColour }: { wallOfColour: readonly ColourOnWallFragment[] }) {
  const families = new Map<ColourFamily, string[]>()
  for (const { colours, facts } of wallOfColour) {
    const [family] = facts.colourFamilies
    const [colour] = colours
    if (family && colour) families.set(family, [...(families.get(family) ?? []), colour.hex])
  }
  if (families.size < FEWEST) return null
  return <Kept as={Wall} aria-labelledby="by-colour" of={Families} facts={{ families: [...families] }} />
}

function Families({ families }: { families: [family: ColourFamily, hexes: string[]][] }) {
  return (
    <>
      <VisuallyHidden as="h2" id="by-colour">
        Shop by colour
      </VisuallyHidden>
      <ul>
        {families.map(([family, hexes]) => (
          <li key={family}>
            <Link to={paths.shelf(shelfFor('COLOUR', family)?.path ?? '/yarn')}>
              <Skeins hexes={hexes} />
              {colourLabel(family)}
              <VisuallyHidden> yarn</VisuallyHidden>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

const STRIP = 12
const HEIGHT = 60

/** A strip for each yarn, with the slanting light of its ply. */
function Skeins({ hexes }: { hexes: readonly string[] }) {
  const width = hexes.length * STRIP
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {hexes.map((hex, place) => (
        <rect key={place} x={place * STRIP} width={STRIP} height={HEIGHT} fill={hex} />
      ))}
    </svg>
  )
}

const Wall = styled.nav`
  margin-bottom: ${space[5]};
  ul {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(3.25rem, 1fr));
    gap: ${space[2]} 2px;
    padding: 0;
    list-style: none;
  }
  a {
    display: block;
    font-size: ${size.xs};
    font-weight: ${weight.medium};
    text-align: center;
    text-decoration: none;
    border-radius: 2px;
    &:hover {
      text-decoration: underline;
    }
  }
  svg {
    display: block;
    width: 100%;
    height: 2.75rem;
    margin-bottom: ${space[1]};
    outline: 1px solid ${color.line};
    outline-offset: -1px;
    transform-origin: bottom;
  }
  ${from.tablet} {
    margin-bottom: ${space[6]};
    ul {
      display: flex;
      gap: 2px;
    }
    li {
      flex: 1 1 0;
      min-width: 0;
    }
    svg {
      height: 6rem;
    }
  }
  @media (hover: hover) and (prefers-reduced-motion: no-preference) {
    svg {
      transition: scale ${motion.medium};
    }
    a:hover svg {
      scale: 1 1.06;
    }
  }
`
