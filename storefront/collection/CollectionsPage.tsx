import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import type { LoaderFunction } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { Breadcrumbs } from '../catalog/Breadcrumbs.tsx'
import { ProductGridSkeleton } from '../catalog/ProductGrid.tsx'
import { paths } from '../paths.ts'
import { from, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Suspended } from '../ui/Suspended.tsx'
import { CollectionTile } from './CollectionTile.tsx'
import { CollectionsPageDocument } from './CollectionsPage.gql.ts'

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async () => {
    await client.query({ query: CollectionsPageDocument })
    return null
  }

const TITLE = 'Collections'
const SUMMARY = 'Yarn and knitting supplies that the shop has put together by hand.'

/** All that the shop has put together by hand. */
export default function CollectionsPage() {
  const path = paths.collections()
  return (
    <Container>
      <OpenGraph type="website" title={TITLE} description={SUMMARY} path={path} picture={paths.sharePage(path)} />
      <Breadcrumbs trail={[{ label: TITLE, path }]} />
      <h1>{TITLE}</h1>
      <Suspended fallback={<ProductGridSkeleton />}>
        <All />
      </Suspended>
    </Container>
  )
}

function All() {
  const { collections } = useSuspenseQuery(CollectionsPageDocument).data
  const isEmpty = collections.length === 0
  return (
    <>
      <Head title={TITLE} description={SUMMARY} canonical={isEmpty ? undefined : paths.collections()} />
      {isEmpty ? (
        <EmptyState
          title="Nothing is put together at the moment"
          action={
            <LinkButton as={Link} to={paths.home()}>
              See everything on the shelves
            </LinkButton>
          }
        />
      ) : (
        <Tiles>
          {collections.map(collection => (
            <CollectionTile key={collection.slug} collection={collection} heading="h2" />
          ))}
        </Tiles>
      )}
    </>
  )
}

const Tiles = styled.ul`
  display: grid;
  gap: ${space[6]};
  padding: 0;
  margin-block: ${space[5]} 0;
  list-style: none;
  ${from.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  ${from.desktop} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
`
