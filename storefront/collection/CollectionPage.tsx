import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import { type LoaderFunction, useParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { NotFound } from '../app/ErrorPage.tsx'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { Breadcrumbs } from '../catalog/Breadcrumbs.tsx'
import { ListJsonLd } from '../catalog/ListJsonLd.tsx'
import { ProductGrid, ProductGridSkeleton } from '../catalog/ProductGrid.tsx'
import { paths } from '../paths.ts'
import { color, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Suspended } from '../ui/Suspended.tsx'
import { CollectionPageDocument } from './CollectionPage.gql.ts'

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ params }) => {
    const { data } = await client.query({ query: CollectionPageDocument, variables: { slug: params['slug'] ?? '' } })
    if (data && !data.collection) throw new Response(null, { status: 404 })
    return null
  }

/** Products that the shop has put together by hand. */
export default function CollectionPage() {
  const { slug = '' } = useParams()
  return (
    <Container>
      <Suspended fallback={<ProductGridSkeleton />}>
        <Goods slug={slug} />
      </Suspended>
    </Container>
  )
}

/** Pictures in view at once. */
const EAGER = 3

function Goods({ slug }: { slug: string }) {
  const { collection } = useSuspenseQuery(CollectionPageDocument, { variables: { slug } }).data
  if (!collection) return <NotFound />
  const { name, description, total, products } = collection
  const path = paths.collection(collection.slug)
  const summary = description.replaceAll(/\s+/g, ' ') || `${name}: put together by hand.`
  return (
    <>
      <Head title={name} description={summary} canonical={total === 0 ? undefined : path} />
      <OpenGraph type="website" title={name} description={summary} path={path} picture={paths.sharePage(path)} />
      <ListJsonLd name={name} list={{ total, items: products }} />
      <Breadcrumbs
        trail={[
          { label: 'Collections', path: paths.collections() },
          { label: name, path },
        ]}
      />
      <Heading>
        <h1>{name}</h1>
        {description && <p>{description}</p>}
      </Heading>
      {products.length > 0 ? (
        <ProductGrid products={products} eager={EAGER} />
      ) : (
        <EmptyState
          title="Nothing of it is here at the moment"
          action={
            <LinkButton as={Link} to={paths.home()}>
              See everything on the shelves
            </LinkButton>
          }
        />
      )}
    </>
  )
}

const Heading = styled.header`
  display: grid;
  gap: ${space[3]};
  margin-block: ${space[3]} ${space[6]};
  overflow-wrap: anywhere;
  p {
    max-width: ${measure.text};
    font-size: ${size.lg};
    line-height: 1.45;
    color: ${color.textQuiet};
    white-space: pre-line;
  }
`
