import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { color, font, radius, size, space, weight } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { Picture } from '../ui/Picture.tsx'
import type { CollectionTileFragment } from './CollectionTile.gql.ts'

/** Shown of each. */
const PICTURES = 3

interface CollectionTileProps {
  collection: CollectionTileFragment
  /** The level of its heading in the page. */
  heading: 'h2' | 'h3'
}

/** A collection in a list of them. */
export function CollectionTile({ collection: { slug, name, total, pictures }, heading: Heading }: CollectionTileProps) {
  return (
    <Tile>
      <span>
        {pictures.slice(0, PICTURES).map(picture => (
          <Picture key={picture} src={picture} alt="" sizes="(min-width: 60rem) 10vw, (min-width: 40rem) 15vw, 30vw" />
        ))}
      </span>
      <Heading>
        <Link to={paths.collection(slug)}>{name}</Link>
      </Heading>
      <small>{total === 1 ? '1 product' : `${total} products`}</small>
    </Tile>
  )
}

const Tile = styled.li`
  position: relative;
  min-width: 0;
  > span {
    display: grid;
    grid-template-columns: repeat(${PICTURES}, minmax(0, 1fr));
    padding: ${space[3]};
    margin-bottom: ${space[3]};
    background: ${color.band};
    border-radius: ${radius.md};
  }
  h2,
  h3 {
    font: ${weight.medium} ${size.lg} / 1.2 ${font.serif};
    overflow-wrap: anywhere;
  }
  a {
    text-decoration: none;
  }
  a::after {
    content: '';
    position: absolute;
    inset: 0;
  }
  &:hover a {
    text-decoration: underline;
    text-decoration-thickness: 1px;
  }
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
