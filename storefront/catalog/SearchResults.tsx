import { Link } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { color, size, space } from '../theme/tokens.ts'
import { BackLink } from './BackLink.tsx'
import { AS_TYPED, useListParams } from './list-params.ts'
import { NoResults } from './NoResults.tsx'
import { Pager } from './Pager.tsx'
import type { ProductCardFragment } from './ProductCard.gql.ts'
import { ProductGrid } from './ProductGrid.tsx'
import { useListTop } from './use-list-top.ts'

interface SearchResultsProps {
  keyword: string
  list: {
    items: ProductCardFragment[]
    page: number
    pages: number
    total: number
    totalIsExact: boolean
    correction?: { used: string; typed: string } | null
    didYouMean?: string | null
  }
  back: string
  /** The address of a search in this list. */
  at: (keyword: string, page?: number) => string
}

/** What a search found, or how to search better. */
export function SearchResults({ keyword, list, back, at }: SearchResultsProps) {
  const { items, page, pages, total, totalIsExact, correction, didYouMean } = list
  const { asTyped } = useListParams()
  const top = useListTop()
  const typed = asTyped ? `?${AS_TYPED}` : ''
  const found = total > 0
  return (
    <>
      <Head title={found ? `Search for ${keyword}` : `Nothing found for ${keyword}`} />
      <BackLink to={back} />
      <Heading>
        <h1 ref={top} tabIndex={-1}>
          {found ? `Search Results for "${keyword}":` : `No Results for "${keyword}":`}
        </h1>
        {found && <p>{totalIsExact ? counted(total) : `More than ${counted(total)}`}</p>}
      </Heading>
      {correction && (
        <Instead>
          Showing what we have for <strong>“{correction.used}”</strong>.{' '}
          <Link to={`${at(correction.typed)}?${AS_TYPED}`}>Search for “{correction.typed}” instead</Link>
        </Instead>
      )}
      {didYouMean && (
        <Instead>
          Did you mean <Link to={at(didYouMean)}>“{didYouMean}”</Link>?
        </Instead>
      )}
      {found ? <ProductGrid products={items} eager={4} /> : <NoResults />}
      <Pager page={page} pages={pages} to={page => at(keyword, page) + typed} />
    </>
  )
}

const counted = (total: number) => (total === 1 ? '1 product' : `${total.toLocaleString('en-US')} products`)

const Instead = styled.p`
  margin-bottom: ${space[5]};
  overflow-wrap: anywhere;
  a {
    color: ${color.accent};
  }
`

const Heading = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: ${space[1]} ${space[5]};
  margin-block: ${space[2]} ${space[6]};
  h1 {
    font-size: ${size.h2};
    overflow-wrap: anywhere;
    scroll-margin-top: ${space[5]};
  }
  p {
    color: ${color.textQuiet};
  }
`
