import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { from, measure, size, space } from '../theme/tokens.ts'
import { Kept } from '../ui/Kept.tsx'
import { Link } from '../ui/Link.tsx'
import { CollectionTile } from './CollectionTile.tsx'
import type { CollectionTileFragment } from './CollectionTile.gql.ts'

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
      <header>
        <h2 id="collections">Put together by us</h2>
        <Link to={paths.collections()}>All collections</Link>
      </header>
      <ul>
        {collections.map(collection => (
          <CollectionTile key={collection.slug} collection={collection} heading="h3" />
        ))}
      </ul>
    </>
  )
}

const Shelf = styled.nav`
  margin-top: ${space[7]};
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: ${space[1]} ${space[5]};
    margin-bottom: ${space[4]};
  }
  h2 {
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
    flex: 0 0 min(20rem, 80%);
  }
`
