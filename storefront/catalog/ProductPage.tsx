import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import { lazy, useEffect, useRef } from 'react'
import {
  data as routerData,
  type LoaderFunction,
  redirect,
  useLocation,
  useNavigate,
  useParams,
} from 'react-router-dom'
import { styled } from 'styled-components'
import { shelvesOf } from '#schema/rules/shelves'
import { slugOf } from '#schema/rules/slug'
import { Head } from '../app/Head.tsx'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { ComesWith } from '../download/ComesWith.tsx'
import { paths } from '../paths.ts'
import { LeaveReview } from '../review/LeaveReview.tsx'
import { ReviewList } from '../review/ReviewList.tsx'
import { color, font, from, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Part } from '../ui/Part.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stars } from '../ui/Stars.tsx'
import { Suspended } from '../ui/Suspended.tsx'
import { AlsoViewedDocument } from './AlsoViewed.gql.ts'
import { BackLink } from './BackLink.tsx'
import { Breadcrumbs, Way } from './Breadcrumbs.tsx'
import { BuyBar } from './BuyBar.tsx'
import { BuyBox } from './BuyBox.tsx'
import { DiscontinuedProduct } from './DiscontinuedProduct.tsx'
import { DiscontinuedProductDocument } from './DiscontinuedProduct.gql.ts'
import { FactBand } from './FactBand.tsx'
import { Gallery } from './Gallery.tsx'
import { LotSelect } from './LotSelect.tsx'
import { ProductJsonLd } from './ProductJsonLd.tsx'
import { ProductName } from './ProductName.tsx'
import { ProductPageDocument } from './ProductPage.gql.ts'
import { QuickFacts } from './QuickFacts.tsx'
import { RecentlyViewed } from './RecentlyViewed.tsx'
import { SkeinCalculator } from './SkeinCalculator.tsx'
import { GoesWith, Substitutes } from './Substitutes.tsx'
import { useBuying } from './use-buying.ts'
import { Variants } from './Variants.tsx'

const BellBox = lazy(() => import('../bell/BellBox.tsx'))

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ params, request }) => {
    const { data } = await client.query({ query: ProductPageDocument, variables: { id: params.id ?? '' } })
    if (data?.product) {
      const { id, name } = data.product
      // In the browser, useOwnAddress corrects the address.
      const leadsOn = typeof window === 'undefined' && isElsewhere(params, name)
      return leadsOn ? redirect(paths.product(id, name) + new URL(request.url).search, 301) : null
    }
    const former = await client.query({ query: DiscontinuedProductDocument, variables: { id: params.id ?? '' } })
    if (!former.data?.discontinuedProduct) throw new Response(null, { status: 404 })
    await client.query({ query: AlsoViewedDocument })
    return routerData(null, { status: 410 })
  }

/** Whether the address has an old name, a misspelt one, or none. */
const isElsewhere = ({ slug = '' }: { slug?: string }, name: string) => slug !== slugOf(name)

export default function ProductPage() {
  const { id = '' } = useParams()
  return (
    <Container>
      <Suspended fallback={<ProductSkeleton />}>
        <Product id={id} />
      </Suspended>
    </Container>
  )
}

function Product({ id }: { id: string }) {
  const { product } = useSuspenseQuery(ProductPageDocument, { variables: { id } }).data
  useOwnAddress(product)
  const buying = useBuying(product)
  const box = useRef<HTMLFormElement>(null)
  if (!product)
    return (
      <>
        <BackLink to={paths.home()} history />
        <DiscontinuedProduct id={id} />
      </>
    )
  const { name, description, rating, numReviews, facts } = product
  const isSoldOut = product.countInStock === 0
  const isLotLeft = product.lots.some(({ code }) => code === buying.lot)
  const missingLot = product.keptByLot && !isLotLeft ? buying.lot : null
  const summary =
    description.length > 155 ? `${description.slice(0, description.lastIndexOf(' ', 154))} …` : description
  return (
    <>
      <Head title={name} description={summary} canonical={paths.product(id, name)} />
      <OpenGraph
        type="product"
        title={name}
        description={summary}
        path={paths.product(id, name)}
        picture={paths.shareProduct(id, product.price)}
      />
      <ProductJsonLd product={product} />
      <Way>
        <BackLink to={paths.home()} history />
        <Breadcrumbs
          trail={[...shelvesOf(facts.kind, facts.weightClass), { label: name, path: paths.product(id, name) }]}
        />
      </Way>
      {isSoldOut && <Substitutes product={product} isSoldOut />}
      <Layout>
        <Pictures>
          <Gallery key={id} name={name} pictures={product.pictures} />
        </Pictures>
        <Info>
          <div>
            <h1>
              <ProductName name={name} />
            </h1>
            <Rating href="#reviews">
              <Stars rating={rating} count={numReviews} figure={numReviews > 0} />
            </Rating>
          </div>
          <Variants product={product} />
          <BuyBox product={product} buying={buying} ref={box} />
          <LotSelect product={product} buying={buying} />
          {(isSoldOut || missingLot !== null) && (
            <Part>
              <BellBox key={id} productId={id} lot={missingLot} />
            </Part>
          )}
          <ComesWith product={product} />
          <QuickFacts product={product} />
          {/* A kit is for one project and contains the yarn for it. */}
          {facts.kind !== 'KIT' && <SkeinCalculator key={id} product={product} onTake={buying.setQuantity} />}
        </Info>
      </Layout>
      <Details>
        <FactBand product={product} />
        <Description>{description}</Description>
      </Details>
      <Company>
        {!isSoldOut && <Substitutes product={product} isSoldOut={false} />}
        <GoesWith product={product} />
      </Company>
      <Reviews>
        {/* The key keeps what was opened for one product from staying open for the next. */}
        <ReviewList key={id} product={product} aside={<LeaveReview productId={id} productName={name} />} />
      </Reviews>
      <Foot>
        <RecentlyViewed product={product} />
      </Foot>
      <BuyBar product={product} buying={buying} box={box} />
    </>
  )
}

/** Corrects the address for visitors who come from within the shop, where the server would redirect. */
function useOwnAddress(product: { id: string; name: string } | null | undefined) {
  const params = useParams()
  const { search, hash, state } = useLocation()
  const navigate = useNavigate()
  const address = product && isElsewhere(params, product.name) ? paths.product(product.id, product.name) : null
  useEffect(() => {
    if (address) void navigate(address + search + hash, { replace: true, state, preventScrollReset: true })
  }, [address, search, hash, state, navigate])
}

function ProductSkeleton() {
  return (
    <Layout role="status" aria-label="Loading">
      <Skeleton $square />
      <Info>
        <Skeleton $width="80%" $height="3rem" />
        <Skeleton $width="12rem" $height="1.25rem" />
        <Skeleton $width="6rem" $height="2rem" />
        <Skeleton $height="8rem" />
        <Skeleton $height="16rem" />
      </Info>
    </Layout>
  )
}

const Layout = styled.div`
  display: grid;
  gap: ${space[5]};
  margin-top: ${space[2]};
  ${from.tablet} {
    grid-template-columns: 1fr 1fr;
    gap: ${space[6]};
    align-items: start;
  }
  ${from.desktop} {
    grid-template-columns: 7fr 6fr;
    gap: ${space[7]};
  }
`
const Pictures = styled.div`
  min-width: 0;
  ${from.tablet} {
    position: sticky;
    top: ${space[5]};
  }
`
const Info = styled.div`
  display: grid;
  gap: ${space[5]};
  min-width: 0;
  h1 {
    margin-bottom: ${space[3]};
  }
`
const Rating = styled.a`
  display: inline-block;
  text-decoration: none;
  > span {
    font-size: ${size.md};
  }
  &:hover {
    text-decoration: underline;
    color: ${color.text};
  }
`
const Description = styled.p`
  max-width: ${measure.text};
  font: ${size.lg} / 1.55 ${font.serif};
  white-space: pre-line;
`
const Company = styled.div`
  display: grid;
  gap: ${space[7]};
  margin-top: ${space[8]};
  &:empty {
    display: none;
  }
`
/** Band and words side by side where there is room. */
const Details = styled.div`
  display: grid;
  gap: ${space[6]};
  margin-top: ${space[7]};
  ${from.desktop} {
    grid-template-columns: 7fr 6fr;
    gap: ${space[7]};
    align-items: start;
  }
`
const Reviews = styled.div`
  margin-top: ${space[8]};
`
const Foot = styled.div`
  margin-block: ${space[8]} ${space[6]};
  &:empty {
    margin-top: 0;
  }
`
