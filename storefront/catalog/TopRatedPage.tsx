import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import type { LoaderFunction } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { paths } from '../paths.ts'
import { color, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Suspended } from '../ui/Suspended.tsx'
import { AlsoViewedDocument } from './AlsoViewed.gql.ts'
import { BackLink } from './BackLink.tsx'
import { Breadcrumbs, Way } from './Breadcrumbs.tsx'
import { ListJsonLd } from './ListJsonLd.tsx'
import { listParams, useListParams } from './list-params.ts'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { ProductGridSkeleton } from './ProductGrid.tsx'
import { ProductList } from './ProductList.tsx'
import { SearchResults } from './SearchResults.tsx'
import { TopRatedPageDocument } from './TopRatedPage.gql.ts'
import { useListTop } from './use-list-top.ts'

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ params, request }) => {
    const variables = listParams(params, new URL(request.url).searchParams)
    const { data } = await client.query({ query: TopRatedPageDocument, variables })
    if (variables.keyword && !variables.filter && data?.topRatedProducts.total === 0)
      await client.query({ query: AlsoViewedDocument })
    return null
  }

const DESCRIPTION = 'The yarns, needles and notions our customers rate best, from everyone who has used them.'

/** The same list as the home page's, best rated first. */
export default function TopRatedPage() {
  const { keyword } = useListParams()
  return (
    <Container>
      <Suspended fallback={<ProductGridSkeleton />}>{keyword ? <Found keyword={keyword} /> : <Best />}</Suspended>
    </Container>
  )
}

function Found({ keyword }: { keyword: string }) {
  const { topRatedProducts } = useSuspenseQuery(TopRatedPageDocument, { variables: useListParams() }).data
  return (
    <SearchResults
      keyword={keyword}
      list={topRatedProducts}
      back={paths.topRated()}
      at={paths.topRatedSearch}
      ownOrder={null}
    />
  )
}

function Best() {
  const { topRatedProducts } = useSuspenseQuery(TopRatedPageDocument, { variables: useListParams() }).data
  const { page } = topRatedProducts
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
        title="Top rated"
        description={DESCRIPTION}
        path={paths.topRated(page)}
        picture={paths.sharePage(paths.topRated())}
      />
      <ListJsonLd name="Top rated" list={topRatedProducts} />
      <Way>
        <BackLink to={paths.home()} />
        <Breadcrumbs trail={[{ label: 'Top rated', path: paths.topRated() }]} />
      </Way>
      <Banner>
        <h1 ref={top} tabIndex={-1}>
          Top Picks You'll Love
        </h1>
        <p>
          Rated by the people who knitted with them. One lucky review doesn’t carry a yarn up here; a steady favourite
          does.
        </p>
      </Banner>
      <ProductList list={topRatedProducts} pathOf={paths.topRated} ownOrder={null} eager={3} />
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
