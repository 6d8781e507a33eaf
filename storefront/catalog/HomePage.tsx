import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import type { LoaderFunction } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head, useShopName } from '../app/Head.tsx'
import { Collections } from '../collection/Collections.tsx'
import { NewsletterBox } from '../newsletter/NewsletterBox.tsx'
import { paths } from '../paths.ts'
import { color, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Suspended } from '../ui/Suspended.tsx'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { AlsoViewedDocument } from './AlsoViewed.gql.ts'
import { Carousel } from './Carousel.tsx'
import { isYarn } from './facts.ts'
import { HomePageDocument } from './HomePage.gql.ts'
import { listParams, useListParams } from './list-params.ts'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { ShopJsonLd } from './ShopJsonLd.tsx'
import { ProductGridSkeleton } from './ProductGrid.tsx'
import { ProductList } from './ProductList.tsx'
import { SearchResults } from './SearchResults.tsx'
import { useListTop } from './use-list-top.ts'
import { WallOfColour } from './WallOfColour.tsx'
import { WelcomeDocument } from './Welcome.gql.ts'
import { WeightNav } from './WeightNav.tsx'

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ params, request }) => {
    const variables = listParams(params, new URL(request.url).searchParams)
    const isWelcome = !variables.keyword && variables.page === 1
    const [{ data }] = await Promise.all([
      client.query({ query: HomePageDocument, variables }),
      isWelcome && client.query({ query: WelcomeDocument }),
    ])
    if (variables.keyword && !variables.filter && data?.products.total === 0)
      await client.query({ query: AlsoViewedDocument })
    return null
  }

const DESCRIPTION =
  'Yarn in every weight, needles, hooks and notions, with honest facts on every band: fibre, length, gauge, needle and care.'

/** The whole shop, or what a search finds in it. */
export default function HomePage() {
  const { keyword } = useListParams()
  return (
    <Container>
      <Suspended fallback={<ProductGridSkeleton />}>{keyword ? <Found keyword={keyword} /> : <Everything />}</Suspended>
    </Container>
  )
}

function Found({ keyword }: { keyword: string }) {
  const { products } = useSuspenseQuery(HomePageDocument, { variables: useListParams() }).data
  return <SearchResults keyword={keyword} list={products} back={paths.home()} at={paths.search} ownOrder="Best match" />
}

function Everything() {
  const { products } = useSuspenseQuery(HomePageDocument, { variables: useListParams() }).data
  const { items, page } = products
  const top = useListTop()
  const heading = `${useShopName()}: yarn and knitting supplies`
  const title = page > 1 ? `Yarn and knitting supplies, page ${page}` : 'Yarn and knitting supplies'
  return (
    <>
      <Head title={title} description={DESCRIPTION} canonical={paths.home(page)} />
      <OpenGraph
        type="website"
        title={heading}
        description={DESCRIPTION}
        path={paths.home(page)}
        picture={paths.sharePage(paths.home())}
      />
      {page === 1 && <ShopJsonLd />}
      <VisuallyHidden as="h1">{heading}</VisuallyHidden>
      {page === 1 && <Welcome yarns={items.filter(isYarn)} />}
      <Section>
        <Heading>
          <h2 id="shelves" ref={top} tabIndex={-1}>
            Everything on the shelves
          </h2>
          <p>Everything to knit and crochet with, newest first unless you say otherwise</p>
        </Heading>
        <ProductList list={products} pathOf={paths.home} ownOrder="Newest" />
      </Section>
      <Section>
        <NewsletterBox />
      </Section>
    </>
  )
}

/** Only on the first page: on later ones the visitor is going through the list. */
function Welcome({ yarns }: { yarns: readonly { image: string }[] }) {
  const { wallOfColour, topRatedProducts, collections } = useSuspenseQuery(WelcomeDocument).data
  const newest = yarns.map(({ image }) => image)
  return (
    <>
      <WallOfColour wallOfColour={wallOfColour} />
      <Carousel newest={newest} best={topRatedProducts.items.map(({ image }) => image)} />
      <Section>
        <WeightNav />
      </Section>
      {collections.length > 0 && <Collections collections={collections} />}
    </>
  )
}

const Section = styled.section`
  margin-top: ${space[7]};
`
const Heading = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: ${space[1]} ${space[5]};
  margin-bottom: ${space[5]};
  h2 {
    font-size: ${size.h1};
    scroll-margin-top: ${space[5]};
  }
  p {
    color: ${color.textQuiet};
  }
`
