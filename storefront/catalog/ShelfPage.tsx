import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import { type LoaderFunction, redirect, useLocation, useParams, useSearchParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { sentenceOf } from '#schema/rules/shelf-sentences'
import { type Shelf, shelfAt, YARN } from '#schema/rules/shelves'
import { Head } from '../app/Head.tsx'
import type { ProductFacetField } from '../generated/types.ts'
import { paths } from '../paths.ts'
import { color, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Suspended } from '../ui/Suspended.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { ListJsonLd } from './ListJsonLd.tsx'
import { listParams } from './list-params.ts'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { ProductGridSkeleton } from './ProductGrid.tsx'
import { ProductList } from './ProductList.tsx'
import { ShelfPageDocument } from './ShelfPage.gql.ts'
import { useListTop } from './use-list-top.ts'

type Params = Record<string, string | undefined>

/** `/yarn/dk/page/2` is page 2 of the shelf at `/yarn/dk`. */
const shelfPath = (pathname: string) => pathname.replace(/\/page\/[^/]*\/?$/, '').replace(/(?<=.)\/$/, '')

function variablesOf(shelf: Shelf, params: Params, search: URLSearchParams) {
  const { page, filter, sort } = listParams(params, search)
  return { page, sort, filter: { ...filter, ...shelf.filter } }
}

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ params, request }) => {
    const { pathname, search, searchParams } = new URL(request.url)
    const path = shelfPath(pathname)
    const shelf = shelfAt(path)
    if (!shelf) throw new Response(null, { status: 404 })
    if (shelf.path !== path) return redirect(shelf.path + pathname.slice(path.length) + search, 301)
    await client.query({ query: ShelfPageDocument, variables: variablesOf(shelf, params, searchParams) })
    return null
  }

/** A part of the catalogue with an address of its own: all yarn of a weight, a fibre or a colour, all needles. */
export default function ShelfPage() {
  const shelf = shelfAt(shelfPath(useLocation().pathname))
  if (!shelf) throw new Response(null, { status: 404 })
  return (
    <Container>
      <Suspended fallback={<ProductGridSkeleton />}>
        <Goods shelf={shelf} />
      </Suspended>
    </Container>
  )
}

function Goods({ shelf }: { shelf: Shelf }) {
  const [search] = useSearchParams()
  const variables = variablesOf(shelf, useParams(), search)
  const list = useSuspenseQuery(ShelfPageDocument, { variables }).data.products
  const top = useListTop()
  const { page, total } = list
  const pathOf = (page: number) => paths.shelf(shelf.path, page)
  const title = page > 1 ? `${shelf.heading}, page ${page}` : shelf.heading
  const sentence = sentenceOf(shelf)
  // Filters make very many lists; the canonical address leaves them out, so that search engines know the whole shelf.
  const isEmpty = total === 0
  return (
    <>
      <Head title={title} description={sentence} canonical={isEmpty ? undefined : pathOf(page)} />
      <OpenGraph
        type="website"
        title={title}
        description={sentence}
        path={pathOf(page)}
        picture={paths.sharePage(shelf.path)}
      />
      <ListJsonLd name={shelf.heading} list={list} />
      <Breadcrumbs trail={trailOf(shelf)} />
      <Heading>
        <h1 ref={top} tabIndex={-1}>
          {shelf.heading}
        </h1>
        <p>{sentence}</p>
      </Heading>
      <ProductList list={list} pathOf={pathOf} fixed={fixedBy(shelf)} ownOrder="Newest" eager={3} />
    </>
  )
}

const trailOf = (shelf: Shelf) => (shelf.path.startsWith(`${YARN.path}/`) ? [YARN, shelf] : [shelf])

function fixedBy({ filter: { weightClass, fibre, colour } }: Shelf): ProductFacetField[] {
  return [
    'KIND',
    ...(weightClass ? (['WEIGHT_CLASS'] as const) : []),
    ...(fibre ? (['FIBRE'] as const) : []),
    ...(colour ? (['COLOUR'] as const) : []),
  ]
}

const Heading = styled.header`
  display: grid;
  gap: ${space[3]};
  margin-block: ${space[3]} ${space[6]};
  h1 {
    scroll-margin-top: ${space[5]};
  }
  p {
    max-width: ${measure.text};
    font-size: ${size.lg};
    line-height: 1.45;
    color: ${color.textQuiet};
  }
`
