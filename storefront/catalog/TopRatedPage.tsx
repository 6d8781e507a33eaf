import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import { Suspense } from 'react'
import type { LoaderFunction } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { color, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { AlsoViewedDocument } from './AlsoViewed.gql.ts'
import { BackLink } from './BackLink.tsx'
import { listParams, useListParams } from './list-params.ts'
import { OpenGraph } from './OpenGraph.tsx'
import { Pager } from './Pager.tsx'
import { ProductGrid, ProductGridSkeleton } from './ProductGrid.tsx'
import { SearchResults } from './SearchResults.tsx'
import { TopRatedPageDocument } from './TopRatedPage.gql.ts'
import { useListTop } from './use-list-top.ts'

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ params, request }) => {
    const variables = listParams(params, new URL(request.url).searchParams)
    const { data } = await client.query({ query: TopRatedPageDocument, variables })
    if (variables.keyword && data?.topRatedProducts.total === 0) await client.query({ query: AlsoViewedDocument })
    return null
  }

const DESCRIPTION = 'The yarns, needles and notions our customers rate best, from everyone who has used them.'

/** The same list as the home page's, best rated first. */
export default function TopRatedPage() {
  const { keyword } = useListParams()
  return (
    <Container>
      <Suspense fallback={<ProductGridSkeleton />}>{keyword ? <Found keyword={keyword} /> : <Best />}</Suspense>
    </Container>
  )
}

function Found({ keyword }: { keyword: string }) {
  const { topRatedProducts } = useSuspenseQuery(TopRatedPageDocument, { variables: useListParams() }).data
  return <SearchResults keyword={keyword} list={topRatedProducts} back={paths.topRated()} at={paths.topRatedSearch} />
}

function Best() {
  const { items, page, pages } = useSuspenseQuery(TopRatedPageDocument, { variables: useListParams() }).data
    .topRatedProducts
  const top = useListTop()
  return (
    <>
      <Head
        title={page > 1 ? `Top rated, page ${page}` : 'Top rated'}
        description={DESCRIPTION}
        canonical={paths.topRated(page)}
      />
      <OpenGraph
        type="website"
        title="Top rated at Skein"
        description={DESCRIPTION}
        path={paths.topRated(page)}
        image={items[0]?.image}
      />
      <BackLink to={paths.home()} />
      <Banner>
        <h1 ref={top} tabIndex={-1}>
          Top Picks You'll Love
        </h1>
        <p>
          Rated by the people who knitted with them. One lucky review doesn’t carry a yarn up here; a steady favourite
          does.
        </p>
      </Banner>
      {items.length === 0 ? (
        <EmptyState title="Nothing rated yet">
          <p>Be the first: every product page has a place for your review.</p>
        </EmptyState>
      ) : (
        <ProductGrid products={items} eager={4} />
      )}
      <Pager page={page} pages={pages} to={paths.topRated} />
    </>
  )
}

const Banner = styled.header`
  display: grid;
  gap: ${space[3]};
  margin-block: ${space[2]} ${space[7]};
  h1 {
    font-size: ${size.display};
    scroll-margin-top: ${space[5]};
  }
  p {
    max-width: ${measure.text};
    font-size: ${size.lg};
    color: ${color.textQuiet};
  }
`
