import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { color, size, space } from '../theme/tokens.ts'
import { BackLink } from './BackLink.tsx'
import { NoResults } from './NoResults.tsx'
import { Pager } from './Pager.tsx'
import type { ProductCardFragment } from './ProductCard.gql.ts'
import { ProductGrid } from './ProductGrid.tsx'
import { useListTop } from './use-list-top.ts'

interface SearchResultsProps {
  keyword: string
  list: { items: ProductCardFragment[]; page: number; pages: number; total: number }
  back: string
  to: (page: number) => string
}

/** What a search found, or how to search better. */
export function SearchResults({ keyword, list: { items, page, pages, total }, back, to }: SearchResultsProps) {
  const top = useListTop()
  const found = total > 0
  return (
    <>
      <Head title={found ? `Search for ${keyword}` : `Nothing found for ${keyword}`} />
      <BackLink to={back} />
      <Heading>
        <h1 ref={top} tabIndex={-1}>
          {found ? `Search Results for "${keyword}":` : `No Results for "${keyword}":`}
        </h1>
        {found && <p>{total === 1 ? '1 product' : `${total.toLocaleString('en-US')} products`}</p>}
      </Heading>
      {found ? <ProductGrid products={items} eager={4} /> : <NoResults />}
      <Pager page={page} pages={pages} to={to} />
    </>
  )
}

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
