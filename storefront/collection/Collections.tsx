import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { color, font, from, measure, radius, size, space, weight } from '../theme/tokens.ts'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { Picture } from '../ui/Picture.tsx'
import type { CollectionTileFragment } from './Collections.gql.ts'

/** Shown of each. */
const PICTURES = 3

interface CollectionsProps {
  collections: readonly CollectionTileFragment[]
}

/** What the shop has put together by hand. */
export function Collections({ collections }: CollectionsProps) {
  return <Kept as={Shelf} aria-labelledby="collections" of={Tiles} facts={{ collections }} />
}

function Tiles({ collections }: CollectionsProps) {
  return (
    <>
      <h2 id="collections">Put together by us</h2>
      <ul>
        {collections.map(({ slug, name, total, pictures }) => (
          <li key={slug}>
            <span>
              {pictures.slice(0, PICTURES).map(picture => (
                <Picture
                  key={picture}
                  src={picture}
                  alt=""
                  sizes="(min-width: 60rem) 10vw, (min-width: 40rem) 15vw, 30vw"
                />
              ))}
            </span>
            <h3>
              <Link to={paths.collection(slug)}>{name}</Link>
            </h3>
            <small>{total === 1 ? '1 product' : `${total} products`}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

const Shelf = styled.nav`
  margin-top: ${space[7]};
  h2 {
    margin-bottom: ${space[4]};
    font-size: ${size.h2};
  }
  ul {
    display: flex;
    gap: ${space[5]};
    margin-inline: calc(-1 * ${measure.gutter});
    padding: 0 ${measure.gutter};
    list-style: none;
    overflow-x: auto;
    scrollbar-width: none;
    ${from.desktop} {
      display: grid;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      gap: ${space[6]};
      margin-inline: 0;
      padding-inline: 0;
    }
  }
  li {
    position: relative;
    flex: 0 0 min(20rem, 80%);
    min-width: 0;
  }
  li > span {
    display: grid;
    grid-template-columns: repeat(${PICTURES}, minmax(0, 1fr));
    padding: ${space[3]};
    margin-bottom: ${space[3]};
    background: ${color.band};
    border-radius: ${radius.md};
  }
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
  li:hover a {
    text-decoration: underline;
    text-decoration-thickness: 1px;
  }
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
